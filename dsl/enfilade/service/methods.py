"""The table of the protocol's methods: each is a call of the public API, with plain data on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from enfilade.api.odds import Odds
from enfilade.api.outcome import Outcome
from enfilade.api.questions import ChoiceQuestion
from enfilade.api.runs import Run
from enfilade.api.verification import verify
from enfilade.diagnostics.diagnostic import Severity
from enfilade.errors import ArgumentError, EnfiladeError
from enfilade.limits import go_on
from enfilade.service.calls import RULESET, Call, Method, Parameter, checked
from enfilade.service.writing import WRITING
from enfilade.source.finder import shipped_names
from enfilade.tools.card import reference_card
from enfilade.tools.card.lines import code_lines
from enfilade.values.json_data import to_json
from enfilade.values.types import CodeOf
from enfilade.version import __version__

# -- rulesets -------------------------------------------------------------------------------------------------


def _described(call: Call) -> dict[str, Any]:
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
        "diagnostics": [each.to_json() for each in rules.diagnostics],
    }


def _source(call: Call) -> dict[str, Any]:
    main, *files = call.rules.sources
    return {"text": main.text, "files": {Path(each.name).name: each.text for each in files}}


def _check(call: Call) -> dict[str, Any]:
    found = call.rulesets.checked(call.params["ruleset"])
    ok = all(each.severity is not Severity.ERROR for each in found)
    return {"ok": ok, "diagnostics": [each.to_json() for each in found]}


def _chart(call: Call) -> dict[str, Any]:
    """A chart, and the labels of its result codes, or their first effects."""
    name, rules = call.params["chart"], call.rules
    if name not in rules.charts:
        raise ArgumentError(f"there is no chart {name}; the charts are {', '.join(rules.charts) or 'none'}")
    domain = next((each.domain for each in rules.symbols if each.kind == "chart" and each.name == name), None)
    lines = {code: code_lines(rules, code) for code in domain.codes} if isinstance(domain, CodeOf) else {}
    meanings = {
        code: "".join(text for style, text in found[0] if not style).strip() for code, found in lines.items() if found
    }
    return rules.chart(name).to_json() | {"meanings": meanings}


# -- play -----------------------------------------------------------------------------------------------------


def _answer(call: Call) -> Run:
    if ("answer" in call.params) == ("text" in call.params):
        raise ArgumentError("give `answer` or `text`")
    return (
        call.run.answer_text(call.params["text"]) if "text" in call.params else call.run.answer(call.params["answer"])
    )


def _roll(call: Call) -> Run:
    return (call.run.answer_random if call.params.get("anything") else call.run.roll)(call.params.get("seed"))


def _worth(call: Call) -> list[dict[str, Any]]:
    run = call.run
    question = run.question
    if not isinstance(question, ChoiceQuestion) or question.count is not None:
        return []
    return [{"answer": to_json(each), **_leads_to(call, run.answer(each))} for each in question.legal]


def _leads_to(call: Call, run: Run) -> dict[str, Any]:
    go_on()
    if run.outcome is not None:
        told = {name: each for name, each in _told(run.outcome).items() if name in ("sentence", "effects")}
        return told | {"fields": _means({run.outcome.state: Fraction(1)})}
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


def _explained(call: Call) -> dict[str, Any]:
    found, length = call.run.explain(), call.params.get("length", "usual")
    steps = found.to_json(call.params.get("length", "all"))
    return {"text": found.text(length), "markdown": found.markdown(length), "steps": steps}


def _run(run: Run) -> dict[str, Any]:
    return {
        "procedure": run.procedure,
        "save": run.save(),
        "facts": to_json(run.facts),
        "log": [entry.to_json() for entry in run.log],
        "question": None if run.question is None else run.question.to_json(),
        "prompt": None if run.question is None else run.question.prompt(),
        "outcome": None if run.outcome is None else run.outcome.to_json(),
    } | ({} if run.outcome is None else _told(run.outcome))


def _told(outcome: Outcome) -> dict[str, Any]:
    """What a page shows of an outcome: one line, the effects and the outputs in words, and the cells that were read."""
    steps = outcome.explain().steps
    return {
        "sentence": outcome.sentence(),
        "effects": [step.text for step in steps if step.kind == "effect"],
        "outputs": [step.text for step in steps if step.kind == "output" and step.label is not None],
        "readings": [each.to_json() for each in outcome.readings],
    }


def _preview(call: Call) -> dict[str, Any]:
    # What four plays by chance share; the dice change the rest.
    plays = [_by_chance(call, seed) for seed in range(4)]
    # The columns of the readings, and the record that each was read for.
    names = ("chart", "page", "column", "record")
    readings = _in_each([[{name: getattr(each, name) for name in names} for each in play.readings] for play in plays])
    steps = _in_each([[step for step in play.explain().steps if step.applied] for play in plays])
    return {"readings": readings, "modifiers": [step.to_json() for step in steps]}


def _by_chance(call: Call, seed: int) -> Outcome:
    """Play a situation with the dice and the choices of a seed."""
    run = call.rules.begin(**call.asked(), seed=seed)
    while run.outcome is None:
        run = run.answer_random(seed)
    return run.outcome


def _in_each(lists: list[list[Any]]) -> list[Any]:
    """What the first of some lists shares with all others."""
    return [each for each in lists[0] if all(each in others for others in lists)]


# -- odds -----------------------------------------------------------------------------------------------------


def _odds(call: Call) -> dict[str, Any]:
    given = call.situation("of", "condition", "joint", "lowest_terms", "then", "turns", "until", "at_most")
    found = _repeated(_continued(call.rules.odds(**given), call), call)
    for condition in call.texts("condition"):
        found = found.given(condition)
    asked = call.texts("of") if "of" in call.params else ["result"]
    answers = [found.joint(*asked)] if call.params.get("joint") else [found.of(each) for each in asked]
    return {"answers": [_in_terms(each, call).to_json() for each in answers]} | _decisions(found, call)


def _in_terms(found: Any, call: Call) -> Any:
    """A distribution or a grid with the fractions that the request wants."""
    return found.in_lowest_terms() if call.params.get("lowest_terms") else found


def _continued(found: Odds, call: Call) -> Odds:
    """The odds with the procedures that are played next."""
    for each in call.params.get("then", ()):
        given = Call(checked(each, NEXT), call.rulesets).asked()
        found = found.then(given.pop("procedure"), **given)
    return found


def _repeated(found: Odds, call: Call) -> Odds:
    """The odds of several turns."""
    turns, until, at_most = (call.params.get(name) for name in ("turns", "until", "at_most"))
    if until is not None and turns is None:
        return found.until(until, at_most=at_most)
    if until is not None or at_most is not None:
        raise ArgumentError("`at_most` needs `until`; `turns` can't be combined with `at_most` or `until`")
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


# -- the table ------------------------------------------------------------------------------------------------

PROCEDURE: Final = Parameter("procedure", "the name of the procedure", "str", required=True)
FACTS: Final = Parameter("facts", "the facts by name", "Mapping")
OPTIONS: Final = Parameter("options", "values of options by name", "Mapping")
PLAYED: Final = (
    RULESET, PROCEDURE, FACTS,
    Parameter("dice", "known dice: faces in the order of the rolls, or by the name of the roll", "list | Mapping | str"),
    Parameter("choices", "known choices: in the order of the questions, or by the name of the choice", "list | Mapping | str"),
    OPTIONS,
)  # fmt: skip
SEED: Final = Parameter("seed", "the seed of the dice; without a seed, nobody can predict the dice", "BigInt | str")
RUN: Final = (RULESET, Parameter("save", "the saved run: the field `save` of an earlier answer", "str", required=True))
OF: Final = Parameter("of", "the question: an output or a condition; by default the result", "str")
ASKED: Final = Parameter("of", "the question: a condition or a number", "str", required=True)
SITUATION: Final = (
    *PLAYED,
    Parameter("players", "how each player chooses: best, worst or random", "Mapping[str, str]"),
    Parameter("policy", "the policies, by name of the choice: each is an expression of the rules that makes the choice",
              "Mapping[str, str]"),
    Parameter("aim", "the aim of the players: a condition or a number", "str"),
    Parameter("progress", "whether to send progress notifications before the answer", "bool"),
)  # fmt: skip
CONDITION: Final = Parameter(
    "condition",
    "count only the cases in which this condition is true; for a list, the cases in which all its conditions are true",
    "str | list[str]",
)
NEXT: Final = (
    PROCEDURE, FACTS,
    Parameter("when", "a condition over the outputs so far; this procedure is played only if the condition is true", "str"),
    Parameter("carry", "facts of this procedure, set to expressions over the outputs so far", "Mapping[str, str]"),
)  # fmt: skip
LOWEST: Final = Parameter("lowest_terms", "whether fractions are in lowest terms", "bool")

_METHODS: Final[dict[str, Method]] = {
    "about": Method("Return the version, the methods and the shipped rulesets.", (),
        "`version`, and the names of the `methods` and the `rulesets`",
        lambda call: {"version": __version__, "methods": sorted(METHODS), "rulesets": list(shipped_names())}),
    "list": Method("List the shipped rulesets.", (), "a list with the `name` and `title` of each ruleset",
        lambda call: [{"name": name, "title": call.rulesets.of(name).title} for name in shipped_names()]),
    "describe": Method("Describe a ruleset: procedures with their facts as JSON schemas, events, options, charts.",
        (RULESET,), "the description", _described),
    "source": Method("Return the texts of a ruleset.", (RULESET,),
        "`text`, and `files`: the modules that the text uses, by name", _source),
    "check": Method("Check a ruleset.", (RULESET,), "`ok`, and `diagnostics`: all errors and warnings", _check),
    "card": Method("Return a reference card of all charts.",
        (RULESET, Parameter("form", "html (a whole page) or markdown", "Literal['html', 'markdown']")), "`text`",
        lambda call: {"text": reference_card(call.rules, form=call.params.get("form", "html"))}),
    "chart": Method("Return a chart.", (RULESET, Parameter("chart", "the name of the chart", "str", required=True)),
        "the chart: header, rows, labels, notes; and the `meanings` of its codes", _chart),

    "resolve": Method("Play a procedure to its end.",
        (*PLAYED, SEED, Parameter("explanation", "whether to include the explanation; yes by default", "bool")), "the outcome",
        lambda call: call.rules.resolve(**call.asked("explanation")).to_json(explanation=call.params.get("explanation", True))),
    "begin": Method("Begin a run that asks for missing facts, dice and choices.",
        (*PLAYED, SEED, Parameter("ask_all", "whether to ask also for facts that have a default", "bool")), "the run",
        lambda call: _run(call.rules.begin(**call.asked()))),
    "resume": Method("Return the state of a run.", RUN, "the run", lambda call: _run(call.run)),
    "answer": Method("Answer the question of a run.",
        (*RUN, Parameter("answer", "the answer"),
         Parameter("text", "the answer as a person would type it; give `text` or `answer`, not both", "str")), "the run",
        lambda call: _run(_answer(call))),
    "roll": Method("Roll the dice that a run asks for, or answer its question at random.",
        (*RUN, SEED, Parameter("anything", "whether the players' choices are made at random too", "bool")), "the run",
        lambda call: _run(_roll(call))),
    "worth": Method(
        "Show the consequence of each answer to a player's question: the outcome, if the run ends, or else the odds.", (*RUN, OF),
        "a list with an object for each legal answer: `answer`; `sentence` and `effects` if the answer ends the run, and `odds` "
        "otherwise; and `fields`, the mean final value of each numeric field. The list is empty unless the run asks for exactly one option",
        _worth),
    "undo": Method("Take back the last answer of a run.", RUN, "the run", lambda call: _run(call.run.undo())),
    "explain": Method("Explain a run, finished or not.",
        (*RUN, Parameter("length", "short is one line, usual (the default) is what a player needs, all is every step",
                         "Literal['short', 'usual', 'all']")),
        "`text`, `markdown`, and `steps` as data; if `length` is left out, `steps` has every step", _explained),
    "notify": Method("Report an event: each reaction begins a run, or gives the reason for not beginning one.",
        (RULESET, Parameter("event", "the name of the event", "str", required=True), FACTS, OPTIONS, SEED),
        "a list with an object for each reaction",
        lambda call: [each.to_json() for each in call.rules.notify(**call.asked())]),
    "verify": Method("List the changes made to a saved run, and check its dice.",
        (*RUN, Parameter("secret", "the secret of committed dice, sent after the game by the side that rolled", "str"),
         Parameter("commitment", "the commitment, sent before the game by the side that rolled", "str"),
         Parameter("number", "the number that the other side chose", "str"),
         Parameter("earlier", "an earlier save of the same run", "str")), "the verification",
        lambda call: verify(call.params["save"], call.rules, **call.asked()).to_json()),
    "preview": Method("Return what is known before the dice are rolled: the columns and the modifiers that apply.",
        (RULESET, PROCEDURE, FACTS, OPTIONS), "`readings` and `modifiers`, in the form that they have in an outcome", _preview),

    "odds": Method("Return the exact odds of a procedure.",
        (*SITUATION,
         Parameter("of", "the question, or a list of questions, each an output or a condition; by default the result", "str | list[str]"),
         CONDITION, LOWEST,
         Parameter("joint", "whether to answer several questions together, for the same dice", "bool"),
         Parameter("then", "the procedures to play next, in order; each begins with the records as changed by the previous procedure",
                   "list[Mapping]",
                   schema={"type": "array", "items": {"type": "object", "properties": {each.name: each.schema for each in NEXT},
                                                      "required": ["procedure"], "additionalProperties": False}}),
         Parameter("turns", "how many times the whole sequence is played", "int"),
         Parameter("until", "the condition that ends the repetition: the whole sequence is played until it is true", "str"),
         Parameter("at_most", "with `until`, the largest number of repetitions", "int")),
        "`answers`: a distribution for each question, or a joint distribution; and `decisions`: the choices of players with an aim",
        _odds),
    "least": Method("Find the lowest value of a fact at which a condition reaches a given chance.",
        (*SITUATION, CONDITION,
         Parameter("fact", "the name of the fact, field, option or definition to vary", "str", required=True),
         Parameter("chance", "the chance to reach: 1/2, 50%", "str", required=True),
         Parameter("of", "the condition", "str", required=True),
         Parameter("within", "the values to try", "list")),
        "the value; if no value reaches the chance, the value with the highest chance",
        lambda call: call.rules.least(**call.situation()).to_json()),
    "grid": Method("Return the odds of a question for all combinations of the values of some facts.",
        (*SITUATION, OF, CONDITION, LOWEST,
         Parameter("by", "the values to try for each name that varies; null for all values", "Mapping[str, list | None]",
                   required=True)), "the grid",
        lambda call: _in_terms(call.rules.grid(**call.situation("lowest_terms")), call).to_json()),
    "compare": Method("Compare the odds of a question in two situations.",
        (*SITUATION, OF,
         Parameter("a", "what is different in the first situation", "Mapping", required=True),
         Parameter("b", "what is different in the second situation", "Mapping", required=True),
         Parameter("other", "the ruleset of the second situation, if it differs", RULESET.takes, schema=RULESET.schema)),
        "the comparison", lambda call: call.rules.compare(**call.situation()).to_json()),
    "diff": Method("Compare two rulesets: list the changes in the rules, and the largest changes in the odds.",
        (RULESET, Parameter("other", "the new ruleset", RULESET.takes, required=True, schema=RULESET.schema),
         Parameter("of", "the questions; by default the result of each procedure, and its other outputs if the result does not change",
                   "str | list[str]"),
         Parameter("situations", "how many situations are tried for each question; with 0, no odds are compared", "int",
                   schema={"type": "integer", "minimum": 0}),
         Parameter("seed", "the seed of the sample of situations", "int")), "the difference",
        lambda call: call.rules.diff(**call.asked() | {"of": call.texts("of")}).to_json()),
    "matters": Method("Compare the odds with and without each modifier.", (*SITUATION, ASKED), "the modifiers",
        lambda call: call.rules.matters(**call.situation()).to_json()),
    "sensitivity": Method("Find the fact, field or option whose values change a chance the most.", (*SITUATION, ASKED),
        "the influences", lambda call: call.rules.sensitivity(**call.situation()).to_json()),
    "sample": Method("Estimate odds from random plays, if exact odds take too long.",
        (*SITUATION, SEED, OF, Parameter("trials", "the number of plays", "int", required=True)), "the estimate",
        lambda call: call.rules.sample(**call.asked("of")).of(call.params.get("of", "result")).to_json()),
    **WRITING,
}  # fmt: skip
METHODS: Final[Mapping[str, Method]] = MappingProxyType(_METHODS)
"""All methods by name."""
