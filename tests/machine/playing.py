"""Plays a procedure of a text with the reference evaluator, step by step."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.events import Observer
from enfilade.core.inputs import convert_facts, convert_options
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.engines.askers import ScriptAsker
from enfilade.limits import DEFAULT_LIMITS, Limits
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.values.data import Ref


class Asking(ScriptAsker):
    """Answers from dice, choices and facts, and notes what it was asked in order."""

    def __init__(self, dice: Any = None, choices: Any = None, facts: dict[str, Any] | None = None) -> None:
        super().__init__(dice, choices)
        self.asked: list[str] = []
        self.known = facts or {}

    def fact(self, request: FactRequest) -> Any:
        self.asked.append(request.input.name)
        return self.known[request.input.name] if request.input.name in self.known else super().fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().roll(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().choose(request)

    def forced(self, request: ChoiceRequest) -> None:
        self.asked.append(f"{request.name} forced")


@frozen
class Played:
    """A run that has ended.

    Attributes:
        outputs: What the procedure gave, with records by their keys.
        asked: What was asked, in order.
        effects: The effects, with their arguments.
        records: All records at the end, by their keys.
    """

    outputs: dict[str, Any]
    asked: list[str]
    effects: list[tuple[str, dict[str, Any]]]
    records: dict[str, dict[str, Any]]


def plain(value: Any) -> Any:
    """A value with records by their keys."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return {plain(k): plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def program(text: str) -> ir.Program:
    """Check a text without mistakes."""
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    return checked.program


def run(
    text: str, *, dice: Any = None, choices: Any = None, asked: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS, observer: Observer | None = None,
    **facts: Any,
) -> Played:  # fmt: skip
    """Run the procedure ``p`` of a text; *asked* are facts that are not given and are asked for."""
    rules = program(text)
    given, state = convert_facts(rules, rules.procedures["p"].inputs, facts)
    asker = Asking(dice, choices, asked)
    machine = Machine(rules, convert_options(rules, options or {}), given, state, asker, observer, limits)
    outputs = plain(machine.run("p"))
    asker.check_finished()
    effects = [(each.effect, plain(each.args)) for each in machine.effects]
    return Played(outputs, asker.asked, effects, plain(machine.state.records))


def value(expression: str, head: str = "", **facts: Any) -> Any:
    """The value of an expression."""
    return run(f"{head}\nprocedure p\n  1. give x = {expression}\n", **facts).outputs["x"]
