"""Interactive runs: a run waits at each question, and can be saved as JSON and continued elsewhere (event sourcing).

A run is immutable: its start and the log of its answers. Replaying the log gives its current position. An answer
creates a new run with a longer log; undo creates one with a shorter log.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from attrs import evolve, field, frozen

from enfilade.api.describe import event_inputs
from enfilade.api.error_data import with_given
from enfilade.api.execution import Ending, KeptLog, Play, explain
from enfilade.api.outcome import Outcome
from enfilade.api.prepared import PreparedRules
from enfilade.api.questions import FactQuestion, Question, Request, ask, fact_question
from enfilade.api.save_checksums import checksum, part_checksums
from enfilade.core import ir
from enfilade.core.answers import LogEntry, as_data, read_cards, read_choice, read_faces
from enfilade.core.inputs import declared_input, external_names, facts_to_data
from enfilade.core.ir import NO_NOTE
from enfilade.core.legal_answers import cards_left, check_choice, check_faces
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Refused
from enfilade.door import bounded, with_doors
from enfilade.engines.alignment import Ways, aligned
from enfilade.engines.askers import FRESH_DICE, GeneratorAsker, Recording, ScriptAsker
from enfilade.engines.committed_dice import CommittedDice
from enfilade.engines.explanation import Explanation
from enfilade.engines.replay import ReplayAsker, Suspend, SuspendAsker
from enfilade.errors import AnswerError, EntryError, InputError, RunError
from enfilade.frozen import FrozenMap, frozen_json
from enfilade.limits import one_call
from enfilade.values.data import State
from enfilade.values.json_data import to_json

if TYPE_CHECKING:
    from enfilade.api.entries import KnownRecord

FORMAT: Final = "enfilade-run"
VERSION: Final = 1
Seed: TypeAlias = int | str | CommittedDice | None


@frozen
class Start:
    """The start of a run, as plain data.

    Attributes:
        procedure: The name of the procedure.
        options: The value of every option.
        facts: The given facts, by their names in the core.
        event: The event that started the run, if any; its facts may be given too.
        ask_all: Whether the run asks for facts with a default.
        seed: The seed of the dice that the run rolls; ``None`` for fresh dice.
    """

    procedure: str
    options: Mapping[str, Any] = field(converter=FrozenMap)
    facts: Mapping[str, Any] = field(converter=frozen_json)
    event: str | None = None
    ask_all: bool = False
    seed: Seed = None


@frozen
class _Position:
    """The position of a run: at a request, or at its end."""

    log: tuple[LogEntry, ...]
    dice: Any
    choices: Any
    request: Request | None = None
    outcome: Outcome | None = None


@with_doors
@frozen(eq=False, repr=False)
class Run:
    """A run of a procedure, at a question or at its end.

    Attributes:
        rules: The ruleset.
        start: The start of the run.
    """

    rules: PreparedRules
    start: Start
    _at: _Position = field(alias="at")

    @property
    def procedure(self) -> str:
        """The name of the procedure."""
        return self.start.procedure

    @property
    def event(self) -> str | None:
        """The event that started the run, if any."""
        return self.start.event

    @property
    def question(self) -> Question | None:
        """The question that the run waits for; ``None`` at its end."""
        request = self._at.request
        if isinstance(request, FactRequest):
            return self._fact_question(request)
        return None if request is None else ask(request, totals=self.rules.totals)

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; ``None`` while the run waits."""
        return self._at.outcome

    @property
    def log(self) -> tuple[LogEntry, ...]:
        """All answers so far, including choices with a single legal answer."""
        return self._at.log

    @property
    def facts(self) -> dict[str, Any]:
        """The facts so far, given or answered, as plain data by the caller's names."""
        program = self.rules.program
        inputs = dict.fromkeys((*_inputs(program, self.start), *self.start.facts))
        facts = _facts(self.start, self._at.log)
        called = {
            core: name
            for name, core in external_names((*inputs, *(each for each in facts if each not in inputs))).items()
        }
        return {called[core]: value for core, value in facts.items()}

    # -- answers --------------------------------------------------------------------------------------------

    def answer(self, value: Any) -> Run:
        """Answer the question.

        Args:
            value: The fact; the faces as printed, in order; the cards; or the choice: the key of a record, a word, a
                number, yes or no, or a list of several choices.

        Returns:
            The run after the answer. This run does not change.

        Raises:
            InputError: The answer is not legal.
            AnswerError: The run has no open question.
        """
        request = self._request()
        if isinstance(request, FactRequest):
            return self._after(self._fact_entry(request, value))
        return self._after(_entry(request, _legal(request, value)))

    def answer_text(self, text: str, *, pieces: Mapping[str, KnownRecord] | None = None) -> Run:
        """Answer the question as a person types at the prompt of the REPL.

        Dice are typed as ``4 3``, ``4+3`` or their total, choices by their words; ``town, hill`` is a set, and
        ``gun (kind mg, steps 2)`` a record. Empty text rolls dice, draws cards, and takes the default of a fact.

        Args:
            text: The typed text.
            pieces: Known records by name, each with its ``kind`` and ``fields``, as on the table of the REPL.

        Returns:
            The run after the answer. This run does not change.

        Raises:
            AnswerError: The text can't be read, the answer is not legal, or the run has no open question.

        Examples:
            >>> import enfilade
            >>> run = enfilade.load("infantry_attacks").begin("direct_fire", fire_value=16)
            >>> run.answer_text("6 6").outcome.result
            'X'
        """
        from enfilade.api.entries import EntryReader
        from enfilade.api.typed_answers import answer_fault, read_answer

        request, question, typed = self._request(), self.question, text.strip()
        assert question is not None
        if not typed and isinstance(request, (RollRequest, DrawRequest)):
            return self.roll()
        try:
            return self.answer(read_answer(question, typed, EntryReader(self.rules, pieces or {})))
        except (EntryError, InputError) as wrong:
            raise AnswerError(answer_fault(wrong)) from wrong

    def roll(self, seed: Seed = None) -> Run:
        """Roll the dice, or draw the cards, that the run asks for.

        Args:
            seed: The seed of this roll. By default the dice continue the sequence of the run's own seed; a run without
                a seed rolls fresh dice.

        Returns:
            The run after the roll.

        Raises:
            AnswerError: The run asks for something else, or for nothing.
        """
        request = self._request()
        if not isinstance(request, (RollRequest, DrawRequest)):
            raise AnswerError(f"the run asks for {self._name(request)}, which is not a roll")
        return self._after(_entry(request, _rolled(request, self._generator(seed))))

    def answer_random(self, seed: Seed = None) -> Run:
        """Let chance answer the question: roll the dice, choose among the legal options, or take the default of a fact.

        All legal choices are equally likely. So are the values of a fact without a default, if they can be listed; of a
        number without an upper end these are the first hundred.

        Args:
            seed: The seed of the answer, as in ``roll``.

        Returns:
            The run after the answer.

        Raises:
            AnswerError: The run asks for nothing, or for a fact without a default whose values can't be listed.
        """
        request = self._request()
        if isinstance(request, FactRequest):
            return self.answer(self._random_fact(request, seed))
        if not isinstance(request, ChoiceRequest):
            return self.roll(seed)
        return self._after(_entry(request, self._chance(request.name, seed).choose(request)))

    def _random_fact(self, request: FactRequest, seed: Seed) -> Any:
        """The default of a fact, or one of its values."""
        from enfilade.api.values_to_try import listed_values

        question = self._fact_question(request)
        name = question.name
        if not question.input.required:
            return question.default
        found = listed_values(question.input.domain, self.rules.program)
        if found is None:
            raise AnswerError(f"{name} has neither a default nor a list of values, so it needs an answer")
        choice = ChoiceRequest(name, "", found.values, None, NO_NOTE)
        (chosen,) = self._chance(name, seed).choose(choice)
        return chosen

    def _chance(self, name: str, seed: Seed) -> GeneratorAsker:
        """The generator of a random answer."""
        if seed is None and self.start.seed is not None:
            # A separate random sequence: random answers must not change the dice.
            seed = derived_seed(self.start.seed, name)
        return (
            GeneratorAsker(FRESH_DICE, decides=True) if seed is None else GeneratorAsker.from_seed(seed, decides=True)
        )

    def with_number(self, number: str) -> Run:
        """Return the run with the number of the other side, for committed dice.

        Raises:
            AnswerError: The dice are not committed, or they have their number already.
        """
        seed = self.start.seed
        if not isinstance(seed, CommittedDice) or seed.number:
            raise AnswerError("the other side's number can be set only once, and only for committed dice")
        return evolve(self, start=evolve(self.start, seed=seed.with_number(number)))

    def undo(self) -> Run:
        """Take back the last answer.

        Returns:
            The run before the last answer.

        Raises:
            AnswerError: There is no answer to take back.
        """
        given = [index for index, entry in enumerate(self.log) if not entry.forced]
        if not given:
            raise AnswerError("there is no answer to take back")
        at = evolve(self._at, log=self.log[: given[-1]])
        return advance(self.rules, self.start, at.log, at.dice, at.choices)

    def restarted(self, *, dice: Any = None, choices: Any = None) -> Run:
        """Restart the run without its answers.

        Args:
            dice: Known dice, as in ``Ruleset.resolve``.
            choices: Known choices, as in ``Ruleset.resolve``.

        Returns:
            The run, at its first question or its end.

        Raises:
            InputError: A die or a choice is not legal, or too many are given.
        """
        return advance(self.rules, self.start, (), dice, choices)

    def explain(self) -> Explanation:
        """Explain the run so far: every step with its value, label and citations."""
        if self.outcome is not None:
            return self.outcome.explain()
        facts, state = _converted(self.rules, self.start, _facts(self.start, self.log))
        start = self.start
        nothing: Ending = ({}, (), state)
        return explain(
            Play(
                self.rules.program,
                start.procedure,
                start.options,
                facts,
                state,
                nothing,
                None,
                KeptLog(self.log),
                self.rules.limits,
            )
        )

    def _request(self) -> Request:
        if self._at.request is None:
            raise AnswerError("the run is over; there is no question")
        return self._at.request

    def _after(self, entry: LogEntry) -> Run:
        return advance(self.rules, self.start, (*self.log, entry), self._at.dice, self._at.choices)

    def _fact_entry(self, request: FactRequest, value: Any) -> LogEntry:
        """Return the log entry of a fact, checked together with all earlier facts."""
        program = self.rules.program
        name = core_name(program, request.input)
        facts = _facts(self.start, self.log)
        converted, state = _converted(self.rules, self.start, {**facts, name: value})
        ordered = {core: converted[core] for core in (*facts, name)}
        return LogEntry("fact", name, as_data(facts_to_data(program, ordered, state)[name]))

    def _generator(self, seed: Seed) -> GeneratorAsker:
        if seed is not None:
            return GeneratorAsker.from_seed(seed)
        if self.start.seed is None:
            return GeneratorAsker(FRESH_DICE)
        generator = GeneratorAsker.from_seed(self.start.seed)
        with suppress(Suspend):
            _play(self.rules, self.start, self.log, ReplayAsker(self.log, SuspendAsker(), generator))
        return generator

    def _name(self, request: Request) -> str:
        return request.input.name if isinstance(request, FactRequest) else request.name

    def _fact_question(self, request: FactRequest) -> FactQuestion:
        program = self.rules.program
        name = core_name(program, request.input)
        inputs = tuple(dict.fromkeys((*_inputs(program, self.start), name)))
        called = next(called for called, core in external_names(inputs).items() if core == name)
        return fact_question(declared_input(program, name), called, core=name)

    # -- saving ---------------------------------------------------------------------------------------------

    def save(self, *, secret: bool = False) -> str:
        """Return the run as JSON text; ``Ruleset.resume`` continues it, also in another process.

        Args:
            secret: Whether to include the secret of committed dice, so that everybody can check and roll them.
        """
        start = self.start
        seed = start.seed.to_json(secret=secret) if isinstance(start.seed, CommittedDice) else start.seed
        data = {
            "format": FORMAT, "version": VERSION, "ruleset": self.rules.name, "hash": self.rules.digest,
            "procedure": start.procedure, "event": start.event, "options": to_json(start.options),
            "facts": to_json(start.facts), "ask_all": start.ask_all, "seed": seed,
            "log": [entry.to_json() for entry in self.log],
            "dice": to_json(_as_written(self._at.dice)), "choices": to_json(_as_written(self._at.choices)),
        }  # fmt: skip
        data["checksums"] = part_checksums(data)
        return json.dumps({**data, "checksum": checksum(data)})

    def __repr__(self) -> str:
        """Show the position of the run."""
        if self.outcome is not None:
            return f"<Run of {self.procedure}: over, {self.outcome!r}>"
        return f"<Run of {self.procedure}: waits for {self._name(self._request())}>"

    def __reduce__(self) -> tuple[Callable[[Any], Any], tuple[PreparedRules]]:
        """Pickle the ruleset and the saved run."""
        return methodcaller("resume", self.save(secret=True)), (self.rules,)


def _as_written(script: Any) -> Any:
    """Return the unused answers of a script as JSON data."""
    if isinstance(script, list):
        return [item.to_json() if hasattr(item, "answers") else item for item in script]
    return script


# ---------------------------------------------------------------------------------------------------------- replay


def advance(
    rules: PreparedRules, start: Start, log: tuple[LogEntry, ...], dice: Any = None, choices: Any = None
) -> Run:
    """Replay a run from its start, up to its next question or its end.

    Args:
        rules: The ruleset.
        start: The start of the run.
        log: The answers so far.
        dice: Known dice and cards, as for ``ScriptAsker``.
        choices: Known choices, as for ``ScriptAsker``.

    Raises:
        AnswerError: The log does not fit the rules.
        InputError: A fact or an answer is outside its domain, or answers are left over.
    """
    with one_call(rules.limits):
        return _advanced_with(rules, start, log, dice, choices)


def _advanced_with(rules: PreparedRules, start: Start, log: tuple[LogEntry, ...], dice: Any, choices: Any) -> Run:
    if choices is None:
        return _advanced(rules, start, log, dice, choices, None)
    return aligned(lambda ways: _advanced(rules, start, log, dice, choices, ways), _choices_left)


def _choices_left(run: Run) -> int:
    """The number of given choices that a run has not used."""
    left = run._at.choices
    return sum(map(len, left.values())) if isinstance(left, Mapping) else len(left or ())


def _advanced(
    rules: PreparedRules, start: Start, log: tuple[LogEntry, ...], dice: Any, choices: Any, ways: Ways | None
) -> Run:
    script = ScriptAsker(dice, choices, SuspendAsker(), ways)
    recording = Recording(ReplayAsker(log, script))
    known = sum(entry.kind != "fact" for entry in log)
    try:
        play = _play(rules, start, log, recording)
    except Suspend as suspended:
        full = (*log, *recording.log[known:])
        at = _Position(full, script.dice.rest(), script.choices.rest(), request=suspended.request)
        return Run(rules, start, at)
    if play.refused is None:
        script.check_finished()
    full = (*log, *recording.log[known:])
    outcome = Outcome(play._replace(record=KeptLog(full)), {})
    return Run(rules, start, _Position(full, script.dice.rest(), script.choices.rest(), outcome=outcome))


def _play(rules: PreparedRules, start: Start, log: tuple[LogEntry, ...], asker: Asker) -> Play:
    program = rules.program
    facts, state = _converted(rules, start, _facts(start, log))
    compiled = rules.compiled_procedure(start.procedure, asks_defaults=start.ask_all)
    refused = None
    try:
        ending = compiled.play(start.options, facts, state, compiled.facts_known(start.options, facts, asker))
    except Refused as refusal:
        ending, refused = ({}, (), state), refusal
    except InputError as wrong:
        raise with_given(wrong, facts) from None
    except RunError as error:
        compiled.locate(error, start.options, facts, state, getattr(asker, "log", log))
        raise
    return Play(program, start.procedure, start.options, facts, state, ending, refused, KeptLog(log), rules.limits)


def derived_seed(seed: int | str | CommittedDice, part: str) -> int | str | CommittedDice:
    """Return the seed of other dice of the same run or event."""
    return seed.for_part(part) if isinstance(seed, CommittedDice) else f"{seed} {part}"


def replay_log(
    rules: PreparedRules, start: Start, log: tuple[LogEntry, ...], generator: Asker | None = None
) -> tuple[LogEntry, ...]:
    """Replay a log, and return its answers as the rules take them, without the facts.

    Args:
        rules: The ruleset.
        start: The start of the run.
        log: The answers.
        generator: An asker that rolls whenever the rules roll; its dice are not used.

    Raises:
        AnswerError: The log does not fit the rules.
        InputError: A fact or an answer is outside its domain.
    """
    asker = ReplayAsker(log, SuspendAsker(), generator)
    recording = Recording(asker)
    with suppress(Suspend):
        _play(rules, start, log, recording)
    asker.check_finished()
    return recording.log


def _inputs(program: ir.Program, start: Start) -> tuple[str, ...]:
    """Return the allowed facts: those of the procedure, and of the event that started it."""
    inputs = program.procedures[start.procedure].inputs
    if start.event is None:
        return inputs
    return tuple(dict.fromkeys((*inputs, *event_inputs(program, start.event))))


def _facts(start: Start, log: tuple[LogEntry, ...]) -> dict[str, Any]:
    """Return the facts as data, given or answered, by their names in the core."""
    return {**start.facts, **{entry.name: to_json(entry.value) for entry in log if entry.kind == "fact"}}


def _converted(rules: PreparedRules, start: Start, facts: Mapping[str, Any]) -> tuple[dict[str, Any], State]:
    inputs = tuple(dict.fromkeys((*_inputs(rules.program, start), *facts)))
    called = {core: name for name, core in external_names(inputs).items()}
    return rules.reader(inputs).read({called[core]: value for core, value in facts.items()})


def core_name(program: ir.Program, declared: ir.Input) -> str:
    """Return the name of a fact in the core.

    Procedures can have facts of their own with equal names, so the function compares the notes of the declarations.
    """
    for name, procedure in program.procedures.items():
        own = procedure.facts.get(declared.name)
        if own is not None and own.note is declared.note:
            return f"{name}.{declared.name}"
    return declared.name


# --------------------------------------------------------------------------------------------------------- answers


def _legal(request: RollRequest | DrawRequest | ChoiceRequest, value: Any) -> tuple[Any, ...]:
    """Read an answer and check that it is legal."""
    match request:
        case RollRequest():
            faces = read_faces(request, _several(value))
            check_faces(request.name, request.dice, faces)
            return faces
        case DrawRequest():
            cards = read_cards(request, _several(value))
            cards_left(request.name, request.deck, request.left, cards)
            return cards
        case ChoiceRequest():
            chosen = read_choice(request, value)
            check_choice(request, chosen)
            return chosen


def _several(value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return (value,)
    return tuple(bounded("the answer", value))


def _rolled(request: RollRequest | DrawRequest, generator: GeneratorAsker) -> tuple[Any, ...]:
    return generator.roll(request) if isinstance(request, RollRequest) else generator.draw(request)


def _entry(request: RollRequest | DrawRequest | ChoiceRequest, answer: tuple[Any, ...]) -> LogEntry:
    log = Recording(_FixedAsker(answer))
    match request:
        case RollRequest():
            log.roll(request)
        case DrawRequest():
            log.draw(request)
        case ChoiceRequest():
            log.choose(request)
    return log.log[0]


@frozen
class _FixedAsker:
    """An asker that gives the same answer to every request."""

    answer: tuple[Any, ...]

    def fact(self, request: FactRequest) -> Any:
        return self.answer

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        return self.answer

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        return self.answer

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        return self.answer

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""
