"""Write a ruleset of any length, as varied as real ones, to time loading with.

The text is the same each time. Every section is a small mechanic of its own (definitions, a chart, modifiers,
procedures, an example whose answer is worked out here), sized by its number, in the language of
``docs/language.md``. The templates at the top hold all of the language that is used; adapt them when it
changes. Print the text with ``python -m benchmarks.large_ruleset``.
"""

from collections.abc import Callable

HEAD = """\
enfilade 1
ruleset large_ruleset "A large ruleset"
source  "generated, no printed source"

players attacker, defender
option  fog          "Fog of war"          [9.1]
option  grim         "Heavier losses"      [9.2]

words cover_kind  one of open, light, hard

record unit "a unit on the map"
  kind        one of infantry, cavalry, gun, leader
  steps       0..6 = 2                     "steps left"
  dug_in      yes/no                       [16.1]

facts
  strength    1..                          "strength points that fire"
  defence     1..
  distance    1..12 = 2                    "hexes to the target"
  ranges      list of 1.. = [2]            "hexes, one per firing unit"
  terrain     set of clear, woods, town, hill, swamp = clear
  cover       cover_kind = open
  weather     one of fair, rain, mud = fair
  companies   0..2 = 0
  drill       0..3 = 1
  night       yes/no                       [1.2]
  moved       yes/no                       [5.4]
  flanked     yes/no
  surprised   yes/no
  supported   yes/no
  shaken      yes/no
  units       list of unit

effect step_loss "lose a step" (unit, amount 1..)                     [7.61]
  unit.steps becomes unit.steps - amount but at least 0

effect morale_check "check morale" (unit, modifier 0..)               [14.1]
"""

FIRE = """\

-- {n}. {title}: a threshold chart, read by every unit in the target

define base_{n} = strength + drill - (1 when shaken otherwise 0) but at least 1    [{n}.1]

chart fire_{n} "{title} Table"                                       [{n}.2]
  down      2d6
  across    base_{n}, column at or below
  severity  - < M < M1 < M2 < X < 2X
  severity  never falls to the right
  severity  falls then rises down, lowest at 7
  shift off left    stays                  assumed "the card does not say"
  shift off right   stays

{rows}

modifiers fire_shifts_{n} "{title}: Column Modifiers" shift columns of fire_{n}, cumulative
{shifts}

results of fire_{n} for each unit
  -             "No effect"
  M#, M is M0   "Morale check"                                       [14.1]
    each reader: morale_check with modifier #
  #X, X is 1X   "Step losses"                                        [7.61]
    once: defender assigns (highest of # over readers) step_loss with amount 1 among readers where # >= nth and steps > 0 as losses
    each reader where steps > 0: morale_check with modifier 2

procedure fire_at_{n} "{title}" [{n}.0]
  1. refuse out_of_range_{n} "beyond {reach} hexes" when distance > {reach}      [{n}.3]
  2. roll 2d6 as fire_roll
  3. read fire_{n} with fire_roll as hex
  4. read fire_{n} with fire_roll for each unit as shots
  5. apply shots
  6. give result = hex.code
  7. give column = hex.column
  8. give losses = sum of amount over effects step_loss
  9. give steps_left = map of unit to steps over units

example fire_at_{n} "{title}, nothing special about it"
  given strength {strength}, distance 2, ranges [2], defence 4
  on {dice}
  gives {code}
  expect losses is 0
"""

ASSAULT = """\

-- {n}. {title}: an odds chart with die roll modifiers

define attackers_{n} (strength, supported)
  strength + {bonus}      when supported
  strength                otherwise

chart assault_{n} "{title} Results"                                  [{n}.4]
  down    d6
  across  attackers_{n}(strength, supported) / defence, column at or below
  column below   gives AE                  "less than 1:2"
  column above   stays
  roll below     stays
  roll above     stays

{rows}

modifiers assault_drm_{n} "{title}: Die Roll Modifiers" add to roll of assault_{n}
{shifts}

procedure assault_at_{n} "{title}"
  1. roll d6 as dice
  2. read assault_{n} with dice as fight
  3. let fallen = 0
  4. when fight.code is DE or DR
       fallen becomes fallen + 1
     otherwise
       attacker chooses whether again "press on"
       when again: fallen becomes fallen + 2
  5. give result = fight.code
  6. give fallen
"""

BARRAGE = """\

-- {n}. {title}: numbers by cover, and a pool of dice

chart barrage_{n} "{title} Points"
  down    cover
  across  distance
  cells   numbers

{rows}

modifiers barrage_points_{n} "{title}: Points"
{shifts}

procedure barrage_at_{n} "{title}" [{n}.5]
  1. let pool = barrage_{n} + barrage_points_{n}.total but at least 1
  2. roll pool d6 as volley
  3. give hits = count of volley.values where each >= {need}
  4. give best = sum of highest {keep} of volley.values
  5. repeat hits times
       defender chooses victim among units where steps > 0, if any
       when victim is not none: step_loss on victim with amount 1
  6. give steps_left = map of unit to steps over units
"""

SHIFTS = (
    '  -2  in_cover        terrain has woods or town                    "woods or town"',
    '  -1  hill            terrain has hill                             "any elevation"',
    "  +1  swamp           terrain has swamp                            [8.8]",
    '  -1  distant         any of ranges >= 3                           assumed "if any firer is that far"',
    "  +2  adjacent        all of ranges is 1",
    "  -1  night           night                                        [1.2]",
    "  never together\n"
    "    +1  one_company   companies is 1                               [4.2]\n"
    "    +2  two_companies companies is 2                               [4.2]",
    "  for each unit                                                    [7.52]\n"
    "    -2  dug_in        dug_in                                       [16.1]\n"
    "        but -1 when terrain has woods or town                      [16.3]\n"
    "    +2  gun           kind is gun",
    "  when option grim\n    +1  surprised     surprised                                    [9.2]",
    "  when option fog\n    -1  foggy         distance >= 2                                [9.1]",
    "  +1  crossed         flanked and not moved",
)
DRM = (
    "  +1  surprise        surprised",
    "  -1  rain            weather is rain or mud                       [1.3]",
    "  +1  flank           flanked\n      but +2 when companies is 2",
    "  -1  shaken          shaken",
    "  only the highest\n    +1  drilled       drill is 2 or more\n    +2  elite         drill is 3",
    "  -(companies)  crowd  moved                                       [5.4]",
    "  net at most 2\n  net at least -2",
)
POINTS = (
    "  -1  night           night",
    "  +(drill)  drill     not shaken",
    "  -1  rain            weather is rain",
    "  +1  flank           flanked",
)
TITLES = ("Rifle Fire", "Volley", "Machine Guns", "Field Guns", "Skirmish", "Grenades", "Mortars", "Cavalry")
CODES = ("-", "M", "M1", "M2", "X", "2X")
WIDTHS = (5, 9, 7, 12, 6, 10, 8, 14)


def large_ruleset(lines: int = 2000) -> str:
    """Write sections until there are as many lines as asked for, or a few more."""
    text = HEAD
    number = 0
    sections: tuple[Callable[[int], str], ...] = (fire_section, assault_section, barrage_section)
    while text.count("\n") < lines:
        text += sections[number % 3](number + 1)
        number += 1
    return text


def fire_section(n: int) -> str:
    """Write a section around a threshold chart."""
    width = WIDTHS[n % 8]
    labels = [str(1 + at * (at + 1) // 2) for at in range(width)]
    labels[-1] += "+"
    table = {roll: [fire_code(roll, column, width) for column in range(width)] for roll in range(2, 13)}
    return FIRE.format(
        n=n,
        title=title_of(n),
        rows=render_rows("Roll", labels, {str(roll): row for roll, row in table.items()}),
        shifts="\n".join(rotated(SHIFTS, n)),
        reach=4 + n % 7,
        strength=1 + (width - 2) * (width - 1) // 2,
        dice="3 4" if n % 2 else "2 3",
        code=table[7 if n % 2 else 5][width - 2],
    )


def fire_code(roll: int, column: int, width: int) -> str:
    """Make a cell: worse to the right, and the further the roll is from 7."""
    return CODES[max(0, min(abs(roll - 7) + column * 5 // width - 3, 5))]


def assault_section(n: int) -> str:
    """Write a section around an odds chart."""
    width = min(WIDTHS[n % 8], 8)
    labels = ["1:2", *(f"{odds}:1" for odds in range(1, width))]
    rows = {str(die): [assault_code(die, column, width) for column in range(width)] for die in range(1, 7)}
    return ASSAULT.format(
        n=n,
        title=title_of(n),
        bonus=1 + n % 3,
        rows=render_rows("Die", labels, rows),
        shifts="\n".join(DRM),
    )


def assault_code(die: int, column: int, width: int) -> str:
    """Make a cell: better for the attacker to the right and downwards."""
    codes = ("AE", "AR", "EX", "DR", "DE")
    return codes[min((die - 1 + column * 5 // width) // 2, 4)]


def barrage_section(n: int) -> str:
    """Write a section around a chart of numbers."""
    labels = ["1", "2", "3..4", "5..8", "9..12"]
    rows = {
        name: [str(max(0, 6 + n % 3 - at - 2 * row)) for at in range(5)]
        for row, name in enumerate(("open", "light", "hard"))
    }
    return BARRAGE.format(
        n=n,
        title=title_of(n),
        rows=render_rows("Cover", labels, rows),
        shifts="\n".join(rotated(POINTS, n)),
        need=4 + n % 3,
        keep=1 + n % 2,
    )


def title_of(n: int) -> str:
    """Name a section."""
    return f"{TITLES[n % 8]} {n}"


def rotated(templates: tuple[str, ...], n: int) -> tuple[str, ...]:
    """Take most of the templates, leaving out others in each section."""
    left_out = n % len(templates)
    return (*templates[:left_out], *templates[left_out + 1 :])


def render_rows(corner: str, labels: list[str], rows: dict[str, list[str]]) -> str:
    """Lay out a header and rows."""
    table = [[corner, *labels], *([label, *cells] for label, cells in rows.items())]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    padded = [[cell.rjust(width) for cell, width in zip(row, widths, strict=True)] for row in table]
    return "\n".join(f"  | {' | '.join(row)} |" for row in padded)


if __name__ == "__main__":
    print(large_ruleset(), end="")
