"""The reference evaluator: a tree-walking interpreter that defines the meaning of a ruleset.

It walks the statements of the core with a frame of locals, requests every roll, draw and choice, and threads one
immutable state. An observer receives events, so an explanation comes from the same run. This evaluator is written to
be read, not to be fast; tests compare the compiled engine with it. Expressions, modifiers and charts are evaluated in
modules of their own.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, assert_never

from enfilade.core import ir
from enfilade.core.assignments import without_waste
from enfilade.core.code_patterns import pattern_for
from enfilade.core.events import (
    Called,
    Changed,
    Chose,
    Computed,
    Did,
    Drew,
    Gave,
    ResultApplied,
    Returned,
    Rolled,
)
from enfilade.core.expressions import Evaluator
from enfilade.core.legal_answers import (
    cards_left,
    check_choice,
    check_faces,
    has_one_answer,
    not_allowed,
    options_among,
    place_name,
)
from enfilade.core.operators import checked
from enfilade.core.requests import NO_POLICY, ChoiceRequest, DrawRequest, RollRequest
from enfilade.core.run import Frame, Refused, Stopped
from enfilade.errors import LimitError, RuleError
from enfilade.limits import beyond_python
from enfilade.values.data import FrozenMap, Performed, Ref, Roll, State
from enfilade.values.types import belongs, misfit_text


class Machine(Evaluator):
    """One run of one procedure; :class:`~enfilade.core.run.Run` documents the arguments."""

    # How a value is tested for its type; the odds know numbers without an upper bound, too.
    _belongs = staticmethod(belongs)

    def run(self, name: str) -> dict[str, Any]:
        """Run a procedure to its end.

        Returns:
            Its outputs.

        Raises:
            Refused: The rules refuse.
        """
        try:
            return self._procedure(self.program.procedures[name], ())
        except RecursionError as error:
            raise beyond_python(error) from None

    def _procedure(self, procedure: ir.Procedure, place: tuple[str, ...]) -> dict[str, Any]:
        frame, depth = Frame(place=place), self.depth
        self.enter()
        # A `stop` in an effect ends the procedure that performs it.
        with suppress(Stopped):
            self._body(procedure.body, frame)
        self.depth = depth
        return frame.outputs

    # -- statements -------------------------------------------------------------------------------------------

    def _body(self, body: ir.Body, frame: Frame) -> None:
        for statement in body:
            self.tick()
            self._statement(statement, frame)

    def _statement(self, s: ir.Statement, frame: Frame) -> None:
        match s:
            case ir.Refuse():
                if self.value(s.condition, frame):
                    self.refuse(s.slug, s.note)
            case ir.Must():
                if not self.value(s.condition, frame):
                    not_allowed(s, self.value(s.given, frame))
            case ir.RollDice():
                frame.locals[s.local] = self._roll(s, frame)
            case ir.DrawCards():
                frame.locals[s.local] = self._draw(s, frame)
            case ir.Reshuffle():
                cards = self.program.decks[s.deck].cards if s.cards is None else self.value(s.cards, frame)
                self.state = self.state.with_deck(s.deck, cards)
            case ir.SetLocal():
                value = frame.locals[s.local] = self.value(s.value, frame)
                if self.observer and s.name:
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
                if self.observer and s.told:
                    self.observer(Gave(s.name, value, s.note))
            case ir.ApplyResults():
                self._apply(s, frame)
            case _:
                assert_never(s)

    def _set_field(self, s: ir.SetField, frame: Frame) -> None:
        ref = self.value(s.of, frame)
        if ref is None:
            raise RuleError(f"{s.field} can't change, because its record is none", s.note.cites)
        value = self.value(s.value, frame)
        self._check_field(ref, s.field, value, s.note)
        before = self.state.records[ref][s.field]
        self.state = self.state.with_field(ref, s.field, value)
        if self.observer:
            self.observer(Changed(ref, s.field, before, value, s.note))

    def _check_field(self, ref: Ref, name: str, value: Any, note: ir.Note) -> None:
        type_ = self.program.records[ref.record].fields[name].type
        if not self._belongs(type_, value):
            raise RuleError(misfit_text(name, ref.key, type_, value), note.cites)

    def perform(self, name: str, args: dict[str, Any], note: ir.Note) -> None:
        """Perform an effect: record it and run its body."""
        effect = self.program.effects[name]
        for param in effect.params:
            if not self._belongs(param.type, args[param.name]):
                allowed = param.type.allowed
                raise RuleError(f"{param.name} of {name} is {args[param.name]}, but must be {allowed}", note.cites)
        done = Performed(name, args)
        self.effects.append(done)
        if self.observer:
            self.observer(Did(done, effect.note if note.label is None else note))
        self.enter()
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
        times = None if s.times is None else self.needed(s.times, frame)
        done = 0
        while times is None or done < times:
            if s.limit is not None and done >= s.limit:
                raise LimitError("rounds", f"the loop did not end after {s.limit} rounds, the limit set by the rules")
            self.tick()
            done += 1
            frame.place = (*outside, str(done))
            self._body(s.body, frame)
            if s.until is not None and self.value(s.until, frame):
                break
        frame.place = outside

    def _together(self, s: ir.Together, frame: Frame) -> None:
        start, place, depth = self.state, frame.place, self.depth
        ends, stops = [], False
        for part in s.parts:
            self.state = start
            try:
                self._body(part, frame)
            except Stopped:
                # A `stop` in one part does not prevent the other simultaneous parts: stop after all of them.
                stops, frame.place, self.depth = True, place, depth
            ends.append(self.state)
        self.state = self._merge(start, ends, s.note)
        if stops:
            raise Stopped

    def _merge(self, start: State, ends: list[State], note: ir.Note) -> State:
        joined = start
        for ref, fields in start.records.items():
            for name, before in fields.items():
                after = [end.records[ref][name] for end in ends if end.records[ref][name] != before]
                if after:
                    value = merge_field(ref, name, before, after, note)
                    self._check_field(ref, name, value, note)
                    joined = joined.with_field(ref, name, value)
        for deck, left in start.decks.items():
            changed = [end.decks[deck] for end in ends if end.decks[deck] != left]
            if len(changed) > 1:
                raise RuleError(f"two simultaneous parts both draw from {deck}", note.cites)
            if changed:
                joined = joined.with_deck(deck, changed[0])
        return joined

    def _call(self, s: ir.CallProcedure, frame: Frame) -> None:
        given = {name: self.value(arg, frame) for name, arg in s.args}
        procedure = self.program.procedures[s.procedure]
        outside, own = self.facts, f"{s.procedure}."
        # A recursive call does not inherit the procedure's own facts.
        self.facts = {name: value for name, value in outside.items() if not name.startswith(own)} | given
        if self.observer:
            # The label of a step distinguishes several calls of one procedure.
            self.observer(Called(s.procedure, given, s.note if s.note.label else procedure.note))
        depth, state, done = self.depth, self.state, len(self.effects)
        try:
            outputs = self._procedure(procedure, (*frame.place, s.procedure if s.local is None else s.local))
        except Refused:
            if s.if_refused is None:
                raise
            self._returned(s.procedure)
            self.facts, self.depth, self.state = outside, depth, state
            del self.effects[done:]
            if s.local is not None:
                frame.locals[s.local] = {}
            self._body(s.if_refused, frame)
            return
        self._returned(s.procedure)
        self.facts = outside
        if s.local is not None:
            frame.locals[s.local] = outputs

    def _returned(self, procedure: str) -> None:
        if self.observer:
            self.observer(Returned(procedure))

    # -- requests ---------------------------------------------------------------------------------------------

    def _roll(self, s: ir.RollDice, frame: Frame) -> Roll:
        groups = tuple((self.needed(g.count, frame), self.program.dice[g.die]) for g in s.groups)
        if any(count < 0 for count, _ in groups):
            raise RuleError(f"{s.name} would need fewer than 0 dice", s.note.cites)
        if len(groups) > 1:
            groups = tuple(group for group in groups if group[0])
        self._check_count(sum(count for count, _ in groups), s)
        name = place_name(s.name, frame.place)
        faces = self._request_faces(name, groups, s)
        slots = [die for count, die in groups for _ in range(count)]
        sides = [(die, _side(die, face)) for die, face in zip(slots, faces, strict=True)]
        # The die that each die belongs to: itself, or the die that exploded.
        owners = list(range(len(sides)))
        for rule in s.rules:
            sides = self._reroll_or_explode(rule, sides, owners, name, s, frame)
        values = tuple(side.value for _, side in sides)
        if any(rule.adds for rule in s.rules):
            values = sums_by_owner(values, owners)
        roll = Roll(tuple(side.printed for _, side in sides), values)
        if self.observer:
            self.observer(Rolled(name, roll, s.player, s.note))
        return roll

    def _check_count(self, count: int, s: ir.RollDice) -> None:
        if count > self.limits.dice:
            raise LimitError("dice", f"{s.name} needs {count} dice; at most {self.limits.dice} can be rolled at once")

    def _request_faces(self, name: str, groups: tuple[tuple[int, ir.Die], ...], s: ir.RollDice) -> tuple[Any, ...]:
        if not sum(count for count, _ in groups):
            return ()
        faces = self.asker.roll(RollRequest(name, groups, s.player, s.note))
        check_faces(name, groups, faces)
        return faces

    def _reroll_or_explode(
        self, rule: ir.RollRule, sides: list[Any], owners: list[int], name: str, s: ir.RollDice, frame: Frame
    ) -> list[Any]:
        """Roll dice again under a rule: the new dice replace the old (reroll) or are added to them (explode)."""
        times = None if rule.times is None else self.needed(rule.times, frame)
        turns, sides, last = 0, list(sides), list(range(len(sides)))
        while last and (times is None or turns < times):
            turns += 1
            if turns > self.limits.rerolls:
                raise LimitError("rerolls", f"{name} was rolled again more than {self.limits.rerolls} times")
            hit = [at for at in last if self._test(rule, sides[at][1], frame)]
            self._check_count(len(sides) + (len(hit) if rule.act == "explode" else 0), s)
            fresh = self._roll_again(name, [sides[at] for at in hit], s)
            if rule.act == "explode":
                last = list(range(len(sides), len(sides) + len(fresh)))
                sides += fresh
                owners += [owners[at] for at in hit]
            else:
                # A rerolled die keeps its place among the others.
                last = hit
                for at, side in zip(hit, fresh, strict=True):
                    sides[at] = side
        return sides

    def _test(self, rule: ir.RollRule, side: ir.Face, frame: Frame) -> bool:
        frame.locals[rule.var] = side.value
        return bool(self.value(rule.test, frame))

    def _roll_again(self, name: str, hit: list[Any], s: ir.RollDice) -> list[Any]:
        groups = tuple((1, die) for die, _ in hit)
        faces = self._request_faces(f"{name}+", groups, s)
        return [(die, _side(die, face)) for (die, _), face in zip(hit, faces, strict=True)]

    def _draw(self, s: ir.DrawCards, frame: Frame) -> tuple[Any, ...]:
        count = self.needed(s.count, frame)
        left = self.state.decks[s.deck]
        assert left is not None, "an earlier step must put the deck together"
        if count < 0:
            raise RuleError(f"{s.name} would need fewer than 0 cards", s.note.cites)
        if count > len(left):
            raise RuleError(f"{s.deck} has only {len(left)} cards left, but {count} must be drawn", s.note.cites)
        name = place_name(s.name, frame.place)
        cards = self.asker.draw(DrawRequest(name, s.deck, left, count, s.player, s.note)) if count else ()
        self.state = self.state.with_deck(s.deck, cards_left(name, s.deck, left, cards))
        if self.observer:
            self.observer(Drew(name, s.deck, cards, s.note))
        return cards

    def _choose(self, s: ir.Choose, frame: Frame) -> Any:
        options = options_among(self.value(s.among, frame), several=s.count is not None)
        left = 1
        if s.ahead is not None:
            left = self.value(s.ahead.left, frame)
            options = without_waste(self, s, options, left, frame)
        count = None if s.count is None else min(self.needed(s.count, frame), len(options))
        if count is not None and count < 0:
            raise RuleError(f"the number of options that {s.player} chooses as {s.name} would be below 0", s.note.cites)
        if not options or count == 0:
            if self.observer and s.if_any:
                self.observer(Chose(place_name(s.name, frame.place), s.player, (), (), True, s.note))
            if s.if_any or s.count is not None:
                return None if s.count is None else ()
            raise RuleError(f"{s.player} has nothing to choose from ({s.name})", s.note.cites)
        forced = has_one_answer(options, count)
        policy = NO_POLICY if forced or s.policy is None else self.value(s.policy, frame)
        request = ChoiceRequest(
            place_name(s.name, frame.place), s.player, options, count, s.note, left, policy, s.any_order
        )
        if forced:
            chosen = options[: 1 if count is None else count]
            self.asker.forced(request)
        else:
            chosen = self.asker.choose(request)
            check_choice(request, chosen)
        if self.observer:
            self.observer(Chose(request.name, s.player, options, chosen, forced, s.note))
        return chosen[0] if count is None else chosen

    def snapshot(self, frame: Frame) -> Any:
        """What ``restore`` needs to undo all changes from now on."""
        return self.state, len(self.effects), dict(frame.locals)

    def restore(self, before: Any, frame: Frame) -> None:
        """Undo all changes since a snapshot."""
        self.state, done, values = before
        del self.effects[done:]
        frame.locals.clear()
        frame.locals.update(values)

    def state_key(self, frame: Frame, without: str) -> Any:
        """A hashable key of the records that differ, for states of one search."""
        return tuple(tuple(fields.items()) for fields in self.state.records.values())

    # -- results ----------------------------------------------------------------------------------------------

    def _apply(self, s: ir.ApplyResults, frame: Frame) -> None:
        results = self.program.results[s.chart]
        reading = self.value(s.reading, frame)
        pairs = self._readers(results, reading, s, frame)
        matched = [(ref, pattern_for(results, str(code))) for ref, code in pairs]
        for entry in results.entries:
            hit = [
                (ref, found[1]) for ref, found in matched if found is not None and found[0].text == entry.pattern.text
            ]
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


def _side(die: ir.Die, printed: Any) -> ir.Face:
    face = die.face(printed)
    assert face is not None, "faces are checked when they are given"
    return face


def sums_by_owner(values: tuple[Any, ...], owners: list[int]) -> tuple[Any, ...]:
    """The sum of the values of each die and of the dice that belong to it, in the order of the dice."""
    sums = dict.fromkeys(owners, 0)
    for owner, value in zip(owners, values, strict=True):
        sums[owner] += value
    return tuple(sums.values())


def merge_field(ref: Ref, name: str, before: Any, after: list[Any], note: ir.Note) -> Any:
    """Merge the changes that simultaneous parts made to one field: changes of a number are added.

    Args:
        ref: The record.
        name: The field.
        before: Its value before the parts.
        after: Its value after each part that changed it.
        note: The step.

    Raises:
        RuleError: Two parts set a field that is not a number to different values.
    """
    if isinstance(before, FrozenMap):
        return FrozenMap({key: _merge_entry(ref, name, key, before, after, note) for key in before})
    if len(after) == 1 or (all(value == after[0] for value in after) and not _is_number(before)):
        return after[0]
    if _is_number(before):
        return checked(before + sum(value - before for value in after))
    raise RuleError(f"{name} of {ref.key} is set twice at the same time", note.cites)


def _merge_entry(ref: Ref, name: str, key: Any, before: Any, after: list[Any], note: ir.Note) -> Any:
    """Merge the changes to one entry of a map."""
    changed = [value[key] for value in after if value[key] != before[key]]
    return merge_field(ref, f"{key} in {name}", before[key], changed, note) if changed else before[key]


def _is_number(value: Any) -> bool:
    return not isinstance(value, (bool, str, tuple, Ref)) and value is not None
