"""A small game for the tests of odds: two dice, a choice, effects, a refusal, and modifiers."""

from typing import Final

TEXT: Final = """
ruleset skirmish "A Skirmish"
players owner, attacker

option fog

record unit
  steps  0..4 = 2

facts
  fire      1..
  cover     one of open, woods, town = open
  night     yes/no
  distance  number 0.. = 1
  units     list of unit

chart crt "Fire"
  down    2d6
  across  fire, column at or below
  severity  - < M < X
  shift off left   stays
  | 2d6  | 1 | 5 | 10+ |
  | 2..4 | - | M |  X  |
  | 5..9 | - | - |  M  |
  | 10.. | M | X |  X  |

modifiers drm "Fire modifiers" shift columns of crt, cumulative
  -1  woods  cover is woods   "in woods"
  never together
    -1  night  night          "at night"     [4.1]
    -2  far    distance > 9
  when option fog
    -1  fog    night

chart thin (score 1..)
  down  score
  row above  refuse off_chart "there is no such row"  [5.5]
  | at   | is |
  | 1..5 | ok |

effect loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1 but at least 0

procedure shoot "Shoot" [3]
  1. refuse too_far "out of range" when distance > 20 [3.2]
  2. roll 2d6 as dice
  3. read crt with dice as hit
  4. when hit.code is X
       owner chooses victim among units where steps > 0 "who is hit", if any
       when victim is not none: loss on victim
  5. give result = hit.code
     give sum    = dice.total
     give column = hit.column
     give left   = map of unit to steps over units
     give lucky  = dice.total is 12

procedure wager
  1. attacker chooses stake among [1, 2, 3] "the stake"
  2. roll d6 as die
  3. give won = stake when die >= 3 otherwise 0 - stake

procedure risky
  1. roll d6 as die
  2. give result = thin(die.total)

procedure throng
  1. roll 9d6 as dice
  2. give faces = dice.values

procedure toss
  1. roll d6 as early
  2. attacker chooses again among [yes, no]
  3. when again
       roll d6 as late
       give score = late
     otherwise
       give score = early
"""

UNITS: Final = [{"name": "rifles", "steps": 2}, {"name": "guns", "steps": 1}]
"""Two units to choose from."""
