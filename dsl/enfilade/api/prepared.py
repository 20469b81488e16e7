"""Prepared programs: everything that is compiled or analysed once per ruleset (memoisation)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

from enfilade.api.execution import CompiledProcedure
from enfilade.api.loaded_program import Loaded, convert_set_options
from enfilade.core import ir
from enfilade.door import with_late_doors
from enfilade.engines.compile import Compiled, compile_program
from enfilade.engines.fact_reader import FactReader
from enfilade.errors import InputError, InputFault
from enfilade.frozen import FrozenMap
from enfilade.limits import Limits

# Imported on first use, so programs that only play start faster.
if TYPE_CHECKING:
    from enfilade.api.query_reader import QueryReader
    from enfilade.core.dice_totals import TotalOnlyRolls
    from enfilade.source.text import SourceFile

_MOST_KEPT: Final = 256
_MOST_POLICED: Final = 16


@with_late_doors
class PreparedRules:
    """The checked program of a ruleset, its options, and everything that is compiled from them on first use.

    Runs, odds and events use this class; ``Ruleset`` adds the public methods that start them.

    Args:
        loaded: The checked program with its texts and options.
    """

    __slots__ = (
        "_asking_procedures",
        "_digest",
        "_engine",
        "_limits",
        "_loaded",
        "_options",
        "_policed",
        "_procedures",
        "_program",
        "_query_reader",
        "_readers",
        "_settings",
        "_totals",
    )

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._program = loaded.program
        self._options: Mapping[str, Any] = FrozenMap(loaded.options)
        self._limits = loaded.limits
        self._engine: Compiled | None = None
        self._query_reader: QueryReader | None = None
        self._readers: dict[tuple[str, ...], FactReader] = {}
        self._procedures: dict[str, CompiledProcedure] = {}
        self._asking_procedures: dict[str, CompiledProcedure] = {}
        self._settings: dict[frozenset[tuple[str, bool]], Mapping[str, Any]] = {}
        self._totals: TotalOnlyRolls | None = None
        self._policed: dict[Any, PreparedRules] = {}
        self._digest = _digest(loaded.checked.sources)

    @property
    def name(self) -> str:
        """The name of the ruleset."""
        return self._program.name

    @property
    def options(self) -> Mapping[str, Any]:
        """The value of every option."""
        return self._options

    @property
    def digest(self) -> str:
        """The digest of the texts: a saved run continues only with rules of the same digest."""
        return self._digest

    @property
    def program(self) -> ir.Program:
        """The checked core, for engines and tools."""
        return self._program

    @property
    def loaded(self) -> Loaded:
        """The texts, the checked program and the options, for internal use."""
        return self._loaded

    @property
    def limits(self) -> Limits:
        """The limits of its plays and odds."""
        return self._limits

    @property
    def policies(self) -> Mapping[str, Any]:
        """The policy for each choice, by its name; rules by themselves have none."""
        return {}

    @property
    def query_reader(self) -> QueryReader:
        """The reader of questions about the ruleset, for internal use."""
        from enfilade.api.query_reader import QueryReader

        if self._query_reader is None:
            assert self._loaded.checked.context is not None
            self._query_reader = QueryReader(self._loaded.checked.context, self.program)
        return self._query_reader

    @property
    def totals(self) -> TotalOnlyRolls:
        """The analysis that finds rolls used only by their total, for internal use."""
        from enfilade.core.dice_totals import TotalOnlyRolls

        if self._totals is None:
            self._totals = TotalOnlyRolls(self._program)
        return self._totals

    def options_with(self, options: Mapping[str, Any] | None) -> Mapping[str, Any]:
        """Return the value of every option, with some changed for one call."""
        if not options:
            return self._options
        key = _flags_of(options)
        if key is None or key not in self._settings:
            values = FrozenMap({**self._options, **convert_set_options(self._program, options)})
            if key is None or len(self._settings) >= _MOST_KEPT:
                return values
            self._settings[key] = values
        return self._settings[key]

    def reader(self, inputs: tuple[str, ...]) -> FactReader:
        """Return the reader of some facts, for internal use.

        Args:
            inputs: The allowed facts, by their names in the core.
        """
        inputs = tuple(inputs)
        reader = self._readers.get(inputs)
        if reader is None:
            reader = FactReader(self._program, inputs)
            if len(self._readers) < _MOST_KEPT:
                self._readers[inputs] = reader
        return reader

    def policed(self, key: Any, make: Callable[[], PreparedRules]) -> PreparedRules:
        """Return the ruleset with some policies, for internal use.

        Args:
            key: The policies, with all that they depend on.
            make: Makes it on first use.
        """
        found = self._policed.get(key)
        if found is None:
            found = make()
            if len(self._policed) >= _MOST_POLICED:
                self._policed.clear()
            self._policed[key] = found
        return found

    def compiled_procedure(self, procedure: str, *, asks_defaults: bool = False) -> CompiledProcedure:
        """Return a prepared procedure, for internal use.

        Args:
            procedure: The name of the procedure.
            asks_defaults: Whether the procedure asks for facts with a default.

        Raises:
            InputError: The ruleset has no such procedure.
        """
        self.check_procedure(procedure)
        made = self._asking_procedures if asks_defaults else self._procedures
        if procedure not in made:
            program = _without_defaults(self._program) if asks_defaults else self._program
            reader = self.reader(program.procedures[procedure].inputs)
            made[procedure] = CompiledProcedure(program, procedure, self._compiled(program), reader, self.limits)
        return made[procedure]

    def _compiled(self, program: ir.Program) -> Compiled:
        """Return the compiled engine: the ruleset's own, or one for a run that asks for all facts."""
        if program is not self._program:
            return compile_program(program)
        if self._engine is None:
            self._engine = compile_program(program)
        return self._engine

    def check_procedure(self, name: str) -> None:
        """Check that the ruleset has a procedure.

        Raises:
            InputError: The ruleset has no such procedure.
        """
        program = self._program
        if name in program.events and name not in program.procedures:
            message = f"{name} is an event, not a procedure; report it with `notify`"
            raise InputError([InputFault("procedure", name, ", ".join(program.procedures) or "no procedures", message)])
        check_known("procedure", name, program.procedures, program.events)

    def __eq__(self, other: object) -> bool:
        """Whether texts and options are equal."""
        if not isinstance(other, PreparedRules):
            return NotImplemented
        return (self._digest, self._options) == (other._digest, other._options)

    def __hash__(self) -> int:
        """Return a hash consistent with equality."""
        return hash(self._digest)


def check_known(what: str, name: str, names: Iterable[str], others: Iterable[str] = ()) -> None:
    """Check that a name is known.

    Args:
        what: The kind of declaration, for messages.
        name: The name.
        names: The known names of that kind.
        others: Names of other kinds, for suggestions.

    Raises:
        InputError: The name is unknown.
    """
    if name in names:
        return
    from enfilade.diagnostics.suggest import nearest

    known = list(names)
    close = nearest(name, [*known, *others])
    allowed = ", ".join(known) or f"no {what}s"
    meant = f"; did you mean {close}?" if close else f"; there are {allowed}"
    if what == "procedure" and "=" in name:
        # A fact stands where the procedure should.
        meant = f"; the name of a procedure comes before the facts: {allowed}"
    raise InputError([InputFault(what, name, allowed, f"there is no {what} {name}{meant}")])


def _without_defaults(program: ir.Program) -> ir.Program:
    """Return the program without defaults of facts."""
    procedures = {
        name: evolve(procedure, facts=_required(procedure.facts)) for name, procedure in program.procedures.items()
    }
    return evolve(program, facts=_required(program.facts), procedures=procedures)


def _required(facts: Mapping[str, ir.Input]) -> dict[str, ir.Input]:
    return {name: evolve(declared, has_default=False) for name, declared in facts.items()}


def _digest(sources: Iterable[SourceFile]) -> str:
    whole = hashlib.sha256()
    for source in sources:
        text = source.text.encode("utf-8", "surrogatepass")
        whole.update(b"%d:" % len(text) + text)
    return f"sha256:{whole.hexdigest()}"


def _flags_of(options: Any) -> frozenset[tuple[str, bool]] | None:
    """Return a cache key for options that are all flags; ``None`` for other options."""
    if not isinstance(options, Mapping) or not all(type(value) is bool for value in options.values()):
        return None
    return frozenset(options.items())
