"""Validation and conversion of facts: the one reader that turns a caller's facts into values of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from enfilade.core import ir
from enfilade.core.inputs import convert_facts
from enfilade.engines.constant_pool import Pool
from enfilade.engines.fact_validation import NAMES, validation_lines
from enfilade.values.data import State

Validation: TypeAlias = Callable[[dict[str, Any]], tuple[dict[str, Any], State] | None]


class FactReader:
    """Reads the facts of one procedure or event.

    Generated code accepts facts that are valid and in canonical form; it only tests. ``convert_facts``
    converts all other facts or lists their faults. The code is generated at the second reading: for a single reading it
    would cost more than it saves.

    Args:
        program: The ruleset.
        inputs: The facts that may be given, by their names in the core.
    """

    __slots__ = ("_inputs", "_is_used", "_program", "_validation")

    def __init__(self, program: ir.Program, inputs: tuple[str, ...]) -> None:
        self._program = program
        self._inputs = inputs
        self._is_used = False
        self._validation: Validation | None = None

    def read(self, given: dict[str, Any]) -> tuple[dict[str, Any], State]:
        """Convert facts, as ``convert_facts`` does.

        Args:
            given: The facts, by the caller's names. The dictionary itself may be modified and returned.

        Returns:
            The facts that were given, by their names in the core, and the state in which a run starts.

        Raises:
            InputError: A fact is unknown or outside its domain; all faults are listed.
        """
        if self._is_used:
            found = self.accept(given)
            if found is not None:
                return found
        self._is_used = True
        return convert_facts(self._program, self._inputs, given)

    def accept(self, given: dict[str, Any]) -> tuple[dict[str, Any], State] | None:
        """Convert facts that are valid and in canonical form; ``None`` for all others.

        The dictionary itself may be modified and returned.
        """
        if self._validation is None:
            self._validation = _compiled(self._program, self._inputs)
        return self._validation(given)


def validation_source(pool: Pool, program: ir.Program, inputs: tuple[str, ...]) -> str:
    """The Python text of the validation, as a function ``accept``."""
    lines = [*validation_lines(pool, program, inputs, {}), "return facts, state"]
    return "def accept(given):\n" + "".join(f"    {line}\n" for line in lines)


def _compiled(program: ir.Program, inputs: tuple[str, ...]) -> Validation:
    pool = Pool(dict(NAMES))
    exec(compile(validation_source(pool, program, inputs), "<fact validation>", "exec"), pool.names)
    return cast(Validation, pool.names["accept"])
