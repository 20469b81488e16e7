"""Makes small rulesets by chance: the same few declarations, and a procedure of steps that are drawn one by one.

Tests draw them with hypothesis, which reduces a ruleset that breaks something; ``tests/fuzz`` draws them with ``random``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from attrs import define, evolve, field, frozen
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


@define
class Writer:
    """Draws steps and keeps what their names are."""

    chooser: Chooser
    names: int = 0
    outputs: list[str] = field(factory=list)

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

    def number(self, scope: Scope, depth: int = 2) -> str:
        """A number."""
        makers = [lambda: str(self.whole(0, 4)), lambda: str(self.pick(*scope.numbers)), lambda: self.counted(scope)]
        if scope.rolls:
            makers += [lambda: self.of_roll(scope)] * 3
        if scope.lists:
            makers += [lambda: self.of_list(str(self.pick(*scope.lists)))]
        if depth:
            makers += [lambda: self.calculated(scope, depth - 1)]
        return str(self.pick(*makers)())

    def counted(self, scope: Scope) -> str:
        """A number that is read off the state or the effects."""
        return str(
            self.pick(
                f"{self.pick(*scope.units)}.steps",
                "(sum of steps over units)",
                "(count of units where hurt)",
                "(highest of steps over units or 0)",
                f"{self.pick(*scope.units)}.mark",
                "(count of effects hit)",
                "(count of effects told)",
                "(count of cards left in chits)",
            )
        )

    def of_roll(self, scope: Scope) -> str:
        """A number that is read off a roll."""
        roll, much = self.pick(*scope.rolls), self.whole(1, 4)
        return str(
            self.pick(
                roll,
                f"{roll}.natural",
                self.of_list(f"{roll}.values"),
                f"(count of {roll}.values where each is {much})",
                f"(sum of (highest 2 of {roll}.values))",
                f"(sum of (lowest 1 of {roll}.values by (9 when each is 1 otherwise each)))",
            )
        )

    def of_list(self, values: str) -> str:
        """A number that is read off a list of numbers."""
        much = self.whole(1, 4)
        return str(
            self.pick(
                f"(count of {values} where each >= {much})",
                f"(sum of {values})",
                f"(highest of {values} or 0)",
                f"(lowest of {values} or 0)",
                f"(sum of (each * {much}) over {values})",
                f"(count of {values})",
                f"(sum of (first 2 of ({values} sorted)))",
            )
        )

    def calculated(self, scope: Scope, depth: int) -> str:
        """A number that is worked out from others."""
        one, other = self.number(scope, depth), self.number(scope, depth)
        return str(
            self.pick(
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * 2)",
                f"({one} / 2 rounded down)",
                f"({one} - {other} but at least 0)",
                f"({one} but at most {self.whole(0, 5)})",
                f"({one} mod 3)",
                f"({one} when {self.condition(scope, depth)} otherwise {other})",
                f"({one} / 3)",
            )
        )

    def condition(self, scope: Scope, depth: int = 1) -> str:
        """Something that holds or not."""
        makers = [
            lambda: (
                f"{self.number(scope, depth)} {self.pick('>=', '<', '<=', 'is', 'is not')} {self.number(scope, depth)}"
            ),
            lambda: f"{self.pick(*scope.units)}.hurt",
            lambda: f"({self.pick('any', 'none')} of units where steps > {self.whole(0, 2)})",
        ]
        if scope.rolls:
            makers += [
                lambda: f"{self.pick(*scope.rolls)} is doubles",
                lambda: f"{self.pick(*scope.rolls)} is {self.pick('even', 'odd')}",
                lambda: f"(any of {self.pick(*scope.rolls)}.values >= {self.whole(2, 4)})",
                lambda: f"{self.pick(*scope.rolls)} >= {self.whole(1, 6)}",
            ]
        if depth:
            makers += [
                lambda: f"not ({self.condition(scope, 0)})",
                lambda: f"({self.condition(scope, 0)} {self.pick('and', 'or')} {self.condition(scope, 0)})",
            ]
        return str(self.pick(*makers)())

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
        makers = [self.told, self.give, self.let, self.hit, self.change, self.rolls]
        if not scope.plain:
            makers += [self.rolls, self.checks, self.draws, self.calls, self.reads, self.stops]
        if scope.depth:
            makers += [
                lambda scope: self.branch(evolve(scope, depth=scope.depth - 1)),
                lambda scope: self.loop(evolve(scope, depth=scope.depth - 1)),
                lambda scope: self.times(evolve(scope, depth=scope.depth - 1)),
                lambda scope: self.together(evolve(scope, depth=scope.depth - 1)),
                lambda scope: self.until(evolve(scope, depth=scope.depth - 1)),
            ]
        if scope.choices:
            makers += [self.chooses] * 3
        if scope.looped:
            makers += [self.leaves]
        lines, after = self.pick(*makers)(scope)
        return lines, evolve(after, depth=scope.depth)

    def told(self, scope: Scope) -> tuple[list[str], Scope]:
        """An effect that changes nothing."""
        return [f"told with amount ({self.number(scope)} rounded down)"], scope

    def give(self, scope: Scope) -> tuple[list[str], Scope]:
        """An output; some are given twice."""
        name = self.pick("first", "second", "third")
        if name not in self.outputs:
            self.outputs.append(name)
        return [f"give {name} = {self.number(scope)}"], scope

    def let(self, scope: Scope) -> tuple[list[str], Scope]:
        """A local."""
        name = self.name("x")
        return [f"let {name} = {self.number(scope)}"], evolve(scope, numbers=(*scope.numbers, name))

    def change(self, scope: Scope) -> tuple[list[str], Scope]:
        """A field, or a local, that becomes something else."""
        locals_ = [name for name in scope.numbers if name.startswith("x")]
        target = self.pick(*locals_) if locals_ else f"{self.pick(*scope.units)}.mark"
        within = self.number(scope)
        return [f"{target} becomes {within} rounded down but within 0..3"], scope

    def hit(self, scope: Scope) -> tuple[list[str], Scope]:
        """An effect that changes the state."""
        unit = self.pick(*scope.units)
        return [self.pick(f"hit on {unit} with amount 1", f"marked on {unit}")], scope

    def checks(self, scope: Scope) -> tuple[list[str], Scope]:
        """An effect that rolls."""
        return [
            f"check on {self.pick(*scope.units)} with modifier ({self.number(scope)} rounded down but within -2..2)"
        ], scope

    def rolls(self, scope: Scope) -> tuple[list[str], Scope]:
        """A roll, of few and small dice."""
        name = self.name("r")
        dice = self.pick(
            "d3", "d2", "2d2", "2d3", "odd", "2 zero", "d2 + odd", "n d2", "late", "3d2", "d4", "d(n + 1)", "n d(n + 1)"
        )
        again = self.pick(
            "", "", "", ", reroll 1 once", ", explode on 2 at most 2 times", ", reroll 1..2 once, explode on 2 at most 1 times",
            ", reroll 0", ", explode on 3", ", explode on 2 at most n times, added to the die", ", explode on 3, added to the die",
        )  # fmt: skip
        return [f"roll {dice} as {name}{again}"], evolve(scope, rolls=(*scope.rolls, name))

    def draws(self, scope: Scope) -> tuple[list[str], Scope]:
        """Cards; now and then the deck is shuffled again."""
        name = self.name("c")
        line = f"draw {self.pick('1', '2', 'n')} from chits as {name}"
        return [*self.pick([], ["reshuffle chits"]), line], evolve(scope, lists=(*scope.lists, name))

    def calls(self, scope: Scope) -> tuple[list[str], Scope]:
        """A call with a fact of its own."""
        name = self.name("s")
        line = f"call sub with k ({self.number(scope)} rounded down but within -3..3) as {name}"
        return [line], evolve(scope, numbers=(*scope.numbers, f"{name}.out"))

    def reads(self, scope: Scope) -> tuple[list[str], Scope]:
        """A chart that is read for every unit, and applied."""
        roll, shots = self.name("t"), self.name("shots")
        lines = [f"roll d6 as {roll}", f"read table with {roll} for each unit as {shots}"]
        return [*lines, *self.pick([f"apply {shots}"], [f"give codes = map of reader to code over {shots}"])], scope

    def stops(self, scope: Scope) -> tuple[list[str], Scope]:
        """The end, if something holds."""
        return [f"when {self.condition(scope)}: stop"], scope

    def leaves(self, scope: Scope) -> tuple[list[str], Scope]:
        """The end of the loop, if something holds."""
        return [f"when {self.condition(scope)}: leave"], scope

    def chooses(self, scope: Scope) -> tuple[list[str], Scope]:
        """A choice of a player."""
        name, player = self.name("x"), self.pick("owner", "enemy")
        if self.pick(False, True):
            among = self.pick("[0, 1, 2]", "[1, 3]", f"[{self.number(scope, 1)}, 2]")
            return [f"{player} chooses {name} among {among}"], evolve(scope, numbers=(*scope.numbers, name))
        what = self.pick("hit on {} with amount 1", "marked on {}", "check on {} with modifier 1")
        unit = self.name("u")
        return [
            f"{player} chooses {unit} among units where steps > 0, if any",
            f"when {unit} is not none: " + what.format(unit),
        ], scope

    # -- blocks -----------------------------------------------------------------------------------------------

    def branch(self, scope: Scope) -> tuple[list[str], Scope]:
        """One way or the other."""
        lines = [f"when {self.condition(scope)}", *indented(self.block(scope)[0])]
        if self.pick(False, True):
            lines += ["otherwise", *indented(self.block(scope)[0])]
        return lines, scope

    def loop(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same for each record."""
        name = self.name("u")
        over = self.pick("units", "(units where steps > 1)", "(units sorted by steps high to low)")
        inner = evolve(scope, units=(*scope.units, name), looped=True)
        return [f"for each {name} in {over}", *indented(self.block(inner, 2)[0])], scope

    def times(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same some times."""
        times = self.pick("2", "n", f"({self.number(scope)} rounded down but within 0..2)")
        inner = evolve(scope, looped=True)
        return [f"repeat {times} times", *indented(self.block(inner, 2)[0])], scope

    def together(self, scope: Scope) -> tuple[list[str], Scope]:
        """Two things at the same time."""
        plain = evolve(scope, depth=0)
        parts = [[f"when {self.condition(scope)}", *indented(self.block(plain, 2)[0])] for _ in range(2)]
        return ["together", *indented([line for part in parts for line in part])], scope

    def until(self, scope: Scope) -> tuple[list[str], Scope]:
        """The same until a roll ends it."""
        name = self.name("r")
        dice = self.pick("d2", "d3", "2d2", "odd")
        inner = evolve(scope, rolls=(*scope.rolls, name), looped=True)
        until = self.pick(f"{name} >= 2", f"{name} is 2", f"{name} is not 1 or chief.steps is 0")
        body = [f"roll {dice} as {name}", *self.block(evolve(inner, depth=0), 2)[0]]
        bound = self.pick("limit 100", "limit 100", "at most 2")
        return [f"repeat until {until}, {bound} times", *indented(body)], evolve(inner, looped=scope.looped)


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
