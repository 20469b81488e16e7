"""What odds are asked of: facts, what is known already of dice and choices, and who decides the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from attrs import define, field, frozen

from enfilade.api.error_data import with_given
from enfilade.api.prepared import PreparedRules
from enfilade.api.questions import ask
from enfilade.core import ir
from enfilade.core.answers import missing_fact, read_choice
from enfilade.core.evaluate import Machine
from enfilade.core.inputs import declared_input
from enfilade.core.legal_answers import check_choice, check_faces
from enfilade.core.needed_facts import certain_facts
from enfilade.core.requests import Asker, ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Refused
from enfilade.core.walk import nodes
from enfilade.diagnostics.suggest import nearest
from enfilade.engines.askers import FactsFirst, ScriptAsker
from enfilade.engines.fact_reader import FactReader
from enfilade.engines.odds import Policy, Situation
from enfilade.engines.replay import Suspend, SuspendAsker
from enfilade.engines.scripted_answers import names_for
from enfilade.errors import InputError, InputFault

WAYS = ("best", "worst", "random")


@frozen
class Opening:
    """A situation, with what is known of its beginning.

    Attributes:
        situation: What the engine is asked of.
        policy: Who decides what.
        facts: The facts as they were given.
        refused: The refusal, where the rules refuse before anything is rolled or chosen.
    """

    situation: Situation
    policy: Policy
    facts: Mapping[str, Any]
    refused: Refused | None


def open_situation(
    rules: PreparedRules, procedure: str, facts: Mapping[str, Any], *, dice: Any = None, choices: Any = None,
    players: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None,
    program: ir.Program | None = None,
) -> Opening:  # fmt: skip
    """Prepare what odds are asked of, and play it as far as it is known.

    Args:
        rules: The ruleset.
        procedure: What is played.
        facts: The facts by name.
        dice: Dice and cards that are known already, as in ``resolve``.
        choices: A list of choices that are made before any die is rolled, or a mapping from the name of a choice to
            what is chosen: a value, a list in order of preference, or a function of the question.
        players: Who chooses for the best, for the worst, or at random.
        options: Options for this call.
        program: What is played instead of the ruleset's own program.

    Raises:
        InputError: Something that was given is unknown or outside its domain, or a fact is missing.
        RuleError: The rules ran into something that they do not provide for.
    """
    played = rules.program if program is None else program
    values = rules.options_with(options)
    policy = Policy(_decider(played, choices), _players(played, players))
    inputs = played.procedures[procedure].inputs
    reader = rules.reader(inputs) if program is None else FactReader(program, inputs)
    converted, state = reader.read({**facts})
    situation = Situation(played, procedure, values, converted, state)
    known = _Known(ScriptAsker(dice, None if isinstance(choices, Mapping) else choices, SuspendAsker()), policy)
    try:
        refused = known.play(situation)
    except InputError as wrong:
        raise with_given(wrong, facts) from None
    log = tuple(known.log)
    return Opening(Situation(played, procedure, values, converted, state, log), policy, facts, refused)


def demanding(program: ir.Program, procedure: str, facts: Mapping[str, Any], asker: Asker) -> Asker:
    """Have the facts that are missing, and sure to be needed, demanded before any dice, as in play."""
    declared = [declared_input(program, name) for name in certain_facts(program, procedure) if name not in facts]
    missing = [each for each in declared if not each.has_default]
    return FactsFirst(asker, missing) if missing else asker


# --------------------------------------------------------------------------------------------- what is known already


@define
class _Known:
    """Answers with what is known, keeps it, and stops at the first question that is open."""

    script: ScriptAsker
    policy: Policy
    log: list[tuple[str, tuple[Any, ...]]] = field(factory=list)

    def play(self, situation: Situation) -> Refused | None:
        """Play up to the first open question, or to the end."""
        program, facts = situation.program, situation.facts
        asker = demanding(program, situation.procedure, facts, self)
        machine = Machine(program, situation.options, facts, situation.state, asker)
        try:
            machine.run(situation.procedure)
        except Suspend as suspended:
            self._check_used(ask(suspended.request).key)
            return None
        except Refused as refusal:
            return refusal
        self.script.check_finished()
        return None

    def _check_used(self, open_: str) -> None:
        """Refuse answers that come after a question that is open: they are known in some cases only."""
        for script in (self.script.dice, self.script.choices):
            left = script.faults()
            if left:
                way = "; give choices by name: {'NAME': what is chosen}" if script is self.script.choices else ""
                text = f"{script.parameter} are given for what comes after {open_}, which is not known{way}"
                raise InputError([InputFault(left[0].parameter, left[0].value, "what is known first", text)])

    def fact(self, request: FactRequest) -> Any:
        """Demand it."""
        return missing_fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Pass on and keep."""
        faces = self.script.roll(request)
        check_faces(request.name, request.dice, faces)
        return self._keep("roll", faces)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Pass on and keep."""
        return self._keep("draw", self.script.draw(request))

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Decide as the policy does, or pass on, and keep."""
        decided = None if self.policy.decide is None else self.policy.decide(request)
        return self._keep("choose", self.script.choose(request) if decided is None else decided)

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do: what is not asked takes no answer."""

    def _keep(self, kind: str, answer: tuple[Any, ...]) -> tuple[Any, ...]:
        self.log.append((kind, answer))
        return answer


# -------------------------------------------------------------------------------------------------------- who decides


def _players(program: ir.Program, given: Mapping[str, str] | None) -> dict[str, str]:
    for name, way in (given or {}).items():
        if name not in program.players:
            _unknown("player", name, program.players)
        if way not in WAYS:
            allowed = ", ".join(WAYS)
            raise InputError([InputFault(name, way, allowed, f"{name} plays {way}; allowed is {allowed}")])
    return dict(given or {})


def _decider(program: ir.Program, choices: Any) -> Callable[[ChoiceRequest], tuple[Any, ...] | None] | None:
    if not isinstance(choices, Mapping) or not choices:
        return None
    known = [node.name for node in nodes((program.procedures, program.effects, program.results)) if _is_choice(node)]
    for name in choices:
        if str(name).partition("[")[0] not in known:
            _unknown("choice", name, tuple(dict.fromkeys(known)))
    return _Decider(dict(choices)).decide


def _is_choice(node: Any) -> bool:
    return isinstance(node, ir.Choose)


@frozen
class _Decider:
    """A fixed policy: what is chosen, by the name of the choice, with its place or without."""

    choices: Mapping[str, Any]

    def decide(self, request: ChoiceRequest) -> tuple[Any, ...] | None:
        """What is chosen; ``None`` where nothing is said of this choice."""
        for name in names_for(request.name):
            if name in self.choices:
                chosen = _chosen(request, self.choices[name])
                check_choice(request, chosen)
                return chosen
        return None


def _chosen(request: ChoiceRequest, wanted: Any) -> tuple[Any, ...]:
    if callable(wanted):
        return read_choice(request, wanted(ask(request)))
    whole = read_choice(request, wanted)
    listed = isinstance(wanted, (list, tuple))
    if not listed or (request.count is None and len(whole) == 1 and whole[0] in request.options):
        return whole
    # A list is in order of preference: the first that are legal are taken, as many as are to be chosen.
    legal = [found[0] for each in wanted if (found := read_choice(request, each))[0] in request.options]
    distinct = tuple(dict.fromkeys(legal))
    return distinct[: 1 if request.count is None else request.count] or whole


def _unknown(what: str, name: Any, names: tuple[str, ...]) -> NoReturn:
    close = nearest(str(name), names)
    allowed = ", ".join(names) or f"no {what}s"
    meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
    raise InputError([InputFault(what, name, allowed, f"there is no {what} {name}{meant}")])
