"""The largest changes of odds between two rulesets: a search over situations.

If all situations can be tried within the budget, they are, and the largest change is proven. Otherwise the search tries
the simplest situations, a random sample with a fixed seed, and then hill climbing: from the best situation of each
outcome, one fact at a time. A tie goes to the situation with fewer facts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice, product
from math import prod
from random import Random
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field, frozen

from enfilade.api.exact_numbers import written
from enfilade.api.facts_to_try import Tried, situation_text, values_to_search
from enfilade.api.outcome_values import value_text
from enfilade.api.prepared import PreparedRules
from enfilade.api.rule_changes import RuleChange
from enfilade.api.shared_settings import Situations
from enfilade.core import ir
from enfilade.core.graph import graph_of
from enfilade.core.inputs import declared_input, external_names
from enfilade.core.traits import FACT, FIELD, traits_of
from enfilade.door import with_doors
from enfilade.engines.odds import NeedsPolicy
from enfilade.engines.odds.reads import Reads, reads_of
from enfilade.errors import EnfiladeError, InputError, RefusedOdds
from enfilade.frozen import frozen_json
from enfilade.limits import Limits, Stopwatch, go_on
from enfilade.values.json_data import to_json

MOST_SITUATIONS: Final = 400
"""How many situations are tried for a question by default."""

_SHARE_AT_RANDOM: Final = 0.6
_MOST_CLIMBS: Final = 12
_MAIN: Final = "result"
_SHARE_OF_OTHERS: Final = 4
_MOST_OTHERS: Final = 3
"""The other outputs of a procedure get a quarter of the situations each, until three of them have changed."""
_GRAPH_KINDS: Final = ("procedure", "effect", "results", "define", "chart", "modifiers")

_LABEL: Final = re.compile(r'"[^"]*"')
_NAME: Final = re.compile(r"[^\W\d]\w*")

Parts: TypeAlias = Callable[[int, int], None]
_Watch: TypeAlias = tuple[Stopwatch, float]
"""A stopwatch, and the seconds that it may run."""


@with_doors
@frozen
class OddsChange:
    """The largest change of the chance of one outcome.

    Attributes:
        outcome: The outcome; a refusal is ``refused: SLUG``.
        old: Its chance in the old ruleset.
        new: Its chance in the new ruleset.
        facts: The facts and options of the situation; all others have their defaults.
    """

    outcome: Any
    old: Fraction
    new: Fraction
    facts: Mapping[str, Any] = field(converter=frozen_json)

    @property
    def difference(self) -> Fraction:
        """The new chance minus the old."""
        return self.new - self.old

    @property
    def situation(self) -> str:
        """The facts as people write them."""
        return situation_text(self.facts) or "all defaults"

    def to_json(self) -> dict[str, Any]:
        """Return the change as plain data."""
        return {
            "outcome": to_json(self.outcome), "text": value_text(self.outcome), "old": written(self.old),
            "new": written(self.new), "difference": written(self.difference), "facts": to_json(self.facts),
            "situation": self.situation,
        }  # fmt: skip


@with_doors
@frozen
class QuestionChanges:
    """The largest changes of the answer to one question, over the situations that were tried.

    Attributes:
        procedure: The procedure.
        of: The question.
        changes: The largest change of each outcome whose chance changes, the largest first.
        tried: In how many situations both rulesets have odds.
        proven: Whether those are all situations, so the changes are the largest that there are.
        skipped: In how many situations one of them has none.
        why_skipped: The first reason for that.
        ended_early: Whether the time ended before the search did.
        random_choices: Whether players choose, which they do at random.
    """

    procedure: str
    of: str
    changes: tuple[OddsChange, ...]
    tried: int
    proven: bool
    skipped: int = 0
    why_skipped: str | None = None
    ended_early: bool = False
    random_choices: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the changes as plain data."""
        return {
            "procedure": self.procedure, "of": self.of, "tried": self.tried, "proven": self.proven,
            "skipped": self.skipped, "why_skipped": self.why_skipped, "ended_early": self.ended_early,
            "random_choices": self.random_choices, "changes": [each.to_json() for each in self.changes],
        }  # fmt: skip


@frozen
class Search:
    """The settings of a search.

    Attributes:
        situations: How many situations are tried for a question.
        seed: The seed of the sample.
        limits: The limits; ``seconds`` is the time of the whole search.
        of: The questions; empty for the result, and for the other outputs if the result does not change.
        parts: Called with the questions done and their number.
    """

    situations: int
    seed: int
    limits: Limits
    of: tuple[str, ...] = ()
    parts: Parts | None = None


def odds_changes(
    old: PreparedRules, new: PreparedRules, changes: Iterable[RuleChange], search: Search
) -> tuple[QuestionChanges, ...]:  # fmt: skip
    """Search the procedures that both rulesets offer for the largest changes of odds.

    Args:
        old: The old ruleset.
        new: The new ruleset.
        changes: What changed in the rules; questions that none of it can affect are left out.
        search: The settings.

    Raises:
        InputError: No procedure of both has a question of the settings.
    """
    playing = [change for change in changes if change.plays]
    seconds = search.limits.seconds
    watch = None if seconds is None else (Stopwatch(), seconds)
    names = [
        name for name, each in old.program.procedures.items()
        if not each.helper and name in new.program.procedures and name in _listed(old) and name in _listed(new)
    ]  # fmt: skip
    _check_questions(old, new, names, search.of)
    found: list[QuestionChanges] = []
    for done, name in enumerate(names, 1):
        found += _of_procedure(old, new, name, playing, search, watch)
        if search.parts is not None:
            search.parts(done, len(names))
    return tuple(found)


def _check_questions(old: PreparedRules, new: PreparedRules, procedures: list[str], questions: Iterable[str]) -> None:
    """Raise the error of a question that no procedure can answer."""
    for question in questions:
        wrong = [_why_not(old, new, name, question) for name in procedures]
        first = wrong[0] if wrong else None
        if first is not None and None not in wrong:
            raise first


def _why_not(old: PreparedRules, new: PreparedRules, procedure: str, question: str) -> InputError | None:
    """The error of a question that a procedure can't answer in both rulesets."""
    try:
        for rules in (old, new):
            rules.query_reader.read(procedure, {}, question)
    except InputError as wrong:
        return wrong
    return None


def _of_procedure(
    old: PreparedRules, new: PreparedRules, name: str, changes: list[RuleChange], search: Search,
    watch: _Watch | None,
) -> Iterator[QuestionChanges]:  # fmt: skip
    """The questions of one procedure: those of the settings, or the result and, if it does not change, the others."""

    def compared(asked: _Asked, situations: int) -> QuestionChanges:
        variables, whole = _variables(old, new, name, asked.reads, mentioned, Random(search.seed))
        question = _Question(old, new, name, asked.question, evolve(search, situations=situations), watch)
        question.explore(variables, whole)
        return question.result()

    mentioned = _mentioned(old.program, changes) | _mentioned(new.program, changes)
    outputs = [each for each in old.program.procedures[name].outputs if each in new.program.procedures[name].outputs]
    if search.of:
        questions = [each for each in search.of if _why_not(old, new, name, each) is None]
        for each in _asked(old, new, name, questions, changes):
            yield compared(each, search.situations)
        return
    reads: frozenset[str] = frozenset()
    for main in _asked(old, new, name, [each for each in outputs if each == _MAIN], changes):
        answer, reads = compared(main, search.situations), main.facts
        yield answer
        if answer.changes:
            return
    others = _asked(old, new, name, [each for each in outputs if each != _MAIN], changes)
    changed = 0
    for each in sorted(others, key=lambda other: -len(other.facts - reads)):
        answer = compared(each, max(1, search.situations // _SHARE_OF_OTHERS))
        yield answer
        changed += bool(answer.changes)
        if changed == _MOST_OTHERS:
            return


def _listed(rules: PreparedRules) -> set[str]:
    from enfilade.api.describe import is_own

    return {name for name, each in rules.program.procedures.items() if is_own(rules.program, each.note)}


@frozen
class _Asked:
    """A question of a procedure that the changes of the rules can affect."""

    question: str
    reads: tuple[Reads, Reads]

    @property
    def facts(self) -> frozenset[str]:
        """The facts that it may read in either ruleset."""
        return self.reads[0].facts | self.reads[1].facts


def _asked(
    old: PreparedRules, new: PreparedRules, procedure: str, questions: Iterable[str], changes: list[RuleChange]
) -> list[_Asked]:  # fmt: skip
    """The questions that some change can affect."""

    def reads(rules: PreparedRules, question: str) -> Reads:
        go_on()
        return reads_of(rules.program, procedure, rules.query_reader.read(procedure, {}, question).ask)

    asked = [_Asked(question, (reads(old, question), reads(new, question))) for question in questions]
    return [each for each in asked if any(_affects(change, each.reads) for change in changes)]


def _affects(change: RuleChange, reads: tuple[Reads, Reads]) -> bool:
    """Whether an answer can depend on a change.

    What is new or gone matters only through code that uses it, which has then changed, too.
    """
    if change.kind in _GRAPH_KINDS:
        return any((change.kind, change.name) in each.units for each in reads)
    if change.old is None or change.new is None:
        return change.kind == "record" and bool(change.part)
    if change.kind == "facts" and change.part:
        return any(change.part in each.facts for each in reads)
    if change.kind == "option":
        return any(change.name in each.options for each in reads)
    return change.kind not in ("event", "on")


def _mentioned(program: ir.Program, changes: list[RuleChange]) -> frozenset[str]:
    """The names in the changed lines, with the facts and fields that their definitions read."""
    texts = (_LABEL.sub("", text) for change in changes for text in (change.old, change.new) if text is not None)
    names = {name for text in texts for name in _NAME.findall(text)}
    graph = graph_of(program)
    units = {unit for name in names & program.definitions.keys() for unit in graph.reached(("define", name))}
    read = {name for unit in units for node in graph.nodes(unit) for kind, name in traits_of(node, program).reads
            if kind in (FACT, FIELD)}  # fmt: skip
    return frozenset(names | read)


# ------------------------------------------------------------------------------------------------------ variables


@frozen
class _Variable:
    """A fact or an option that the search varies.

    Attributes:
        name: Its name.
        values: The values to try.
        optional: Whether it may be left at its default.
        mentioned: How many of the values, the first ones, have to do with names in the changed lines.
    """

    name: str
    values: tuple[Any, ...]
    optional: bool
    mentioned: int = 0

    def drawn(self, random: Random) -> Any:
        """Draw a value: one of the mentioned ones every other time."""
        return random.choice(self.values[: self.mentioned] if self.mentioned and random.random() < 0.5 else self.values)

    def is_set(self, random: Random) -> bool:
        """Whether a random situation sets it: mentioned ones mostly."""
        return not self.optional or random.random() < (0.8 if self.mentioned else 0.4)

    def sorted(self, mentioned: frozenset[str]) -> _Variable:
        """The variable with the mentioned values first."""
        if self.name in mentioned and not any(isinstance(each, (list, Mapping)) for each in self.values):
            return evolve(self, mentioned=len(self.values))
        first = [each for each in self.values if mentioned & set(_NAME.findall(situation_text({"": each})))]
        rest = [each for each in self.values if each not in first]
        return evolve(self, values=(*first, *rest), mentioned=len(first))


def _variables(
    old: PreparedRules, new: PreparedRules, procedure: str, reads: tuple[Reads, Reads],
    mentioned: frozenset[str], random: Random,
) -> tuple[list[_Variable], bool]:  # fmt: skip
    """The facts and options that the question may read in either ruleset, and whether their values are all listed."""
    found: dict[str, _Variable] = {}
    whole = True
    fixed = {
        name
        for rules in (old, new)
        for name, each in rules.program.options.items()
        if rules.options[name] != each.default
    }
    for rules, read in zip((old, new), reads, strict=True):
        program = rules.program
        declared = {
            name: declared_input(program, own)
            for name, own in external_names(program.procedures[procedure].inputs).items()
            if own in read.facts
        }
        sources: list[tuple[str, Any, Any, bool]] = [
            (name, each.type, each.default if each.has_default else None, each.has_default)
            for name, each in declared.items()
        ]
        sources += [
            (name, each.type, each.default, True)
            for name, each in program.options.items()
            if name in read.options and name not in declared and name not in fixed
        ]
        for name, type_, default, optional in sources:
            tried = values_to_search(program, type_, random) or Tried((), False)
            known = found.get(name, _Variable(name, (), optional))
            values = [value for value in tried.values if value not in known.values]
            if optional and default is not None:
                values = [value for value in values if to_json(value) != to_json(default)]
            found[name] = _Variable(name, (*known.values, *values), known.optional and optional)
            whole = whole and tried.whole
    variables = [each.sorted(mentioned) for each in found.values() if each.values]
    return sorted(variables, key=lambda each: not each.mentioned), whole


# --------------------------------------------------------------------------------------------------------- search


class _OutOfTime(Exception):
    """The time of the search is up."""


@define
class _Question:
    """The search for one question."""

    old: PreparedRules
    new: PreparedRules
    procedure: str
    of: str
    search: Search
    watch: _Watch | None
    best: dict[Any, OddsChange] = field(factory=dict)
    places: dict[str, dict[str, int]] = field(factory=dict)
    seen: set[str] = field(factory=set)
    tried: int = 0
    skipped: int = 0
    why_skipped: str | None = None
    proven: bool = False
    ended_early: bool = False
    random_choices: bool = False

    def result(self) -> QuestionChanges:
        """What was found."""
        found = [change for change in self.best.values() if change.difference]
        found = [evolve(each, facts=self.in_order(each.facts)) for each in found]
        found.sort(key=lambda each: (-abs(each.difference), value_text(each.outcome)))
        return QuestionChanges(
            self.procedure, self.of, tuple(found), self.tried, self.proven, self.skipped, self.why_skipped,
            self.ended_early, self.random_choices,
        )  # fmt: skip

    def explore(self, variables: list[_Variable], whole: bool) -> None:
        """Try all situations, or as many as the budget allows."""
        self.places = {each.name: {repr(value): at for at, value in enumerate(each.values)} for each in variables}
        size = prod(len(each.values) + each.optional for each in variables)
        try:
            if size <= self.search.situations:
                every = sorted(_all(variables), key=len)
                for facts in every:
                    self.attempt(facts)
                self.proven = whole and not self.skipped
            else:
                self.sample(variables)
                self.climb(variables)
        except _OutOfTime:
            self.ended_early = True

    def in_order(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """The facts in the order of the procedure's inputs, then the options."""
        known = [*external_names(self.old.program.procedures[self.procedure].inputs), *facts]
        return {name: facts[name] for name in dict.fromkeys(known) if name in facts}

    @property
    def spent(self) -> int:
        """How many situations were taken from the budget."""
        return self.tried + self.skipped

    def sample(self, variables: list[_Variable]) -> None:
        """Try the simplest situations, then random ones."""
        random, most = Random(self.search.seed), int(self.search.situations * _SHARE_AT_RANDOM)
        base = {each.name: each.values[0] for each in variables if not each.optional}
        self.attempt(base)
        for facts in islice(_one_by_one(base, variables), most // 3):
            self.attempt(facts)
        for _ in range(most * 4):
            if self.spent >= most:
                return
            self.attempt({each.name: each.drawn(random) for each in variables if each.is_set(random)})

    def climb(self, variables: list[_Variable]) -> None:
        """From the best situation of each outcome, change or drop one fact at a time while that is better."""
        ranked = sorted(self.best, key=lambda outcome: -abs(self.best[outcome].difference))
        climbed = [each for each in ranked if self.best[each].difference][:_MOST_CLIMBS]
        # Situations become simple first, while the budget lasts.
        for neighbours in (_without_one, _with_another):
            for outcome in climbed:
                before = None
                while before is not self.best[outcome]:
                    before = self.best[outcome]
                    for facts in neighbours(dict(before.facts), variables):
                        if self.spent >= self.search.situations:
                            return
                        self.attempt(facts)

    def attempt(self, facts: Mapping[str, Any]) -> None:
        """Compare the odds of one situation, once."""
        key = repr(sorted(facts.items()))
        if key in self.seen:
            return
        self.seen.add(key)
        if self.is_out_of_time:
            raise _OutOfTime
        try:
            old, new = self.both(facts)
        except EnfiladeError as error:
            if self.is_out_of_time:
                raise _OutOfTime from None
            self.skip(error)
            return
        self.tried += 1
        for outcome in {**old, **new}:
            change = OddsChange(outcome, old.get(outcome, Fraction(0)), new.get(outcome, Fraction(0)), facts)
            known = self.best.get(outcome)
            if known is None or self.rank(change) > self.rank(known):
                self.best[outcome] = change

    @property
    def is_out_of_time(self) -> bool:
        """Whether the time of the search is up."""
        return self.watch is not None and self.watch[0].has_passed(self.watch[1])

    def both(self, facts: Mapping[str, Any]) -> tuple[Mapping[Any, Fraction], Mapping[Any, Fraction]]:
        """The odds in both rulesets. If they depend on a choice, players choose at random from now on."""
        try:
            return self.odds(self.old, facts), self.odds(self.new, facts)
        except NeedsPolicy:
            if self.random_choices:
                raise
        self.random_choices = True
        return self.odds(self.old, facts), self.odds(self.new, facts)

    def rank(self, change: OddsChange) -> tuple[Fraction, int, int]:
        """The order of changes: the larger, then the one with fewer facts, then with earlier values."""
        places = sum(self.places[name][repr(value)] for name, value in change.facts.items())
        return abs(change.difference), -len(change.facts), -places

    def skip(self, error: EnfiladeError) -> None:
        """Count a situation in which one of the rulesets has no odds."""
        self.skipped += 1
        self.why_skipped = self.why_skipped or str(error)

    def odds(self, rules: PreparedRules, facts: Mapping[str, Any]) -> Mapping[Any, Fraction]:
        """The chance of each outcome in one of the rulesets."""
        program, limits = rules.program, self.search.limits
        known = external_names(program.procedures[self.procedure].inputs)
        if self.watch is not None:
            limits = evolve(limits, seconds=max(0.01, self.watch[1] - self.watch[0].elapsed()))
        situations = Situations(
            rules=rules, procedure=self.procedure, facts={name: facts[name] for name in facts if name in known},
            players=dict.fromkeys(program.players, "random") if self.random_choices else None,
            options={name: facts[name] for name in facts if name not in known and name in program.options},
            limits=limits,
        )  # fmt: skip
        try:
            found = situations.odds().of(self.of)
            return {outcome: found[outcome] for outcome in found}
        except RefusedOdds as refused:
            if refused.by_chance:
                raise
            return {f"refused: {refused.refusal}": Fraction(1)}


def _all(variables: list[_Variable]) -> Iterator[dict[str, Any]]:
    """Every combination; a fact that is left out has its default."""
    values = [(*([None] if each.optional else []), *((value,) for value in each.values)) for each in variables]
    for chosen in product(*values):
        yield {each.name: one[0] for each, one in zip(variables, chosen, strict=True) if one is not None}


def _one_by_one(base: dict[str, Any], variables: list[_Variable]) -> Iterator[dict[str, Any]]:
    """The situations in which one fact has another value: the first value of each fact, then the second, and so on."""
    for at in range(max((len(each.values) for each in variables), default=0)):
        yield from ({**base, each.name: each.values[at]} for each in variables if at < len(each.values))


def _without_one(facts: dict[str, Any], variables: list[_Variable]) -> Iterator[dict[str, Any]]:
    """The situations in which one fact is left out."""
    for each in variables:
        if each.optional and each.name in facts:
            yield {name: value for name, value in facts.items() if name != each.name}


def _with_another(facts: dict[str, Any], variables: list[_Variable]) -> Iterator[dict[str, Any]]:
    """The situations in which one fact is left out, and those in which one has another value."""
    yield from _without_one(facts, variables)
    for each in variables:
        yield from ({**facts, each.name: value} for value in each.values)
