"""Small awkward rules whose odds are held to brute force in ``test_awkward_rules``: rules with a gap, and what fills it."""

from typing import Any, Final

from attrs import frozen


@frozen
class Topic:
    """Rules about one thing that the odds engine does.

    Attributes:
        rules: The rules; ``{}`` stands where a case goes.
        cases: The steps of each case.
        facts: What may be given, by name; a case takes what it needs.
        wholes: What is asked beside the outputs.
        thorough: Cases and facts that take long for what they tell.
    """

    rules: str
    cases: dict[str, tuple[str, ...]]
    facts: dict[str, dict[str, Any]]
    wholes: tuple[str, ...] = ()
    thorough: tuple[str, ...] = ()


CHECKED: Final = ("roll d2 as die", "when die is 1: hit on {0}", "shock on {0}")
LOOP: Final = ("for each unit in units", *(f"  {line.format('unit')}" for line in CHECKED))
RECORDS: Final = Topic(
    """\
enfilade 1.1
ruleset totals "Records of which only sums are read"

record unit
  steps   0..9 = 3
  shaken  yes/no

facts
  units  list of unit
  other  unit

effect hit (unit)
  unit.steps becomes unit.steps - 1 but at least 0
effect shock (unit)
  roll d2 as nerve
  when nerve is 1: unit.shaken becomes yes

effect panic (unit)
  when count of effects hit >= 2: unit.shaken becomes yes
effect alarm (unit)
  roll d2 as nerve
  when nerve is 1 and count of effects hit >= 2: unit.shaken becomes yes

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   h    |
  |  2   |   s    |
  |  3   |   hs   |

players owner

results of luck for each unit
  h   "hit"
    each reader: hit
  s   "shock"
    each reader: shock
  hs  "both"
    each reader: hit
    each reader: shock

chart wounds "Wounds"
  down  d2
  roll above  gives w3
  | Roll | Result |
  |  1   |   w1   |
  |  2   |   w2   |

chart fright "Fright"
  down  d2
  | Roll | Result |
  |  1   |   f    |
  |  2   |   -    |

results of fright for each unit
  f  "frightened"
    each reader where unit is not other: hit
  -  "nothing"

modifiers leads add to roll of wounds
  for each unit
    +1  leads  unit is other

effect wound (unit, amount 1..3)
  unit.steps becomes unit.steps - amount but at least 0

results of wounds for each unit
  w#  "wounded"
    each reader: wound with amount #

procedure main
  1. {}
  2. give lost   = count of units where steps < 3
     give left   = sum of steps over units
     give shaken = count of units where shaken
     give both   = count of units where steps < 3 and shaken
     give hits   = count of effects hit
""",
    {
        "each once": LOOP,
        "each twice in one list": ("for each unit in units followed by units", *LOOP[1:]),
        "the first one again at the end": ("for each unit in units followed by first 1 of units", *LOOP[1:]),
        "one loop after the other": (*LOOP, *LOOP),
        "another record in the same local": ("for each unit in units", "  unit becomes other", *LOOP[1:]),
        "changed later, and not read": (*LOOP, "for each unit in units", "  unit.shaken becomes no"),
        "another record is hit too": (*LOOP, "  hit on other"),
        "all of them are hit in each round": (*LOOP, "  for each friend in units", "    hit on friend"),
        "what one has decides about the next": ("let lucky = yes", *LOOP, "  lucky becomes unit.shaken"),
        "one of them is another record": (*LOOP, "  when unit is other: hit on unit"),
        "the first one": (*LOOP, "  when unit is item 1 of units: hit on unit"),
        "those that are hit, in a list": (
            "let fallen = units without units",
            *LOOP,
            "  fallen becomes fallen followed by unit",
        ),
        "each hits the one before": ("let friend = other", *LOOP, "  hit on friend", "  friend becomes unit"),
        "each depends on the hits so far": (*LOOP, "  panic on unit"),
        "each may depend on the hits so far": (*LOOP, "  alarm on unit"),
        "each round reads the hits so far": (
            *LOOP[:3],
            "  when count of effects hit is 1: hit on unit",
        ),
        "after a roll that is kept": ("roll d2 as wind", *LOOP, "  when wind is 1: hit on unit"),
        "only those with two steps": (
            "for each unit in units",
            "  roll d2 as die",
            "  when die is 1 and unit.steps is 2: hit on unit",
        ),
        "not all units": ("for each unit in units where unit is not other", *LOOP[1:]),
        "results for each": ("roll d3 as die", "read luck with die for each unit as shots", "apply shots"),
        "results with numbers": ("roll d2 as die", "read wounds with die for each unit as shots", "apply shots"),
        "results for all but one of them": (
            "roll d2 as die",
            "read fright with die for each unit as shots",
            "apply shots",
        ),
        "two results for each": (
            "roll d3 as die",
            "roll d3 as again",
            "read luck with die for each unit as shots",
            "read luck with again for each unit as more",
            "apply shots",
            "apply more",
        ),
        "results in a list with a record twice": (
            "roll d3 as die",
            "read luck with die for each unit in (units followed by first 1 of units) as shots",
            "apply shots",
        ),
    },
    {
        "alike": {"units": [{"key": "a"}, {"key": "b"}], "other": "a"},
        "others": {"units": [{"key": "a", "steps": 2}, {"key": "b"}], "other": "a"},
        "three": {"units": [{"key": "b"}, {"key": "a"}, {"key": "c"}], "other": "a"},
    },
    ("effects", "state"),
    ("others", "three"),
)
"""Blocks that run for each of several records: folded into running totals, and run once for all that are alike."""


DICE: Final = ("repeat 3 times", "  roll d3 as die")
THRESHOLDS: Final = Topic(
    """\
enfilade 1.1
ruleset thresholds "Numbers that are only compared"

record ship
  damage  0.. = 0
  strain  number = 0
  holes   0..4 = 0
  points  1..

facts
  ships   list of ship
  target  ship
  limit   0.. = 2

effect hurt (ship, amount 0..)
  ship.damage becomes ship.damage + amount
effect strained (ship, amount number)
  ship.strain becomes ship.strain + amount
effect holed (ship)
  ship.holes becomes ship.holes + 1

define sunk (ship) = ship.damage >= ship.points
define worse (a ship, b ship) = a.damage >= b.points

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   h    |
  |  2   |   hh   |
  |  3   |   -    |

results of luck for each ship
  h   "hit"
    each reader: hurt with amount 1
  hh  "hit twice"
    each reader: hurt with amount 2
  -   "nothing"

procedure turn "A turn"
  1. roll d3 as die
  2. hurt on target with amount die - 1
     give heavy = target.damage > 2

procedure main
  1. {}
""",
    {
        "a field of the same record": (
            *DICE,
            "  hurt on target with amount die",
            "give sunk = target.damage >= target.points",
        ),
        "each of several records": (
            "for each ship in ships",
            "  repeat 2 times",
            "    roll d3 as die",
            "    hurt on ship with amount die - 1",
            "give sunk = count of ships where damage >= points",
            "give first_sunk = any of ships where damage > 3",
        ),
        "a definition": (*DICE, "  hurt on target with amount die", "give sunk = sunk(target)"),
        "a definition with the points of another record": (
            *DICE,
            "  hurt on target with amount die",
            "give worse = worse(target, (item 1 of ships))",
        ),
        "two thresholds, and one is read on the way": (
            *DICE,
            "  when target.damage < 2: hurt on target with amount die - 1",
            "  hurt on target with amount 1",
            "give big = target.damage is 5",
            "give small = target.damage <= 3",
        ),
        "a fact with a default": (*DICE, "  hurt on target with amount die", "give over = limit < target.damage"),
        "a fact without one is no threshold": (
            *DICE,
            "  hurt on target with amount die",
            "give over = count of ships + 2 < target.damage",
        ),
        "a number that is set back": (
            *DICE,
            "  hurt on target with amount die",
            "  when die is 2: target.damage becomes 0",
            "give sunk = sunk(target)",
        ),
        "an amount that may be negative": (
            *DICE,
            "  strained on target with amount die - 2.5",
            "give strained = target.strain >= 0.5",
        ),
        "amounts that are no whole numbers": (
            *DICE,
            "  target.strain becomes target.strain + die * 0.5",
            "give strained = target.strain > 3",
            "give equal = target.strain is 2",
        ),
        "a field with an end that is passed": (
            *DICE,
            "  repeat die times: holed on target",
            "give many = target.holes >= 2",
        ),
        "one record's number in another's": (
            *DICE,
            "  hurt on target with amount die",
            "  for each ship in ships: ship.damage becomes target.damage + 1",
            "give sunk = any of ships where damage >= points",
        ),
        "a copy before more is added": (
            "let before = 0",
            *DICE,
            "  before becomes target.damage",
            "  hurt on target with amount die",
            "give was = before >= 2",
            "give is_now = target.damage >= 4",
        ),
        "a local": (
            "let lost = 0",
            *DICE,
            "  lost becomes lost + die",
            "give beaten = lost >= 4",
            "give exactly = 6 is lost",
        ),
        "a local that is read otherwise": (
            "let lost = 0",
            *DICE,
            "  lost becomes lost + die",
            "give lost = lost",
            "give beaten = lost >= 4",
        ),
        "a local with a condition": (
            "let lost = 0",
            *DICE,
            "  lost becomes lost + 2 when die is 1 otherwise lost + die",
            "give beaten = lost > 5",
        ),
        "until a number is reached": (
            "let lost = 0",
            "repeat until lost >= 4",
            "  roll d3 as die",
            "  lost becomes lost + die - 1",
            "  hurt on target with amount die",
            "give sunk = target.damage >= target.points",
        ),
        "results": (
            "repeat 2 times",
            "  roll d3 as die",
            "  read luck with die for each ship in ships as fate",
            "  apply fate",
            "give sunk = any of ships where damage > 2",
            "give all_sunk = count of ships where damage >= points",
        ),
        "a call": (
            "repeat 2 times: call turn as each_turn",
            "call turn as last_turn",
            "give heavy = last_turn.heavy",
            "give sunk = sunk(target)",
        ),
        "at the same time": (
            *DICE,
            "  together",
            "    hurt on target with amount die",
            "    hurt on target with amount 1",
            "give sunk = target.damage >= 5",
        ),
    },
    {
        "ships": {
            "ships": [{"key": "a", "points": 3}, {"key": "b", "points": 2, "damage": 1}],
            "target": {"key": "t", "points": 4},
        }
    },
)
"""Numbers that only rise and are only compared: capped above their highest threshold, and nothing else changes."""


UNREAD: Final = Topic(
    """\
enfilade 1.1
ruleset unread "Fields that are not read"

record ship
  damage  0.. = 0
  lost    0.. = 0
  out     0.. = 0
  burns   yes/no

facts
  ships   list of ship
  target  ship

effect hurt (ship, amount 0..)
  ship.damage becomes ship.damage + amount
effect slowed (ship, amount 0..)
  ship.lost becomes ship.lost + amount
effect crippled (ship)
  roll d2 as die
  slowed on ship with amount die
  when ship.lost >= 2: hurt on ship with amount 1
effect swept (ship)
  ship.out becomes ship.out + ship.lost
  when ship.out >= 2
    ship.burns becomes yes
effect counted (ship)
  roll d2 as die
  when die is 1: hurt on ship with amount (sum of lost over ships)
effect recalled (ship)
  roll d2 as die
  when die is 1: hurt on ship with amount (count of effects slowed)
effect again (ship, left 0..)
  roll d2 as die
  slowed on ship with amount die
  when left > 0 and die is 1: other_way on ship with left left - 1
effect other_way (ship, left 0..)
  roll d2 as die
  ship.out becomes ship.out + ship.lost
  when left > 0: again on ship with left left - 1
  when die is 1: hurt on ship with amount ship.out
effect ends (ship)
  slowed on ship with amount 1
  when ship.lost >= 2: stop
  ship.lost becomes 0

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   s    |
  |  2   |   h    |
  |  3   |   b    |

results of luck for each ship
  s   "slowed"
    each reader: slowed with amount 1
  h   "hurt"
    each reader where lost >= 1: hurt with amount 1
  b   "both"
    each reader
      roll d2 as die
      slowed on reader with amount die
    each reader where out is 0: hurt with amount 2

procedure turn "A turn"
  1. roll d2 as die
  2. slowed on target with amount die
     when die is 1: hurt on target with amount target.lost
  3. give speed = target.lost
     give harm = target.damage

procedure main
  1. {}
  2. give damage = target.damage
     give lost   = target.lost
     give burns  = target.burns
     give worst  = sum of lost over ships
     give hits   = count of ships where damage >= 1
     give slow   = count of effects slowed
""",
    {
        "an effect that is only counted": ("slowed on target with amount 1", "hurt on target with amount 1"),
        "an effect with dice": ("crippled on target", "crippled on target"),
        "a count that decides later": ("slowed on target with amount 2", "swept on target", "swept on target"),
        "a sum in an effect": ("for each ship in ships: crippled on ship", "counted on target"),
        "effects counted in an effect": ("for each ship in ships: crippled on ship", "recalled on target"),
        "effects that use each other": ("again on target with left 3", "hurt on target with amount 1"),
        "effects that use each other, and one that reads": ("other_way on target with left 2",),
        "an effect that stops": ("roll d2 as die", "repeat die times: ends on target", "hurt on target with amount 1"),
        "results": (
            "repeat 2 times",
            "  roll d3 as die",
            "  read luck with die for each ship in ships as fate",
            "  apply fate",
        ),
        "a call": ("call turn as first_turn", "hurt on target with amount first_turn.harm", "call turn as second"),
        "a call whose outputs nobody reads": ("repeat 2 times: call turn as each_turn",),
        "a loop": (
            "repeat 3 times",
            "  roll d2 as die",
            "  slowed on target with amount die",
            "  when die is 2: swept on target",
        ),
        "until something happens": (
            "repeat until target.lost >= 3, at most 4 times",
            "  crippled on target",
            "  swept on target",
        ),
        "a branch without dice": (
            "roll d2 as die",
            "when die is 1",
            "  slowed on target with amount 1",
            "  swept on target",
            "otherwise",
            "  ends on target",
            "hurt on target with amount 1",
        ),
        "a field of the procedure itself": ("target.out becomes target.out + 1", "target.lost becomes target.out * 2"),
        "at the same time": (
            "roll d2 as die",
            "together",
            "  slowed on target with amount die",
            "  hurt on target with amount 1",
        ),
    },
    {"ships": {"ships": [{"key": "a"}, {"key": "b", "lost": 1}], "target": "a"}},
    ("effects", "state"),
)
"""Fields that neither the question nor a later step reads: they are left out of the states, also within declarations."""


READ: Final = (
    "dice.values has 6",
    "dice.values has n",
    "(list of (each * 2) over dice.values) has 6",
    "(dice.values where each >= n) has 4",
    # Faces of one rank stay in the order in which they were thrown.
    "highest 2 of dice.values by band(each)",
    "item 1 of (lowest 2 of dice.values by band(each))",
    "lowest 2 of dice.values by band(each) where each is not 2",
    "highest 2 of dice.values",
    "highest of dice.values",
    "[highest of dice.values, count of dice.values where each is 1]",
    "[lowest of dice.values or 0, dice.total]",
    "[highest of dice.values, lowest of dice.values]",
    "[highest of dice.values, item 1 of (highest 2 of dice.values)]",
    "[item 1 of (dice.values sorted high to low), count of dice.values where each >= 4]",
    "[item 1 of (dice.values sorted), dice.natural]",
    "[item 2 of (dice.values sorted), dice.total]",
    "[item 1 of (dice.values sorted by band(each) high to low), dice.total]",
    "[highest of (list of band(each) over dice.values), dice.total]",
    "[highest of (dice.values where each <= 3) or 0, dice.total]",
    "[highest of (dice.values where each <= 3) or 0, count of dice.values where each is 6]",
    "[highest of band(each) over dice.values, dice.total]",
    "[item 2 of (dice.values sorted high to low), highest of dice.values, count of dice.values where each is 1]",
    "dice.total - highest of dice.values - lowest of dice.values",
    "[sum of (highest 2 of dice.values), sum of (lowest 1 of dice.values)]",
    "[sum of (highest 5 of dice.values), sum of (lowest 2 of dice.values), sum of (lowest 0 of dice.values)]",
    "[sum of (each - 5) over dice.values, count of dice.values where each is 1]",
    "[sum of (highest 2 of (list of (each - 5) over dice.values)), count of dice.values where each is 1]",
    "sum of (each / 2) over dice.values",
    # What fails for a side that does not count is no error.
    "0 when any of dice.values is 3 otherwise highest of (list of (12 / (each - 3)) over dice.values)",
    "0 when any of dice.values is 3 otherwise sum of (12 / (each - 3)) over dice.values",
    "0 when any of dice.values is 3 otherwise sum of (highest 2 of dice.values by (12 / (each - 3)))",
    "0 when any of dice.values is 3 otherwise item 1 of (dice.values sorted by (12 / (each - 3)))",
    "[dice.natural, highest of dice.values, count of dice.values where each >= 3]",
    "[item 2 of (dice.values sorted), item n of (dice.values sorted)]",
    "[sum of (highest 2 of (dice.values where each <= 4)), sum of (lowest 2 of (dice.values where each <= 4))]",
)
POOLS: Final = (
    "2 d6 as dice, reroll 1 once",
    "2 d4 as dice, explode on 4 at most 2 times, added to the die",
    "n d6 as dice",
    "d6 + 2 d4 as dice",
    "n d6 + d2 as dice",
    "2 d6 as dice",
    "2 d4 as dice, explode on 4, added to the die",
)
LOOPS: Final = (
    ("last becomes die", "last"),
    ("when die >= 3: last becomes die", "last"),
    ("when die <= 4: last becomes 7 - last", "last"),
    ("when last < 5: last becomes last + die", "last"),
    ("when die is 6: leave", "last becomes last + 1", "last"),
    ("when die is 1: other becomes 2", "last becomes die + other", "last"),
    ("when die is 1: other becomes 2", "last becomes other + die", "last"),
    ("when die >= 3: other becomes other + die", "last becomes other - die", "last"),
    ("seen becomes seen followed by [die]", "item 1 of seen"),
    ("seen becomes seen followed by [die]", "count of seen where each is 6"),
)
READINGS: Final = Topic(
    """\
facts
  n  1.. = 3

define band (face 1..6) = 1 when face <= 3 otherwise 2

procedure main
  1. {}
""",
    {
        dice: (f"roll {dice}", *(f"give read_{at} = {read}" for at, read in enumerate(READ) if "item n" not in read))
        for dice in POOLS
    }
    | {read: ("roll 3 d6 as dice", f"give result = {read}") for read in READ if "item n" in read},
    {"": {}},
    thorough=POOLS[2:],
)
"""Each way to read a pool."""


ROUNDS: Final = Topic(
    """\
facts
  n  1.. = 3

procedure main
  1. roll n d6 as dice
     let last = 0
     let other = 0
     let seen = []
     {}
""",
    {
        " ".join((*lines, read)): (
            "for each die in dice.values",
            *(f"  {line}" for line in lines),
            f"give result = {read}",
        )
        for *lines, read in LOOPS
    },
    {"": {}},
)
"""What a loop over a pool leaves."""


OTHERS: Final = Topic(
    """\
record ship
  lost  0.. = 0
  out   0.. = 0

facts
  ships   list of ship
  target  ship

effect slowed (ship, amount 0..)
  ship.lost becomes ship.lost + amount

chart luck "Luck"
  down  d3
  | Roll | Result |
  |  1   |   s    |
  |  2   |   b    |
  |  3   |   -    |

results of luck for each ship
  s   "slowed"
    each reader
      roll d2 as die
      slowed on reader with amount die
  b   "both"
    each reader: slowed with amount 1
    {}
  -   "nothing"

procedure main
  1. for each ship in ships
       roll d3 as die
       read luck with die for each ship in ships as fate
       apply fate
  2. give lost = sum of lost over ships
     give more = count of ships where lost >= 2
     give of_target = target.lost
""",
    {
        f"{line}: {amount}": (f"{line}: slowed on target with amount {amount}",)
        for line in ("once", "each reader")
        for amount in ("1", "count of ships where lost >= 1", "sum of lost over ships")
    },
    {"two": {"ships": [{"key": "a"}, {"key": "b"}], "target": "a"}},
)
"""Results with lines that change other records than their reader: what each leaves is not final before the last line."""


CALLS: Final = Topic(
    """\
procedure main
  facts
    left   0..3 = 0
    extra  0..5 = 0
  1. roll d2 as die
     let further = 0
     {}
  2. give result = die + extra + further
""",
    {
        given: ("when left > 0", f"  call main with left left - 1{given} as inner", "  further becomes inner.result")
        for given in ("", ", extra extra", ", extra 1")
    },
    {f"left {left}": {"left": left, "extra": 5} for left in range(3)},
)
"""Procedures that call themselves: each sees only the facts that it is given."""


LATER: Final = Topic(
    """\
record unit
  broken  yes/no
  steps   0..
facts
  units  list of unit
  gun    unit

effect breaks "breaks" (unit)
  unit.broken becomes yes
effect loses "loses its steps" (unit)
  unit.steps becomes 0

procedure main
  1. roll 3d6 as dice
     {}
""",
    {
        "a value that reads a sum over records": (
            "for each target in units",
            "  when target.steps <= 2",
            "    breaks on target",
            "give few = count of dice.values where each <= (count of units where broken)",
        ),
        "a list that reads a record": (
            "let kept = dice.values where each <= gun.steps",
            "loses on gun",
            "give few = count of kept",
        ),
    },
    {"steps": {"units": [{"name": f"unit{n}", "steps": n} for n in (1, 2, 3)], "gun": {"steps": 3}}},
)
"""Values of a roll that depend on steps between the roll and their use."""

TOPICS: Final = {
    "records": RECORDS, "thresholds": THRESHOLDS, "unread fields": UNREAD, "readings of pools": READINGS, "loops over pools": ROUNDS,
    "lines about others": OTHERS, "calls": CALLS, "later": LATER,
}  # fmt: skip
