"""Rolls and draws: each outcome with its weight, in as few outcomes as what is read of them allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import comb, lcm, perm
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from enfilade.core import ir
from enfilade.core.answers import missing_fact
from enfilade.core.legal_answers import cards_left
from enfilade.core.requests import DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Frame
from enfilade.core.values import Roll
from enfilade.core.walk import nodes
from enfilade.engines.odds.pool_plan import FIRST, SUM, Aggregate, PoolPlan
from enfilade.engines.odds.pools import (
    Group,
    Side,
    Sum,
    Table,
    all_throws,
    best_combinations,
    combinations,
    sums_of,
    throws,
)
from enfilade.engines.odds.tails import Undecided, tail
from enfilade.engines.odds.view import Level, View, failed
from enfilade.engines.odds.worlds import Flow, Row, Worlds, frozen_value, no_worlds, one_world
from enfilade.errors import LimitError, RuleError

if TYPE_CHECKING:
    from enfilade.core.types import Type
    from enfilade.engines.odds.answer import OddsLimits, Situation
    from enfilade.engines.odds.engine import Context, Keeper
    from enfilade.engines.odds.plan import Planner
    from enfilade.engines.odds.view import Slots


Amounts: TypeAlias = tuple[Any, ...]
Chain: TypeAlias = dict[Amounts, Fraction]
Mixed: TypeAlias = dict[tuple[Any, ...], tuple[Chain, Fraction]]
"""By what the first die shows, if that is asked: what all add up to, and how likely that die is."""


NO_KINDS: Final[Mapping[str, Any]] = {}


class Chances:
    """How rolls and draws move a world."""

    situation: Situation
    program: ir.Program
    limits: OddsLimits
    slots: Slots
    view: View
    is_exact: bool
    planner: Planner

    def count(self, worlds: int) -> None:
        """Count some work."""
        raise NotImplementedError

    def worth(self, e: ir.Expr, frame: Frame, kinds: Mapping[str, Type] = NO_KINDS) -> Any:
        """The value of an expression for the world at which the view looks."""
        view = self.view
        code = self.planner.expression(e, kinds)
        if not code:
            return view.value(e, frame)
        return code(view.shared, view.depth, frame.locals)

    def needed(self, e: ir.Expr, frame: Frame) -> Any:
        """The same where ``none`` can't stand."""
        value = self.worth(e, frame)
        return self.view.needed(e, frame) if value is None else value

    # -- what is known already --------------------------------------------------------------------------------

    @property
    def answers_slot(self) -> int:
        """How many of the answers that are known have been used."""
        return self.slots.number("answers")

    def answered(self, kind: str, level: Level) -> tuple[Any, ...] | None:
        """The answer that is known already, if there is one."""
        if not self._has_answers(level):
            return None
        found, answer = self.situation.log[cast(int, level.base(self.answers_slot))]
        if found != kind:
            raise RuleError(f"the answers that are given go on with a {found}, and the rules ask for a {kind}")
        return answer

    def _has_answers(self, level: Level) -> bool:
        """Whether there is an answer that has not been used; no dice and no cards ask for none."""
        log = self.situation.log
        return bool(log) and cast(int, level.base(self.answers_slot)) < len(log)

    # -- rolls ------------------------------------------------------------------------------------------------

    def roll(self, s: ir.RollDice, pool: PoolPlan | None, context: Context, keep: Keeper, level: Level) -> Flow:
        """Roll dice."""
        plan = pool or PoolPlan()
        view = self.view
        view.begin(level, context.depth, context.facts)
        frame = view.frame(context.depth)
        if self._has_answers(level):
            return self._known_roll(s, plan, frame, keep, level)
        request = self._asked(s, frame)
        if request is None:
            # No dice at all: the evaluator says what that is.
            return Flow(self._rolled(s, plan, frame, [((Roll((), ()),), 1)], None, keep))
        if plan.aggregates == ():
            return Flow(one_world())
        try:
            return Flow(self._pool(s, plan, request, frame, keep))
        except Undecided:
            self.is_exact = False
            return Flow(no_worlds())

    def _asked(self, s: ir.RollDice, frame: Frame) -> RollRequest | None:
        """The dice that the evaluator would ask for."""
        asker: Any = _Asking()
        self.view.asker = asker
        try:
            self.view._roll(s, frame)
        except _Asked:
            found: RollRequest = asker.roll_request
            return found
        finally:
            self.view.asker = self.view.nobody
        return None

    def _known_roll(self, s: ir.RollDice, plan: PoolPlan, frame: Frame, keep: Keeper, level: Level) -> Flow:
        at = level.base(self.answers_slot)
        asker: Any = _FromLog(self.situation.log, at)
        self.view.asker = asker
        try:
            roll = self.view._roll(s, frame)
        except _RanOut:
            # It goes on after what is known.
            known = tuple(answer for _, answer in self.situation.log[at:])
            extra = {self.answers_slot: len(self.situation.log)}
            return Flow(self._path_by_path(s, plan, frame, keep, known, extra))
        finally:
            self.view.asker = self.view.nobody
        return Flow(self._rolled(s, plan, frame, [((roll,), 1)], {self.answers_slot: asker.at}, keep))

    def _rolled(
        self,
        s: ir.RollDice,
        plan: PoolPlan,
        frame: Frame,
        rolls: list[tuple[tuple[Roll], int]],
        extra: Mapping[int, Any] | None,
        keep: Keeper,
    ) -> Worlds:
        """What is kept of each of some rolls."""
        table: Table = {}
        for (roll,), weight in rolls:
            key = self._read_of(s, plan, roll, frame)
            table[key] = table.get(key, 0) + weight
        names = [s.local] if plan.aggregates is None else list(plan.locals)
        return self._kept(names, table, keep, frame, extra)

    def _read_of(self, s: ir.RollDice, plan: PoolPlan, roll: Roll, frame: Frame) -> Row:
        """What is read of one roll, worked out by the evaluator."""
        if plan.aggregates is None:
            return (roll,)
        frame.locals[s.local] = roll
        self.view.shared.steps = 0
        return self._derived(
            plan, frame, tuple(self._read_or_failed(each.expression, frame) for each in plan.aggregates)
        )

    def _read_or_failed(self, e: ir.Expr, frame: Frame) -> Any:
        """What is read of a roll; an error only for those who come to look at it."""
        try:
            return frozen_value(self.worth(e, frame))
        except RuleError as error:
            return failed(error)

    def _derived(self, plan: PoolPlan, frame: Frame, values: Row) -> Row:
        """What is kept in the place of some values."""
        if not plan.derived or plan.aggregates is None:
            return values
        for each, value in zip(plan.aggregates, values, strict=True):
            frame.locals[each.local] = value
        return tuple(bool(self.worth(e, frame)) for _, e in plan.derived)

    def _all_derived(self, plan: PoolPlan, frame: Frame, table: Table) -> Table:
        if not plan.derived:
            return table
        found: Table = {}
        for values, weight in table.items():
            try:
                key = self._derived(plan, frame, values)
            except Undecided:
                self.is_exact = False
                continue
            found[key] = found.get(key, 0) + weight
        return found

    def _kept(
        self,
        names: list[str],
        table: Table,
        keep: Keeper,
        frame: Frame,
        extra: Mapping[int, Any] | None = None,
        total: int | None = None,
    ) -> Worlds:
        slots_of = self.view.locals(self.view.depth)
        slots = [slots_of.slot(name) for name in names]
        kept = [place for place, slot in enumerate(slots) if keep[slot]]
        rows: dict[Row, int] = {}
        more = tuple((extra or {}).values())
        for values, weight in table.items():
            key = (*(values[place] for place in kept), *more)
            rows[key] = rows.get(key, 0) + weight
        every = sum(table.values()) if total is None else total
        return Worlds((*(slots[place] for place in kept), *(extra or {})), rows, every)

    # -- pools ------------------------------------------------------------------------------------------------

    def _pool(self, s: ir.RollDice, plan: PoolPlan, request: RollRequest, frame: Frame, keep: Keeper) -> Worlds:
        groups = tuple(Group(count, self._sides(die)) for count, die in request.dice if count)
        explode = next((rule for rule in s.rules if rule.act == "explode"), None)
        if explode is None:
            for rule in s.rules:
                groups = tuple(self._rerolled(rule, group, s, frame) for group in groups)
        elif explode is not s.rules[-1] or len(s.rules) > 1:
            return self._path_by_path(s, plan, frame, keep)
        if plan.aggregates is None:
            if explode is not None:
                return self._path_by_path(s, plan, frame, keep)
            table = {(_roll_of(faces),): weight for faces, weight in all_throws(groups, self.limits.outcomes)}
            return self._kept([s.local], table, keep, frame, None, throws(groups))
        names = list(plan.locals)
        if explode is not None:
            found = self._exploded(s, explode, plan.aggregates, groups, frame)
            if found is None:
                return self._path_by_path(s, plan, frame, keep)
            return self._kept(names, self._all_derived(plan, frame, found[0]), keep, frame, None, found[1])
        added = self._added_up(plan.aggregates, groups, frame)
        if added is not None:
            return self._kept(names, self._all_derived(plan, frame, added), keep, frame, None, throws(groups))
        listed = [((_roll_of(faces),), weight) for faces, weight in self._ways(plan.aggregates, groups, frame)]
        self.count(len(listed))
        return self._rolled(s, plan, frame, listed, None, keep)

    def _ways(
        self, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...], frame: Frame
    ) -> Iterator[tuple[tuple[ir.Face, ...], int]]:
        """The throws that must be told apart: all of them, each combination once, or only what is kept."""
        if self._has_order(aggregates, groups, frame):
            return all_throws(groups, self.limits.outcomes)
        sorts = [None if each.stream is None else each.stream.sort for each in aggregates]
        takes = [_taken(each) for each in aggregates]
        best = {self._ranks(each, sort, groups, frame) for each, sort in zip(aggregates, sorts, strict=True) if sort}
        if len(best) != 1 or any(take is None for take in takes):
            return combinations(groups, self.limits.outcomes)
        (ranks,) = best
        kept = max(max(self.needed(take, frame), 0) for take in takes if take is not None)
        return best_combinations(groups, ranks, kept, self.limits.outcomes)

    def _sides(self, die: ir.Die) -> tuple[Side, ...]:
        if die.count > self.limits.outcomes:
            raise LimitError(
                "outcomes", f"{die.name} has {die.count} sides; at most {self.limits.outcomes} are told apart"
            )
        sides = self.planner.sides.get(die.name)
        if sides is None:
            counted = Counter(die.face_at(index) for index in range(die.count))
            sides = self.planner.sides[die.name] = tuple(Side(face, weight) for face, weight in counted.items())
        return sides

    def _rerolled(self, rule: ir.RollRule, group: Group, s: ir.RollDice, frame: Frame) -> Group:
        """A die that is rolled again where it shows some sides, as a die with other weights."""
        again = [self.view._test(rule, side.face, frame) for side in group.sides]
        every = group.weight
        gone = sum(side.weight for side, hit in zip(group.sides, again, strict=True) if hit)
        if not gone:
            return group
        if rule.times is None:
            if gone == every:
                raise LimitError("rerolls", f"{s.name} would be rolled again for ever")
            kept = tuple(side for side, hit in zip(group.sides, again, strict=True) if not hit)
            return Group(group.count, kept)
        times = min(rule.times, self.view.limits.rerolls)
        stays = sum(gone**turn * every ** (times - turn) for turn in range(times + 1))
        sides = tuple(
            Side(side.face, side.weight * (gone**times if hit else stays))
            for side, hit in zip(group.sides, again, strict=True)
        )
        return Group(group.count, tuple(side for side in sides if side.weight))

    # -- added up ---------------------------------------------------------------------------------------------

    def _added_up(self, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...], frame: Frame) -> Table | None:
        """The distribution of some sums; ``None`` where they are no sums, or rank dice in several ways."""
        if not all(each.kind in (SUM, FIRST) for each in aggregates):
            return None
        sums = {each.local: self._sum(each, groups, frame) for each in aggregates if each.kind == SUM}
        if any(found is None for found in sums.values()):
            return None
        known = {name: found for name, found in sums.items() if found is not None}
        kept = {each.ranks for each in known.values() if each.kept is not None}
        first = [each for each in aggregates if each.kind == FIRST]
        if len(kept) > 1 or (first and kept):
            return None
        if first:
            table = self._with_first(groups, list(known.values()))
        else:
            table = {
                (None, *row): weight
                for row, weight in sums_of(groups, list(known.values()), self.limits.outcomes).items()
            }
        self.count(len(table))
        at = {name: place + 1 for place, name in enumerate(known)}
        found: Table = {}
        for row, weight in table.items():
            key = tuple(
                row[0] if each.kind == FIRST else _finished(each.how, row[at[each.local]]) for each in aggregates
            )
            found[key] = found.get(key, 0) + weight
        return found

    def _with_first(self, groups: tuple[Group, ...], sums: list[Sum]) -> Table:
        """The first die with some sums over all of them."""
        head = groups[0]
        rest = (Group(head.count - 1, head.sides), *groups[1:])
        others = sums_of(rest, sums, self.limits.outcomes)
        found: Table = {}
        for number, side in enumerate(head.sides):
            added = tuple(each.amounts[0][number] for each in sums)
            for row, weight in others.items():
                key = (side.face.value, *(a + b for a, b in zip(row, added, strict=True)))
                found[key] = found.get(key, 0) + weight * side.weight
        return found

    def _sum(self, aggregate: Aggregate, groups: tuple[Group, ...], frame: Frame) -> Sum | None:
        amounts = tuple(tuple(self._amount(aggregate, side.face, frame) for side in group.sides) for group in groups)
        sort = None if aggregate.stream is None else aggregate.stream.sort
        if sort is None or sort.take is None:
            return Sum(amounts)
        ranks = self._ranks(aggregate, sort, groups, frame)
        kept = max(self.needed(sort.take, frame), 0)
        alike: dict[int, Any] = {}
        for rank, amount in zip(_flat(ranks), _flat(amounts), strict=True):
            # Which of several dice of one rank is kept hangs on their order.
            if alike.setdefault(rank, amount) != amount:
                return None
        return Sum(amounts, ranks, kept)

    def _amount(self, aggregate: Aggregate, face: ir.Face, frame: Frame) -> Any:
        """What one side adds."""
        stream, last = aggregate.stream, aggregate.last
        if stream is None:
            return 0 if isinstance(face.value, str) else face.value
        value = self._through(aggregate, face, frame, None)
        if value is _GONE:
            return 0
        if isinstance(last, ir.Op):
            return int(value == self.worth(last.args[1], frame))
        assert isinstance(last, ir.Over)
        if not self._passes(last.var, last.where, value, frame):
            return 0
        match aggregate.how:
            case "count":
                return 1
            case "sum":
                return self.needed(last.body, frame)
            case "all":
                return int(not self.worth(last.body, frame))
        return int(bool(self.worth(last.body, frame)))

    def _passes(self, var: str, where: ir.Expr | None, value: Any, frame: Frame) -> bool:
        frame.locals[var] = value
        return where is None or bool(self.worth(where, frame))

    def _through(self, aggregate: Aggregate, face: ir.Face, frame: Frame, until: ir.Sort | None) -> Any:
        """What becomes of a side on its way, up to where it is put in order."""
        assert aggregate.stream is not None
        value = face.value if aggregate.stream.part == "values" else face.printed
        for operation in aggregate.stream.operations:
            if operation is until:
                return value
            if isinstance(operation, ir.Sort):
                continue
            if not self._passes(operation.var, operation.where, value, frame):
                return _GONE
            found = self.worth(operation.body, frame)
            if operation.how == "list":
                value = found
            elif not found:
                return _GONE
        return value

    def _ranks(
        self, aggregate: Aggregate, sort: ir.Sort, groups: tuple[Group, ...], frame: Frame
    ) -> tuple[tuple[int, ...], ...]:
        keys = [[self._key(aggregate, sort, side.face, frame) for side in group.sides] for group in groups]
        present = {key for key in _flat(keys) if key is not _GONE}
        order = {key: rank for rank, key in enumerate(sorted(present, reverse=sort.descending))}
        # A die that was left out before is never kept.
        return tuple(tuple(order.get(key, len(order)) for key in of_group) for of_group in keys)

    def _key(self, aggregate: Aggregate, sort: ir.Sort, face: ir.Face, frame: Frame) -> Any:
        value = self._through(aggregate, face, frame, sort)
        if value is _GONE:
            return _GONE
        frame.locals[sort.var] = value
        return self.needed(sort.key, frame)

    def _has_order(self, aggregates: tuple[Aggregate, ...], groups: tuple[Group, ...], frame: Frame) -> bool:
        """Whether the order of the dice can be seen in what is read of them."""
        for each in aggregates:
            if each.kind == FIRST:
                return True
            for sort in _sorts(each.expression):
                if sort.key != ir.Local(sort.var) and self._ties(sort, groups, frame):
                    return True
        return False

    def _ties(self, sort: ir.Sort, groups: tuple[Group, ...], frame: Frame) -> bool:
        """Whether two sides that differ have the same rank."""
        keys: dict[Any, Any] = {}
        for group in groups:
            for side in group.sides:
                frame.locals[sort.var] = side.face.value
                if keys.setdefault(self.worth(sort.key, frame), side.face) != side.face:
                    return True
        return not isinstance(sort.over, ir.Part)

    # -- explosions -------------------------------------------------------------------------------------------

    def _exploded(
        self,
        s: ir.RollDice,
        rule: ir.RollRule,
        aggregates: tuple[Aggregate, ...],
        groups: tuple[Group, ...],
        frame: Frame,
    ) -> tuple[Table, int] | None:
        """Sums over dice that explode, and the first die; ``None`` where another way must be taken."""
        if any(each.kind not in (SUM, FIRST) for each in aggregates):
            return None
        added = [each for each in aggregates if each.kind == SUM]
        sums = [self._sum(each, groups, frame) for each in added]
        wanted = [each for each in sums if each is not None and each.kept is None]
        if len(wanted) != len(sums):
            return None
        cap = _cap_of(groups, wanted)
        # The tail is known to be so much or more where there is one sum, and nothing is ever taken away from it.
        grows = len(wanted) == 1 and all(_grows(amount) for amounts in wanted[0].amounts for amount in amounts)
        tail_at = cap if rule.times is None and grows else None
        whole: Mixed = {(): ({(0,) * len(wanted): Fraction(1)}, Fraction(1))}
        with_first = len(added) < len(aggregates)
        for at, group in enumerate(groups):
            amounts = list(zip(*(each.amounts[at] for each in wanted), strict=True)) or [()] * len(group.sides)
            hit = [self.view._test(rule, side.face, frame) for side in group.sides]
            if rule.times is None and all(hit):
                raise LimitError("rerolls", f"{s.name} would explode for ever")
            chain = self._chain(rule.times, group, amounts, hit, cap)
            count = group.count
            if with_first and at == 0:
                times = None if rule.times is None else rule.times - 1
                more = self._chain(times, group, amounts, hit, cap)
                whole = _first_die(group, amounts, hit, more)
                count -= 1
            whole = {key: _added(each, chain, count, tail_at, self.limits.outcomes) for key, each in whole.items()}
        return self._exploded_table(aggregates, whole, tail_at)

    def _exploded_table(
        self, aggregates: tuple[Aggregate, ...], whole: Mixed, tail_at: int | None
    ) -> tuple[Table, int]:
        """The outcomes of explosions as whole numbers over one total, with their tails."""
        chances: dict[Row, Fraction] = {}
        for first, (table, mass) in whole.items():
            missing = mass - sum(table.values())
            rows = dict(table)
            if missing and tail_at is not None:
                rows[tail(tail_at),] = missing
            elif missing:
                self.is_exact = False
            for row, chance in rows.items():
                values = iter(row)
                key = tuple(
                    first[0] if each.kind == FIRST else _finished(each.how, next(values)) for each in aggregates
                )
                chances[key] = chances.get(key, Fraction(0)) + chance
        total = lcm(*(chance.denominator for chance in chances.values()))
        return {key: int(chance * total) for key, chance in chances.items()}, total

    def _chain(self, times: int | None, group: Group, amounts: list[Amounts], hit: list[bool], cap: int) -> Chain:
        """What one die with all that it explodes into adds up to."""
        stays: Chain = {}
        goes: Chain = {}
        for side, amount, again in zip(group.sides, amounts, hit, strict=True):
            part = goes if again else stays
            part[amount] = part.get(amount, Fraction(0)) + Fraction(side.weight, group.weight)
        if not goes:
            return stays
        if times is not None:
            return _bounded_chain(stays, goes, min(times, self.view.limits.rerolls))
        if len(amounts[0]) == 1 and all(_grows(amount) for (amount,) in amounts):
            return _growing_chain(stays, goes, cap)
        return _long_chain(stays, goes)

    def _path_by_path(
        self,
        s: ir.RollDice,
        plan: PoolPlan,
        frame: Frame,
        keep: Keeper,
        known: tuple[tuple[Any, ...], ...] = (),
        extra: Mapping[int, Any] | None = None,
    ) -> Worlds:
        """A roll whose dice are rolled again in ways that are not added up: one way after the other, the likeliest first.

        Ways that are less likely than one in ``_FAINTEST`` are the remainder.
        """
        found: dict[Any, Fraction] = {}
        lost = False
        waiting: list[tuple[Fraction, tuple[tuple[Any, ...], ...]]] = [(Fraction(1), known)]
        while waiting:
            weight, answers = waiting.pop()
            asker: Any = _Path(answers)
            self.view.asker = asker
            try:
                roll = self.view._roll(s, frame)
            except _Asked:
                request = asker.roll_request
                assert request is not None
                groups = tuple(Group(count, self._sides(die)) for count, die in request.dice if count)
                every = throws(groups)
                if weight / every < _FAINTEST:
                    lost = True
                    continue
                ways = list(all_throws(groups, self.limits.outcomes))
                self.count(len(ways))
                for faces, times in ways:
                    more = (*answers, tuple(face.printed for face in faces))
                    waiting.append((weight * times / every, more))
            else:
                key = self._read_of(s, plan, roll, frame)
                found[key] = found.get(key, Fraction(0)) + weight
            finally:
                self.view.asker = self.view.nobody
        if lost:
            self.is_exact = False
        names = [s.local] if plan.aggregates is None else list(plan.locals)
        total = lcm(*(weight.denominator for weight in found.values())) if found else 1
        table = {key: int(weight * total) for key, weight in found.items()}
        return self._kept(names, table, keep, frame, extra, total)

    # -- draws ------------------------------------------------------------------------------------------------

    def draw(self, s: ir.DrawCards, unordered: bool, context: Context, keep: Keeper, level: Level) -> Flow:
        """Draw cards."""
        view = self.view
        view.begin(level, context.depth, context.facts)
        frame = view.frame(context.depth)
        asker: Any = _Asking()
        if self._has_answers(level):
            asker = _FromLog(self.situation.log, level.base(self.answers_slot))
        view.asker = asker
        try:
            frame.locals[s.local] = view._draw(s, frame)
        except _Asked:
            return Flow(self._drawn(s, asker.draw_request, unordered, keep, frame))
        finally:
            view.asker = view.nobody
        extra = {self.answers_slot: asker.at} if isinstance(asker, _FromLog) else None
        return Flow(self.written(keep, extra))

    def written(self, keep: Keeper, extra: Mapping[int, Any] | None = None) -> Worlds:
        """The world that the evaluator leaves behind."""
        raise NotImplementedError

    def _drawn(self, s: ir.DrawCards, request: DrawRequest, unordered: bool, keep: Keeper, frame: Frame) -> Worlds:
        hand = self.view.locals(self.view.depth).slot(s.local)
        deck = self.slots.number("deck", s.deck)
        slots = tuple(slot for slot in (hand, deck) if keep[slot])
        ways = _hands if unordered or not keep[hand] else _orders
        rows: dict[Row, int] = {}
        for cards, weight in ways(request.left, request.count, self.limits.outcomes):
            left = cards_left(request.name, s.deck, request.left, cards) if keep[deck] else ()
            key = tuple(value for slot, value in ((hand, cards), (deck, left)) if slot in slots)
            rows[key] = rows.get(key, 0) + weight
        self.count(len(rows))
        every = (comb if ways is _hands else perm)(len(request.left), request.count)
        return Worlds(slots, rows, every)


# ------------------------------------------------------------------------------------------------ small parts

_GONE: Final = object()
_LONG: Final = 16
_LEAST_CAP: Final = 64
_FAINTEST: Final = Fraction(1, 10**9)
_FAINT: Final = Fraction(1, 10**15)


def _flat(rows: Any) -> Iterator[Any]:
    for row in rows:
        yield from row


def _roll_of(faces: tuple[ir.Face, ...]) -> Roll:
    return Roll(tuple(face.printed for face in faces), tuple(face.value for face in faces))


def _finished(how: str, amount: Any) -> Any:
    if how in ("any", "has"):
        return amount > 0
    return amount == 0 if how in ("all", "none") else amount


def _taken(aggregate: Aggregate) -> ir.Expr | None:
    """How many dice from the front it looks at, where it does not look at all of them."""
    sort = None if aggregate.stream is None else aggregate.stream.sort
    if sort is None:
        return None
    match aggregate.expression:
        case ir.Op("item" | "first", (count, ir.Sort())) if sort.take is None:
            return count
    return sort.take


def _sorts(e: ir.Expr) -> list[ir.Sort]:
    return [node for node in nodes(e) if isinstance(node, ir.Sort)]


def _cap_of(groups: tuple[Group, ...], sums: list[Sum]) -> int:
    """From where on all totals are one tail: beyond what is at all likely."""
    found = 0
    for at, group in enumerate(groups):
        highest = max((abs(amount) for each in sums for amount in each.amounts[at]), default=0)
        found += (group.count + _LONG) * int(highest)
    return max(found, _LEAST_CAP)


def _grows(amount: Any) -> bool:
    return type(amount) is int and amount >= 0


def _times(a: Chain, b: Chain) -> Chain:
    """Two chains, one after the other."""
    found: Chain = {}
    for left, weight in a.items():
        for right, chance in b.items():
            key = tuple(x + y for x, y in zip(left, right, strict=True))
            found[key] = found.get(key, Fraction(0)) + weight * chance
    return found


def _plus(a: Chain, b: Chain) -> Chain:
    found = dict(a)
    for amount, weight in b.items():
        found[amount] = found.get(amount, Fraction(0)) + weight
    return found


def _bounded_chain(stays: Chain, goes: Chain, times: int) -> Chain:
    """A die that explodes at most so many times."""
    chain = _plus(stays, goes)
    for _ in range(times):
        chain = _plus(stays, _times(goes, chain))
    return chain


def _growing_chain(stays: Chain, goes: Chain, cap: int) -> Chain:
    """A die that explodes without bound, up to the cap: each amount follows from the lower ones."""
    still = goes.get((0,), Fraction(0))
    chain = {amount: weight / (1 - still) for (amount,), weight in stays.items()}
    onward = {amount: weight / (1 - still) for (amount,), weight in goes.items() if amount}
    found: dict[Any, Fraction] = {}
    for amount in range(cap):
        weight = chain.get(amount, Fraction(0))
        for step, chance in onward.items():
            weight += chance * found.get(amount - step, Fraction(0))
        if weight:
            found[amount] = weight
    return {(amount,): weight for amount, weight in found.items()}


def _long_chain(stays: Chain, goes: Chain) -> Chain:
    """A die that explodes without bound, until what goes on is next to nothing."""
    found: Chain = {}
    current: Chain = {(0,) * len(next(iter(goes))): Fraction(1)}
    while sum(current.values()) > _FAINT:
        found = _plus(found, _times(current, stays))
        current = _times(current, goes)
    return found


def _first_die(group: Group, amounts: list[Amounts], hit: list[bool], more: Chain) -> Mixed:
    """The first die of a pool by what it shows, each with what it and its explosions add up to."""
    found: Mixed = {}
    for side, amount, again in zip(group.sides, amounts, hit, strict=True):
        chance = Fraction(side.weight, group.weight)
        table, mass = found.get((side.face.value,), ({}, Fraction(0)))
        own = _times({amount: chance}, more) if again else {amount: chance}
        found[side.face.value,] = _plus(table, own), mass + chance
    return found


def _added(
    start: tuple[Chain, Fraction], chain: Chain, count: int, cap: int | None, most: int
) -> tuple[Chain, Fraction]:
    """Several dice more added up, below *cap*; the chance of all, whatever they come to, stays the same."""
    table, mass = start
    for _ in range(count):
        table = _times(table, chain)
        if cap is not None:
            table = {amount: chance for amount, chance in table.items() if amount[0] < cap}
        if len(table) > most:
            raise LimitError("outcomes", f"a pool has more than {most} outcomes")
    if cap is not None:
        table = {amount: chance for amount, chance in table.items() if amount[0] < cap}
    return table, mass


def _hands(left: tuple[Any, ...], count: int, most: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each hand, in the order of the deck, with the number of ways to draw it."""
    kinds = list(Counter(left).items())
    _check_ways(_number_of_hands([there for _, there in kinds], count), most)

    def draw(at: int, wanted: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        if at == len(kinds):
            if not wanted:
                yield (), 1
            return
        card, there = kinds[at]
        for taken in range(min(there, wanted) + 1):
            for rest, weight in draw(at + 1, wanted - taken):
                yield (card,) * taken + rest, weight * comb(there, taken)

    yield from draw(0, count)


def _orders(left: tuple[Any, ...], count: int, most: int) -> Iterator[tuple[tuple[Any, ...], int]]:
    """Each way to draw cards one after the other, with the number of ways that look so."""
    counts = Counter(left)
    _check_ways(_number_of_orders(list(counts.values()), count), most)

    def draw(wanted: int) -> Iterator[tuple[tuple[Any, ...], int]]:
        if not wanted:
            yield (), 1
            return
        for card in list(counts):
            there = counts[card]
            if there:
                counts[card] -= 1
                for rest, weight in draw(wanted - 1):
                    yield (card, *rest), weight * there
                counts[card] += 1

    yield from draw(count)


def _number_of_hands(kinds: list[int], count: int) -> int:
    """How many different hands there are."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [sum(ways[size - taken] for taken in range(min(there, size) + 1)) for size in range(count + 1)]
    return ways[count]


def _number_of_orders(kinds: list[int], count: int) -> int:
    """How many different ways to draw there are."""
    ways = [1] + [0] * count
    for there in kinds:
        ways = [
            sum(ways[size - taken] * comb(size, taken) for taken in range(min(there, size) + 1))
            for size in range(count + 1)
        ]
    return ways[count]


def _check_ways(ways: int, most: int) -> None:
    if ways > most:
        raise LimitError("outcomes", f"a draw has {ways} outcomes; at most {most} are told apart")


class _Asked(Exception):
    """Dice or cards are asked for."""


class _Asking:
    """Keeps what is asked, and breaks off."""

    def fact(self, request: FactRequest) -> Any:
        return missing_fact(request)

    roll_request: RollRequest | None = None
    draw_request: DrawRequest | None = None

    def roll(self, request: RollRequest) -> Any:
        self.roll_request = request
        raise _Asked

    def draw(self, request: DrawRequest) -> Any:
        self.draw_request = request
        raise _Asked


class _Path(_Asking):
    """Answers as far as the answers go."""

    def __init__(self, answers: tuple[tuple[Any, ...], ...]) -> None:
        self._answers = list(answers)

    def roll(self, request: RollRequest) -> Any:
        if self._answers:
            return self._answers.pop(0)
        return super().roll(request)


class _RanOut(Exception):
    """What is known ends within a roll."""


class _FromLog:
    """Answers with what is known."""

    def fact(self, request: FactRequest) -> Any:
        return missing_fact(request)

    def __init__(self, log: tuple[tuple[str, tuple[Any, ...]], ...], at: int) -> None:
        self._log = log
        self.at = at

    def _next(self, kind: str) -> tuple[Any, ...]:
        if self.at >= len(self._log):
            raise _RanOut
        if self._log[self.at][0] != kind:
            found = self._log[self.at][0]
            raise RuleError(f"the answers that are given go on with a {found}, and the rules ask for a {kind}")
        self.at += 1
        return self._log[self.at - 1][1]

    def roll(self, request: RollRequest) -> Any:
        return self._next("roll")

    def draw(self, request: DrawRequest) -> Any:
        return self._next("draw")
