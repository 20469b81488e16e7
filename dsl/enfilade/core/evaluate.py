"""The reference evaluator: what a ruleset means, written to be read.

It walks the core with a frame of locals, asks for every roll, draw and choice, and threads one immutable state. With
an observer it tells what happens, so that explaining is the same run. Nothing here is fast; an engine may be, and is
held to this one.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, assert_never

from attrs import define, evolve, field

from enfilade.core import charts as places
from enfilade.core import ir
from enfilade.core.asking import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.events import (
    Called,
    Changed,
    Chose,
    Computed,
    Did,
    Drew,
    FactUsed,
    Gave,
    ModifierLine,
    Observer,
    ReadChart,
    ResultApplied,
    Rolled,
    Tallied,
    WasRefused,
)
from enfilade.core.limits import DEFAULT_LIMITS, Limits
from enfilade.core.ops import OPERATORS, checked
from enfilade.core.patterns import pattern_for
from enfilade.core.typing import allowed_text, belongs
from enfilade.core.values import ChartRef, Performed, Reading, Ref, Roll, State, Tally
from enfilade.errors import InputError, InputFault, LimitError, RuleError


class Refused(Exception):
    """The rules refuse; caught by ``if refused`` or by whoever runs the procedure."""

    def __init__(self, slug: str, note: ir.Note) -> None:
        super().__init__(slug)
        self.slug = slug
        self.note = note


class Stopped(Exception):
    """``stop``: the procedure ends here."""


@define
class Frame:
    """The locals of one procedure, effect or definition that runs, and where it is in its loops."""

    locals: dict[str, Any] = field(factory=dict)
    outputs: dict[str, Any] = field(factory=dict)
    place: tuple[str, ...] = ()


class Machine:
    """One run of one procedure.

    Args:
        program: The checked ruleset.
        options: The value of every option.
        facts: The facts that were given, converted.
        state: The records and decks at the start.
        asker: Who answers.
        observer: Who listens, if anybody.
        limits: How far it may go.
    """

    def __init__(
        self,
        program: ir.Program,
        options: Mapping[str, Any],
        facts: Mapping[str, Any],
        state: State,
        asker: Asker,
        observer: Observer | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.program = program
        self.options = options
        self.facts = dict(facts)
        self.state = state
        self.asker = asker
        self.observer = observer
        self.limits = limits
        self.effects: list[Performed] = []
        self.steps = 0
        self.depth = 0
        self._known: dict[str, Any] = {}

    # -- procedures -------------------------------------------------------------------------------------------

    def run(self, name: str) -> dict[str, Any]:
        """Run a procedure to its end.

        Returns:
            Its outputs.

        Raises:
            Refused: The rules do not allow it.
        """
        return self._procedure(self.program.procedures[name], ())

    def _procedure(self, procedure: ir.Procedure, place: tuple[str, ...]) -> dict[str, Any]:
        frame = Frame(place=place)
        self._enter()
        with suppress(Stopped):
            self._body(procedure.body, frame)
        self.depth -= 1
        return frame.outputs

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > self.limits.depth:
            raise LimitError("depth", f"the rules call each other more than {self.limits.depth} deep")

    def _tick(self) -> None:
        self.steps += 1
        if self.steps > self.limits.steps:
            raise LimitError("steps", f"the run took more than {self.limits.steps} steps")

    # -- statements -------------------------------------------------------------------------------------------

    def _body(self, body: ir.Body, frame: Frame) -> None:
        for statement in body:
            self._tick()
            self._statement(statement, frame)

    def _statement(self, s: ir.Statement, frame: Frame) -> None:
        match s:
            case ir.Refuse():
                if self.value(s.condition, frame):
                    self._refuse(s.slug, s.note)
            case ir.RollDice():
                frame.locals[s.local] = self._roll(s, frame)
            case ir.DrawCards():
                frame.locals[s.local] = self._draw(s, frame)
            case ir.Reshuffle():
                self.state = self.state.with_deck(s.deck, self.program.decks[s.deck].cards)
            case ir.SetLocal():
                value = frame.locals[s.local] = self.value(s.value, frame)
                if self.observer:
                    self.observer(Computed(s.name, value, s.note))
            case ir.SetField():
                self._set_field(s, frame)
            case ir.Perform():
                self.perform(s.effect, {name: self.value(arg, frame) for name, arg in s.args}, s.note)
            case ir.Choose():
                frame.locals[s.local] = self._choose(s, frame)
            case ir.Branch():
                self._body(s.body if self.value(s.condition, frame) else s.otherwise, frame)
            case ir.Loop():
                self._loop(s, frame)
            case ir.Repeat():
                self._repeat(s, frame)
            case ir.Together():
                self._together(s, frame)
            case ir.Stop():
                raise Stopped
            case ir.CallProcedure():
                self._call(s, frame)
            case ir.Give():
                value = frame.outputs[s.name] = frame.locals[f"give {s.name}"] = self.value(s.value, frame)
                if self.observer:
                    self.observer(Gave(s.name, value, s.note))
            case ir.ApplyResults():
                self._apply(s, frame)
            case _:
                assert_never(s)

    def _refuse(self, slug: str, note: ir.Note) -> None:
        if self.observer:
            self.observer(WasRefused(slug, note))
        raise Refused(slug, note)

    def _set_field(self, s: ir.SetField, frame: Frame) -> None:
        ref = self.value(s.of, frame)
        if ref is None:
            raise RuleError(f"{s.field} of none can't change", s.note.cites)
        value = self.value(s.value, frame)
        self._check_field(ref, s.field, value, s.note)
        before = self.state.records[ref][s.field]
        self.state = self.state.with_field(ref, s.field, value)
        if self.observer:
            self.observer(Changed(ref, s.field, before, value, s.note))

    def _check_field(self, ref: Ref, name: str, value: Any, note: ir.Note) -> None:
        type_ = self.program.records[ref.record].fields[name].type
        if not belongs(type_, value):
            shown = allowed_text(type_)
            raise RuleError(f"{name} of {ref.key} would become {value}, but is {shown}", note.cites)

    def perform(self, name: str, args: dict[str, Any], note: ir.Note) -> None:
        """Perform an effect: note it, and change what its body says."""
        effect = self.program.effects[name]
        for param in effect.params:
            if not belongs(param.type, args[param.name]):
                allowed = allowed_text(param.type)
                raise RuleError(f"{param.name} of {name} is {args[param.name]}, but must be {allowed}", note.cites)
        done = Performed(name, args)
        self.effects.append(done)
        if self.observer:
            self.observer(Did(done, effect.note if note.label is None else note))
        self._enter()
        self._body(effect.body, Frame(dict(args)))
        self.depth -= 1

    def _loop(self, s: ir.Loop, frame: Frame) -> None:
        outside = frame.place
        for number, element in enumerate(self.value(s.over, frame), 1):
            frame.locals[s.local] = element
            frame.place = (*outside, element.key if isinstance(element, Ref) else str(number))
            self._body(s.body, frame)
        frame.place = outside

    def _repeat(self, s: ir.Repeat, frame: Frame) -> None:
        outside = frame.place
        times = None if s.times is None else self.value(s.times, frame)
        done = 0
        while times is None or done < times:
            if s.limit is not None and done >= s.limit:
                raise LimitError("rounds", f"the rules allow {s.limit} rounds, and it is not over")
            self._tick()
            done += 1
            frame.place = (*outside, str(done))
            self._body(s.body, frame)
            if s.until is not None and self.value(s.until, frame):
                break
        frame.place = outside

    def _together(self, s: ir.Together, frame: Frame) -> None:
        start = self.state
        ends = []
        for part in s.parts:
            self.state = start
            self._body(part, frame)
            ends.append(self.state)
        self.state = self._joined(start, ends, s.note)

    def _joined(self, start: State, ends: list[State], note: ir.Note) -> State:
        joined = start
        for ref, fields in start.records.items():
            for name, before in fields.items():
                after = [end.records[ref][name] for end in ends if end.records[ref][name] != before]
                if after:
                    value = _join(ref, name, before, after, note)
                    self._check_field(ref, name, value, note)
                    joined = joined.with_field(ref, name, value)
        for deck, left in start.decks.items():
            changed = [end.decks[deck] for end in ends if end.decks[deck] != left]
            if len(changed) > 1:
                raise RuleError(f"two parts that happen together both draw from {deck}", note.cites)
            if changed:
                joined = joined.with_deck(deck, changed[0])
        return joined

    def _call(self, s: ir.CallProcedure, frame: Frame) -> None:
        given = {name: self.value(arg, frame) for name, arg in s.args}
        procedure = self.program.procedures[s.procedure]
        outside = self.facts
        self.facts = {**outside, **given}
        if self.observer:
            self.observer(Called(s.procedure, given, procedure.note))
        depth, state, done = self.depth, self.state, len(self.effects)
        try:
            outputs = self._procedure(procedure, (*frame.place, s.procedure if s.local is None else s.local))
        except Refused:
            if s.if_refused is None:
                raise
            self.facts, self.depth, self.state = outside, depth, state
            del self.effects[done:]
            self._body(s.if_refused, frame)
            return
        self.facts = outside
        if s.local is not None:
            frame.locals[s.local] = outputs

    # -- asking -----------------------------------------------------------------------------------------------

    def _roll(self, s: ir.RollDice, frame: Frame) -> Roll:
        groups = tuple((self.value(g.count, frame), self.program.dice[g.die]) for g in s.groups)
        if any(count < 0 for count, _ in groups):
            raise RuleError(f"{s.name} would need fewer than 0 dice", s.note.cites)
        self._check_count(sum(count for count, _ in groups), s)
        name = place_name(s.name, frame.place)
        faces = self._ask(name, groups, s)
        slots = [die for count, die in groups for _ in range(count)]
        sides = [(die, _side(die, face)) for die, face in zip(slots, faces, strict=True)]
        for rule in s.rules:
            sides = self._again(rule, sides, name, s, frame)
        roll = Roll(tuple(side.printed for _, side in sides), tuple(side.value for _, side in sides))
        if self.observer:
            self.observer(Rolled(name, roll, s.player, s.note))
        return roll

    def _check_count(self, count: int, s: ir.RollDice) -> None:
        if count > self.limits.dice:
            raise LimitError("dice", f"{s.name} needs {count} dice; at most {self.limits.dice} are rolled at once")

    def _ask(self, name: str, groups: tuple[tuple[int, ir.Die], ...], s: ir.RollDice) -> tuple[Any, ...]:
        if not sum(count for count, _ in groups):
            return ()
        faces = self.asker.roll(RollRequest(name, groups, s.player, s.note))
        check_faces(name, groups, faces)
        return faces

    def _again(self, rule: ir.RollRule, sides: list[Any], name: str, s: ir.RollDice, frame: Frame) -> list[Any]:
        """Roll again the dice that a rule names: instead of them (reroll) or beside them (explode)."""
        turns, kept, fresh = 0, [], sides
        while fresh and (rule.times is None or turns < rule.times):
            turns += 1
            if turns > self.limits.rerolls:
                raise LimitError("rerolls", f"{name} was rolled again more than {self.limits.rerolls} times")
            hit = [side for side in fresh if self._test(rule, side[1], frame)]
            if rule.act == "explode":
                kept += fresh
            else:
                kept += [side for side in fresh if side not in hit]
            self._check_count(len(kept) + len(hit), s)
            fresh = self._more(name, hit, s)
        return kept + fresh

    def _test(self, rule: ir.RollRule, side: ir.Face, frame: Frame) -> bool:
        frame.locals[rule.var] = side.value
        return bool(self.value(rule.test, frame))

    def _more(self, name: str, hit: list[Any], s: ir.RollDice) -> list[Any]:
        groups = tuple((1, die) for die, _ in hit)
        faces = self._ask(f"{name}+", groups, s)
        return [(die, _side(die, face)) for (die, _), face in zip(hit, faces, strict=True)]

    def _draw(self, s: ir.DrawCards, frame: Frame) -> tuple[Any, ...]:
        count = self.value(s.count, frame)
        left = self.state.decks[s.deck]
        if count > len(left):
            raise RuleError(f"{s.deck} has {len(left)} left, and {count} are to be drawn", s.note.cites)
        name = place_name(s.name, frame.place)
        cards = self.asker.draw(DrawRequest(name, s.deck, left, count, s.player, s.note)) if count else ()
        self.state = self.state.with_deck(s.deck, without(name, s.deck, left, cards))
        if self.observer:
            self.observer(Drew(name, s.deck, cards, s.note))
        return cards

    def _choose(self, s: ir.Choose, frame: Frame) -> Any:
        options = tuple(dict.fromkeys(self.value(s.among, frame)))
        count = None if s.count is None else min(self.value(s.count, frame), len(options))
        if not options or count == 0:
            if s.if_any or s.count is not None:
                return None if s.count is None else ()
            raise RuleError(f"{s.player} has nothing to choose as {s.name}", s.note.cites)
        request = ChoiceRequest(place_name(s.name, frame.place), s.player, options, count, s.note)
        forced = len(options) == (1 if count is None else count)
        if forced:
            chosen = options
            self.asker.forced(request)
        else:
            chosen = self.asker.choose(request)
            check_choice(request, chosen)
        if self.observer:
            self.observer(Chose(request.name, s.player, options, chosen, forced, s.note))
        return chosen[0] if count is None else chosen

    def fact(self, name: str) -> Any:
        """A fact: given, or its default, or asked for now."""
        if name in self.facts:
            value, given = self.facts[name], True
        elif name in self._known:
            return self._known[name]
        else:
            declared = self.input(name)
            given = not declared.has_default
            value = self.asker.fact(FactRequest(declared)) if given else declared.default
            self._known[name] = value
            if self.observer:
                self.observer(FactUsed(declared.name, value, given, declared.note))
        return value

    def input(self, name: str) -> ir.Input:
        """The declaration of a fact, a procedure's own included."""
        procedure, dot, own = name.partition(".")
        return self.program.procedures[procedure].facts[own] if dot else self.program.facts[name]

    # -- results ----------------------------------------------------------------------------------------------

    def _apply(self, s: ir.ApplyResults, frame: Frame) -> None:
        results = self.program.results[s.chart]
        reading = self.value(s.reading, frame)
        pairs = self._readers(results, reading, s, frame)
        matched = [(ref, pattern_for(results, str(code))) for ref, code in pairs]
        for entry in results.entries:
            hit = [(ref, found[1]) for ref, found in matched if found is not None and found[0].text == entry.pattern.text]
            if hit:
                self._entry(results, entry, hit, frame)

    def _readers(self, results: ir.Results, reading: Any, s: ir.ApplyResults, frame: Frame) -> list[tuple[Any, Any]]:
        if s.readers is not None:
            return [(ref, reading.code) for ref in self.value(s.readers, frame)]
        readings = reading if isinstance(reading, tuple) else (reading,)
        return [(each.reader if results.record else None, each.code) for each in readings]

    def _entry(self, results: ir.Results, entry: ir.Entry, hit: list[tuple[Any, Any]], frame: Frame) -> None:
        readers = tuple(ref for ref, _ in hit)
        if self.observer and not entry.then:
            self.observer(ResultApplied(results.chart, entry.pattern.text, readers, entry.note))
        scope = Frame({"readers": readers}, place=frame.place)
        for letter in hit[0][1]:
            numbers = {ref: numbers[letter] for ref, numbers in hit}
            scope.locals[f"#{letter}"] = numbers if results.record else numbers[None]
        for line in entry.lines:
            if line.how != "each":
                self._body(line.body, scope)
                continue
            for ref in readers:
                scope.locals["reader"] = ref
                scope.place = (*frame.place, ref.key)
                if line.where is None or self.value(line.where, scope):
                    self._body(line.body, scope)
            scope.place = frame.place

    # -- expressions ------------------------------------------------------------------------------------------

    def value(self, e: ir.Expr, frame: Frame) -> Any:
        """The value of an expression."""
        match e:
            case ir.Const():
                return e.value
            case ir.Fact():
                return self.fact(e.name)
            case ir.Local():
                return frame.locals[e.name]
            case ir.Option():
                return self.options[e.name]
            case ir.Field():
                return self._field(self.value(e.of, frame), e)
            case ir.Part():
                return part(self.value(e.of, frame), e.name)
            case ir.Op():
                return self._operate(e, frame)
            case ir.All():
                return all(self.value(item, frame) for item in e.items)
            case ir.Any_():
                return any(self.value(item, frame) for item in e.items)
            case ir.Not():
                return not self.value(e.of, frame)
            case ir.If():
                return self.value(e.value if self.value(e.condition, frame) else e.otherwise, frame)
            case ir.Items():
                return tuple(self.value(item, frame) for item in e.items)
            case ir.Over():
                return self._over(e, frame)
            case ir.MapOver():
                elements = self._elements(e.var, e.over, e.where, frame)
                return {self.value(e.key, frame): self.value(e.value, frame) for _ in elements}
            case ir.Sort():
                return self._sort(e, frame)
            case ir.Define():
                return self._define(e, frame)
            case ir.SumModifiers():
                args = tuple(self.value(arg, frame) for arg in e.args)
                return self.tally(e.block, args, None if e.reader is None else self.value(e.reader, frame))
            case ir.Look():
                args = tuple(self.value(arg, frame) for arg in e.args)
                return self._look(e.chart, args, e, frame)
            case ir.LookIn():
                chart = self.value(e.chart, frame)
                return self._look(chart.name, (), e, frame)
            case ir.EffectsSoFar():
                return tuple(done for done in self.effects if done.effect == e.effect)
            case ir.CardsLeft():
                return self.state.decks[e.deck]
            case _:
                assert_never(e)

    def _operate(self, e: ir.Op, frame: Frame) -> Any:
        args = [self.value(arg, frame) for arg in e.args]
        try:
            return OPERATORS[e.name](*args)
        except TypeError:
            # A choice that found nothing is none, and the checker lets it stand where a value is wanted.
            raise RuleError(f"none stands where a value is needed: {text_of(e)}") from None

    def _field(self, ref: Ref | None, e: ir.Field) -> Any:
        if ref is None:
            cites = ()
            raise RuleError(f"none has no {e.name}", cites)
        return self.state.records[ref][e.name]

    def _elements(self, var: str, over: ir.Expr, where: ir.Expr | None, frame: Frame) -> Any:
        """Bind *var* to each element that is meant, in turn."""
        for element in self.value(over, frame):
            self._tick()
            frame.locals[var] = element
            if where is None or self.value(where, frame):
                yield element

    def _over(self, e: ir.Over, frame: Frame) -> Any:
        elements = self._elements(e.var, e.over, e.where, frame)
        match e.how:
            case "filter":
                return tuple(element for element in elements if self.value(e.body, frame))
            case "list":
                return tuple(self.value(e.body, frame) for _ in elements)
            case "any":
                return any(self.value(e.body, frame) for _ in elements)
            case "all":
                return all(self.value(e.body, frame) for _ in elements)
            case "none":
                return not any(self.value(e.body, frame) for _ in elements)
            case "count":
                return sum(1 for _ in elements)
            case "sum":
                return checked(sum(self.value(e.body, frame) for _ in elements))
        values = [self.value(e.body, frame) for _ in elements]
        if not values:
            if e.default is None:
                raise RuleError(f"the {e.how} of nothing has no value")
            return self.value(e.default, frame)
        return max(values) if e.how == "highest" else min(values)

    def _sort(self, e: ir.Sort, frame: Frame) -> tuple[Any, ...]:
        keyed = [(self.value(e.key, frame), element) for element in self._elements(e.var, e.over, None, frame)]
        keyed.sort(key=lambda pair: pair[0], reverse=e.descending)
        elements = tuple(element for _, element in keyed)
        return elements if e.take is None else elements[: max(self.value(e.take, frame), 0)]

    def _define(self, e: ir.Define, frame: Frame) -> Any:
        definition = self.program.definitions[e.name]
        args = [self.value(arg, frame) for arg in e.args]
        self._enter()
        value = self.value(definition.body, Frame(dict(zip(definition.params, args, strict=True))))
        self.depth -= 1
        return value

    # -- modifiers --------------------------------------------------------------------------------------------

    def tally(self, name: str, args: tuple[Any, ...], reader: Ref | None) -> Tally:
        """Add up a block of modifiers.

        Args:
            name: The block.
            args: Its arguments.
            reader: Whom it is for: decides which ``for each`` sections count.
        """
        block = self.program.modifiers[name]
        frame = Frame({**dict(zip(block.params, args, strict=True)), "reader": reader})
        lines: list[ModifierLine] = []
        counted = self._modifiers(block.items, frame, reader, lines)
        if block.rule != "cumulative":
            counted = _one_of(block.rule, counted, lines)
        total = checked(sum(amount for _, amount in counted))
        for item in block.items:
            if isinstance(item, ir.Net):
                bound = self.value(item.amount, frame)
                total = min(total, bound) if item.way == "most" else max(total, bound)
        tally = Tally(total, dict(counted))
        if self.observer:
            self.observer(Tallied(name, tally, reader, tuple(lines), block.note))
        return tally

    def _modifiers(
        self, items: tuple[ir.ModItem, ...], frame: Frame, reader: Ref | None, lines: list[ModifierLine]
    ) -> list[tuple[str, Any]]:
        counted: list[tuple[str, Any]] = []
        for item in items:
            match item:
                case ir.Modifier():
                    counted += self._modifier(item, frame, lines)
                case ir.Section():
                    counted += self._section(item, frame, reader, lines)
                case ir.Net():
                    pass
        return counted

    def _modifier(self, m: ir.Modifier, frame: Frame, lines: list[ModifierLine]) -> list[tuple[str, Any]]:
        failed = self._failing(m.condition, frame)
        note = m.note
        if failed is not None:
            lines.append(ModifierLine(m.name, None, False, failed, note))
            return []
        amount = m.amount
        for but in m.buts:
            if self.value(but.condition, frame):
                if but.amount is None:
                    lines.append(ModifierLine(m.name, None, False, f"not when {text_of(but.condition)}", but.note))
                    return []
                amount, note = but.amount, _both_notes(but.note, m.note)
                break
        value = self.value(amount, frame)
        lines.append(ModifierLine(m.name, value, True, None, note))
        return [(m.name, value)]

    def _failing(self, condition: ir.Expr, frame: Frame) -> str | None:
        """The text of the first condition that does not hold; ``None`` where all do."""
        for part_ in condition.items if isinstance(condition, ir.All) else (condition,):
            if not self.value(part_, frame):
                return text_of(part_)
        return None

    def _section(
        self, s: ir.Section, frame: Frame, reader: Ref | None, lines: list[ModifierLine]
    ) -> list[tuple[str, Any]]:
        if s.kind == "when" and s.condition is not None:
            failed = self._failing(s.condition, frame)
            if failed is not None:
                lines += [ModifierLine(m.name, None, False, failed, m.note) for m in modifiers_in(s.items)]
                return []
        if s.kind == "for each" and (reader is None or reader.record != s.record):
            because = f"for each {s.record} that reads"
            lines += [ModifierLine(m.name, None, False, because, m.note) for m in modifiers_in(s.items)]
            return []
        counted = self._modifiers(s.items, frame, reader, lines)
        if s.kind == "never together" and len(counted) > 1:
            names = " and ".join(name for name, _ in counted)
            text = s.note.label or f"{names} never hold together"
            raise InputError([InputFault(counted[1][0], True, f"not together with {counted[0][0]}", text)])
        if s.kind == "only one":
            return _one_of(s.which or "first", counted, lines)
        return counted

    # -- charts -----------------------------------------------------------------------------------------------

    def _look(self, name: str, args: tuple[Any, ...], e: ir.Look | ir.LookIn, frame: Frame) -> Reading:
        roll = None if e.roll is None else self.value(e.roll, frame)
        reader = None if e.reader is None else self.value(e.reader, frame)
        return self.read(name, args, roll, reader)

    def read(self, name: str, args: tuple[Any, ...], roll: Any, reader: Ref | None) -> Reading:
        """Read a chart.

        Args:
            name: The chart.
            args: Its arguments.
            roll: What finds the row where the chart has dice, as a number or a word.
            reader: The record that reads, if any.

        Raises:
            Refused: An edge of the chart refuses.
        """
        chart = self.program.charts[name]
        frame = Frame({**dict(zip(chart.params, args, strict=True)), "reader": reader})
        notes: list[ir.Note] = []
        edges: list[str] = []
        page = self._page(chart, frame)
        shift = checked(sum(self.tally(block, (), reader).total for block in chart.shifts))
        base, column, given = self._column(chart, frame, shift, edges, notes)
        added = checked(sum(self.tally(block, (), reader).total for block in chart.roll_modifiers))
        found = roll if chart.down.value is None else self.value(chart.down.value, frame)
        modified = found + added if added else found
        row, given_by_row = self._row(chart, frame, modified, edges, notes)
        if given is None:
            given = given_by_row
        code = given[0] if given is not None else self._cell(chart, page, row, column, frame, notes)
        if chart.find is not None and given is None:
            column, given = self._find(chart, page, row, frame, edges, notes)
            code = chart.across.labels[column] if given is None and chart.across else given and given[0]
        reading = Reading(
            name,
            code,
            _label(chart.down, row),
            _label(chart.across, column),
            _label(chart.across, base),
            shift,
            found,
            modified,
            added,
            reader,
            tuple(edges),
        )
        if self.observer:
            axes = [axis.note for axis in (chart.down, chart.across) if axis is not None and axis.note != ir.NO_NOTE]
            self.observer(ReadChart(reading, chart.note, (*axes, *notes)))
        return reading

    def _page(self, chart: ir.Chart, frame: Frame) -> int:
        if not chart.pages:
            return 0
        key = tuple(self._index(chart, axis, self.value(axis.value, frame)) for axis in chart.pages if axis.value)
        if key not in chart.page_index:
            raise RuleError(f"{chart.name} has no page for this", chart.note.cites)
        return chart.page_index[key]

    def _index(self, chart: ir.Chart, axis: ir.Axis, value: Any) -> int:
        index = places.find_label(axis.mode, axis.headers[0].matches, value)
        if isinstance(index, str):
            raise RuleError(f"{chart.name} has no place for {value}", chart.note.cites)
        return index

    def _column(
        self, chart: ir.Chart, frame: Frame, shift: Any, edges: list[str], notes: list[ir.Note]
    ) -> tuple[int | None, int | None, tuple[Any] | None]:
        axis = chart.across
        if axis is None or axis.value is None:
            return None, 0 if axis is None else None, None
        header = self._header(chart, axis, frame)
        if header is not axis.headers[0] or len(axis.headers) > 1:
            notes.append(header.note)
        value = self.value(axis.value, frame)
        base = places.find_label(axis.mode, header.matches, value)
        if isinstance(base, str):
            stayed, given = self._edge(chart, f"column {base}", value, frame, edges, notes)
            if given is not None:
                return None, None, given
            starts = [index for index, match in enumerate(header.matches) if match is not None]
            base = starts[0] if stayed == places.BELOW else starts[-1]
        column = base + shift
        if not 0 <= column < len(axis.labels):
            name = "shift left" if column < 0 else "shift right"
            _, given = self._edge(chart, name, value, frame, edges, notes)
            if given is not None:
                return base, None, given
            column = 0 if column < 0 else len(axis.labels) - 1
        return base, column, None

    def _header(self, chart: ir.Chart, axis: ir.Axis, frame: Frame) -> ir.Header:
        for header in axis.headers:
            if header.condition is None or self.value(header.condition, frame):
                return header
        raise RuleError(f"{chart.name} has no header row for this", chart.note.cites)

    def _row(
        self, chart: ir.Chart, frame: Frame, value: Any, edges: list[str], notes: list[ir.Note]
    ) -> tuple[int | None, tuple[Any] | None]:
        matches = chart.down.headers[0].matches
        row = places.find_label(chart.down.mode, matches, value)
        if isinstance(row, int):
            return row, None
        _, given = self._edge(chart, f"row {row}", value, frame, edges, notes)
        if given is not None:
            return None, given
        ends = [(places.lowest(m), i) for i, m in enumerate(matches) if m is not None]
        if row == places.BELOW:
            return min((low, i) for low, i in ends if low is not None)[1], None
        tops = [(places.highest(m), i) for i, m in enumerate(matches) if m is not None]
        return max((high, i) for high, i in tops if high is not None)[1], None

    def _edge(
        self, chart: ir.Chart, name: str, value: Any, frame: Frame, edges: list[str], notes: list[ir.Note]
    ) -> tuple[str, tuple[Any] | None]:
        """What happens off an edge: stay (the side), or a code that is given."""
        edge = chart.edges.get(name)
        if edge is None:
            raise RuleError(f"{chart.name} does not say what happens at {value} ({name})", chart.note.cites)
        chosen = edge.actions[0]
        for action in edge.actions[1:]:
            if action.condition is not None and self.value(action.condition, frame):
                chosen = action
        edges.append(name)
        notes.append(edge.note)
        if chosen.act == "refuse":
            self._refuse(chosen.value, edge.note)
        side = name.partition(" ")[2]
        return side, (chosen.value,) if chosen.act == "gives" else None

    def _cell(
        self, chart: ir.Chart, page: int, row: int | None, column: int | None, frame: Frame, notes: list[ir.Note]
    ) -> Any:
        if chart.find is not None or row is None or column is None:
            return None
        cell = chart.cells[page][row][column]
        inside = None
        if chart.inside is not None and chart.inside.value is not None:
            inside = self._index(chart, chart.inside, self.value(chart.inside.value, frame))
            cell = cell[inside]
        for erratum in chart.errata:
            if (erratum.page, erratum.row, erratum.column) == (page, row, column):
                held = erratum.condition is None or self.value(erratum.condition, frame)
                if held and erratum.inside in (None, inside):
                    notes.append(erratum.note)
                    whole = erratum.inside is None and inside is not None
                    cell = erratum.value[inside] if whole else erratum.value
        return cell

    def _find(
        self, chart: ir.Chart, page: int, row: int | None, frame: Frame, edges: list[str], notes: list[ir.Note]
    ) -> tuple[int, tuple[Any] | None]:
        assert chart.find is not None
        assert chart.find.value is not None
        assert row is not None
        value = self.value(chart.find.value, frame)
        matches = chart.finders[page][row]
        column = places.find_label("contains", matches, value)
        if isinstance(column, int):
            return column, None
        _, given = self._edge(chart, f"column {column}", value, frame, edges, notes)
        lows = [(places.lowest(m) or 0, i) for i, m in enumerate(matches) if m is not None]
        return (min(lows) if column == places.BELOW else max(lows))[1], given


def _side(die: ir.Die, printed: Any) -> ir.Face:
    face = die.face(printed)
    assert face is not None, "faces are checked when they are given"
    return face


def _label(axis: ir.Axis | None, index: int | None) -> str | None:
    return None if axis is None or index is None else axis.labels[index]


def _join(ref: Ref, name: str, before: Any, after: list[Any], note: ir.Note) -> Any:
    if len(after) == 1 or (all(value == after[0] for value in after) and not _is_number(before)):
        return after[0]
    if _is_number(before):
        return before + sum(value - before for value in after)
    raise RuleError(f"{name} of {ref.key} is set twice at the same time", note.cites)


def _both_notes(but: ir.Note, line: ir.Note) -> ir.Note:
    """What a line and its `but` say: the nearer label and reason, all citations."""
    cites = tuple(dict.fromkeys(but.cites + line.cites))
    return ir.Note(but.label or line.label, cites, but.assumed or line.assumed, but.span)


def _is_number(value: Any) -> bool:
    return not isinstance(value, (bool, str, tuple, Ref)) and value is not None


def _one_of(which: str, counted: list[tuple[str, Any]], lines: list[ModifierLine]) -> list[tuple[str, Any]]:
    """Keep one of several modifiers, and say of the others which beat them."""
    if len(counted) < 2:
        return counted
    best = counted[0]
    for each in counted[1:]:
        if (which == "highest" and each[1] > best[1]) or (which == "lowest" and each[1] < best[1]):
            best = each
    names = {name for name, _ in counted if name != best[0]}
    for index, line in enumerate(lines):
        if line.applied and line.name in names:
            lines[index] = evolve(line, applied=False, because=f"{best[0]} counts instead")
    return [best]


def modifiers_in(items: tuple[ir.ModItem, ...]) -> list[ir.Modifier]:
    """All the modifiers of a block, those in its sections included."""
    found: list[ir.Modifier] = []
    for item in items:
        if isinstance(item, ir.Modifier):
            found.append(item)
        elif isinstance(item, ir.Section):
            found += modifiers_in(item.items)
    return found


def text_of(e: ir.Expr) -> str:
    """An expression as its author wrote it."""
    return e.span.text if e.span is not None else "it does not hold"


def part(value: Any, name: str) -> Any:
    """A part of a value that is no record, by its name in the language."""
    match value:
        case Roll():
            return {"faces": value.faces, "values": value.values, "total": value.total, "natural": value.natural}[name]
        case Tally():
            return {"total": value.total, "names": value.names, "amounts": value.amounts}[name]
        case Performed():
            return value.args[name]
        case Reading():
            return _reading_part(value, name)
        case ChartRef():
            return value.name
    return value[name]


def _reading_part(reading: Reading, name: str) -> Any:
    return {
        "code": reading.code,
        "row": reading.row,
        "column": reading.column,
        "base_column": reading.base_column,
        "shift": reading.shift,
        "roll": reading.roll,
        "modified": reading.modified,
        "roll_modifier": reading.roll_modifier,
        "reader": reading.reader,
    }[name]


def place_name(name: str, place: tuple[str, ...]) -> str:
    """A roll or a choice with its place: ``morale[gun]``.

    Examples:
        >>> place_name("morale", ("gun", "2"))
        'morale[gun][2]'
    """
    return name + "".join(f"[{piece}]" for piece in place)


def faces_text(die: ir.Die) -> str:
    """What a die can show."""
    if die.faces is None:
        return f"1..{die.count}"
    return ", ".join(dict.fromkeys(str(face.printed) for face in die.faces))


def check_faces(name: str, groups: tuple[tuple[int, ir.Die], ...], faces: tuple[Any, ...]) -> None:
    """Refuse faces that the dice can't show.

    Raises:
        InputError: There are too few or too many, or one is on no side.
    """
    slots = [die for count, die in groups for _ in range(count)]
    if len(faces) != len(slots):
        text = f"{name} is {len(slots)} {'die' if len(slots) == 1 else 'dice'}, and {len(faces)} were given"
        raise InputError([InputFault(name, list(faces), f"{len(slots)} faces", text)])
    for die, face in zip(slots, faces, strict=True):
        if die.face(face) is None:
            allowed = faces_text(die)
            raise InputError([InputFault(name, face, allowed, f"{die.name} can't show {face}; it shows {allowed}")])


def check_choice(request: ChoiceRequest, chosen: tuple[Any, ...]) -> None:
    """Refuse a choice that is not legal.

    Raises:
        InputError: It is not among the options, or too few or too many.
    """
    wanted = 1 if request.count is None else request.count
    allowed = ", ".join(shown(option) for option in request.options)
    if len(chosen) != wanted or len(set(chosen)) != wanted:
        text = f"{request.player} chooses {wanted} as {request.name}, and {len(chosen)} were given"
        raise InputError([InputFault(request.name, [shown(c) for c in chosen], allowed, text)])
    for each in chosen:
        if each not in request.options:
            text = f"{shown(each)} can't be chosen as {request.name}; legal are {allowed}"
            raise InputError([InputFault(request.name, shown(each), allowed, text)])


def shown(value: Any) -> str:
    """A value as a player names it."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def without(name: str, deck: str, left: tuple[Any, ...], cards: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is left in a deck when some cards are drawn.

    Raises:
        InputError: A card is not in the deck any more.
    """
    rest = list(left)
    for card in cards:
        if card not in rest:
            allowed = ", ".join(dict.fromkeys(str(each) for each in rest))
            raise InputError([InputFault(name, card, allowed, f"{card} is not in {deck} any more; left are {allowed}")])
        rest.remove(card)
    return tuple(rest)
