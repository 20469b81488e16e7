"""Monte Carlo sampling: independent runs of a situation, counted, for rules too large for exact odds.

The runs are divided into chunks of equal size. The number of a chunk and the seed determine its dice, so the same seed
gives the same counts with any executor and in any order.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from math import sqrt
from typing import Any, Final

from attrs import define, evolve, field, frozen

from enfilade.api import execution
from enfilade.api.distribution import Distribution
from enfilade.api.error_data import with_given
from enfilade.api.exact_numbers import chance_of
from enfilade.api.odds import refused_odds
from enfilade.api.outcome_values import Order, as_outcome
from enfilade.api.parameter_sweep import cached_rules, processes, run_all
from enfilade.api.queries import Queries
from enfilade.api.query_reader import Query, QueryReader
from enfilade.api.shared_settings import Situations
from enfilade.api.situations import Opening
from enfilade.core import ir
from enfilade.core.answers import missing_fact
from enfilade.core.evaluate import Machine
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Frame, Refused
from enfilade.door import BigInt, with_doors
from enfilade.engines.askers import GeneratorAsker, encoded
from enfilade.engines.failed_place import failed_place
from enfilade.engines.odds import Ask, NeedsPolicy, Policy, Progress, Weighted, Whole, exact_odds
from enfilade.engines.weighted_choice import WeightedChoice
from enfilade.errors import InputError, InputFault, LimitError, OddsError, RulePlace, RunError
from enfilade.limits import DEFAULT_LIMITS, Limits, one_call

Counts = dict[tuple[Any, ...], int]

CHUNK: Final = 2_500
"""The number of runs in a chunk; the runs of a chunk share one random generator."""

_MOST_TASKS: Final = 64
_LARGE: Final = 10_000
_KERNEL: Final = Limits(seconds=None, megabytes=None, work=200_000)


@with_doors
class Sampled(Distribution):
    """The distribution of a question in a sample: each chance is a relative frequency.

    Examples:
        >>> coin = Sampled({"heads": 60, "tails": 40}, trials=100, seed=1)
        >>> coin["heads"], [round(end, 3) for end in coin.interval("heads")]
        (Fraction(3, 5), [0.502, 0.691])
    """

    __slots__ = ("_drawn", "_seed", "_trials")

    def __init__(
        self, weights: Mapping[Any, BigInt], total: BigInt | None = None, *, trials: int, seed: BigInt | str, drawn: bool = False,
        **how: Any,
    ) -> None:  # fmt: skip
        """Create a distribution from counts.

        Args:
            weights: The count of each outcome.
            total: The number of counted runs.
            trials: The number of all runs.
            seed: The seed of the dice.
            drawn: Whether the runs were drawn from the exact odds of the situation.
            **how: Further arguments of ``Distribution``.
        """
        super().__init__(weights, total, **how)
        self._trials = trials
        self._seed = seed
        self._drawn = drawn

    @property
    def trials(self) -> int:
        """The number of all runs."""
        return self._trials

    @property
    def seed(self) -> int | str:
        """The seed of the dice."""
        return self._seed

    @property
    def drawn(self) -> bool:
        """Whether the runs were drawn from the exact odds of the situation."""
        return self._drawn

    def _like(self, weights: Mapping[Any, int], **how: Any) -> Sampled:
        return Sampled(weights, self.total, trials=self.trials, seed=self.seed, drawn=self.drawn, **how)

    @property
    def exact(self) -> bool:
        """Always false: a sample is not exact."""
        return False

    @property
    def source(self) -> str:
        """The size and the seed of the sample, for headings."""
        return f"sampled: {self.trials} runs, seed {self.seed}{', drawn from exact odds' if self.drawn else ''}"

    def beside(self, value: Any) -> str:
        """Return the confidence interval of an outcome, in percent."""
        low, high = self.interval(value)
        return f"{100 * low:.2f} to {100 * high:.2f} %"

    def interval(self, value: Any, confidence: Any = "0.95") -> tuple[float, float]:
        """Return the confidence interval of a chance: the Wilson score interval.

        The ends are floats because they involve square roots.

        Args:
            value: The outcome, or a predicate on outcomes.
            confidence: The confidence level, above 0 and below 1.

        Returns:
            The lower and the upper end, from 0 to 1.

        Raises:
            InputError: The confidence level is not above 0 and below 1.
        """
        from statistics import NormalDist

        sure = chance_of(confidence, "confidence")
        if not 0 < sure < 1:
            text = "the confidence must be above 0 and below 1"
            raise InputError([InputFault("confidence", confidence, "above 0 and below 1", text)])
        z = NormalDist().inv_cdf((1 + float(sure)) / 2)
        share = float(self.where(value) if callable(value) else self[value])
        runs = self.total
        middle = share + z * z / (2 * runs)
        around = z * sqrt(share * (1 - share) / runs + z * z / (4 * runs * runs))
        whole = 1 + z * z / runs
        return (middle - around) / whole if share else 0.0, (middle + around) / whole if share < 1 else 1.0

    def to_json(self) -> dict[str, Any]:
        """Return the sample as plain data, in the form of the published schema ``odds``."""
        data = super().to_json()
        for outcome, value in zip(data["outcomes"], self, strict=True):
            outcome["interval"] = list(self.interval(value))
        return data | {"sampled": {"trials": self.trials, "seed": self.seed, "confidence": "0.95"}}

    def __reduce__(self) -> tuple[Callable[..., Sampled], tuple[Any, ...]]:
        """Pickle the counts."""
        make = partial(
            Sampled,
            trials=self.trials,
            seed=self.seed,
            drawn=self.drawn,
            order=self.order,
            of=self.of,
            names=self.names,
        )
        return make, (self.weights, self.total)


@frozen(kw_only=True)
class Draws:
    """The settings of a sample.

    Attributes:
        situations: The situation.
        trials: The number of runs.
        seed: The seed of the dice.
        executor: The executor for the work, if any.
        workers: The number of worker processes, if there is no executor.
        kernel: Whether to draw a large sample from the exact odds, if they are cheap to calculate.
    """

    situations: Situations
    trials: int
    seed: int | str
    executor: Executor | None = None
    workers: int | None = None
    kernel: bool = True


@frozen(eq=False, repr=False)
class Sample(Queries[Sampled]):
    """A sample of one situation; created by ``Ruleset.sample``.

    Each question is answered from the same runs, because the seed determines their dice. The runs are played again for
    each new question; ``joint`` asks for several values at once.

    Examples:
        >>> import enfilade
        >>> sample = enfilade.load("infantry_attacks").sample("direct_fire", trials=1000, seed=1, fire_value=11)
        >>> sample.result.trials, sample.result.exact, 0.4 < sample.result["-"] < 0.5
        (1000, False, True)
    """

    _draws: Draws
    _found: dict[Any, tuple[Counts, bool]] = field(factory=dict, init=False)

    @property
    def trials(self) -> int:
        """The number of runs."""
        return self._draws.trials

    @property
    def seed(self) -> int | str:
        """The seed of the dice."""
        return self._draws.seed

    def _distribution(self, query: Query) -> Sampled:
        counts, drawn = self._counts((query,))
        single = {outcome[0]: count for outcome, count in counts.items()}
        return self._sampled(single, drawn=drawn, order=query.order, of=query.text)

    def _joint(self, queries: tuple[Query, ...]) -> Sampled:
        counts, drawn = self._counts(queries)
        names = tuple(query.text for query in queries)
        order = Order(parts=tuple(query.order for query in queries))
        return self._sampled(counts, drawn=drawn, order=order, of=", ".join(names), names=names)

    def _sampled(self, counts: Mapping[Any, int], *, drawn: bool, **how: Any) -> Sampled:
        return Sampled(counts, trials=self.trials, seed=self.seed, drawn=drawn, **how)

    def _counts(self, queries: tuple[Query, ...]) -> tuple[Counts, bool]:
        if self._opening.refused is not None:
            raise refused_odds(self._opening.refused, by_chance=False)
        conditions = tuple(self._query(each, condition=True) for each in self._conditions)
        asked = (*queries, *conditions)
        if asked not in self._found:
            self._found[asked] = self._drawn(asked)
        counts, drawn = self._found[asked]
        wanted = len(queries)
        kept: Counts = {}
        for values, count in counts.items():
            if all(values[wanted:]):
                kept[values[:wanted]] = kept.get(values[:wanted], 0) + count
        if not kept:
            raise OddsError(f"{' and '.join(self._conditions)} was true in none of {self.trials} runs")
        return kept, drawn

    def _drawn(self, asked: tuple[Query, ...]) -> tuple[Counts, bool]:
        asks = tuple(query.ask for query in asked)
        with one_call(self._draws.situations.allowed):
            return self._drawn_for(asked, asks)

    def _drawn_for(self, asked: tuple[Query, ...], asks: tuple[Ask, ...]) -> tuple[Counts, bool]:
        draws = self._draws
        known = self._known(asks) if draws.kernel and draws.trials >= _LARGE else None
        chunks = range(-(-draws.trials // CHUNK))
        sizes = [min(CHUNK, draws.trials - chunk * CHUNK) for chunk in chunks]
        numbered = list(zip(chunks, sizes, strict=True))
        if known is not None:
            weights: Counts = {}
            for values, weight in known.weights.items():
                outcome = tuple(each.outcome(value) for each, value in zip(asked, values, strict=True))
                weights[outcome] = weights.get(outcome, 0) + weight
            return _from_odds(draws.seed, weights, numbered, draws.situations.progress), True
        try:
            with _executor(draws) as executor:
                if executor is None:
                    return _merged([self._played(asks, numbered)]), False
                groups = _groups(numbered)
                sent = evolve(draws.situations, progress=None)
                tasks = [(sent, asks, draws.seed, group) for group in groups]
                return _merged(run_all(executor, _play_in_worker, tasks)), False
        except Refused as refusal:
            raise refused_odds(refusal, by_chance=True) from None
        except InputError as wrong:
            raise with_given(wrong, self._opening.facts) from None

    def _played(self, asks: tuple[Ask, ...], numbered: Sequence[tuple[int, int]]) -> Counts:
        player = Player(self._draws.situations, self._opening)
        progress = self._draws.situations.progress
        found: list[Counts] = []
        for number, (chunk, size) in enumerate(numbered):
            found.append(player.play(asks, self.seed, chunk, size))
            if progress is not None:
                progress((number + 1) * CHUNK)
        return _merged(found)

    def _known(self, asks: tuple[Ask, ...]) -> Weighted | None:
        """Return the exact odds if they are cheap to calculate, else ``None``."""
        allowed = self._draws.situations.allowed
        limits = _KERNEL if allowed == DEFAULT_LIMITS else evolve(allowed, work=_KERNEL.work)
        try:
            known = exact_odds(self._opening.situation, asks, self._opening.policy, limits)
        except (LimitError, NeedsPolicy):
            return None
        except Refused as refusal:
            raise refused_odds(refusal, by_chance=True) from None
        except InputError as wrong:
            raise with_given(wrong, self._opening.facts) from None
        return None if known.remainder else known


def sample(query_reader: QueryReader, opening: Opening, draws: Draws) -> Sample:
    """Prepare a sample.

    Raises:
        InputError: The number of trials or workers is less than 1, or a player has a policy other than random.
    """
    for name, value in (("trials", draws.trials), ("workers", draws.workers)):
        if value is not None and (type(value) is not int or value < 1):
            raise InputError([InputFault(name, value, "1..", f"{name} is {value}; allowed: 1..")])
    for player, way in opening.policy.players.items():
        if way != "random":
            text = f"a sample can't find the {way} choices for {player}; give the choices, or let the player choose at random"
            raise InputError([InputFault(player, way, "random", text)])
    return Sample(query_reader, opening, draws.situations.conditions, draws)


def fresh_seed() -> int:
    """Return an unpredictable seed."""
    return random.SystemRandom().getrandbits(32)


# ------------------------------------------------------------------------------------------------------- the runs


def _executor(draws: Draws) -> AbstractContextManager[Executor | None]:
    if draws.executor is not None or draws.workers in (None, 1):
        return nullcontext(draws.executor)
    return processes(draws.workers or 1)


def _groups(numbered: Sequence[tuple[int, int]]) -> list[Sequence[tuple[int, int]]]:
    size = -(-len(numbered) // _MOST_TASKS)
    return [numbered[start : start + size] for start in range(0, len(numbered), size)]


def _play_in_worker(
    situations: Situations, asks: tuple[Ask, ...], seed: int | str, numbered: Sequence[tuple[int, int]]
) -> Counts:
    """Play chunks in a worker."""
    here = evolve(situations, rules=cached_rules(situations.rules))
    player = Player(here, here.opening())
    with one_call(here.allowed):
        return _merged([player.play(asks, seed, chunk, size) for chunk, size in numbered])


def _merged(found: Sequence[Counts]) -> Counts:
    counts: Counts = {}
    for each in found:
        for outcome, count in each.items():
            counts[outcome] = counts.get(outcome, 0) + count
    return counts


def _generator(seed: int | str, chunk: int) -> Callable[[], float]:
    return random.Random(encoded(f"{seed} {chunk}")).random


def _from_odds(
    seed: int | str,
    weights: Mapping[tuple[Any, ...], int],
    numbered: Sequence[tuple[int, int]],
    progress: Progress | None,
) -> Counts:
    """Draw the outcomes of runs from exact odds."""
    outcomes = sorted(weights, key=Order().key())
    choice = WeightedChoice(weights[outcome] for outcome in outcomes)
    counted = [0] * len(outcomes)
    for chunk, size in numbered:
        draw = _generator(seed, chunk)
        for _ in range(size):
            counted[choice.draw(draw)] += 1
        if progress is not None:
            progress((chunk + 1) * CHUNK)
    return {outcome: count for outcome, count in zip(outcomes, counted, strict=True) if count}


@define
class Player:
    """Plays one situation many times.

    Attributes:
        situations: The settings.
        opening: The situation.
    """

    situations: Situations
    opening: Opening

    def play(self, asks: tuple[Ask, ...], seed: int | str, chunk: int, runs: int) -> Counts:
        """Play a chunk of runs and count their outcomes."""
        situation, play = self.opening.situation, self._play
        options, facts, state = situation.options, situation.facts, situation.state
        next_asker = self._askers(seed, chunk)
        outputs = dict.fromkeys(situation.program.procedures[situation.procedure].outputs)
        counts: Counts = {}
        for number in range(runs):
            asker = next_asker()
            try:
                ended = play(options, facts, state, asker)
            except RunError as error:
                error.place = self._failed_place(error, seed, chunk, number)
                raise
            machine = Machine(situation.program, options, facts, ended[2], asker)
            machine.effects = list(ended[1])
            frame = Frame({**outputs, **ended[0]})
            outcome = tuple(as_outcome(_answer(machine, ask, frame, ended[0])) for ask in asks)
            counts[outcome] = counts.get(outcome, 0) + 1
        return counts

    @property
    def _play(self) -> execution.Player:
        return self.situations.playing.compiled_procedure(self.opening.situation.procedure).play

    def _askers(self, seed: int | str, chunk: int) -> Callable[[], _RunAsker]:
        """A function that gives the asker of each run of a chunk in turn."""
        generator = GeneratorAsker(_generator(seed, chunk))
        chooser = GeneratorAsker(_generator(f"{seed} choices", chunk), decides=True)
        opening = self.opening
        return lambda: _RunAsker(generator, chooser, opening.policy, list(opening.situation.log[::-1]))

    def _failed_place(self, error: RunError, seed: int | str, chunk: int, number: int) -> RulePlace | None:
        """Where in the rules a run of a chunk failed: the runs before it roll the same dice again."""
        situation, next_asker = self.opening.situation, self._askers(seed, chunk)
        start = situation.options, situation.facts, situation.state
        for _ in range(number):
            self._play(*start, next_asker())
        return failed_place(situation.program, situation.procedure, *start, next_asker(), error)


def _answer(machine: Machine, ask: Ask, frame: Frame, outputs: Mapping[str, Any]) -> Any:
    if isinstance(ask, ir.Local):
        return frame.locals[ask.name]
    if isinstance(ask, Whole):
        return {"outputs": dict(outputs), "effects": tuple(machine.effects), "state": machine.state}[ask.what]
    return machine.value(ask, frame)


@define
class _RunAsker:
    """An asker with known answers first, then random dice and cards, and choices by policy."""

    generator: GeneratorAsker
    chooser: GeneratorAsker
    policy: Policy
    known: list[tuple[str, tuple[Any, ...]]]

    def fact(self, request: FactRequest) -> Any:
        """Raise an error: the fact was not given."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Return the known faces, or roll."""
        return self.known.pop()[1] if self.known else self.generator.roll(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Return the known cards, or draw."""
        return self.known.pop()[1] if self.known else self.generator.draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Return the known choice, or the choice of the policy."""
        if self.known:
            return self.known.pop()[1]
        decided = None if self.policy.decide is None else self.policy.decide(request)
        if decided is not None:
            return decided
        if self.policy.players.get(request.player) == "random":
            return self.chooser.choose(request)
        raise NeedsPolicy(request.name, request.player, request.options)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""
