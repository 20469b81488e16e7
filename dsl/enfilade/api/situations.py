"""Situations for odds: facts, known dice and choices, and the policy for all other choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NoReturn

from attrs import define, field, frozen

from enfilade.api.error_data import with_given
from enfilade.api.policy_choices import PolicyChoice, followed, policy_choice
from enfilade.api.prepared import PreparedRules
from enfilade.api.questions import ask
from enfilade.core import ir
from enfilade.core.answers import missing_fact, read_choice
from enfilade.core.evaluate import Machine
from enfilade.core.graph import analysis
from enfilade.core.inputs import declared_input
from enfilade.core.legal_answers import check_choice, check_faces, taken_in_order
from enfilade.core.needed_facts import certain_facts
from enfilade.core.requests import NO_POLICY, Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Refused
from enfilade.core.walk import nodes
from enfilade.diagnostics.suggest import nearest
from enfilade.engines.alignment import Ways, aligned
from enfilade.engines.askers import FactsFirst, ScriptAsker
from enfilade.engines.fact_reader import FactReader
from enfilade.engines.failed_place import failed_place
from enfilade.engines.odds import Policy, Situation
from enfilade.engines.replay import Suspend, SuspendAsker
from enfilade.engines.scripted_answers import names_for
from enfilade.errors import InputError, InputFault, RunError
from enfilade.limits import DEFAULT_LIMITS, Limits

WAYS = ("best", "worst", "random")


@frozen
class Opening:
    """A situation, with its known dice and choices already played.

    Attributes:
        situation: The situation for the engine.
        policy: The policy for choices.
        facts: The facts as given.
        refused: The refusal, if the rules refuse before the first unknown roll or choice.
    """

    situation: Situation
    policy: Policy
    facts: Mapping[str, Any]
    refused: Refused | None


def open_situation(
    rules: PreparedRules, procedure: str, facts: Mapping[str, Any], *, dice: Any = None, choices: Any = None,
    players: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None,
    program: ir.Program | None = None, limits: Limits = DEFAULT_LIMITS,
) -> Opening:  # fmt: skip
    """Prepare a situation, and play its known dice and choices.

    Args:
        rules: The ruleset.
        procedure: The name of the procedure.
        facts: The facts by name.
        dice: Known dice and cards, as in ``resolve``.
        choices: A list of the choices before the first roll, or a mapping from the name of a choice to a value, to a
            list in order of preference, or to a function of the question.
        players: The policy of each player: best, worst or random.
        options: Values of options for this call.
        program: A program to play instead of the ruleset's own.
        limits: The limits of play.

    Raises:
        InputError: An argument is unknown or outside its domain, or a fact is missing.
        RuleError: The rules reach a case that they do not cover.
    """
    played = rules.program if program is None else program
    values = rules.options_with(options)
    decide = _decider(played, choices, rules.policies)
    policy = Policy(decide, _players(played, players), by_place=decide is not None and decide.tells_places_apart)
    inputs = played.procedures[procedure].inputs
    reader = rules.reader(inputs) if program is None else FactReader(program, inputs)
    converted, state = reader.read({**facts})
    situation = Situation(played, procedure, values, converted, state)
    listed = None if isinstance(choices, Mapping) else choices

    def play(ways: Ways) -> tuple[_KnownAnswers, Refused | None]:
        known = _KnownAnswers(ScriptAsker(dice, listed, SuspendAsker(), ways), policy, limits)
        return known, known.play(situation)

    try:
        known, refused = aligned(play)
    except InputError as wrong:
        raise with_given(wrong, facts) from None
    log = tuple(known.log)
    return Opening(Situation(played, procedure, values, converted, state, log), policy, facts, refused)


def with_needed_facts(program: ir.Program, procedure: str, facts: Mapping[str, Any], asker: Asker) -> Asker:
    """Return an asker that requests missing facts before any dice, if every run needs them, as in play."""
    declared = [declared_input(program, name) for name in certain_facts(program, procedure) if name not in facts]
    missing = [each for each in declared if not each.has_default]
    return FactsFirst(asker, missing, program.records) if missing else asker


# --------------------------------------------------------------------------------------------------- known answers


@define
class _KnownAnswers:
    """An asker that answers with known dice and choices, records them, and stops at the first open question."""

    script: ScriptAsker
    policy: Policy
    limits: Limits = DEFAULT_LIMITS
    log: list[tuple[str, tuple[Any, ...]]] = field(factory=list)

    def play(self, situation: Situation) -> Refused | None:
        """Play to the first open question or to the end, and return the refusal, if any."""
        program, facts = situation.program, situation.facts
        asker = with_needed_facts(program, situation.procedure, facts, self)
        try:
            Machine(program, situation.options, facts, situation.state, asker, None, self.limits).run(
                situation.procedure
            )
        except Suspend as suspended:
            self._check_used(suspended.request)
            return None
        except Refused as refusal:
            return refusal
        except RunError as error:
            again = _Repeat(self.log)
            error.place = failed_place(
                program, situation.procedure, situation.options, facts, situation.state, again, error, self.limits
            )
            raise
        self.script.check_finished()
        return None

    def _check_used(self, open_: RollRequest | DrawRequest | ChoiceRequest | FactRequest) -> None:
        """Check that no answers are left over: after an open question they may not apply."""
        for script in (self.script.dice, self.script.choices):
            left = script.faults()
            if left:
                way = _BY_NAME if script is self.script.choices else ""
                key = ask(open_).key
                text = f"{script.parameter} are given for questions after {key}, but {key} has no answer yet{way}"
                raise InputError([InputFault(left[0].parameter, left[0].value, "answers in order, without gaps", text)])

    def fact(self, request: FactRequest) -> Any:
        """Raise an error: the fact was not given."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Pass the request on and record the answer."""
        faces = self.script.roll(request)
        check_faces(request.name, request.dice, faces)
        return self._keep("roll", faces)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Pass the request on and record the answer."""
        return self._keep("draw", self.script.draw(request))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Choose by policy or pass the request on, and record the answer."""
        decided = None if self.policy.decide is None else self.policy.decide(request)
        return self._keep("choose", self.script.choose(request) if decided is None else decided)

    def forced(self, request: ChoiceRequest) -> None:
        """Take the answer to a choice with one legal answer, if it was given."""
        self.script.forced(request)

    def _keep(self, kind: str, answer: tuple[Any, ...]) -> tuple[Any, ...]:
        self.log.append((kind, answer))
        return answer


_BY_NAME: Final = "; give choices by name: {'NAME': option}, or {'NAME[2]': option} for the second time"


class _Repeat:
    """An asker that repeats recorded answers, to find the place of a failure."""

    def __init__(self, log: Iterable[tuple[str, tuple[Any, ...]]]) -> None:
        self._answers = [answer for _, answer in log][::-1]

    def fact(self, request: FactRequest) -> Any:
        """Raise an error: the fact was not given."""
        return missing_fact(request)

    def roll(self, request: Any) -> tuple[Any, ...]:
        """Return the next answer."""
        return self._answers.pop()

    draw = choose = roll

    def forced(self, request: ChoiceRequest) -> None:
        """Do nothing: a choice with one legal answer was not recorded."""


# ------------------------------------------------------------------------------------------------------------ policy


def _players(program: ir.Program, given: Mapping[str, str] | None) -> dict[str, str]:
    for name, way in (given or {}).items():
        if name not in program.players:
            _unknown("player", name, program.players)
        if way not in WAYS:
            allowed = ", ".join(WAYS)
            raise InputError([InputFault(name, way, allowed, f"{name} plays {way}; allowed: {allowed}")])
    return dict(given or {})


def _decider(program: ir.Program, choices: Any, policies: Mapping[str, Any]) -> _Decider | None:
    fixed = dict(choices) if isinstance(choices, Mapping) else {}
    if not fixed and not policies:
        return None
    check_choices(program, fixed)
    functions = {name: policy for name, policy in policies.items() if callable(policy)}
    # Functions may decide differently next time, so two policies with functions are never equal.
    differs = bool(functions) or any(map(callable, fixed.values()))
    return _Decider(fixed, functions, object() if differs else None)


def choice_names(program: ir.Program) -> tuple[str, ...]:
    """Return the names of all choices of a ruleset."""
    every = nodes((program.procedures, program.effects, program.results))
    return tuple(dict.fromkeys(node.name for node in every if isinstance(node, ir.Choose)))


def check_choices(program: ir.Program, names: Iterable[Any]) -> None:
    """Check the names of choices.

    Raises:
        InputError: The rules have no such choice.
    """
    known = analysis(program, choice_names)
    for name in names:
        if str(name).partition("[")[0] not in known:
            _unknown("choice", name, known)


@frozen
class _Decider:
    """A fixed policy: choices by name, with or without a place, and the policies of the rules for all others.

    Attributes:
        choices: The choices.
        functions: The policies that are functions.
        identity: Makes a policy differ from all others, if it is not None.
    """

    choices: Mapping[str, Any]
    functions: Mapping[str, Callable[[PolicyChoice], Any]]
    identity: object = None

    @property
    def tells_places_apart(self) -> bool:
        """Whether it may choose otherwise in another round of a loop, although nothing else differs."""
        of_places = any("[" in name or callable(chosen) for name, chosen in self.choices.items())
        return of_places or bool(self.functions)

    def __call__(self, request: ChoiceRequest) -> tuple[Any, ...] | None:
        """Return the fixed choice; ``None`` if there is none for this request."""
        for name in names_for(request.name):
            if name in self.choices:
                chosen = _chosen(request, self.choices[name])
                check_choice(request, chosen)
                return chosen
        return None if request.policy is NO_POLICY else self._by_policy(request)

    def _by_policy(self, request: ChoiceRequest) -> tuple[Any, ...] | None:
        function = self.functions.get(request.name.partition("[")[0])
        if function is None:
            return followed(request)
        wanted = function(policy_choice(request))
        if wanted is None and None not in request.options:
            return None
        chosen = _chosen(request, wanted)
        check_choice(request, chosen)
        return chosen


def _chosen(request: ChoiceRequest, wanted: Any) -> tuple[Any, ...]:
    if callable(wanted):
        return read_choice(request, wanted(ask(request)))
    whole = read_choice(request, wanted)
    listed = isinstance(wanted, (list, tuple))
    if not listed or (request.count is None and len(whole) == 1 and whole[0] in request.options):
        return whole
    # A list is in order of preference: the first legal values are taken.
    legal = [found[0] for each in wanted if (found := read_choice(request, each))[0] in request.options]
    taken = taken_in_order(request.options, legal)
    return taken[: 1 if request.count is None else request.count] or whole


def _unknown(what: str, name: Any, names: tuple[str, ...]) -> NoReturn:
    close = nearest(str(name), names)
    allowed = ", ".join(names) or f"no {what}s"
    meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
    raise InputError([InputFault(what, name, allowed, f"there is no {what} {name}{meant}")])
