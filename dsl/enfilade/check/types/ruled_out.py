"""Whether a call may refuse, given its arguments: `call shot with flank no` rules out `refuse ... when flank`.

A may-analysis over the callee's body: a refusal is possible unless its condition, with the conditions around it, can't be
true with the values of the arguments. Facts don't change during a run; locals and fields do, so conditions around a
refusal count only if they read facts and options alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from attrs import evolve, frozen

from enfilade.check.types.satisfiability import is_never_true
from enfilade.core import ir
from enfilade.core.graph import ProgramGraph, graph_of
from enfilade.core.traits import Action
from enfilade.core.walk import nodes
from enfilade.values.types import Bool, Type


def may_refuse(program: ir.Program, call: ir.CallProcedure) -> bool:
    """Whether a call may be refused with its arguments."""
    return _Callee(program, graph_of(program)).called(call).may_refuse()


@frozen
class _Callee:
    """A body with what is known about its facts.

    Attributes:
        program: The ruleset.
        graph: Its graph.
        body: The statements.
        values: The facts with a known value.
        types: The types of arguments that are narrower than the type of their fact.
        around: The conditions around the statements.
        calls: The procedures being called.
    """

    program: ir.Program
    graph: ProgramGraph
    body: ir.Body = ()
    values: Mapping[str, Any] = {}
    types: Mapping[str, Type] = {}
    around: tuple[ir.Expr, ...] = ()
    calls: frozenset[str] = frozenset()

    def may_refuse(self) -> bool:
        """Whether any statement may refuse."""
        return any(self._statement(s) for s in self.body if Action.REFUSE in self.graph.may(s))

    def _statement(self, s: ir.Statement) -> bool:
        match s:
            case ir.Refuse():
                return self._is_possible(s.condition)
            case ir.Branch():
                return self._under(s.condition, s.body) or self._under(ir.Not(s.condition), s.otherwise)
            case ir.CallProcedure(if_refused=None) if s.procedure not in self.calls:
                return self.called(s).may_refuse()
        return True

    def _under(self, condition: ir.Expr, body: ir.Body) -> bool:
        around = (*self.around, condition) if _reads_facts_alone(condition) else self.around
        return evolve(self, body=body, around=around).may_refuse()

    def called(self, call: ir.CallProcedure) -> _Callee:
        """The body of a callee, with what its arguments say."""
        callee = self.program.procedures[call.procedure]
        args = dict(call.args)
        values = {name: value for name, value in self.values.items() if name not in args}
        types = {name: type_ for name, type_ in self.types.items() if name not in args}
        own = {f"{call.procedure}.{name}": fact for name, fact in callee.facts.items()}
        # A fact of its own that the call leaves out has its default.
        values |= {name: fact.default for name, fact in own.items() if name not in args and _is_simple(fact.default)}
        values |= {name: arg.value for name, arg in args.items() if isinstance(arg, ir.Const) and _is_simple(arg.value)}
        types |= {name: arg.type for name, arg in args.items()}
        return evolve(
            self, body=callee.body, values=values, types=types, around=(), calls=self.calls | {call.procedure}
        )

    def _is_possible(self, condition: ir.Expr) -> bool:
        types = {name: fact.type for name, fact in self.program.facts.items()}
        for procedure in self.calls:
            facts = self.program.procedures[procedure].facts
            types |= {f"{procedure}.{name}": fact.type for name, fact in facts.items()}
        known = [ir.Op("is", (ir.Fact(name), ir.Const(value)), type=Bool()) for name, value in self.values.items()]
        return not is_never_true([*known, *self.around, condition], types | dict(self.types))


def _is_simple(value: Any) -> bool:
    return isinstance(value, (bool, int, Fraction, str))


def _reads_facts_alone(condition: ir.Expr) -> bool:
    plain = (ir.Const, ir.Fact, ir.Option, ir.Op, ir.All, ir.Any_, ir.Not)
    return all(isinstance(node, plain) for node in nodes(condition))
