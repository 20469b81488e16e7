"""Makes small rulesets by chance: the same few declarations, and a procedure of steps that are drawn one by one.

Tests draw them with hypothesis, which reduces a ruleset that breaks something; ``tests/fuzz`` draws them with ``random``.
"""

import re
from collections.abc import Sequence
from typing import Any, Final, Protocol

from attrs import define, evolve, frozen
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

HEAD: Final = """\
enfilade 1
ruleset drawn
players owner, enemy

record unit
  steps  0..5 = 2
  hurt   yes/no
  mark   0..9 = 0

facts
  n      0..3
  bonus  -2..2
  units  list of unit
  chief  unit

die odd   faces 1, 1, 2, 5
die zero  faces 0..3
die late  faces 1..3, 0 as 4
deck chits of 2 x 1, 2, 5

effect hit "loses steps" (unit, amount 1..)
  unit.steps becomes unit.steps - amount but at least 0

effect check "checks morale" (unit, modifier -9..)
  roll d4 as check
  when check + modifier >= 4
    unit.hurt becomes yes
  otherwise when check is 1
    hit on unit with amount 1

effect marked "is marked" (unit)
  unit.mark becomes unit.mark + 1 but at most 3

effect told "is only told" (amount -99..)

chart table
  down    d6
  across  n, column at or below
  severity  - < M < M1 < X
  shift off left   stays
  shift off right  stays
  row below  stays
  row above  gives X
  |  d6  |  0 |  1 |  3 |
  | 1..3 |  - |  - |  M |
  | 4,5  |  - |  M | M1 |
  |  6   |  M | M1 |  X |

modifiers shifts shift columns of table
  +1  up  bonus > 0
  for each unit
    -1  hurt  hurt

modifiers rolled add to roll of table
  +(bonus)  bonus  bonus is not 0

results of table for each unit
  -   "Nothing"
  M#, M is M0  "Check"
    each reader: check with modifier #
  X   "Hit"
    once: owner assigns 1 hit with amount 1 among readers where steps > 0
    each reader where steps is 0: marked

procedure sub "A procedure of its own"
  facts
    k  -9..9
  1. roll 2d2 as pair
  2. when pair + k >= 5
       give out = pair + k
       marked on chief
     otherwise
       give out = 1
  3. give doubles = pair is doubles
"""


@frozen
class Scope:
    """What a line may name.

    Attributes:
        numbers: Numbers.
        rolls: Rolls of numbers.
        lists: Lists of numbers.
        units: Records.
        depth: How deep blocks may still stand in each other.
        choices: Whether players may choose.
        free: Whether a step may roll, draw, or end.
        looped: Whether a loop may be left.
    """

    numbers: tuple[str, ...] = ("n", "bonus")
    rolls: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    units: tuple[str, ...] = ("chief",)
    depth: int = 2
    choices: bool = False
    plain: bool = False
    looped: bool = False


class Chooser(Protocol):
    """Makes the choices of a generator; ``random.Random`` is one."""

    def choice(self, options: Sequence[Any], /) -> Any:
        """Return one of the options."""

    def randint(self, low: int, high: int, /) -> int:
        """Return a whole number, both ends included."""


@frozen
class Drawing:
    """Chooses with hypothesis, which prefers the first option."""

    draw: DrawFn

    def choice(self, options: Sequence[Any]) -> Any:
        """Return one of the options."""
        return self.draw(st.sampled_from(options))

    def randint(self, low: int, high: int) -> int:
        """Return a whole number, both ends included."""
        return self.draw(st.integers(low, high))


_OF_LIST: Final = (
    "(count of {0} where each >= <1..4>)",
    "(sum of {0})",
    "(highest of {0} or 0)",
    "(lowest of {0} or 0)",
    "(sum of (each * <1..4>) over {0})",
    "(count of {0})",
    "(sum of (first 2 of ({0} sorted)))",
)
GRAMMAR: Final[dict[str, tuple[str, ...]]] = {
    # Numbers that are read off the state or the effects, a roll, or a list of numbers, or are worked out from others.
    "counted": (
        "<units>.steps", "(sum of steps over units)", "(count of units where hurt)", "(highest of steps over units or 0)", "<units>.mark",
        "(count of effects hit)", "(count of effects told)", "(count of cards left in chits)",
    ),
    "of_roll": (
        "<rolls>", "<rolls>.natural", "<of_values>", "(count of <rolls>.values where each is <1..4>)",
        "(sum of (highest 2 of <rolls>.values))", "(sum of (lowest 1 of <rolls>.values by (9 when each is 1 otherwise each)))",
    ),
    "of_values": tuple(each.format("<rolls>.values") for each in _OF_LIST),
    "of_list": tuple(each.format("<lists>") for each in _OF_LIST),
    "calculated": (
        "(<number> + <number>)", "(<number> - <number>)", "(<number> * 2)", "(<number> / 2 rounded down)",
        "(<number> - <number> but at least 0)", "(<number> but at most <0..5>)", "(<number> mod 3)",
        "(<number> when <condition> otherwise <number>)", "(<number> / 3)",
    ),
    "compared": (">=", "<", "<=", "is", "is not"),
    "any": ("any", "none"),
    "even": ("even", "odd"),
    "and": ("and", "or"),
    # What steps take.
    "outputs": ("first", "second", "third"),
    "hit": ("hit on <units> with amount 1", "marked on <units>"),
    "dice": ("d3", "d2", "2d2", "2d3", "odd", "2 zero", "d2 + odd", "n d2", "late", "3d2", "d4", "d(n + 1)", "n d(n + 1)"),
    "again": (
        "", "", "", ", reroll 1 once", ", explode on 2 at most 2 times", ", reroll 1..2 once, explode on 2 at most 1 times",
        ", reroll 0", ", explode on 3", ", explode on 2 at most n times, added to the die", ", explode on 3, added to the die",
    ),
    "cards": ("1", "2", "n"),
    "options": ("[0, 1, 2]", "[1, 3]", "[<number>, 2]"),
    "fate": ("hit on {} with amount 1", "marked on {}", "check on {} with modifier 1"),
    "some": ("units", "(units where steps > 1)", "(units sorted by steps high to low)"),
    "times": ("2", "n", "(<number> rounded down but within 0..2)"),
    "last_dice": ("d2", "d3", "2d2", "odd"),
    "bound": ("limit 100", "limit 100", "at most 2"),
}  # fmt: skip
"""What may stand in a gap, by the word in its brackets."""
CONDITIONS: Final = ("<number> <compared> <number>", "<units>.hurt", "(<any> of units where steps > <0..2>)")
OF_ROLLS: Final = (
    "<rolls> is doubles", "<rolls> is <even>", "(any of <rolls>.values >= <2..4>)", "<rolls> >= <1..6>",
)  # fmt: skip
OF_CONDITIONS: Final = ("not (<condition>)", "(<condition> <and> <condition>)")
TOLD: Final = "told with amount (<number> rounded down)"
CHECKS: Final = "check on <units> with modifier (<number> rounded down but within -2..2)"
_GAP: Final = re.compile("<([a-z0-9_.]+)>")


@define
class Writer:
    """Draws steps and keeps what their names are."""

    chooser: Chooser
    names: int = 0

    def name(self, letter: str) -> str:
        """A name that nobody has."""
        self.names += 1
        return f"{letter}{self.names}"

    def pick(self, *options: Any) -> Any:
        """Return one of the options; hypothesis prefers the first."""
        return self.chooser.choice(options)

    def whole(self, low: int, high: int) -> int:
        """A whole number."""
        return self.chooser.randint(low, high)

    # -- expressions ------------------------------------------------------------------------------------------

    def fill(self, text: str, scope: Scope, depth: int = 2) -> str:
        """A text with something in each of its gaps: from the grammar, from the scope, or a whole number."""
        return _GAP.sub(lambda gap: self.filling(gap[1], scope, depth), text)

    def filling(self, word: str, scope: Scope, depth: int) -> str:
        """Something for a gap."""
        if word == "number":
            return self.number(scope, depth)
        if word == "condition":
            return self.condition(scope, depth)
        if ".." in word:
            return str(self.whole(*map(int, word.split(".."))))
        options = GRAMMAR[word] if word in GRAMMAR else getattr(scope, word)
        return self.fill(str(self.pick(*options)), scope, depth)

    def number(self, scope: Scope, depth: int = 2) -> str:
        """A number."""
        of_rolls = ["<of_roll>"] * 3 if scope.rolls else []
        of_lists = ["<of_list>"] if scope.lists else []
        deeper = ["<calculated>"] if depth else []
        kind = self.pick("<0..4>", "<numbers>", "<counted>", *of_rolls, *of_lists, *deeper)
        return self.fill(kind, scope, depth - 1)

    def condition(self, scope: Scope, depth: int = 1) -> str:
        """Something that holds or not."""
        text = self.pick(*CONDITIONS, *(OF_ROLLS if scope.rolls else ()), *(OF_CONDITIONS if depth else ()))
        return self.fill(text, scope, 0 if text in OF_CONDITIONS else depth)

    # -- steps ------------------------------------------------------------------------------------------------

    def block(self, scope: Scope, most: int = 3) -> tuple[list[str], Scope]:
        """Some steps, and what is known after them."""
        lines: list[str] = []
        for _ in range(self.whole(1, most)):
            more, scope = self.step(scope)
            lines += more
        return lines, scope

    def step(self, scope: Scope) -> tuple[list[str], Scope]:
        """A step, and what is known after it."""
        makers: list[Any] = [TOLD, "give <outputs> = <number>", self.let, "<hit>", self.change, self.rolls]
        if not scope.plain:
            makers += [self.rolls, CHECKS, self.draws, self.calls, self.reads, "when <condition>: stop"]
        blocks = [self.branch, self.loop, self.times, self.together, self.until] if scope.depth else []
        makers += blocks
        makers += [self.chooses] * 3 if scope.choices else []
        makers += ["when <condition>: leave"] if scope.looped else []
        made = self.pick(*makers)
        if isinstance(made, str):
            return [self.fill(made, scope)], scope
        lines, after = made(evolve(scope, depth=scope.depth - 1) if made in blocks else scope)
        return lines, evolve(after, depth=scope.depth)

    def let(self, scope: Scope) -> tuple[list[str], Scope]:
        """A local."""
        name = self.name("x")
        return [self.fill(f"let {name} = <number>", scope)], evolve(scope, numbers=(*scope.numbers, name))

    def change(self, scope: Scope) -> tuple[list[str], Scope]:
        """A field, or a local, that becomes something else."""
        locals_ = [name for name in scope.numbers if name.startswith("x")]
        target = self.pick(*locals_) if locals_ else "<units>.mark"
        return [self.fill(f"{target} becomes <number> rounded down but within 0..3", scope)], scope

    def rolls(self, scope: Scope) -> tuple[list[str], Scope]:
        """A roll, of few and small dice."""
        name = self.name("r")
        return [self.fill(f"roll <dice> as {name}<again>", scope)], evolve(scope, rolls=(*scope.rolls, name))

    def draws(self, scope: Scope) -> tuple[list[str], Scope]:
        """Cards; now and then the deck is shuffled again."""
        name = self.name("c")
        line = self.fill(f"draw <cards> from chits as {name}", scope)
        return [*self.pick([], ["reshuffle chits"]), line], evolve(scope, lists=(*scope.lists, name))

    def calls(self, scope: Scope) -> tuple[list[str], Scope]:
        """A call with a fact of its own."""
        name = self.name("s")
        line = self.fill(f"call sub with k (<number> rounded down but within -3..3) as {name}", scope)
        return [line], evolve(scope, numbers=(*scope.numbers, f"{name}.out"))

    def reads(self, scope: Scope) -> tuple[list[str], Scope]:
        """A chart that is read for every unit, and applied."""
        roll, shots = self.name("t"), self.name("shots")
        lines = [f"roll d6 as {roll}", f"read table with {roll} for each unit as {shots}"]
        return [*lines, *self.pick([f"apply {shots}"], [f"give codes = map of reader to code over {shots}"])], scope

    def chooses(self, scope: Scope) -> tuple[list[str], Scope]:
        """A choice of a player."""
        name, player = self.name("x"), self.pick("owner", "enemy")
        if self.pick(False, True):
            line = self.fill(f"{player} chooses {name} among <options>", scope, 1)
            return [line], evolve(scope, numbers=(*scope.numbers, name))
        unit = self.name("u")
        fate = self.fill("<fate>", scope).format(unit)
        return [
            f"{player} chooses {unit} among units where steps > 0, if any",
            f"when {unit} is not none: {fate}",
        ], scope

    # -- blocks -----------------------------------------------------------------------------------------------

    def branch(self, scope: Scope) -> tuple[list[str], Scope]:
        """One way or the other."""
        lines = [self.fill("when <condition>", scope, 1), *indented(self.block(scope)[0])]
        if self.pick(False, True):
            lines += ["otherwise", *indented(self.block(scope)[0])]
        return lines, scope

    def loop(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same for each record."""
        name = self.name("u")
        inner = evolve(scope, units=(*scope.units, name), looped=True)
        return [self.fill(f"for each {name} in <some>", scope), *indented(self.block(inner, 2)[0])], scope

    def times(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same some times."""
        inner = evolve(scope, looped=True)
        return [self.fill("repeat <times> times", scope), *indented(self.block(inner, 2)[0])], scope

    def together(self, scope: Scope) -> tuple[list[str], Scope]:
        """Two things at the same time."""
        plain = evolve(scope, depth=0)
        parts = [[self.fill("when <condition>", scope, 1), *indented(self.block(plain, 2)[0])] for _ in range(2)]
        return ["together", *indented([line for part in parts for line in part])], scope

    def until(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same until a roll ends it."""
        name = self.name("r")
        roll = self.fill(f"roll <last_dice> as {name}", scope)
        inner = evolve(scope, rolls=(*scope.rolls, name), looped=True)
        until = self.pick(f"{name} >= 2", f"{name} is 2", f"{name} is not 1 or chief.steps is 0")
        body = [roll, *self.block(evolve(inner, depth=0), 2)[0]]
        line = self.fill(f"repeat until {until}, <bound> times", scope)
        return [line, *indented(body)], evolve(inner, looped=scope.looped)


def indented(lines: list[str]) -> list[str]:
    """Lines of a block."""
    return [f"  {line}" for line in lines]


@frozen
class Drawn:
    """A ruleset, and a situation for it.

    Attributes:
        text: The text.
        facts: What is given.
    """

    text: str
    facts: dict[str, Any]


def drawn_ruleset(writer: Writer, choices: bool = False, most: int = 6) -> Drawn:
    """Draw a small ruleset whose procedure is called ``main``, and facts for it.

    Args:
        writer: Writes the steps.
        choices: Whether players may choose.
        most: The maximum number of steps.
    """
    lines, scope = writer.block(Scope(choices=choices, depth=2), most)
    aim = writer.number(scope)
    if choices:
        # What players aim at is a number wherever the procedure ends.
        lines, aim = ["give last = 0", *lines], f"{aim} + 0"
    lines += [f"give last = {aim}", "give left = list of steps over units", "give known = [n, bonus, chief.steps]"]
    text = HEAD + "\nprocedure main\n" + "\n".join(indented(lines)) + "\n"
    units = [{"name": f"unit{at}", "steps": writer.whole(0, 3)} for at in range(writer.whole(0, 2))]
    chief = writer.pick(*(unit["name"] for unit in units), None)
    facts = {
        "n": writer.whole(0, 3),
        "bonus": writer.whole(-2, 2),
        "units": units,
        "chief": chief or {"name": "chief", "steps": writer.whole(0, 3)},
    }
    return Drawn(text, facts)


@st.composite
def rulesets(draw: DrawFn, choices: bool = False, most: int = 6) -> Drawn:
    """Draw a small ruleset with hypothesis, and facts for it."""
    return drawn_ruleset(Writer(Drawing(draw)), choices, most)
