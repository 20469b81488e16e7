"""A ruleset that is ready to be played: the object that an embedder holds.

It never changes, and any number of threads may use it. What it keeps for speed is made again where it is
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

from enfilade.api.loaded_program import Loaded, from_data, load_variant
from enfilade.api.outcome import Outcome
from enfilade.api.prepared import PreparedRules, check_known
from enfilade.core.inputs import convert_record, facts_to_data
from enfilade.core.json_values import to_json
from enfilade.core.run import Refused
from enfilade.engines.askers import FRESH_DICE, Answers, GeneratorAsker
from enfilade.errors import InputError

# What only some methods need is imported when they are called: a program that only plays starts sooner.
if TYPE_CHECKING:
    from concurrent.futures import Executor

    from enfilade.api.charts import ChartTable
    from enfilade.api.citations import Citation
    from enfilade.api.comparisons import Comparison, Matters
    from enfilade.api.describe import EventKind, InputField, Procedure
    from enfilade.api.events import NotStarted, Started
    from enfilade.api.grids import Grid
    from enfilade.api.least_value import Least
    from enfilade.api.odds import Odds
    from enfilade.api.parameter_sweep import Parts
    from enfilade.api.runs import Run, Seed
    from enfilade.api.sampling import Sample
    from enfilade.api.symbols import RecordKind, Symbol
    from enfilade.core.requests import Asker
    from enfilade.diagnostics.diagnostic import Diagnostic
    from enfilade.engines.odds import OddsLimits, Progress
    from enfilade.source.text import SourceFile


class Ruleset(PreparedRules):
    """A checked ruleset with its options set; made by ``enfilade.load``.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> shot = rules.resolve("direct_fire", fire_value=16, terrain={"town"}, ranges=[1], dice=[4, 3])
        >>> shot.outputs["column"], shot.result
        ('16', '-')
    """

    __slots__ = ("_cited",)

    def __init__(self, loaded: Loaded) -> None:
        """Keep a checked program; embedders call ``enfilade.load``.

        Args:
            loaded: The program with its texts and options.
        """
        super().__init__(loaded)
        self._cited: tuple[Citation, ...] | None = None

    # -- what it is -----------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Its title, or its name where it has none."""
        return self._program.note.label or self._program.name

    @property
    def players(self) -> tuple[str, ...]:
        """The players that it speaks of."""
        return self._program.players

    @property
    def option_fields(self) -> tuple[InputField, ...]:
        """The options with their types, labels and citations."""
        from enfilade.api.describe import describe_option

        return tuple(describe_option(option) for option in self._program.options.values())

    @property
    def changed_options(self) -> Mapping[str, Any]:
        """The options that are not at their defaults, as plain data by name."""
        declared = self._program.options
        return {name: to_json(value) for name, value in self._options.items() if value != declared[name].default}

    @property
    def procedures(self) -> tuple[Procedure, ...]:
        """Its procedures with their inputs and outputs, in the order of the text.

        Those of the standard library that it uses are not among them: they are for its own procedures to call.
        """
        from enfilade.api.describe import describe_procedure, is_own

        names = [name for name, each in self._program.procedures.items() if is_own(self._program, each.note)]
        return tuple(describe_procedure(self._program, name) for name in names)

    def procedure(self, name: str) -> Procedure:
        """Describe one procedure.

        Raises:
            InputError: There is none of that name.
        """
        from enfilade.api.describe import describe_procedure

        self.check_procedure(name)
        return describe_procedure(self._program, name)

    def inputs(self, name: str) -> Mapping[str, InputField]:
        """The facts that a procedure or an event takes, by name, in the order of declaration.

        Raises:
            InputError: There is no procedure and no event of that name.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").inputs("direct_fire")["fire_value"].domain
            Num(low=1, high=None, whole=True)
        """
        from enfilade.api.describe import describe_event, describe_procedure

        described: EventKind | Procedure
        if name in self._program.events and name not in self._program.procedures:
            described = describe_event(self._program, name)
        else:
            self.check_procedure(name)
            described = describe_procedure(self._program, name)
        return {each.name: each for each in described.inputs}

    @property
    def records(self) -> Mapping[str, RecordKind]:
        """Its kinds of records with their fields, by name."""
        from enfilade.api.symbols import describe_records
        from enfilade.core.graph import analysis

        return analysis(self._program, describe_records)

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """Its symbol table: every declared name with its kind, label, type and place."""
        from enfilade.api.symbols import symbols_of
        from enfilade.core.graph import analysis

        return analysis(self._program, symbols_of)

    def names(self, *kinds: str) -> tuple[str, ...]:
        """The declared names of some kinds, each once; those of library modules in use are among them.

        Args:
            *kinds: Kinds of symbols, as ``Symbol.kind`` says; the names come in the order of the kinds.

        Examples:
            >>> import enfilade
            >>> enfilade.load("infantry_attacks").names("procedure", "event")
            ('direct_fire',)
        """
        return tuple(dict.fromkeys(each.name for kind in kinds for each in self.symbols if each.kind == kind))

    @property
    def events(self) -> tuple[EventKind, ...]:
        """The events that it reacts to."""
        from enfilade.api.describe import describe_event

        return tuple(describe_event(self._program, name) for name in self._program.events)

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of its charts."""
        return (*self._program.charts, *self._program.columns)

    def chart(self, name: str) -> ChartTable:
        """Give a chart as printed, or header rows that charts share.

        Raises:
            InputError: There is none of that name.
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
        """Take in the fields of a record as those of a fact are, before any procedure is played with it.

        Args:
            record: The kind of record.
            name: What it is called.
            fields: Its fields by name.
            among: Other records that it may name, by name: the kind of each, and its fields.

        Returns:
            The fields that were given, as plain data.

        Raises:
            InputError: There is no such record, or a field is unknown, missing or outside its domain.
        """
        check_known("record", record, self._program.records)
        return convert_record(self._program, record, name, fields, among or {})

    def check_facts(self, procedure: str, given: Mapping[str, Any]) -> dict[str, Any]:
        """Check the facts of a procedure without playing it.

        Args:
            procedure: Its name.
            given: Facts by name; facts that are missing are no mistake here.

        Returns:
            The facts as plain data in one form: two ways to write the same facts give equal data.

        Raises:
            InputError: There is no such procedure, or a fact is unknown or outside its domain.
        """
        self.check_procedure(procedure)
        return facts_to_data(self._program, *self.reader(self._program.procedures[procedure].inputs).read(dict(given)))

    @property
    def citations(self) -> tuple[str, ...]:
        """All that its lines cite, in natural order: ``9`` before ``16.3``."""
        from enfilade.api.citations import cited

        return cited(self._citations())

    def citing(self, cite: str) -> tuple[Citation, ...]:
        """Find the lines that cite a section of the rulebook.

        Args:
            cite: The section as it stands in brackets; ``16`` finds ``16.3`` too.

        Returns:
            The lines that cite just this, then those that cite a part of it: in the order of the text, those of its own
            text before those of modules.

        Raises:
            InputError: Nothing cites it.

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
        """What the checker warns of."""
        return self._loaded.checked.diagnostics

    @property
    def sources(self) -> tuple[SourceFile, ...]:
        """Its texts, the main one first."""
        return self._loaded.checked.sources

    # -- options --------------------------------------------------------------------------------------------

    def with_options(self, **options: Any) -> Ruleset:
        """Set options.

        Args:
            **options: Their values by name; the others stay as they are.

        Returns:
            The ruleset with these options.

        Raises:
            InputError: An option is unknown, or its value is not allowed.
        """
        return Ruleset(evolve(self._loaded, options=self.options_with(options)))

    def extended(self, text: str, name: str = "scratch") -> Ruleset:
        """Make a variant that says more, or other things.

        Args:
            text: Declarations as in a text that begins with ``extends``: what is new stands by itself, what is changed
                after ``replace``, ``add to`` or ``remove``.
            name: What the variant is called.

        Returns:
            The variant, with the same options set. This ruleset stays as it is.

        Raises:
            RulesetError: It does not check; the error holds the diagnostics.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("infantry_attacks").extended("procedure scatter\\n  1. give result = fire_value * 2")
            >>> rules.resolve("scatter", fire_value=4).result
            8
        """
        return Ruleset(load_variant(self._loaded, text, name))

    # -- playing --------------------------------------------------------------------------------------------

    def resolve(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        seed: Seed = None, options: Mapping[str, Any] | None = None, explainable: bool = True, **facts: Any,
    ) -> Outcome:  # fmt: skip
        """Play a procedure to its end.

        Args:
            procedure: Its name.
            given: Facts by name, for those that are called like an argument of this method.
            dice: Faces as printed, in the order of the rolls, or by the name of the roll. Without them dice
                are rolled; with them nothing is, unless there is a seed too.
            choices: What players choose, in the order in which they are asked, or by the name of the choice.
            seed: What the dice come from; the same seed gives the same dice.
            options: Options for this call.
            explainable: Whether the outcome can say later why it came out so.
            **facts: The facts by name.

        Returns:
            The outcome: resolved, or refused by the rules.

        Raises:
            InputError: A fact, an option or an answer is missing or outside its domain; nothing was rolled.
            RuleError: The rules ran into something that they do not provide for.
            LimitError: A limit of a run was reached.
        """
        if given:
            facts = {**given, **facts}
        compiled = self._procedures.get(procedure) or self.compiled_procedure(procedure)
        values = self.options_with(options) if options else self._options
        if dice is not None and choices is None and seed is None:
            # Plain facts and plain dice are the most frequent call: the fast path.
            try:
                found = compiled.scripted(values, facts, dice)
            except InputError as wrong:
                raise _with_given(wrong, facts) from None
            if found is not None:
                return Outcome((compiled, values, found, tuple(dice)), {} if explainable else {"explanation": None})
        converted, state = compiled.reader.read(facts)
        answers = Answers(dice, choices, _fallback(dice, seed))
        asker: Asker = answers
        for name in compiled.demanded:
            if name not in converted:
                asker = compiled.facts_first(converted, answers)
        refused = None
        try:
            ending = compiled.play(values, converted, state, asker)
        except Refused as refusal:
            # It comes before the dice: whatever was ready then stays in the hand.
            ending, refused = ({}, (), state), refusal
        except InputError as wrong:
            raise _with_given(wrong, facts) from None
        else:
            answers.check_finished()
        play = (self._program, procedure, values, converted, state, ending, refused, answers)
        return Outcome(play, {} if explainable else {"explanation": None})

    def begin(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        seed: Seed = None, options: Mapping[str, Any] | None = None, ask_all: bool = False, **facts: Any,
    ) -> Run:  # fmt: skip
        """Begin a procedure that asks for what is not given.

        Args:
            procedure: Its name.
            given: Facts by name, for those that are called like an argument of this method.
            dice: Dice that are known already, as in ``resolve``.
            choices: Choices that are known already, likewise.
            seed: What ``Run.roll`` takes its dice from.
            options: Options for this run.
            ask_all: Whether facts that have a default are asked for too.
            **facts: The facts by name.

        Returns:
            The run, at its first question or its end.

        Raises:
            InputError: A fact or an option is outside its domain.
        """
        self.check_procedure(procedure)
        from enfilade.api.runs import Start, advance

        converted, state = self.reader(self._program.procedures[procedure].inputs).read({**(given or {}), **facts})
        data = facts_to_data(self._program, converted, state)
        start = Start(procedure, self.options_with(options), data, ask_all=ask_all, seed=seed)
        return advance(self, start, (), dice, choices)

    def resume(self, saved: str) -> Run:
        """Continue a run that was saved, in this process or another.

        Args:
            saved: What ``Run.save`` gave.

        Raises:
            AnswerError: It is no saved run, or one of other rules.
        """
        from enfilade.api.saved_runs import resume

        return resume(self, saved)

    def notify(
        self, event: str, *, given: Mapping[str, Any] | None = None, options: Mapping[str, Any] | None = None,
        seed: Seed = None, **facts: Any,
    ) -> tuple[Started | NotStarted, ...]:  # fmt: skip
        """Report an event.

        Args:
            event: Its name.
            given: Facts by name, for those that are called like an argument of this method.
            options: Options for what it starts.
            seed: What ``Run.roll`` of what it starts takes its dice from: the first run from the seed itself, each of
                the others from one of its own that comes of it.
            **facts: The facts by name.

        Returns:
            For each reaction of the rules the run that it starts, or the reason why it starts none.

        Raises:
            InputError: The event is unknown, or a fact is missing or outside its domain.
        """
        from enfilade.api.events import deliver

        check_known("event", event, self._program.events)
        return deliver(self, event, {**(given or {}), **facts}, self.options_with(options), seed)

    # -- odds -----------------------------------------------------------------------------------------------

    def odds(
        self, procedure: str, *, given: Mapping[str, Any] | None = None, dice: Any = None, choices: Any = None,
        players: Mapping[str, str] | None = None, aim: str | None = None, options: Mapping[str, Any] | None = None,
        limits: OddsLimits | None = None, progress: Progress | None = None, **facts: Any,
    ) -> Odds:  # fmt: skip
        """Ask for the odds of a procedure: exact chances of everything that it can come to.

        Args:
            procedure: Its name.
            given: Facts by name, for those that are called like an argument of this method.
            dice: Dice and cards that are known already, the first first, as in ``resolve``.
            choices: What players choose: a mapping from the name of a choice to a value, to a list in order of
                preference, or to a function of the question; or a list of choices made before any die.
            players: For each player ``"best"`` or ``"worst"``, in view of the aim, or ``"random"``.
            aim: What is to be as high as possible: a condition, or a number.
            options: Options for this call.
            limits: How far it may go.
            progress: Told from time to time how much work was done.
            **facts: The facts by name.

        Returns:
            The odds; each question is worked out when it is asked.

        Raises:
            InputError: A fact, an option or an answer is missing or outside its domain.
            RuleError: The rules ran into something that they do not provide for.
        """
        self.check_procedure(procedure)
        from enfilade.api.odds import Odds
        from enfilade.api.situations import open_situation

        opening = open_situation(
            self, procedure, {**(given or {}), **facts}, dice=dice, choices=choices, players=players, options=options
        )
        return Odds(self.query_reader, opening, (), aim, limits, progress)

    def least(
        self, fact: str, procedure: str, *, chance: Any, of: str, within: Iterable[Any] | None = None, **situation: Any
    ) -> Least:
        """Look for the least value of a fact with which something has a chance.

        Args:
            fact: The fact that is varied.
            procedure: What is played.
            chance: The chance that is wanted: ``"1/2"``, ``"50%"``, a ``Fraction``.
            of: The condition whose chance it is, written as after ``chance of`` in an example.
            within: The values to try, in this order. Without it they are all that the fact can be; of a number without
                end the first hundred, and where the labels of charts begin and end above those.
            **situation: The facts, and whatever else ``odds`` takes; ``condition`` is one that all is given by.

        Returns:
            The value, or the best that there is.

        Raises:
            InputError: Something that was given is unknown or outside its domain.
            RefusedOdds: The rules refuse every value.
        """
        from enfilade.api.least_value import least
        from enfilade.api.parameter_sweep import Situations

        return least(Situations.of_call(self, procedure, situation), fact, chance, of, within)

    def grid(
        self, procedure: str, *, by: Mapping[str, Iterable[Any] | None], of: str = "result",
        executor: Executor | None = None, workers: int | None = None, parts: Parts | None = None, **situation: Any,
    ) -> Grid:  # fmt: skip
        """Ask the same for many values of a fact, or of several.

        Args:
            procedure: What is played.
            by: The facts that are varied, each with its values; ``None`` for all that it can be, as in ``least``.
            of: The question.
            executor: Whose workers do it: of threads, of processes, of a cluster.
            workers: How many processes do it, where there is no executor.
            parts: Told after each combination how many are done, and of how many; not where an executor does the work.
            **situation: The facts, and whatever else ``odds`` takes; ``condition`` is one that all is given by.

        Returns:
            A distribution, or a refusal, for every combination.

        Raises:
            InputError: Something that was given is unknown or outside its domain.
        """
        from enfilade.api.grids import grid
        from enfilade.api.parameter_sweep import Situations, processes

        situations = Situations.of_call(self, procedure, situation)
        if executor is not None or workers is None or workers == 1:
            return grid(situations, by, of, executor, parts)
        with processes(workers) as own:
            return grid(situations, by, of, own, parts)

    def compare(
        self, procedure: str, a: Mapping[str, Any], b: Mapping[str, Any], *, other: Ruleset | None = None,
        of: str = "result", **situation: Any,
    ) -> Comparison:  # fmt: skip
        """Set the odds of two situations beside each other.

        Args:
            procedure: What is played.
            a: The facts of the first, beside those of both.
            b: The facts of the second.
            other: The ruleset of the second, if it is another; or this one with other options.
            of: The question.
            **situation: The facts of both, and whatever else ``odds`` takes.

        Returns:
            Both distributions, and what differs.

        Raises:
            InputError: Something that was given is unknown or outside its domain.
            RefusedOdds: The rules refuse one of them.
        """
        from enfilade.api.comparisons import compare
        from enfilade.api.parameter_sweep import Situations

        mine = Situations.of_call(self, procedure, situation)
        theirs = mine if other is None else Situations.of_call(other, procedure, situation)
        return compare(mine, theirs, a, b, of)

    def matters(self, procedure: str, *, of: str, **situation: Any) -> Matters:
        """Ask which modifier matters here: what each would change if it applied, and if it did not.

        Args:
            procedure: What is played.
            of: The condition whose chance, or the number whose mean, is to change.
            **situation: The facts, and whatever else ``odds`` takes.

        Returns:
            The modifiers, the weightiest first.

        Raises:
            InputError: Something that was given is unknown or outside its domain.
            RefusedOdds: The rules refuse.
        """
        from enfilade.api.comparisons import matters
        from enfilade.api.parameter_sweep import Situations

        return matters(Situations.of_call(self, procedure, situation), of)

    def sample(
        self, procedure: str, *, trials: int, seed: Seed = None, executor: Executor | None = None,
        workers: int | None = None, kernel: bool = True, **situation: Any,
    ) -> Sample:  # fmt: skip
        """Play many times and count, for what is too large to be worked out exactly.

        Args:
            procedure: What is played.
            trials: How many times.
            seed: What the dice come from: the same seed gives the same counts, whoever does the work.
            executor: Whose workers do it: of threads, of processes, of a cluster.
            workers: How many processes do it, where there is no executor.
            kernel: Whether a large sample may be drawn from the exact odds, where those are quickly known.
            **situation: The facts, and whatever else ``odds`` takes but an aim.

        Returns:
            The sample; each question is answered when it is asked.

        Raises:
            InputError: Something that was given is unknown or outside its domain.
        """
        from enfilade.api.parameter_sweep import Situations
        from enfilade.api.sampling import Draws, fresh_seed, sample

        situations = Situations.of_call(self, procedure, situation)
        draws = Draws(
            situations=situations, trials=trials, seed=fresh_seed() if seed is None else seed, executor=executor,
            workers=workers, kernel=kernel,
        )  # fmt: skip
        return sample(self.query_reader, situations.opening({}), draws)

    # -- as a value -----------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        """Show its name and title."""
        return f"<Ruleset {self.name}: {self.title}>"

    def to_json(self) -> dict[str, Any]:
        """Give the ruleset as plain data: its texts and options, to be kept beside what was played with it."""
        return self._loaded.to_json()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Ruleset:
        """Make a ruleset again from plain data; no file is opened.

        Raises:
            RulesetError: The data are none of a ruleset, or the texts don't check.
        """
        return cls(from_data(data))

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Ruleset], tuple[dict[str, Any]]]:
        """Pickle as texts; they are checked again where they are unpickled."""
        return Ruleset.from_json, (self.to_json(),)


def _with_given(wrong: InputError, facts: Mapping[str, Any]) -> InputError:
    from enfilade.api.error_data import with_given

    return with_given(wrong, facts)


def _fallback(dice: Any, seed: Seed) -> Asker | None:
    """Who rolls what is not given: a generator, unless somebody gave dice and no seed."""
    if seed is not None:
        return GeneratorAsker.from_seed(seed)
    return _FRESH if dice is None else None


_FRESH: Final = GeneratorAsker(FRESH_DICE)
