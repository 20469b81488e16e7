"""Template of a first ruleset, to learn from. The placeholders are NAME, TITLE and FILE."""

from typing import Final

FIRST_RULESET: Final = """\
-- A first ruleset, to be changed line by line. What stands after two dashes is for people only.
-- Check it with `enfilade check FILE`, run its examples with `enfilade test FILE`, and play it with
-- `enfilade resolve FILE fire strength=9 cover=town --why`.

enfilade 1.1
ruleset NAME "TITLE"
source  "the rulebook that this is taken from"

-- The players are those who roll and choose.
players attacker, defender

-- An optional rule is off unless it is asked for.
option  night_rules  "Night rules"                    [9.1]

-- Facts are what the players know before a die is rolled. `[3.2]` is the place in the rulebook, and comes back in every
-- explanation. A fact without `= ...` must be given; yes/no is no unless given.
facts
  strength  1..                        "strength of the firing units"  [3.2]
  cover     one of open, town = open   "where the target stands"       [3.3]
  night     yes/no                     "it is night"
  targets   list of unit               "the units in the target hex"

-- A record is something on the map. Its fields may change.
record unit
  steps  0..4 = 2                      "steps left"

-- An effect changes a record, or is only reported if no line stands below it.
effect step_loss "loses a step" (unit)                [4.1]
  unit.steps becomes unit.steps - 1 but at least 0
effect morale_check "checks morale" (unit)            [4.2]

-- The chart as it is printed. A strength of 5 reads the column 4; what happens off an edge of the chart must be said.
chart fire_table "Fire Table"                         [3.5]
  down      2d6
  across    strength, column at or below
  shift off left  stays                               assumed "the chart does not say"
  severity  - < M < X
  severity  never falls to the right
  | Roll |  1 |  4 |  8 | 12+ |
  | 2..4 |  - |  M |  X |  X  |
  | 5..9 |  - |  - |  M |  M  |
  | 10+  |  - |  M |  M |  X  |

-- Each modifier has an amount, a name and a condition.
modifiers column_shifts "Column Shifts" shift columns of fire_table
  -1  in_town  cover is town                          [3.6]
  when option night_rules
    -1  dark   night                                  [9.1]

-- What each code on the chart does.
results of fire_table
  -  "No effect"
  M  "Morale check"
    for each target in targets: morale_check on target
  X  "A step is lost"
    defender chooses victim among targets where steps > 0 "who loses a step", if any
    when victim is not none: step_loss on victim

-- What happens, step by step.
procedure fire "Fire"                                 [3]
  1. refuse no_targets "nobody is there to be hit" when (count of targets) is 0
  2. roll 2d6 as fire_roll by attacker
  3. read fire_table with fire_roll as shot
  4. apply shot
  5. give column = shot.column
  6. give result = shot.code
  7. give steps_left = map of unit to steps over targets

-- An example is a test: the dice that are rolled, what is chosen, and what must come of it.
example fire "a hit on two units in a town"
  given strength 12, cover town, unit rifles (steps 2), unit guns (steps 1)
  on 1 2
  choosing guns
  gives X
  effect step_loss on guns
  expect column is "8" and steps_left of guns is 0

example fire "nobody there"
  given strength 12
  refused no_targets
"""
