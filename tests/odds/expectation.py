"""What a question comes to on average when players choose for the best: plain recursion over all that can be asked.

A second way to the answer, with nothing shared: every answer so far is the state, and no two states are ever merged.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any, TypeAlias

from attrs import define, field
from tests.odds.brute_force import answered

from enfilade.core.answers import missing_fact
from enfilade.core.evaluate import Machine
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Refused
from enfilade.engines.odds import Ask, Situation
from enfilade.errors import EnfiladeError

Log: TypeAlias = tuple[tuple[Any, ...], ...]
Answer: TypeAlias = tuple[str, tuple[Any, ...]]


class TooLarge(Exception):
    """There is more to try than was allowed."""


class Asked(Exception):
    """Something is asked that the log does not answer."""

    def __init__(self, request: Any) -> None:
        super().__init__()
        self.request = request


@define
class Replay:
    """Answers from a log, and then stops."""

    log: list[tuple[Any, ...]]

    def fact(self, request: FactRequest) -> Any:
        """Nobody knows more facts."""
        return missing_fact(request)

    def roll(self, request: RollRequest | DrawRequest | ChoiceRequest) -> tuple[Any, ...]:
        """The next answer."""
        if not self.log:
            raise Asked(request)
        return self.log.pop(0)

    draw = roll
    choose = roll

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""


@define
class Expectation:
    """Works out what a question comes to on average.

    Attributes:
        case: What is played.
        ask: The question, a number or yes and no.
        players: For each player ``best``, ``worst`` or ``random``.
        most: How many runs are tried at most.
    """

    case: Situation
    ask: Ask
    players: Mapping[str, str]
    most: int = 600
    runs: int = field(default=0, init=False)

    def value(self, log: Log = ()) -> Fraction:
        """What it comes to after some answers."""
        self.runs += 1
        if self.runs > self.most:
            raise TooLarge
        case = self.case
        machine = Machine(case.program, case.options, case.facts, case.state, Replay(list(log)))
        try:
            outputs = machine.run(case.procedure)
        except Asked as asked:
            return self._over(asked.request, log)
        return Fraction(answered(machine, case, outputs, self.ask))

    def _over(self, request: Any, log: Log) -> Fraction:
        values = [self.value((*log, answer)) for answer in answers(request)]
        how = self.players[request.player] if isinstance(request, ChoiceRequest) else "random"
        if how == "random":
            return sum(values, Fraction(0)) / len(values)
        return max(values) if how == "best" else min(values)


def answers(request: Any) -> list[tuple[Any, ...]]:
    """Every answer; those of dice and cards are equally likely."""
    match request:
        case RollRequest():
            dice = [die for count, die in request.dice for _ in range(count)]
            return list(product(*([die.face_at(at).printed for at in range(die.count)] for die in dice)))
        case DrawRequest():
            cards = permutations(range(len(request.left)), request.count)
            return [tuple(request.left[at] for at in each) for each in cards]
        case _:
            return list(permutations(request.options, 1 if request.count is None else request.count))


def asked_next(case: Situation, log: Sequence[Answer]) -> Any:
    """What is asked after some answers; ``None`` at the end."""
    machine = Machine(case.program, case.options, case.facts, case.state, Replay([answer for _, answer in log]))
    try:
        machine.run(case.procedure)
    except Asked as asked:
        return asked.request
    except (EnfiladeError, Refused):
        pass
    return None
