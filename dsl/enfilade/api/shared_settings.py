"""The settings that the situations of a sweep, a comparison or a sample share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import field, fields, frozen

from enfilade.api.odds import Odds
from enfilade.api.prepared import PreparedRules
from enfilade.api.situations import Opening, open_situation
from enfilade.core import ir
from enfilade.door import read_argument
from enfilade.engines.odds import Progress
from enfilade.limits import Limits, one_call

if TYPE_CHECKING:
    from enfilade.api.policies import Policies


@frozen(kw_only=True)
class Situations:
    """The shared settings of situations; other fields are as in ``Ruleset.odds``.

    Attributes:
        condition: The condition, or several, for conditional odds, as in ``Odds.given``.
        rules: The ruleset.
        procedure: The name of the procedure.
        facts: The shared facts.
    """

    rules: PreparedRules
    procedure: str
    facts: Mapping[str, Any]
    dice: Any = None
    choices: Any = None
    players: Mapping[str, str] | None = None
    policy: Policies | None = None
    aim: str | None = None
    options: Mapping[str, Any] | None = None
    limits: Limits | None = None
    progress: Progress | None = field(default=None, eq=False)
    condition: str | Sequence[str] | None = None

    @classmethod
    def of_call(cls, rules: PreparedRules, procedure: str, call: Mapping[str, Any]) -> Situations:
        """Separate settings and facts in the arguments of a call."""
        kinds = {each.name: str(each.type) for each in fields(cls)}
        known = {name: read_argument(name, value, kinds[name]) for name, value in call.items() if name in _SETTINGS}
        given = read_argument("given", call.get("given"), "Mapping[str, Any] | None") or {}
        facts = {name: value for name, value in call.items() if name not in _SETTINGS and name != "given"}
        rules.check_procedure(procedure)
        return cls(rules=rules, procedure=procedure, facts={**given, **facts}, **known)

    @property
    def conditions(self) -> tuple[str, ...]:
        """The conditions for conditional odds."""
        if self.condition is None:
            return ()
        return (self.condition,) if isinstance(self.condition, str) else tuple(self.condition)

    def call(self) -> dict[str, Any]:
        """Return the settings as the arguments of a call, the inverse of ``of_call``."""
        values = {name: getattr(self, name) for name in _SETTINGS}
        return {"given": dict(self.facts), **{name: value for name, value in values.items() if value is not None}}

    @property
    def playing(self) -> PreparedRules:
        """The ruleset with the policies."""
        if self.policy is None:
            return self.rules
        # Imported here, so questions without policies don't load the checker.
        from enfilade.api.policies import policed

        return policed(self.rules, self.procedure, self.facts, self.policy)

    @property
    def allowed(self) -> Limits:
        """The limits of the call, else those of the ruleset."""
        return self.rules.limits if self.limits is None else self.limits

    def opening(self, program: ir.Program | None = None) -> Opening:
        """Prepare the situation for an engine."""
        limits = self.allowed
        with one_call(limits):
            return open_situation(
                self.playing, self.procedure, self.facts, dice=self.dice, choices=self.choices,
                players=self.players, options=self.options, program=program, limits=limits,
            )  # fmt: skip

    def odds(self, program: ir.Program | None = None) -> Odds:
        """Return the odds.

        Args:
            program: A program to play instead of the ruleset's own.
        """
        opening = self.opening(program)
        odds = Odds(self.rules.query_reader, opening, (), self.aim, self.allowed, self.progress)
        for condition in self.conditions:
            odds = odds.given(condition)
        return odds


_SETTINGS: Final = ("dice", "choices", "players", "policy", "aim", "options", "limits", "progress", "condition")
