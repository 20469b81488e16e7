"""Runtime library of the generated code: the state of a run, requests to the asker, errors.

The core defines the meaning of the rules. This module only repeats the bookkeeping of the reference evaluator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn

from enfilade.core import chart_labels as places
from enfilade.core import ir
from enfilade.core.assignments import without_waste
from enfilade.core.code_patterns import pattern_for
from enfilade.core.evaluate import Machine
from enfilade.core.legal_answers import (
    cards_left,
    check_choice,
    check_faces,
    has_one_answer,
    options_among,
)
from enfilade.core.modifiers import one_of, text_of
from enfilade.core.operators import OPERATORS
from enfilade.core.requests import NO_POLICY, Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Frame
from enfilade.errors import InputError, InputFault, LimitError, RuleError
from enfilade.values.data import Ref, State
from enfilade.values.types import misfit_text

BELOW: Final = -1
ABOVE: Final = -2
BETWEEN: Final = -3
OUTSIDE: Final = {places.BELOW: BELOW, places.ABOVE: ABOVE, places.BETWEEN: BETWEEN}
SIDES: Final = {BELOW: places.BELOW, ABOVE: places.ABOVE, BETWEEN: places.BETWEEN}

Snapshot = tuple[dict[Ref, dict[str, Any]], Mapping[str, tuple[Any, ...] | None]]


class Run:
    """The state that the generated functions of one run share.

    Copy on write: the fields of a record are copied on their first change, so the state at the start never changes.
    """

    __slots__ = (
        "asker", "decks", "effects", "facts", "known", "options", "own", "program", "records", "start", "steps"
    )  # fmt: skip

    def __init__(
        self, program: ir.Program, options: Mapping[str, Any], facts: Mapping[str, Any], state: State, asker: Asker,
        known: dict[str, Any], effects: list[Any],
    ) -> None:  # fmt: skip
        self.program = program
        self.options = options
        self.facts = facts
        self.start = state
        self.records: Any = state.records
        self.decks = state.decks
        self.asker = asker
        self.effects = effects
        self.known = known
        self.own: set[int] | None = None
        self.steps = 0

    def write(self, ref: Ref, name: str, value: Any) -> dict[str, Any]:
        """Change a field of a record, and return all its fields."""
        if self.own is None:
            self.records = dict(self.records)
            self.own = set()
        fields: dict[str, Any] = self.records[ref]
        if id(fields) not in self.own:
            fields = self.records[ref] = dict(fields)
            self.own.add(id(fields))
        fields[name] = value
        return fields

    def snapshot(self) -> Snapshot:
        """Return the current state; later changes work on copies."""
        self.own = None
        return self.records, self.decks

    def restore(self, snapshot: Snapshot) -> None:
        """Return to an earlier state."""
        self.own = None
        self.records, self.decks = snapshot

    def state(self) -> State:
        """Return the state at the end."""
        if self.records is self.start.records and self.decks is self.start.decks:
            return self.start
        return State(self.records, self.decks)

    def join(self, start: Snapshot, ends: list[Snapshot], note: ir.Note) -> None:
        """Join the changes of simultaneous parts that began with the same state."""
        machine = Machine(self.program, self.options, self.facts, self.start, self.asker)
        joined = machine._merge(State(*start), [State(*end) for end in ends], note)
        self.own = None
        self.records, self.decks = joined.records, joined.decks

    def draw(self, name: str, own: str, deck: str, count: int, player: str | None, note: ir.Note) -> tuple[Any, ...]:
        """Draw cards from a deck."""
        left = self.decks[deck]
        assert left is not None, "an earlier step must put the deck together"
        if count < 0:
            raise RuleError(f"{own} would need fewer than 0 cards", note.cites)
        if count > len(left):
            raise RuleError(f"{deck} has only {len(left)} cards left, but {count} must be drawn", note.cites)
        cards = self.asker.draw(DrawRequest(name, deck, left, count, player, note)) if count else ()
        self.decks = {**self.decks, deck: cards_left(name, deck, left, cards)}
        return cards

    def shuffle(self, deck: str, cards: tuple[Any, ...] | None = None) -> None:
        """Put all cards back into a deck, or give it other cards."""
        self.decks = {**self.decks, deck: self.program.decks[deck].cards if cards is None else cards}


class Unscripted(Exception):
    """The rules make a request that the given dice don't answer."""


class NoAnswers:
    """An asker without answers."""

    def fact(self, request: Any) -> NoReturn:
        """Give up on the fast path."""
        raise Unscripted

    roll = draw = choose = fact

    def forced(self, request: ChoiceRequest) -> None:
        """Do nothing: a choice with one legal answer needs no answer."""


UNSCRIPTED: Final = NoAnswers()


def demand(known: dict[str, Any], asker: Asker, request: FactRequest, name: str) -> Any:
    """Return a fact that was not given and has no default; it is asked for only once."""
    if name not in known:
        known[name] = asker.fact(request)
    return known[name]


def roll_dice(
    asker: Asker, name: str, groups: tuple[tuple[int, ir.Die], ...], player: str | None, note: ir.Note
) -> tuple[Any, ...]:
    """Return the faces of a roll; a roll without dice is not asked for."""
    if not sum(count for count, _ in groups):
        return ()
    faces = asker.roll(RollRequest(name, groups, player, note))
    check_faces(name, groups, faces)
    return tuple(faces)


def rolled_groups(groups: tuple[tuple[int, ir.Die], ...]) -> tuple[tuple[int, ir.Die], ...]:
    """Return the groups that have dice."""
    return tuple(group for group in groups if group[0])


def sides_of(groups: tuple[tuple[int, ir.Die], ...], faces: tuple[Any, ...]) -> list[tuple[ir.Die, Any]]:
    """Return each die with the side that it shows."""
    slots = [die for count, die in groups for _ in range(count)]
    return [(die, die.face(face)) for die, face in zip(slots, faces, strict=True)]


def more_sides(
    asker: Asker, name: str, hit: list[tuple[ir.Die, Any]], player: str | None, note: ir.Note
) -> list[tuple[ir.Die, Any]]:
    """Roll again the dice selected by a reroll rule."""
    groups = tuple((1, die) for die, _ in hit)
    return sides_of(groups, roll_dice(asker, f"{name}+", groups, player, note))


def total_of(values: Iterable[Any]) -> Any:
    """Return the sum of the values, without symbols."""
    return sum(value for value in values if not isinstance(value, str))


def unwasted(run: Run, s: ir.Choose, among: tuple[Any, ...], left: int, values: dict[str, Any]) -> tuple[Any, ...]:
    """Return the elements of an assignment that waste no loss; *values* are the locals that it reads."""
    facts = {**run.facts, **run.known}
    machine = Machine(run.program, run.options, facts, State(run.records, run.decks), run.asker)
    machine.effects = list(run.effects)
    return without_waste(machine, s, tuple(dict.fromkeys(among)), left, Frame(values))


def choose(
    asker: Asker, place: str, s: ir.Choose, among: tuple[Any, ...], count: int | None, left: int = 1,
    policy: Callable[[], Any] | None = None,
) -> Any:  # fmt: skip
    """Ask a player to choose, unless at most one choice is legal; *policy* finds the value of the policy."""
    options = options_among(among, several=count is not None) if len(among) > 1 else among
    if count is not None:
        count = min(count, len(options))
        if count < 0:
            raise RuleError(f"the number of options that {s.player} chooses as {s.name} would be below 0", s.note.cites)
    if not options or count == 0:
        if s.if_any or s.count is not None:
            return None if s.count is None else ()
        raise RuleError(f"{s.player} has nothing to choose from ({s.name})", s.note.cites)
    forced = has_one_answer(options, count)
    wanted = NO_POLICY if forced or policy is None else policy()
    request = ChoiceRequest(s.name + place, s.player, options, count, s.note, left, wanted, s.any_order)
    if forced:
        chosen = options[: 1 if count is None else count]
        asker.forced(request)
    else:
        chosen = asker.choose(request)
        check_choice(request, chosen)
    return chosen[0] if count is None else chosen


def needed(value: Any, e: ir.Expr) -> Any:
    """Return a value, which must not be ``none``."""
    if value is None:
        raise RuleError(f"a value is needed, but this expression is none: {text_of(e)}")
    return value


def output_of(outputs: Mapping[str, Any], name: str) -> Any:
    """Return an output of a called procedure, or ``None`` if it was not given."""
    return outputs.get(name)


def facts_within(facts: Mapping[str, Any], own: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a called procedure; in a recursive call, its own facts from the outer call are left out."""
    return {name: value for name, value in facts.items() if not name.startswith(own)} | dict(given)


def guarded(e: ir.Op, *args: Any) -> Any:
    """Apply an operator to values that may be ``none``."""
    try:
        return OPERATORS[e.name](*args)
    except TypeError:
        raise RuleError(f"a value is needed, but this expression is none: {text_of(e)}") from None


def place_of(mode: str, matches: tuple[ir.Match | None, ...], value: Any, limits: tuple[ir.Limit, ...] = ()) -> int:
    """Return the index of the label that matches a value; negative if no label matches."""
    found = places.find_label(mode, matches, value, limits)
    return OUTSIDE[found] if isinstance(found, str) else found


def pairs_of(readings: Any, has_readers: bool) -> list[tuple[Any, Any]]:
    """Return the pairs of reader and code."""
    several = readings if isinstance(readings, tuple) else (readings,)
    return [(each.reader if has_readers else None, each.code) for each in several]


def matched(cache: dict[str, Any], results: ir.Results, pairs: Iterable[tuple[Any, Any]]) -> dict[int, list[Any]]:
    """Group readers, with the numbers in their codes, by the first entry whose pattern matches the code."""
    found: dict[int, list[Any]] = {}
    for ref, code in pairs:
        text = str(code)
        if text not in cache:
            cache[text] = _matched(results, text)
        if cache[text] is not None:
            index, numbers = cache[text]
            found.setdefault(index, []).append((ref, numbers))
    return found


def _matched(results: ir.Results, code: str) -> tuple[int, Mapping[str, int | str]] | None:
    found = pattern_for(results, code)
    if found is None:
        return None
    return next(i for i, entry in enumerate(results.entries) if entry.pattern.text == found[0].text), found[1]


# ------------------------------------------------------------------------------------------------------ errors


def too_many_steps(limit: int) -> NoReturn:
    """The run took too many steps."""
    raise LimitError("steps", f"the run took more than {limit} steps")


def too_deep(limit: int) -> NoReturn:
    """Calls of procedures, effects and definitions are nested too deeply."""
    raise LimitError("depth", f"calls in the rules are nested more than {limit} levels deep")


def too_many_rounds(limit: int) -> NoReturn:
    """A loop took too many rounds."""
    raise LimitError("rounds", f"the rules allow {limit} rounds, and it is not over")


def too_few_dice(name: str, cites: tuple[str, ...]) -> NoReturn:
    """A roll has a negative number of dice."""
    raise RuleError(f"{name} would need fewer than 0 dice", cites)


def too_many_dice(name: str, count: int, limit: int) -> NoReturn:
    """A roll has too many dice."""
    raise LimitError("dice", f"{name} needs {count} dice; at most {limit} can be rolled at once")


def too_many_rerolls(name: str, limit: int) -> NoReturn:
    """A roll was rerolled too often."""
    raise LimitError("rerolls", f"{name} was rolled again more than {limit} times")


def divided_by_zero() -> NoReturn:
    """The rules divide by 0."""
    raise RuleError("the rules divide by 0: guard the division with `when`")


def no_field(name: str) -> NoReturn:
    """A field of ``none`` was read."""
    raise RuleError(f"none has no {name}", ())


def no_change(name: str, cites: tuple[str, ...]) -> NoReturn:
    """A field of ``none`` was changed."""
    raise RuleError(f"{name} can't change, because its record is none", cites)


def wrong_field(ref: Ref, name: str, value: Any, type_: Any, cites: tuple[str, ...]) -> NoReturn:
    """A field was set to a value outside its type."""
    raise RuleError(misfit_text(name, ref.key, type_, value), cites)


def wrong_argument(effect: str, param: ir.Input, value: Any, cites: tuple[str, ...]) -> NoReturn:
    """An effect got a value outside the type of its parameter."""
    raise RuleError(f"{param.name} of {effect} is {value}, but must be {param.type.allowed}", cites)


def nothing_highest(how: str) -> NoReturn:
    """The highest or lowest element of an empty list was requested."""
    raise RuleError(f"an empty list has no {how} value")


def no_header(chart: ir.Chart) -> NoReturn:
    """No header row of a chart is in force."""
    raise RuleError(f"{chart.name} has no header row for this situation", chart.note.cites)


def no_page(chart: ir.Chart) -> NoReturn:
    """A chart has no page for the values of its page axes."""
    raise RuleError(f"{chart.name} has no page for these values", chart.note.cites)


def no_place(chart: ir.Chart, value: Any) -> NoReturn:
    """A chart has no page or class for a value."""
    raise RuleError(f"{chart.name} has no row or column for {value}", chart.note.cites)


def stayed(index: int | None, chart: ir.Chart, value: Any) -> int:
    """Return the label that is read for a value outside all labels."""
    if index is None:
        no_place(chart, value)
    return index


def no_edge(chart: ir.Chart, value: Any, name: str) -> NoReturn:
    """A chart has no rule for one of its edges."""
    raise RuleError(places.unsaid(chart.name, name, value), chart.note.cites)


def never_together(section: ir.Section, names: tuple[str, ...]) -> NoReturn:
    """Two modifiers apply that the rules declare mutually exclusive."""
    text = section.note.label or f"{' and '.join(names)} never apply together"
    raise InputError([InputFault(names[1], True, f"not together with {names[0]}", text)])


def one_that_counts(which: str, counted: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return the one modifier of several that counts."""
    return one_of(which, counted, [])
