"""What expressions and steps read: which locals, and which parts of them, which facts, fields, decks and effects.

A world keeps only what a later step reads. Here is what that is, by name; nothing is run here. Reading too much is
harmless, reading too little would be wrong: in doubt, everything is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from enfilade.core import ir
from enfilade.core.walk import nodes
from enfilade.engines.odds.settling import RUNNING, Sums, parts_of_chart

Token: TypeAlias = tuple[str, ...]
"""``("local", name, part)``, a whole local having the part ``""``; ``("fact", name)``, ``("field", name)``,
``("deck", name)``, ``("effect", name)``; ``("summed", field)`` where a field is only added up, ``("run", sum)`` for the running
total of such a sum, and ``("touched", field)`` where a step changes it."""

Tokens: TypeAlias = frozenset[Token]
Key: TypeAlias = tuple[str, str]
"""A declaration: its kind and its name."""

_MOST: Final = 20_000
NONE: Final[Tokens] = frozenset()
LOCAL: Final = "local"
FACT: Final = "fact"
FIELD: Final = "field"
DECK: Final = "deck"
EFFECT: Final = "effect"
RUN: Final = "run"
SUMMED: Final = "summed"
TOUCHED: Final = "touched"
ALL: Final = ""


class Needs:
    """What each thing of a ruleset reads, worked out once."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.written = frozenset(node.field for node in statements_of(program) if isinstance(node, ir.SetField))
        self.sums = Sums(program, self.written)
        self._declared: dict[tuple[str, str], Tokens] = {}
        self._expressions: dict[int, tuple[ir.Expr, Tokens]] = {}
        self._scanned: dict[Key, tuple[Tokens, tuple[Key, ...]]] = {}
        self._holding: dict[tuple[Any, ...], bool] = {}

    # -- expressions ------------------------------------------------------------------------------------------

    def of(self, *expressions: ir.Expr | None) -> Tokens:
        """What some expressions read."""
        found = NONE
        for e in expressions:
            if e is not None:
                found |= self._one(e)
        return found

    def _one(self, e: ir.Expr) -> Tokens:
        kept = self._expressions.get(id(e))
        if kept is None or kept[0] is not e:
            if len(self._expressions) >= _MOST:
                self._expressions.clear()
            kept = self._expressions[id(e)] = e, frozenset(self._tokens(e))
        return kept[1]

    def _tokens(self, e: ir.Expr) -> set[Token]:
        found: set[Token] = set()
        self._visit(e, found)
        return found

    def _visit(self, e: Any, found: set[Token]) -> None:
        match e:
            case ir.Const() | ir.Option():
                return
            case ir.Local():
                found.add((RUN, e.name) if e.name.startswith(RUNNING) else (LOCAL, e.name, ALL))
            case ir.Part(ir.Local() as of, name):
                found.add((LOCAL, of.name, name))
            case ir.Fact():
                found.add((FACT, e.name))
            case ir.Over() | ir.MapOver() | ir.Sort():
                self._over(e, found)
            case ir.Field():
                found.add((FIELD, e.name))
                self._visit(e.of, found)
            case ir.Define():
                found |= self.declared("define", e.name)
                self._visit_all(e.args, found)
            case ir.SumModifiers():
                found |= self.declared("modifiers", e.block)
                self._visit_all((*e.args, e.reader), found)
            case ir.Look():
                found |= self.declared("chart", e.chart)
                self._visit_all((*e.args, e.roll, e.reader), found)
            case ir.LookIn():
                for chart in self.program.charts:
                    found |= self.declared("chart", chart)
                self._visit_all((e.chart, e.roll, e.reader), found)
            case ir.EffectsSoFar():
                found.add((EFFECT, e.effect))
            case ir.CardsLeft():
                found.add((DECK, e.deck))
            case ir.Op():
                self._visit_all(e.args, found)
            case ir.All() | ir.Any_() | ir.Items():
                self._visit_all(e.items, found)
            case ir.Not() | ir.Part():
                self._visit(e.of, found)
            case ir.If():
                self._visit_all((e.condition, e.value, e.otherwise), found)

    def _visit_all(self, expressions: Iterable[ir.Expr | None], found: set[Token]) -> None:
        for e in expressions:
            if e is not None:
                self._visit(e, found)

    def _over(self, e: ir.Over | ir.MapOver | ir.Sort, found: set[Token]) -> None:
        if self.sums.of_effects(e) is not None:
            # It stands beside a running total, and is itself empty.
            return
        if self.sums.number(e) is not None:
            # Of what the rules change, it reads the sum alone: that can be kept in another way.
            assert isinstance(e, ir.Over)
            fields = self.sums.fields(e)
            summed: set[Token] = {(SUMMED, name) for name in fields}
            for part in (e.where, e.body):
                if part is not None:
                    for token in self.of(part):
                        if token[0] == FIELD and token[1] in fields:
                            summed.add((SUMMED, token[1]))
                        elif token[:2] != (LOCAL, e.var):
                            summed.add(token)
            found |= summed
            self._visit(e.over, found)
            return
        inner: set[Token] = set()
        match e:
            case ir.Over():
                self._visit_all((e.body, e.where, e.default), inner)
            case ir.MapOver():
                self._visit_all((e.key, e.value, e.where), inner)
            case ir.Sort():
                self._visit_all((e.key, e.take), inner)
        parts = {token[2] for token in inner if token[0] == LOCAL and token[1] == e.var}
        found |= {token for token in inner if not (token[0] == LOCAL and token[1] == e.var)}
        keeps = isinstance(e, ir.Sort) or (isinstance(e, ir.Over) and e.how == "filter")
        if isinstance(e.over, ir.Local) and not keeps:
            # Of each element of the list only those parts are read.
            found |= {(LOCAL, e.over.name, part) for part in parts or {"count"}}
        else:
            self._visit(e.over, found)

    # -- declarations -----------------------------------------------------------------------------------------

    def declared(self, kind: str, name: str) -> Tokens:
        """What a declaration reads beside its parameters, with all that it uses in its turn."""
        key = (kind, name)
        if key not in self._declared:
            self._declared[key] = NONE.union(*(self._direct(each)[0] for each in self._reached([key])))
        return self._declared[key]

    def _reached(self, start: Iterable[Key]) -> list[Key]:
        """Some declarations and all that they use."""
        reached = dict.fromkeys(start)
        waiting = list(reached)
        while waiting:
            for key in self._direct(waiting.pop())[1]:
                if key not in reached:
                    reached[key] = None
                    waiting.append(key)
        return list(reached)

    def _direct(self, key: Key) -> tuple[Tokens, tuple[Key, ...]]:
        """What a declaration reads itself, and the declarations that it uses."""
        if key not in self._scanned:
            self._scanned[key] = self._scan(self.body_of(key))
        return self._scanned[key]

    def body_of(self, key: Key) -> Any:
        """What a declaration is made of."""
        program = self.program
        match key:
            case ("define", name):
                return program.definitions[name].body
            case ("modifiers", name):
                return program.modifiers[name].items
            case ("effect", name):
                return program.effects[name].body
            case ("procedure", name):
                return program.procedures[name].body
            case ("results", name):
                return program.results[name].entries
        chart = program.charts[key[1]]
        blocks = tuple(ir.SumModifiers(block, ()) for block in (*chart.shifts, *chart.roll_modifiers))
        return (*parts_of_chart(chart), blocks)

    def _scan(self, body: Any) -> tuple[Tokens, tuple[Key, ...]]:
        found: set[Token] = set()
        used: dict[Key, None] = {}
        for node in nodes(body):
            match node:
                case ir.Fact():
                    found.add((FACT, node.name))
                case ir.Field():
                    found.add((FIELD, node.name))
                case ir.SetField():
                    found.add((TOUCHED, node.field))
                case ir.EffectsSoFar():
                    found.add((EFFECT, node.effect))
                case ir.CardsLeft() | ir.DrawCards():
                    found.add((DECK, node.deck))
                case ir.LookIn():
                    used |= dict.fromkeys(("chart", chart) for chart in self.program.charts)
                case _:
                    key = _used_by(node)
                    if key is not None:
                        used[key] = None
        return frozenset(found), tuple(used)

    # -- asking -----------------------------------------------------------------------------------------------

    def rolls(self, body: Any) -> bool:
        """Whether steps roll, draw or choose, or what they perform does."""
        return self._has(body, (ir.RollDice, ir.DrawCards, ir.Choose))

    def chooses(self, body: Any) -> bool:
        """Whether steps leave a choice to a player, or what they perform does."""
        return self._has(body, (ir.Choose,))

    def loops(self, body: Any) -> bool:
        """Whether steps repeat anything, or go back where a call is refused, or what they perform does."""
        return self._has(body, (ir.Loop, ir.Repeat, ir.Together, _Undone))

    def _has(self, body: Any, kinds: tuple[type, ...]) -> bool:
        if _holds(body, kinds):
            return True
        for key in self._reached(self._scan(body)[1]):
            known = (*key, kinds)
            if known not in self._holding:
                self._holding[known] = _holds(self.body_of(key), kinds)
            if self._holding[known]:
                return True
        return False


def _holds(body: Any, kinds: tuple[type, ...]) -> bool:
    undone = _Undone in kinds
    return any(
        isinstance(node, kinds) or (undone and isinstance(node, ir.CallProcedure) and node.if_refused is not None)
        for node in nodes(body)
    )


class _Undone:
    """Stands for a call that is undone where it is refused."""


def _used_by(node: Any) -> Key | None:
    match node:
        case ir.Define():
            return "define", node.name
        case ir.SumModifiers():
            return "modifiers", node.block
        case ir.Look():
            return "chart", node.chart
        case ir.Perform():
            return "effect", node.effect
        case ir.CallProcedure():
            return "procedure", node.procedure
        case ir.ApplyResults():
            return "results", node.chart
    return None


def statements_of(program: ir.Program) -> list[Any]:
    """Every node of the steps of a ruleset."""
    bodies = [
        *(each.body for each in program.procedures.values()),
        *(each.body for each in program.effects.values()),
        *(each.entries for each in program.results.values()),
    ]
    return list(nodes(tuple(bodies)))


def outside(tokens: Tokens) -> Tokens:
    """What of it is no local and no fact: what other frames see too."""
    return frozenset(token for token in tokens if token[0] not in (LOCAL, FACT))


def parts_of(tokens: Tokens, local: str) -> frozenset[str]:
    """The parts of a local that are read; the empty one stands for all of it."""
    return frozenset(token[2] for token in tokens if token[0] == LOCAL and token[1] == local)
