"""The methods of the protocol: each is a call of the public API, with plain data on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from attrs import frozen

from enfilade.api.odds import Odds
from enfilade.api.outcome import Outcome
from enfilade.api.questions import ChoiceQuestion
from enfilade.api.readings_and_rolls import ChartRead
from enfilade.api.ruleset import Ruleset
from enfilade.api.runs import Run
from enfilade.api.verification import verify
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.errors import EnfiladeError
from enfilade.limits import go_on
from enfilade.service.parameters import Parameter, WrongParameter, checked
from enfilade.service.rulesets import Rulesets
from enfilade.source.finder import shipped_names
from enfilade.tools.card import reference_card
from enfilade.tools.card.lines import code_lines
from enfilade.tools.format import format_text
from enfilade.values.json_data import to_json
from enfilade.values.types import CodeOf
from enfilade.version import __version__


@frozen
class Call:
    """A request to a method.

    Attributes:
        params: Its parameters, checked.
        rulesets: Where rulesets come from.
        progress: Called from time to time with the work done; it raises an exception to end the call.
    """

    params: Mapping[str, Any]
    rulesets: Rulesets
    progress: Callable[[int], None] | None = None

    @property
    def rules(self) -> Ruleset:
        """The ruleset of the request."""
        return self.rulesets.of(self.params["ruleset"])

    def given(self, *names: str) -> dict[str, Any]:
        """Those of some parameters that the request gives, under the names of the API."""
        return {"given" if name == "facts" else name: self.params[name] for name in names if name in self.params}


@frozen
class Method:
    """A method.

    Attributes:
        about: What it does, in one sentence.
        parameters: What it takes.
        gives: What its result is.
        run: The call.
    """

    about: str
    parameters: tuple[Parameter, ...]
    gives: str
    run: Callable[[Call], Any]


_METHODS: Final[dict[str, Method]] = {}
METHODS: Final[Mapping[str, Method]] = MappingProxyType(_METHODS)
"""All methods by name."""

_TEXT: Final = {"type": "string"}
_FLAG: Final = {"type": "boolean"}
_OBJECT: Final = {"type": "object"}
_TEXTS: Final = {"type": ["string", "array"], "items": _TEXT}
_SCRIPT: Final = {"type": ["array", "object", "string"]}
_FILES: Final = {"type": "object", "additionalProperties": _TEXT}

RULESET: Final = Parameter(
    "ruleset", "the name of a ruleset, or an object: `text` is the ruleset, and `files` the texts of its modules by file name",
    {"type": ["string", "object"], "properties": {"text": _TEXT, "files": _FILES}, "required": ["text"],
     "additionalProperties": False}, required=True,
)  # fmt: skip
PROCEDURE: Final = Parameter("procedure", "the name of the procedure", _TEXT, required=True)
FACTS: Final = Parameter("facts", "the facts by name", _OBJECT)
OPTIONS: Final = Parameter("options", "values of options by name", _OBJECT)
DICE: Final = Parameter("dice", "known dice: faces in the order of the rolls, or by the name of the roll", _SCRIPT)
CHOICES: Final = Parameter(
    "choices", "known choices: in the order of the questions, or by the name of the choice", _SCRIPT
)
SEED: Final = Parameter(
    "seed", "the seed of the dice; without a seed, nobody can predict the dice", {"type": ["integer", "string"]}
)
RUN: Final = (
    RULESET, Parameter("save", "the saved run: the field `save` of an earlier answer", _TEXT, required=True),
)  # fmt: skip
OF: Final = Parameter(
    "of", "the question, or a list of questions, each an output or a condition; by default the result", _TEXTS
)
ONE: Final = Parameter("of", "the question: an output or a condition; by default the result", _TEXT)
SITUATION: Final = (
    RULESET,
    PROCEDURE,
    FACTS,
    DICE,
    CHOICES,
    OPTIONS,
    Parameter("players", "how each player chooses: best, worst or random", {"type": "object", "additionalProperties": _TEXT}),
    Parameter("policy", "the policies, by name of the choice: each is an expression of the rules that makes the choice",
              {"type": "object", "additionalProperties": _TEXT}),
    Parameter("aim", "the aim of the players: a condition or a number", _TEXT),
    Parameter("progress", "whether to send progress notifications before the answer", _FLAG),
)  # fmt: skip
CONDITION: Final = Parameter(
    "condition",
    "count only the cases in which this condition is true; for a list, the cases in which all its conditions are true",
    _TEXTS,
)
NEXT: Final = (
    PROCEDURE,
    FACTS,
    Parameter("when", "a condition over the outputs so far; this procedure is played only if the condition is true", _TEXT),
    Parameter("carry", "facts of this procedure, set to expressions over the outputs so far", {"type": "object", "additionalProperties": _TEXT}),
)  # fmt: skip
LOWEST: Final = Parameter("lowest_terms", "whether fractions are in lowest terms", _FLAG)


def method(about: str, *parameters: Parameter, gives: str) -> Callable[[Callable[[Call], Any]], Callable[[Call], Any]]:
    """Register a method under the name of its function."""

    def add(run: Callable[[Call], Any]) -> Callable[[Call], Any]:
        _METHODS[run.__name__.rstrip("_")] = Method(about, parameters, gives, run)
        return run

    return add


# -- rulesets -------------------------------------------------------------------------------------------------


@method(
    "Return the version, the methods and the shipped rulesets.",
    gives="`version`, and the names of the `methods` and the `rulesets`",
)
def about(call: Call) -> Any:
    return {"version": __version__, "methods": sorted(METHODS), "rulesets": list(shipped_names())}


@method("List the shipped rulesets.", gives="a list with the `name` and `title` of each ruleset")
def list_(call: Call) -> Any:
    return [{"name": name, "title": call.rulesets.of(name).title} for name in shipped_names()]


@method("Describe a ruleset: procedures with their facts as JSON schemas, events, options, charts.", RULESET,
        gives="the description")  # fmt: skip
def describe(call: Call) -> Any:
    rules = call.rules
    return {
        "name": rules.name,
        "title": rules.title,
        "digest": rules.digest,
        "players": list(rules.players),
        "options": [option.to_json() for option in rules.option_fields],
        "procedures": [procedure.to_json() for procedure in rules.procedures],
        "events": [event.to_json() for event in rules.events],
        "charts": [{"name": name, "title": rules.chart(name).title or name} for name in rules.charts],
        "diagnostics": _diagnostics(rules.diagnostics),
    }


@method("Return the texts of a ruleset.", RULESET, gives="`text`, and `files`: the modules that the text uses, by name")
def source(call: Call) -> Any:
    main, *files = call.rules.sources
    return {"text": main.text, "files": {Path(each.name).name: each.text for each in files}}


@method("Check a ruleset.", RULESET, gives="`ok`, and `diagnostics`: all errors and warnings")
def check(call: Call) -> Any:
    found = call.rulesets.checked(call.params["ruleset"])
    return {"ok": all(each.severity is not Severity.ERROR for each in found), "diagnostics": _diagnostics(found)}


@method("Format the text of a ruleset.", Parameter("text", "the text", _TEXT, required=True), gives="`text`")
def format_(call: Call) -> Any:
    return {"text": format_text(call.params["text"])}


@method("Return a reference card of all charts.", RULESET,
        Parameter("form", "html (a whole page) or markdown", {"type": "string", "enum": ["html", "markdown"]}),
        gives="`text`")  # fmt: skip
def card(call: Call) -> Any:
    return {"text": reference_card(call.rules, form=call.params.get("form", "html"))}


@method("Return a chart.", RULESET, Parameter("chart", "the name of the chart", _TEXT, required=True),
        gives="the chart: header, rows, labels, notes; and the `meanings` of its codes")  # fmt: skip
def chart(call: Call) -> Any:
    name, rules = call.params["chart"], call.rules
    if name not in rules.charts:
        raise WrongParameter(f"there is no chart {name}; the charts are {', '.join(rules.charts) or 'none'}")
    domain = next((each.domain for each in rules.symbols if each.kind == "chart" and each.name == name), None)
    codes = domain.codes if isinstance(domain, CodeOf) else ()
    return rules.chart(name).to_json() | {"meanings": dict(_meanings(rules, codes))}


def _meanings(rules: Ruleset, codes: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The labels of result codes, or their first effects."""
    for code in codes:
        lines = code_lines(rules, code)
        if lines:
            yield code, "".join(text for style, text in lines[0] if not style).strip()


def _diagnostics(found: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    return [each.to_json() for each in found]


# -- play -----------------------------------------------------------------------------------------------------


@method("Play a procedure to its end.", RULESET, PROCEDURE, FACTS, DICE, CHOICES, SEED, OPTIONS,
        Parameter("explanation", "whether to include the explanation; yes by default", _FLAG), gives="the outcome")  # fmt: skip
def resolve(call: Call) -> Any:
    outcome = call.rules.resolve(**call.given("procedure", "facts", "dice", "choices", "seed", "options"))
    return outcome.to_json(explanation=call.params.get("explanation", True))


@method("Begin a run that asks for missing facts, dice and choices.", RULESET, PROCEDURE, FACTS, DICE, CHOICES, SEED, OPTIONS,
        Parameter("ask_all", "whether to ask also for facts that have a default", _FLAG), gives="the run")  # fmt: skip
def begin(call: Call) -> Any:
    return _run(call.rules.begin(**call.given("procedure", "facts", "dice", "choices", "seed", "options", "ask_all")))


@method("Return the state of a run.", *RUN, gives="the run")
def resume(call: Call) -> Any:
    return _run(_resumed(call))


@method("Answer the question of a run.", *RUN, Parameter("answer", "the answer"),
        Parameter("text", "the answer as a person would type it; give `text` or `answer`, not both", _TEXT), gives="the run")  # fmt: skip
def answer(call: Call) -> Any:
    if ("answer" in call.params) == ("text" in call.params):
        raise WrongParameter("give `answer` or `text`")
    run = _resumed(call)
    return _run(run.answer_text(call.params["text"]) if "text" in call.params else run.answer(call.params["answer"]))


@method("Roll the dice that a run asks for, or answer its question at random.", *RUN, SEED,
        Parameter("anything", "whether the players' choices are made at random too", _FLAG), gives="the run")  # fmt: skip
def roll(call: Call) -> Any:
    run, seed = _resumed(call), call.params.get("seed")
    return _run(run.answer_random(seed) if call.params.get("anything") else run.roll(seed))


@method("Show the consequence of each answer to a player's question: the outcome, if the run ends, or else the odds.", *RUN, ONE,
        gives="a list with an object for each legal answer: `answer`; `sentence` and `effects` if the answer ends the run, and `odds` "
              "otherwise; and `fields`, the mean final value of each numeric field. The list is empty unless the run asks for exactly one option")  # fmt: skip
def worth(call: Call) -> Any:
    run = _resumed(call)
    question = run.question
    if not isinstance(question, ChoiceQuestion) or question.count is not None:
        return []
    return [{"answer": to_json(each), **_leads_to(call, run.answer(each))} for each in question.legal]


def _leads_to(call: Call, run: Run) -> dict[str, Any]:
    go_on()
    if run.outcome is not None:
        told = _told(run.outcome)
        return {
            "sentence": told["sentence"],
            "effects": told["effects"],
            "fields": _means({run.outcome.state: Fraction(1)}),
        }
    made: dict[str, Any] = {
        name: [entry.value for entry in run.log if entry.kind in kinds and not entry.forced]
        for name, kinds in (("dice", ("roll", "draw")), ("choices", ("choice",)))
    }
    found: dict[str, Any] = {}
    # The odds may be too large, or depend on a later choice: then there is nothing to tell.
    with suppress(EnfiladeError):
        odds = call.rules.odds(run.procedure, given=run.facts, options=dict(run.start.options), **made)
        found["odds"] = odds.of(call.params.get("of", "result")).in_lowest_terms().to_json()
        found["fields"] = _means(odds.state)
    return found


def _means(states: Mapping[Any, Fraction]) -> list[dict[str, Any]]:
    """The mean of each number of each record, over final states with their chances."""
    means: defaultdict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
    for state, chance in states.items():
        for type_, records in state.items():
            for record, fields in records.items():
                for name, value in fields.items():
                    if isinstance(value, int) and not isinstance(value, bool):
                        means[type_, record, name] += value * chance
    return [
        {"type": type_, "record": record, "field": name, "mean": str(mean)}
        for (type_, record, name), mean in means.items()
    ]


@method("Take back the last answer of a run.", *RUN, gives="the run")
def undo(call: Call) -> Any:
    return _run(_resumed(call).undo())


@method("Explain a run, finished or not.", *RUN,
        Parameter("length", "short is one line, usual (the default) is what a player needs, all is every step",
                  {"type": "string", "enum": ["short", "usual", "all"]}),
        gives="`text`, `markdown`, and `steps` as data; if `length` is left out, `steps` has every step")  # fmt: skip
def explain(call: Call) -> Any:
    found, length = _resumed(call).explain(), call.params.get("length", "usual")
    steps = found.to_json(call.params.get("length", "all"))
    return {"text": found.text(length), "markdown": found.markdown(length), "steps": steps}


@method("Report an event: each reaction begins a run, or gives the reason for not beginning one.", RULESET,
        Parameter("event", "the name of the event", _TEXT, required=True), FACTS, OPTIONS, SEED,
        gives="a list with an object for each reaction")  # fmt: skip
def notify(call: Call) -> Any:
    return [each.to_json() for each in call.rules.notify(**call.given("event", "facts", "options", "seed"))]


@method("List the changes made to a saved run, and check its dice.", *RUN,
        Parameter("secret", "the secret of committed dice, sent after the game by the side that rolled", _TEXT),
        Parameter("commitment", "the commitment, sent before the game by the side that rolled", _TEXT),
        Parameter("number", "the number that the other side chose", _TEXT),
        Parameter("earlier", "an earlier save of the same run", _TEXT), gives="the verification")  # fmt: skip
def verify_(call: Call) -> Any:
    return verify(call.params["save"], call.rules, **call.given("secret", "commitment", "number", "earlier")).to_json()


def _resumed(call: Call) -> Run:
    return call.rules.resume(call.params["save"])


def _run(run: Run) -> dict[str, Any]:
    return {
        "procedure": run.procedure,
        "save": run.save(),
        "facts": to_json(run.facts),
        "log": [entry.to_json() for entry in run.log],
        "question": None if run.question is None else run.question.to_json(),
        "prompt": None if run.question is None else run.question.prompt(),
        "outcome": None if run.outcome is None else run.outcome.to_json(),
    } | _told(run.outcome)


def _told(outcome: Outcome | None) -> dict[str, Any]:
    """What a page shows of an outcome: one line, the effects and the outputs in words, and the cells that were read."""
    if outcome is None:
        return {}
    steps = outcome.explain().steps
    return {
        "sentence": outcome.sentence(),
        "effects": [step.text for step in steps if step.kind == "effect"],
        "outputs": [step.text for step in steps if step.kind == "output" and step.label is not None],
        "readings": [each.to_json() for each in outcome.readings],
    }


@method("Return what is known before the dice are rolled: the columns and the modifiers that apply.", RULESET, PROCEDURE,
        FACTS, OPTIONS, gives="`readings` and `modifiers`, in the form that they have in an outcome")  # fmt: skip
def preview(call: Call) -> Any:
    plays = [_by_chance(call, seed) for seed in range(_PREVIEWS)]
    readings = _in_each([[_column(each) for each in play.readings] for play in plays])
    steps = _in_each([[step for step in play.explain().steps if step.applied] for play in plays])
    return {"readings": readings, "modifiers": [step.to_json() for step in steps]}


_PREVIEWS: Final = 4


def _by_chance(call: Call, seed: int) -> Outcome:
    """Play a situation with the dice and the choices of a seed."""
    run = call.rules.begin(**call.given("procedure", "facts", "options"), seed=seed)
    while run.outcome is None:
        run = run.answer_random(seed)
    return run.outcome


def _column(read: ChartRead) -> dict[str, Any]:
    """The column of a reading, and the record that it was read for."""
    return {"chart": read.chart, "page": read.page, "column": read.column, "record": read.record}


def _in_each(lists: list[list[Any]]) -> list[Any]:
    """What the first of some lists shares with all others."""
    return [each for each in lists[0] if all(each in others for others in lists)]


# -- odds -----------------------------------------------------------------------------------------------------

_PLAYED: Final = ("facts", "dice", "choices", "options", "players", "policy", "aim")


def _situation(call: Call) -> dict[str, Any]:
    given = call.given(*_PLAYED, "condition", "procedure")
    return given if call.progress is None else given | {"progress": call.progress}


@method("Return the exact odds of a procedure.", *SITUATION, OF, CONDITION, LOWEST,
        Parameter("joint", "whether to answer several questions together, for the same dice", _FLAG),
        Parameter("then", "the procedures to play next, in order; each begins with the records as changed by the previous procedure",
                  {"type": "array", "items": {"type": "object", "properties": {each.name: each.schema for each in NEXT},
                                              "required": ["procedure"], "additionalProperties": False}}),
        Parameter("turns", "how many times the whole sequence is played", {"type": "integer"}),
        Parameter("until", "the condition that ends the repetition: the whole sequence is played until it is true", _TEXT),
        Parameter("at_most", "with `until`, the largest number of repetitions", {"type": "integer"}),
        gives="`answers`: a distribution for each question, or a joint distribution; and `decisions`: the choices of players with an aim")  # fmt: skip
def odds(call: Call) -> Any:
    given = _situation(call)
    conditions = given.pop("condition", [])
    found = _repeated(_continued(call.rules.odds(**given), call), call)
    for condition in [conditions] if isinstance(conditions, str) else conditions:
        found = found.given(condition)
    of = call.params.get("of", "result")
    asked = [of] if isinstance(of, str) else of
    answers = [found.joint(*asked)] if call.params.get("joint") else [found.of(each) for each in asked]
    if call.params.get("lowest_terms"):
        answers = [each.in_lowest_terms() for each in answers]
    return {"answers": [each.to_json() for each in answers]} | _decisions(found, call)


def _continued(found: Odds, call: Call) -> Odds:
    """The odds with the procedures that are played next."""
    for each in call.params.get("then", ()):
        given = checked(each, NEXT)
        found = found.then(
            given["procedure"], when=given.get("when"), carry=given.get("carry"), given=given.get("facts")
        )
    return found


def _repeated(found: Odds, call: Call) -> Odds:
    """The odds of several turns."""
    turns, until, at_most = (call.params.get(name) for name in ("turns", "until", "at_most"))
    if until is not None and turns is None:
        return found.until(until, at_most=at_most)
    if until is not None or at_most is not None:
        raise WrongParameter("`at_most` needs `until`; `turns` can't be combined with `at_most` or `until`")
    return found if turns is None else found.turns(turns)


def _decisions(found: Odds, call: Call) -> dict[str, Any]:
    if "aim" not in call.params or "players" not in call.params:
        return {}
    return {
        "decisions": [
            {
                "name": each.name,
                "player": each.player,
                "options": [{"option": to_json(option), "value": str(value)} for option, value in each.options],
                "chosen": to_json(each.chosen),
                "known": {name: to_json(value) for name, value in each.known},
            }
            for each in found.decisions
        ]
    }


@method("Find the lowest value of a fact at which a condition reaches a given chance.", *SITUATION, CONDITION,
        Parameter("fact", "the name of the fact, field, option or definition to vary", _TEXT, required=True),
        Parameter("chance", "the chance to reach: 1/2, 50%", _TEXT, required=True),
        Parameter("of", "the condition", _TEXT, required=True),
        Parameter("within", "the values to try", {"type": "array"}), gives="the value; if no value reaches the chance, the value with the highest chance")  # fmt: skip
def least(call: Call) -> Any:
    return call.rules.least(**_situation(call), **call.given("fact", "chance", "of", "within")).to_json()


@method("Return the odds of a question for all combinations of the values of some facts.", *SITUATION, ONE, CONDITION, LOWEST,
        Parameter("by", "the values to try for each name that varies; null for all values",
                  {"type": "object", "additionalProperties": {"type": ["array", "null"]}}, required=True),
        gives="the grid")  # fmt: skip
def grid(call: Call) -> Any:
    found = call.rules.grid(**_situation(call), **call.given("by", "of"))
    return (found.in_lowest_terms() if call.params.get("lowest_terms") else found).to_json()


@method("Compare the odds of a question in two situations.", *SITUATION, ONE,
        Parameter("a", "what is different in the first situation", _OBJECT, required=True),
        Parameter("b", "what is different in the second situation", _OBJECT, required=True),
        Parameter("other", "the ruleset of the second situation, if it differs", RULESET.schema),
        gives="the comparison")  # fmt: skip
def compare(call: Call) -> Any:
    other = call.rulesets.of(call.params["other"]) if "other" in call.params else None
    return call.rules.compare(**_situation(call), **call.given("a", "b", "of"), other=other).to_json()


@method("Compare two rulesets: list the changes in the rules, and the largest changes in the odds.", RULESET,
        Parameter("other", "the new ruleset", {"type": ["string", "object"]}, required=True),
        Parameter("of", "the questions; by default the result of each procedure, and its other outputs if the result does not change", _TEXTS),
        Parameter("situations", "how many situations are tried for each question; with 0, no odds are compared", {"type": "integer", "minimum": 0}),
        Parameter("seed", "the seed of the sample of situations", {"type": "integer"}), gives="the difference")  # fmt: skip
def diff(call: Call) -> Any:
    given = call.given("situations", "seed")
    of = call.params.get("of", ())
    other = call.rulesets.of(call.params["other"])
    return call.rules.diff(other, of=(of,) if isinstance(of, str) else of, **given).to_json()


@method("Compare the odds with and without each modifier.", *SITUATION,
        Parameter("of", "the question: a condition or a number", _TEXT, required=True), gives="the modifiers")  # fmt: skip
def matters(call: Call) -> Any:
    return call.rules.matters(**_situation(call), **call.given("of")).to_json()


@method("Find the fact, field or option whose values change a chance the most.", *SITUATION,
        Parameter("of", "the question: a condition or a number", _TEXT, required=True), gives="the influences")  # fmt: skip
def sensitivity(call: Call) -> Any:
    return call.rules.sensitivity(**_situation(call), **call.given("of")).to_json()


@method("Estimate odds from random plays, if exact odds take too long.", *SITUATION, SEED, ONE,
        Parameter("trials", "the number of plays", {"type": "integer"}, required=True), gives="the estimate")  # fmt: skip
def sample(call: Call) -> Any:
    given = call.given(*_PLAYED, "procedure", "seed", "trials")
    return call.rules.sample(**given).of(call.params.get("of", "result")).to_json()
