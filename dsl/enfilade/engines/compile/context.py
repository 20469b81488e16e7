"""Code generation: the state shared by all generated functions of one ruleset."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from enfilade.core import ir
from enfilade.core.graph import ProgramGraph
from enfilade.core.requests import FactRequest
from enfilade.core.traits import Unit
from enfilade.engines.compile.specialised_types import SpecialisedTypes
from enfilade.engines.constant_pool import Pool
from enfilade.limits import Limits


@define
class Context:
    """One ruleset under one set of limits.

    Attributes:
        program: The ruleset.
        limits: The limits of its runs.
        pool: The namespace of the generated functions.
        graph: The program graph: the uses and side effects of each declaration.
        types: Infers the types of expressions.
        functions: The name of the function of each declaration that has one.
        waiting: The declarations whose functions are still to be written.
    """

    program: ir.Program
    limits: Limits
    pool: Pool
    graph: ProgramGraph
    types: SpecialisedTypes
    functions: dict[Unit, str] = field(factory=dict)
    waiting: list[Unit] = field(factory=list)
    _requests: dict[str, FactRequest] = field(factory=dict)
    _values: dict[int, dict[Any, Any]] = field(factory=dict)

    def request(self, name: str) -> FactRequest:
        """Return the request for a fact that was not given."""
        if name not in self._requests:
            self._requests[name] = FactRequest(self.types.input(name), self.program.records)
        return self._requests[name]

    def function(self, unit: Unit) -> str:
        """Return the name of a declaration's function, and queue the function if it is not written yet."""
        if unit not in self.functions:
            self.functions[unit] = f"x{len(self.functions)}"
            self.waiting.append(unit)
        return self.functions[unit]

    def values_of(self, die: ir.Die) -> dict[Any, Any]:
        """Return the values of a die's faces, by the printed face."""
        if id(die) not in self._values:
            self._values[id(die)] = {face.printed: face.value for face in reversed(die.faces or ())}
        return self._values[id(die)]

    @property
    def counts_depth(self) -> bool:
        """Whether calls can nest deeper than the limit allows."""
        return self.graph.depth is None or self.graph.depth > self.limits.depth
