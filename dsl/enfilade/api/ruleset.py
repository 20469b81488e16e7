"""Rulesets: the main object of the API, with methods for play, odds and introspection.

Rulesets are immutable and thread-safe. Their caches are rebuilt when they are missing, for example after unpickling.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

from enfilade.api.arguments import merged_facts, require_dice
from enfilade.api.loaded_program import Loaded, from_data, load_variant
from enfilade.api.outcome import Outcome
from enfilade.api.prepared import PreparedRules, check_known
from enfilade.core.inputs import convert_record, facts_to_data
from enfilade.core.run import Refused
from enfilade.door import BigInt, late_door, odds_door, with_doors
from enfilade.engines.alignment import aligned
from enfilade.engines.askers import FRESH_DICE, Answers, GeneratorAsker
from enfilade.errors import InputError, RunError
from enfilade.limits import (
    DEFAULT_LIMITS,
    Limits,
    in_force,
    limited,
    limits_or_those_in_force,
    one_call,
    one_question,
)
from enfilade.values.json_data import to_json

# Modules that only some methods need are imported there, so programs that only play start faster.
if TYPE_CHECKING:
    from concurrent.futures import Executor

    from enfilade.api.chains import Chain
    from enfilade.api.charts import ChartTable
    from enfilade.api.citations import Citation
    from enfilade.api.comparisons import Comparison, Matters
    from enfilade.api.describe import EventKind, InputField, Procedure
    from enfilade.api.events import NotStarted, Started
    from enfilade.api.execution import CompiledProcedure
    from enfilade.api.grids import Grid
    from enfilade.api.least_value import Least
    from enfilade.api.odds import Odds
    from enfilade.api.parameter_sweep import Parts
    from enfilade.api.policies import Policies
    from enfilade.api.prepared_rolls import PreparedRoll
    from enfilade.api.prepared_rows import PreparedRolls
    from enfilade.api.ruleset_diff import RulesetDiff
    from enfilade.api.runs import Run, Seed
    from enfilade.api.sampling import Sample
    from enfilade.api.sensitivity import Sensitivity
    from enfilade.api.symbols import RecordKind, Symbol
    from enfilade.core.requests import Asker
    from enfilade.diagnostics.diagnostic import Diagnostic
    from enfilade.engines.committed_dice import CommittedDice
    from enfilade.engines.odds import Progress
    from enfilade.source.text import SourceFile, Text
    from enfilade.values.data import State
    from enfilade.values.types import Type


@with_doors
class Ruleset(PreparedRules):
    """A checked ruleset with its options set; created by ``enfilade.load``.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> shot = rules.resolve("direct_fire", fire_value=16, terrain={"town"}, ranges=[1], dice=[4, 3])
        >>> shot.outputs["column"], shot.result
        ('16', '-')
    """

    __slots__ = ("_cited", "_other")

    def __init__(self, loaded: Loaded) -> None:
        """Create a ruleset; embedders call ``enfilade.load``.

        Args:
            loaded: The checked program with its texts and options.
        """
        super().__init__(loaded)
        self._cited: tuple[Citation, ...] | None = None
        self._other: Ruleset | None = None

    # -- description ----------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The title of the ruleset, or its name if it has no title."""
        return self._program.note.label or self._program.name

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players."""
        return self._program.players

    @property
    def option_fields(self) -> tuple[InputField, ...]:
        """The options with their types, labels and citations."""
        from enfilade.api.describe import describe_option

        return tuple(describe_option(option) for option in self._program.options.values())

    @property
    def changed_options(self) -> Mapping[str, Any]:
        """The options with other values than their defaults, as plain data by name."""
        declared = self._program.options
        return {name: to_json(value) for name, value in self._options.items() if value != declared[name].default}

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """The procedures with their inputs and outputs, in the order of the text.

        Helpers and procedures of the standard library are left out: they are for other procedures to call.
        """
        from enfilade.api.describe import describe_procedure, is_own

        names = [
            name
            for name, each in self._program.procedures.items()
            if is_own(self._program, each.note) and not each.helper
        ]
        return tuple(describe_procedure(self._program, name) for name in names)

    def procedure(self, name: str) -> Procedure:
        """Describe one procedure.

        Raises:
            InputError: The ruleset has no such procedure.
        """
        from enfilade.api.describe import describe_procedure

        self.check_procedure(name)
        return describe_procedure(self._program, name)

    def inputs(self, name: str) -> Mapping[str, InputField]:
        """Return the facts that a procedure or an event takes, by name, in the order of declaration.

        Raises:
            InputError: The ruleset has no such procedure or event.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").inputs("direct_fire")["fire_value"].domain
            Num(low=1, high=None, whole=True)
        """
        from enfilade.api.describe import describe_inputs, inputs_of

        if name not in self._program.events:
            self.check_procedure(name)
        return {each.name: each for each in describe_inputs(self._program, inputs_of(self._program, name))}

    @property
    def records(self) -> Mapping[str, RecordKind]:
        """The kinds of records with their fields, by name."""
        from enfilade.api.symbols import describe_records
        from enfilade.core.graph import analysis

        return analysis(self._program, describe_records)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """The symbol table: every declared name with its kind, label, type and position in the text."""
        from enfilade.api.symbols import symbols_of
        from enfilade.core.graph import analysis

        return analysis(self._program, symbols_of)

    def names(self, *kinds: str) -> tuple[str, ...]:
        """Return the declared names of some kinds, each once, including those of imported library modules.

        Args:
            *kinds: Kinds of symbols, as in ``Symbol.kind``; the names are in the order of the kinds.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").names("procedure", "event")
            ('direct_fire',)
        """
        return tuple(dict.fromkeys(each.name for kind in kinds for each in self.symbols if each.kind == kind))

    @property
    def events(self) -> tuple[EventKind, ...]:
        """The events that the rules react to."""
        from enfilade.api.describe import describe_event

        return tuple(describe_event(self._program, name) for name in self._program.events)

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of the charts and of the header rows that charts share."""
        return (*self._program.charts, *self._program.columns)

    def chart(self, name: str) -> ChartTable:
        """Return a chart as printed, or header rows that charts share.

        Raises:
            InputError: The ruleset has no such chart.
        """
        from enfilade.api.charts import table_of, table_of_columns

        check_known("chart", name, self.charts)
        if name in self._program.columns:
            return table_of_columns(self._program.columns[name])
        return table_of(self._program.charts[name])

    def record_fields(
        self,
        record: str,
        name: str,
        fields: Mapping[str, Any],
        among: Mapping[str, tuple[str, Mapping[str, Any]]] | None = None,
    ) -> dict[str, Any]:
        """Check the fields of a record without playing a procedure with it.

        Args:
            record: The kind of record.
            name: The name of the record.
            fields: The fields by name.
            among: Other records that the fields may name: the kind and the fields of each, by name.

        Returns:
            The given fields, as plain data.

        Raises:
            InputError: The kind of record is unknown, or a field is unknown, missing or outside its domain.
        """
        check_known("record", record, self._program.records)
        return convert_record(self._program, record, name, fields, among or {})

    def check_facts(self, procedure: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the facts of a procedure without playing it.

        Args:
            procedure: The name of the procedure.
            given: Facts by name; missing facts are not an error here.

        Returns:
            The facts as plain data in canonical form: equal facts give equal data.

        Raises:
            InputError: The procedure or a fact is unknown, or a fact is outside its domain.
        """
        self.check_procedure(procedure)
        return facts_to_data(self._program, *self.reader(self._program.procedures[procedure].inputs).read(dict(given)))

    @property
    def citations(self) -> tuple[str, ...]:
        """All cited sections of the rulebook, in natural order: ``9`` before ``16.3``."""
        from enfilade.api.citations import cited

        return cited(self._citations())

    def citing(self, cite: str) -> tuple[Citation, ...]:
        """Find the lines that cite a section of the rulebook.

        Args:
            cite: The section as written in brackets; ``16`` finds ``16.3`` too.

        Returns:
            The lines that cite exactly this section, then the lines that cite a part of it. Both are in the order of
            the text, with modules after the main text.

        Raises:
            InputError: No line cites the section.

        Examples:
            >>> import enfilade
            >>> [line.name for line in enfilade.load("infantry_attacks").citing("16.1")]
            ['dug_in', 'dug_in']
        """
        from enfilade.api.citations import citing

        return citing(self._citations(), cite)

    def _citations(self) -> tuple[Citation, ...]:
        from enfilade.api.citations import all_citations

        if self._cited is None:
            self._cited = all_citations(self._loaded.checked)
        return self._cited

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The warnings of the checker."""
        return self._loaded.checked.diagnostics

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """The texts of the ruleset, the main one first."""
        return self._loaded.checked.sources

    # -- options --------------------------------------------------------------------------------------------

    def with_options(self, **options: Any) -> Ruleset:
        """Return a copy with other values of options.

        Args:
            **options: The new values by name; other options keep their values.

        Returns:
            The copy of the ruleset.

        Raises:
            InputError: An option is unknown, or its value is not allowed.
        """
        return Ruleset(evolve(self._loaded, options=self.options_with(options)))

    def with_limits(self, limits: Limits) -> Ruleset:
        """Return a copy with other limits for its plays and odds.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("infantry_attacks")
            >>> rules.with_limits(enfilade.Limits.untrusted()).limits.steps
            100000
        """
        return Ruleset(evolve(self._loaded, limits=limits_or_those_in_force(limits)))

    def _under(self, limits: Limits | None) -> Ruleset:
        """Return the ruleset with the limits of a call, if it has any of its own; the last one is kept."""
        if limits is None or limits_or_those_in_force(limits) == self._limits:
            return self
        if self._other is None or self._other.limits != limits:
            self._other = self.with_limits(limits)
        return self._other

    def extended(self, text: Text, name: str = "scratch") -> Ruleset:
        """Create a variant with additional or changed declarations.

        Args:
            text: Declarations, without the ``ruleset ... extends`` line. Write new ones as usual; begin a change with
                ``replace``, ``add to`` or ``remove``.
            name: The name of the variant.

        Returns:
            The variant, with the same values of options. This ruleset does not change.

        Raises:
            RulesetError: The variant has errors; the exception has the diagnostics.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("infantry_attacks").extended("procedure scatter\\n  1. give result = fire_value * 2")
            >>> rules.resolve("scatter", fire_value=4).result
            8
        """
        with limited(self._limits), one_call():
            return Ruleset(load_variant(self._loaded, text, name))

    # -- play -----------------------------------------------------------------------------------------------

    @late_door
    def resolve(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        seed: Seed = None, options: Mapping[str, Any] | None = None, explainable: bool = True,
        limits: Limits | None = None, **facts: Any,
    ) -> Outcome:  # fmt: skip
        """Play a procedure to its end.

        Args:
            procedure: The name of the procedure.
            given: Facts by name, for facts with the name of an argument of this method.
            dice: Faces as printed, in the order of the rolls, or by the name of the roll. Without *dice*, dice are
                rolled at random. With *dice*, no dice are rolled unless *seed* is given too.
            choices: The players' choices, in the order of the questions, or by the name of the choice.
            seed: The seed of the dice; the same seed gives the same dice, so whoever knows it can work them out. Without
                *seed*, dice come from the operating system and can't be foreseen. ``CommittedDice`` can be checked by
                an opponent.
            options: Values of options for this call.
            explainable: Whether the outcome keeps the data for a later explanation.
            limits: Limits for this call.
            **facts: The facts by name.

        Returns:
            The outcome: resolved, or refused by the rules.

        Raises:
            InputError: A fact, an option or an answer is missing or outside its domain; nothing was rolled.
            RuleError: The rules reach a case that they do not cover, such as an empty deck.
            LimitError: The run exceeds a limit.
        """
        if given is not None:
            facts = merged_facts(given, facts)
        if limits is not None or (self._limits is not DEFAULT_LIMITS and in_force() is not self._limits):
            rules = self._under(limits)
            with one_call(rules.limits):
                return rules.resolve(
                    procedure,
                    given=facts,
                    dice=dice,
                    choices=choices,
                    seed=seed,
                    options=options,
                    explainable=explainable,
                )
        compiled = self._procedures.get(procedure) or self.compiled_procedure(procedure)
        values = self.options_with(options) if options else self._options
        if isinstance(dice, (list, tuple)) and choices is None and seed is None:
            # The fast path: most calls have plain facts and plain dice.
            try:
                found = compiled.scripted(values, facts, dice)
            except InputError as wrong:
                raise _with_given(wrong, facts) from None
            except RunError:
                # The run below fails alike, and logs the answers up to the failure.
                found = None
            if found is not None:
                return Outcome((compiled, values, found, tuple(dice)), {} if explainable else {"explanation": None})
        converted, state = compiled.reader.read(facts)
        if choices is None:
            play = self._played(
                compiled, values, facts, converted, state, Answers(dice, None, _fallback(dice, seed, self._digest))
            )
        else:
            fixed = secrets.randbits(64) if dice is None and seed is None else seed
            play = aligned(
                lambda ways: self._played(
                    compiled,
                    values,
                    facts,
                    converted,
                    state,
                    Answers(dice, choices, _fallback(dice, fixed, self._digest), ways),
                )
            )
        return Outcome(
            (self._program, procedure, values, converted, state, *play, self._limits),
            {} if explainable else {"explanation": None},
        )

    def _played(
        self, compiled: CompiledProcedure, values: Mapping[str, Any], facts: dict[str, Any], converted: dict[str, Any],
        state: State, answers: Answers,
    ) -> tuple[Any, Refused | None, Answers]:  # fmt: skip
        """Play a procedure once, to the end."""
        asker: Asker = answers
        for name in compiled.demanded:
            if name not in converted:
                asker = compiled.facts_first(converted, answers)
        try:
            ending = compiled.play(values, converted, state, asker)
        except Refused as refusal:
            # A refusal ends the run early, so unused given dice are not an error.
            return ({}, (), state), refusal, answers
        except InputError as wrong:
            raise _with_given(wrong, facts) from None
        except RunError as error:
            compiled.locate(error, values, converted, state, answers.log)
            raise
        answers.check_finished()
        return ending, None, answers

    def begin(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        seed: Seed = None, options: Mapping[str, Any] | None = None, ask_all: bool = False,
        limits: Limits | None = None, **facts: Any,
    ) -> Run:  # fmt: skip
        """Begin a run that asks for missing facts, dice and choices.

        Args:
            procedure: The name of the procedure.
            given: Facts by name, for facts with the name of an argument of this method.
            dice: Known dice, as in ``resolve``.
            choices: Known choices, as in ``resolve``.
            seed: The seed of the dice of ``Run.roll``, or committed dice, as in ``resolve``.
            options: Values of options for this run.
            ask_all: Whether the run also asks for facts with a default.
            limits: Limits for this run.
            **facts: The facts by name.

        Returns:
            The run, at its first question or its end.

        Raises:
            InputError: A fact or an option is outside its domain.
        """
        self.check_procedure(procedure)
        from enfilade.api.runs import Start, advance

        rules = self._under(limits)
        with one_call(rules.limits):
            reader = rules.reader(self._program.procedures[procedure].inputs)
            converted, state = reader.read(merged_facts(given, facts))
            data = facts_to_data(self._program, converted, state)
            known = require_dice(seed, self._digest)
            start = Start(procedure, self.options_with(options), data, ask_all=ask_all, seed=known)
            return advance(rules, start, (), dice, choices)

    def resume(
        self, saved: str, *, accept_changes: bool = False, committed: CommittedDice | None = None,
        limits: Limits | None = None,
    ) -> Run:  # fmt: skip
        """Continue a saved run, of this process or another.

        Args:
            saved: The result of ``Run.save``.
            accept_changes: Whether to continue a run whose facts, dice or answers were changed after it was saved.
            committed: The committed dice of the run, with their secret, which a save leaves out.
            limits: Limits for this run.

        Raises:
            AnswerError: The text is not a saved run, it was saved with other rules, or it was changed.
        """
        from enfilade.api.saved_runs import resume

        rules = self._under(limits)
        with one_call(rules.limits):
            return resume(rules, saved, accept_changes, committed)

    def notify(
        self, event: str, *, given: Mapping[str, Any] | None = None, options: Mapping[str, Any] | None = None,
        seed: Seed = None, limits: Limits | None = None, **facts: Any,
    ) -> tuple[Started | NotStarted, ...]:  # fmt: skip
        """Report an event.

        Args:
            event: The name of the event.
            given: Facts by name, for facts with the name of an argument of this method.
            options: Values of options for the started runs.
            seed: The seed of the dice of ``Run.roll`` in the first started run; the seeds of later runs are derived
                from it.
            limits: Limits for this call and for the runs that it starts.
            **facts: The facts by name.

        Returns:
            For each reaction the started run, or the reason why none started.

        Raises:
            InputError: The event is unknown, or a fact is missing or outside its domain.
        """
        from enfilade.api.events import deliver

        check_known("event", event, self._program.events)
        rules = self._under(limits)
        with one_call(rules.limits):
            known = require_dice(seed, self._digest)
            return deliver(rules, event, merged_facts(given, facts), self.options_with(options), known)

    # -- odds -----------------------------------------------------------------------------------------------

    @odds_door
    def odds(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        players: Mapping[str, str] | None = None, policy: Policies | None = None, aim: str | None = None,
        options: Mapping[str, Any] | None = None, limits: Limits | None = None, progress: Progress | None = None, **facts: Any,
    ) -> Odds:  # fmt: skip
        """Return the exact odds of a procedure.

        Args:
            procedure: The name of the procedure.
            given: Facts by name, for facts with the name of an argument of this method.
            dice: The first dice and cards, if they are known, as in ``resolve``.
            choices: The players' choices: a mapping from the name of a choice to a value, to a list in order of
                preference, or to a function of the question; or a list of the choices before the first roll.
            players: How each player chooses: ``"best"`` or ``"worst"`` for the aim, or ``"random"``.
            policy: What is chosen, by the name of the choice: an expression in the words of the rules, such as
                ``{"pushes": "first_sixes is 0"}``, or a function of a ``PolicyChoice``; or one function for all choices. An
                expression gives an option, or a list of options in order of preference.
            aim: The condition or number to maximise.
            options: Values of options for this call.
            limits: Limits for this call, instead of those of the ruleset.
            progress: Called from time to time with the amount of work done.
            **facts: The facts by name.

        Returns:
            The odds; each question is calculated on demand.

        Raises:
            InputError: A fact, an option or an answer is missing or outside its domain.
            RuleError: The rules reach a case that they do not cover.
        """
        self.check_procedure(procedure)
        from enfilade.api.odds import Odds
        from enfilade.api.situations import open_situation

        every = merged_facts(given, facts)
        limits = self.limits if limits is None else limits_or_those_in_force(limits)
        # What is played before the first roll takes its time from that of the question.
        with one_call(limits), one_question(limits):
            rules = self._with_policy(procedure, every, policy)
            opening = open_situation(
                rules, procedure, every, dice=dice, choices=choices, players=players, options=options, limits=limits
            )

        def follow(make: Callable[[Loaded], Chain], known: Mapping[str, Any]) -> Odds:
            from enfilade.api.chains import added_to

            chain = make(self._loaded)
            return Ruleset(added_to(self._loaded, chain)).odds(
                chain.procedure.name, given=known, dice=dice, choices=choices, players=players, policy=policy,
                aim=aim, options=options, limits=limits, progress=progress,
            )  # fmt: skip

        return Odds(rules.query_reader, opening, (), aim, limits, progress, follow)

    def _with_policy(self, procedure: str, facts: Mapping[str, Any], policy: Policies | None) -> PreparedRules:
        if policy is None:
            return self
        from enfilade.api.policies import policed

        return policed(self, procedure, facts, policy)

    @odds_door
    def least(
        self, fact: str, procedure: str, *, chance: Any, of: str, within: Iterable[Any] | None = None, **situation: Any
    ) -> Least:
        """Search for the least value of a fact that gives a condition a wanted chance.

        Args:
            fact: What is varied: a name of ``variables``.
            procedure: The name of the procedure.
            chance: The wanted chance: ``"1/2"``, ``"50%"``, a ``Fraction``.
            of: The condition, in the form used after ``chance of`` in an example.
            within: The values to try, in this order. By default the search tries all values of the fact; for a number
                without an upper bound, the first hundred and the ends of chart labels above them.
            **situation: The facts, and further arguments of ``odds``; ``condition`` is a condition (or several) for
                conditional chances, as in ``Odds.given``.

        Returns:
            The value that was found, or the value with the best chance.

        Raises:
            InputError: An argument is unknown or outside its domain.
            RefusedOdds: The rules refuse every value.
        """
        from enfilade.api.least_value import least
        from enfilade.api.shared_settings import Situations

        return least(Situations.of_call(self, procedure, situation), fact, chance, of, within)

    @odds_door
    def grid(
        self, procedure: str, *, by: Mapping[str, Iterable[Any] | None], of: str = "result",
        executor: Executor | None = None, workers: int | None = None, parts: Parts | None = None, **situation: Any,
    ) -> Grid:  # fmt: skip
        """Calculate the odds of a question for all combinations of the values of some facts.

        Args:
            procedure: The name of the procedure.
            by: What is varied: names of ``variables`` (facts, fields, options, definitions, choices, players), each with
                its values; ``None`` for all values, as in ``least``.
            of: The question.
            executor: An executor for the work: threads, processes or a cluster.
            workers: The number of worker processes, if there is no executor.
            parts: Called after each combination with the number done and the total; not called with an executor.
            **situation: The facts, and further arguments of ``odds``; ``condition`` as in ``least``.

        Returns:
            A distribution, or a refusal, for every combination.

        Raises:
            InputError: An argument is unknown or outside its domain.
        """
        from enfilade.api.grids import grid
        from enfilade.api.parameter_sweep import processes
        from enfilade.api.shared_settings import Situations

        situations = Situations.of_call(self, procedure, situation)
        if executor is not None or workers is None or workers == 1:
            return grid(situations, by, of, executor, parts)
        with processes(workers) as own:
            return grid(situations, by, of, own, parts)

    @odds_door
    def compare(
        self, procedure: str, a: Mapping[str, Any], b: Mapping[str, Any], *, other: Ruleset | None = None,
        of: str = "result", **situation: Any,
    ) -> Comparison:  # fmt: skip
        """Compare the odds of a question in two situations.

        Args:
            procedure: The name of the procedure.
            a: What differs in the first situation: values by the names of ``variables``.
            b: What differs in the second situation.
            other: The ruleset of the second situation, if it is another one or has other options.
            of: The question.
            **situation: The facts of both situations, and further arguments of ``odds``.

        Returns:
            Both distributions and their differences.

        Raises:
            InputError: An argument is unknown or outside its domain.
            RefusedOdds: The rules refuse in one of the situations.
        """
        from enfilade.api.comparisons import compare
        from enfilade.api.shared_settings import Situations

        mine = Situations.of_call(self, procedure, situation)
        theirs = mine if other is None else Situations.of_call(other, procedure, situation)
        return compare(mine, theirs, a, b, of)

    @odds_door
    def diff(
        self, other: Ruleset, *, of: Sequence[str] = (), situations: int | None = None, seed: int = 1,
        limits: Limits | None = None, parts: Parts | None = None,
    ) -> RulesetDiff:  # fmt: skip
        """Compare this ruleset with a newer one: what changed in the rules, and the largest changes of odds.

        The search for the largest changes varies facts and options. If it can't try all situations, it takes a sample
        with a fixed seed and improves the best ones. ``QuestionChanges.proven`` tells whether all were tried.

        Args:
            other: The new ruleset.
            of: The questions; by default the result of each procedure, and its other outputs if the result does not
                change.
            situations: How many situations are tried for each question; 400 by default, 0 to compare no odds.
            seed: The seed of the sample.
            limits: The limits; ``seconds`` is the time of the whole search.
            parts: Called after each procedure with the progress.

        Returns:
            The difference; empty if nothing changed.

        Raises:
            InputError: A question can't be asked of a procedure.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("infantry_attacks")
            >>> text = "ruleset house extends infantry_attacks\\nreplace cell of direct_fire_table row 7, column 16 with M\\n"
            >>> [(each.part, each.old, each.new) for each in rules.diff(enfilade.load(text=text), situations=0).changes]
            [('row 7, column 16', '-', 'M')]
        """
        from enfilade.api.ruleset_diff import diff

        return diff(self, other, of=of, situations=situations, seed=seed, limits=limits, parts=parts)

    def variables(self, procedure: str, **situation: Any) -> Mapping[str, Type | None]:
        """Return what can be varied in a situation, with its type: the names that ``grid``, ``least`` and ``compare`` take.

        Args:
            procedure: The name of the procedure.
            **situation: The facts, and further arguments of ``odds``. Fields of records in a list have names only if the
                list is given.

        Returns:
            The type of each fact, field (``target.steps``, ``steps`` of all records), option, definition, choice and
            player, by name; ``None`` for a choice.

        Examples:
            >>> import enfilade
            >>> variables = enfilade.load("franco_prussian").variables("melee")
            >>> variables["attacker.mr"], variables["half_scale"]
            (Num(low=5, high=9, whole=True), Bool())
        """
        from enfilade.api.shared_settings import Situations
        from enfilade.api.variables import variables_of

        found = variables_of(Situations.of_call(self, procedure, situation))
        return {name: each.type for name, each in found.items()}

    def varied(
        self, procedure: str, changes: Mapping[str, Any], **situation: Any
    ) -> tuple[Ruleset, dict[str, Any]]:  # fmt: skip
        """Return a situation with other values of what can be varied.

        Args:
            procedure: The name of the procedure.
            changes: The values, by the names of ``variables``.
            **situation: The facts, and further arguments of ``odds``.

        Returns:
            The ruleset, a variant if a definition changes; and the arguments for ``odds`` and similar methods.

        Raises:
            InputError: A name is unknown, or a value is not possible.
        """
        from enfilade.api.shared_settings import Situations
        from enfilade.api.variables import changed, variables_of

        here = Situations.of_call(self, procedure, situation)
        after = changed(here, variables_of(here), changes)
        rules = self if after.rules is self else Ruleset(after.rules.loaded)
        return rules, after.call()

    @odds_door
    def matters(self, procedure: str, *, of: str, **situation: Any) -> Matters:
        """Calculate the effect of each modifier: the odds if it applies, and the odds if it does not.

        Args:
            procedure: The name of the procedure.
            of: The question: a condition (its chance is compared) or a number (its mean is compared).
            **situation: The facts, and further arguments of ``odds``.

        Returns:
            The effects of the modifiers, the largest first.

        Raises:
            InputError: An argument is unknown or outside its domain.
            RefusedOdds: The rules refuse.
        """
        from enfilade.api.comparisons import matters
        from enfilade.api.shared_settings import Situations

        return matters(Situations.of_call(self, procedure, situation), of)

    @odds_door
    def sensitivity(
        self, procedure: str, *, of: str, by: Mapping[str, Iterable[Any] | None] | None = None,
        parts: Parts | None = None, **situation: Any,
    ) -> Sensitivity:  # fmt: skip
        """Find what moves the odds most: each fact, field of a given record and option over its values, one at a time.

        Args:
            procedure: The name of the procedure.
            of: The question: a condition (its chance is compared) or a number (its mean is compared).
            by: Values to try for some names of ``variables``, in place of all their values.
            parts: Called after each of them with the number done and the total.
            **situation: The facts, and further arguments of ``odds``.

        Returns:
            The lowest and the highest chance of each, with the values that give them; the largest span first.

        Raises:
            InputError: An argument is unknown or outside its domain.
            RefusedOdds: The rules refuse.

        Examples:
            >>> import enfilade
            >>> found = enfilade.load("infantry_attacks").sensitivity("direct_fire", of="M or worse", fire_value=11)
            >>> found.items[0].name, found["night"].span
            ('fire_value', Fraction(1, 9))
        """
        from enfilade.api.sensitivity import sensitivity
        from enfilade.api.shared_settings import Situations

        return sensitivity(Situations.of_call(self, procedure, situation), of, by, parts)

    def sample(
        self, procedure: str, *, trials: int, seed: BigInt | str | None = None, executor: Executor | None = None,
        workers: int | None = None, kernel: bool = True, **situation: Any,
    ) -> Sample:  # fmt: skip
        """Estimate odds by Monte Carlo sampling, for rules too large for exact odds.

        Args:
            procedure: The name of the procedure.
            trials: The number of runs.
            seed: The seed of the dice; the same seed gives the same counts, with any executor.
            executor: An executor for the work: threads, processes or a cluster.
            workers: The number of worker processes, if there is no executor.
            kernel: Whether a large sample may be drawn from the exact odds, if they are cheap to calculate.
            **situation: The facts, and further arguments of ``odds`` except ``aim``.

        Returns:
            The sample; each question is answered on demand.

        Raises:
            InputError: An argument is unknown or outside its domain.
        """
        from enfilade.api.sampling import Draws, fresh_seed, sample
        from enfilade.api.shared_settings import Situations

        situations = Situations.of_call(self, procedure, situation)
        draws = Draws(
            situations=situations, trials=trials, seed=fresh_seed() if seed is None else seed, executor=executor,
            workers=workers, kernel=kernel,
        )  # fmt: skip
        return sample(self.query_reader, situations.opening(), draws)

    @odds_door
    def prepare(self, procedure: str, *, of: str | Iterable[str] = "result", **situation: Any) -> PreparedRoll:
        """Work the odds of a question out once, to roll it many times.

        Args:
            procedure: The name of the procedure.
            of: The question; several are rolled together, on the same dice.
            **situation: The facts, and further arguments of ``odds``; ``condition`` as in ``least``.

        Returns:
            The prepared roll.

        Raises:
            InputError: An argument is unknown or outside its domain.
            RefusedOdds: The rules refuse.
            NeedsPolicy: The answer depends on a choice without a policy.
            OddsError: A part of the odds was not worked out, or the condition is impossible.
            LimitError: The calculation exceeds the limits.

        Examples:
            >>> import enfilade, random
            >>> shot = enfilade.load("infantry_attacks").prepare("direct_fire", of=["result", "roll"], fire_value=16)
            >>> shot.roll(random.Random(1))
            ('-', 7)
        """
        from enfilade.api.prepared_rolls import PreparedRoll
        from enfilade.api.shared_settings import Situations

        return PreparedRoll(Situations.of_call(self, procedure, situation).odds().asked(of))

    @odds_door
    def prepare_many(
        self, procedure: str, columns: Any, *, of: str | Iterable[str] = "result", executor: Executor | None = None,
        workers: int | None = None, parts: Parts | None = None, **situation: Any,
    ) -> PreparedRolls:  # fmt: skip
        """Work the odds of a question out once for each of many situations, to roll them together.

        Args:
            procedure: The name of the procedure.
            columns: The facts that differ: a mapping from each fact to its values, one for each situation, or a data
                frame (pandas, polars, Arrow) with a column for each fact. Equal situations are worked out once.
            of: The question; several are rolled together, on the same dice.
            executor: An executor for the work: threads, processes or a cluster.
            workers: The number of worker processes, if there is no executor.
            parts: Called after each different situation with the number done and the total; not called with an executor.
            **situation: The facts of all situations, and further arguments of ``odds``; ``condition`` as in ``least``.

        Returns:
            The prepared rolls, one row for each situation. A refusal by the rules is an error only when its row is
            rolled.

        Raises:
            InputError: An argument is unknown or outside its domain; the message says the row, counted from 0.
            NeedsPolicy: The answer depends on a choice without a policy.
            OddsError: A part of the odds was not worked out, or the condition is impossible.
            LimitError: The calculation exceeds the limits.

        Examples:
            >>> import enfilade, random
            >>> fires = enfilade.load("infantry_attacks").prepare_many("direct_fire", {"fire_value": [16, 30, 16]})
            >>> fires.roll(random.Random(1))
            ['-', '2X', 'M2']
        """
        from enfilade.api.parameter_sweep import processes
        from enfilade.api.prepared_rows import prepare_rows
        from enfilade.api.shared_settings import Situations

        situations = Situations.of_call(self, procedure, situation)
        if executor is not None or workers is None or workers == 1:
            return prepare_rows(situations, columns, of, executor, parts)
        with processes(workers) as own:
            return prepare_rows(situations, columns, of, own, parts)

    # -- as a value -----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """Show the name and the title."""
        return f"<Ruleset {self.name}: {self.title}>"

    def to_json(self) -> dict[str, Any]:
        """Return the ruleset as plain data (its texts and options), to store with saved games."""
        return self._loaded.to_json()

    @classmethod
    def from_json(cls, data: Any, *, limits: Limits | None = None) -> Ruleset:
        """Create a ruleset from plain data; no file is opened.

        Args:
            data: The result of ``to_json``.
            limits: The limits of the check, and of its plays and odds.

        Raises:
            RulesetError: The data are not those of a ruleset, or the texts have errors.
        """
        with limited(limits_or_those_in_force(limits)):
            return cls(from_data(data))

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Ruleset], tuple[dict[str, Any]]]:
        """Pickle the texts and the limits; unpickling checks the texts again."""
        return partial(Ruleset.from_json, limits=self._limits), (self.to_json(),)


def _with_given(wrong: InputError, facts: Mapping[str, Any]) -> InputError:
    from enfilade.api.error_data import with_given

    return with_given(wrong, facts)


def _fallback(dice: Any, seed: Seed, rules: str) -> Asker | None:
    """Return the asker for missing dice: a generator, or none if dice but no seed are given."""
    known = require_dice(seed, rules)
    if known is not None:
        return GeneratorAsker.from_seed(known)
    return _FRESH if dice is None else None


_FRESH: Final = GeneratorAsker(FRESH_DICE)
