"""Exact odds of a situation, calculated per question on demand (lazy evaluation, memoisation)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any, Final, TypeAlias

from attrs import evolve, field, frozen

from enfilade.api.chains import MOST_TURNS, Chain, again, in_turn
from enfilade.api.distribution import Distribution
from enfilade.api.error_data import with_given
from enfilade.api.loaded_program import Loaded
from enfilade.api.outcome import REFUSED
from enfilade.api.outcome_values import Order, as_outcome
from enfilade.api.prepared import check_known
from enfilade.api.queries import Queries
from enfilade.api.query_reader import Query
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.inputs import external_names
from enfilade.core.run import Refused
from enfilade.door import odds_door, with_doors
from enfilade.engines.askers import GeneratorAsker
from enfilade.engines.odds import (
    MOST_DECISIONS,
    Ask,
    Decision,
    Progress,
    Situation,
    Weighted,
    Whole,
    exact_odds,
)
from enfilade.errors import EnfiladeError, InputError, InputFault, LimitError, OddsError, RefusedOdds
from enfilade.limits import DEFAULT_LIMITS, Limits, one_call

_NO_AIM: Final = "give an aim and the players who pursue it: aim=..., players={...: 'best'}"
_SHORT: Final = 20_000
_FEW: Final = 1_000
_QUICKLY: Final = 0.2


@frozen
class Range:
    """The expected value of an aim if all players play against it, and if all play for it (expectimax).

    Attributes:
        aim: The aim.
        worst: The lowest expected value; for a condition its chance.
        best: The highest expected value; for a condition its chance.
    """

    aim: str
    worst: Fraction
    best: Fraction


Follow: TypeAlias = Callable[[Callable[[Loaded], Chain], Mapping[str, Any]], "Odds"]
"""Makes a chain of the ruleset, and opens its odds with some facts and the arguments of the odds at hand."""


@with_doors
@frozen(eq=False, repr=False)
class Odds(Queries[Distribution]):
    """The exact odds of one situation; created by ``Ruleset.odds``.

    Answers are calculated on demand and cached.

    Examples:
        >>> import enfilade
        >>> odds = enfilade.load("infantry_attacks").odds("direct_fire", fire_value=11)
        >>> odds.result["M2"], odds.chance("M or worse")
        (Fraction(1, 9), Fraction(5, 9))
    """

    _aim: str | None = None
    _limits: Limits = DEFAULT_LIMITS
    _progress: Progress | None = None
    _follow: Follow | None = None
    _found: dict[Any, Weighted] = field(factory=dict, init=False)

    # -- choices --------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions that maximise or minimise the aim, with the expected value of each option.

        They are those that play comes to under these choices. A decision comes before the decisions that it leads to.

        Raises:
            OddsError: There is no aim.
        """
        if self._aim is None:
            raise OddsError(_NO_AIM)
        found = self._weighted((self._query(self._aim).ask,)).decisions
        return tuple(
            evolve(
                decision,
                options=tuple((as_outcome(option), value) for option, value in decision.options),
                chosen=as_outcome(decision.chosen),
                known=tuple(_known(decision)),
            )
            for decision in found
        )

    @odds_door
    def policy(self) -> dict[str, str]:
        """Return the best play as policies: for each choice, an expression that decides as ``decisions`` do.

        The expressions are what ``Ruleset.odds`` takes as ``policy``, and ``--policy`` on the command line.

        Returns:
            The policy for each choice that play comes to, by the name of the choice.

        Raises:
            OddsError: There is no aim; or the names that are known where a player chooses can't tell the decisions apart.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("franco_prussian")
            >>> best = rules.odds("target_morale", mr=6, in_town_or_works=True, players={"owner": "best"}, aim="inches is 0")
            >>> best.policy()
            {'suffers': 'disorg'}
        """
        from enfilade.api.policies import policies_of

        situation, decisions = self._opening.situation, self.decisions
        if len(decisions) == MOST_DECISIONS:
            raise OddsError(f"a policy must have fewer than {MOST_DECISIONS} decisions, but this policy has more")
        with one_call(self._limits):
            return policies_of(self._query_reader.context, situation, decisions)

    @odds_door
    def range(self, aim: str | None = None) -> Range:
        """Return the expected value of an aim at the worst and at the best play of all players without a fixed policy.

        Args:
            aim: A condition or a number; the aim of these odds if not given.

        Returns:
            The worst and the best expected value.

        Raises:
            OddsError: There is no aim, or it is neither a condition nor a number.
        """
        aim = self._aim if aim is None else aim
        if aim is None:
            raise OddsError(_NO_AIM)
        return Range(aim, self._played("worst", aim).of(aim).mean, self._played("best", aim).of(aim).mean)

    def _played(self, way: str, aim: str) -> Odds:
        policy = self._opening.policy
        told = {player: how for player, how in policy.players.items() if how == "random"}
        players = dict.fromkeys(self._opening.situation.program.players, way) | told
        return evolve(self, opening=evolve(self._opening, policy=evolve(policy, players=players)), aim=aim)

    # -- several combats ------------------------------------------------------------------------------------

    @odds_door
    def then(
        self, procedure: str, *, when: str | None = None, carry: Mapping[str, str] | None = None,
        given: Mapping[str, Any] | None = None, **facts: Any,
    ) -> Odds:  # fmt: skip
        """Return the odds of this procedure and then another one, which finds the records as this one left them.

        Args:
            procedure: The name of the other procedure.
            when: A condition over the outputs of this procedure; if it is false, the other one is not played, and those
                of its outputs that this one does not have are none.
            carry: For facts of the other procedure and for fields of its records, expressions over the outputs of this
                one: ``{"hits": "kills", "attacker.surprise": "surprise"}``.
            given: Facts by name, for facts with the name of an argument of this method.
            **facts: Further facts by name. A fact that this procedure has too needs to be given here only if the other
                one is played with another value; this procedure keeps its own.

        Returns:
            The odds of both. They have the outputs of both; the other procedure's replace those of the same name.

        Raises:
            InputError: The procedure, a fact or an expression is unknown or outside its domain.
            OddsError: These odds are conditional.

        Examples:
            >>> import enfilade
            >>> rules = enfilade.load("infantry_attacks")
            >>> two = rules.odds("direct_fire", fire_value=16).then("direct_fire", when="M or worse")
            >>> two.chance("M or worse")
            Fraction(25, 36)
        """
        program, known = self._opening.situation.program, dict(self._opening.facts)
        check_known("procedure", procedure, program.procedures)
        mine = external_names(program.procedures[self.procedure].inputs)
        anew: dict[str, str] = {}
        for name, value in {**(given or {}), **facts}.items():
            if name not in mine:
                known[name] = value
            elif name not in known or known[name] != value:
                anew[name] = _unused(f"{name} of {procedure}", known)
                known[anew[name]] = value
        carried = {fact: self._expression(expression) for fact, expression in (carry or {}).items()}
        condition = None if when is None else self._expression(when, condition=True)
        names = (self.procedure, procedure)
        return self._followed(lambda loaded: in_turn(loaded, names, known, carried, condition, anew), known)

    @odds_door
    def turns(self, number: int) -> Odds:
        """Return the odds of this procedure played several times; each time finds the records as the last one left them.

        Args:
            number: How many times, at least 1.

        Returns:
            The odds after the last time, with its outputs and their number as ``turns``.

        Raises:
            InputError: *number* is not a whole number from 1.
            OddsError: These odds are conditional.
        """
        return self._again(number, None)

    @odds_door
    def until(self, condition: str, *, at_most: int | None = None) -> Odds:
        """Return the odds of this procedure played until a condition holds.

        Args:
            condition: A condition over the outputs of each time and the state after it.
            at_most: The highest number of times; without it, the odds of ``turns`` end where the chance of another time
                is negligible; its mean, and all other odds, are exact.

        Returns:
            The odds after the last time, with its outputs and the number of times as ``turns``.

        Raises:
            InputError: The condition is not a valid expression, or *at_most* is not a whole number from 1.
            OddsError: These odds are conditional.
        """
        return self._again(at_most, self._expression(condition, condition=True))

    def _expression(self, text: str, *, condition: bool = False) -> ir.Expr:
        ask = self._query(text, condition=condition).ask
        assert not isinstance(ask, Whole)
        return ask

    def _again(self, times: Any, until: ir.Expr | None) -> Odds:
        if times is not None and (
            not isinstance(times, int) or isinstance(times, bool) or not 1 <= times <= MOST_TURNS
        ):
            allowed = f"1..{MOST_TURNS}"
            raise InputError([InputFault("turns", times, allowed, f"turns is {times}; allowed: {allowed}")])
        name, facts = self.procedure, self._opening.facts
        return self._followed(lambda loaded: again(loaded, name, facts, times, until), facts)

    def _followed(self, chain: Callable[[Loaded], Chain], facts: Mapping[str, Any]) -> Odds:
        if self._conditions:
            raise OddsError("these odds already have a condition; call `given` last, after `then`, `turns` or `until`")
        if self._follow is None:
            raise OddsError(
                "odds from a table of situations can't be continued; compute the `odds` of the first procedure instead"
            )
        return self._follow(chain, facts)

    # -- the engine -----------------------------------------------------------------------------------------

    def _distribution(self, query: Query) -> Distribution:
        found = self._weights((query,))
        single = {value[0]: weight for value, weight in found.weights.items()}
        return Distribution(
            single, found.total, remainder=found.remainder, order=query.order, of=query.text,
            open_from=found.open_from, cut_off=found.cut_off, open_sum=found.open_sum,
        )  # fmt: skip

    def _joint(self, queries: tuple[Query, ...]) -> Distribution:
        found = self._weights(queries)
        order = Order(parts=tuple(query.order for query in queries))
        names = tuple(query.text for query in queries)
        return Distribution(
            found.weights, found.total, remainder=found.remainder, order=order, of=", ".join(names), names=names,
            cut_off=found.cut_off,
        )  # fmt: skip

    def _weights(self, queries: tuple[Query, ...]) -> Weighted:
        """Return the weights of the outcomes given the conditions."""
        conditions = tuple(self._query(each, condition=True).ask for each in self._conditions)
        asked = self._weighted((*(query.ask for query in queries), *conditions))
        wanted = len(queries)
        weights: dict[tuple[Any, ...], int] = {}
        for values, weight in asked.weights.items():
            if all(values[wanted : wanted + len(conditions)]):
                outcome = tuple(each.outcome(value) for each, value in zip(queries, values, strict=False))
                weights[outcome] = weights.get(outcome, 0) + weight
        if not conditions:
            return evolve(asked, weights=weights)
        total = sum(weights.values())
        if not total:
            where = "in the outcomes that were computed" if asked.remainder else "here"
            raise OddsError(f"{' and '.join(self._conditions)} is never true {where}, so it can't be a condition")
        return evolve(asked, weights=weights, total=total + asked.remainder)

    def _weighted(self, asks: tuple[Ask, ...]) -> Weighted:
        """Return the engine's answer, cached."""
        opening = self._opening
        if opening.refused is not None:
            raise refused_odds(opening.refused, by_chance=False)
        policy = opening.policy
        aims = any(way != "random" for way in policy.players.values())
        if aims and self._aim is None:
            raise OddsError(_NO_AIM)
        if aims and self._aim is not None:
            aim = self._query(self._aim).ask
            asks = asks if aim in asks else (*asks, aim)
            policy = evolve(policy, aim=asks.index(aim))
        if asks not in self._found:
            try:
                self._found[asks] = exact_odds(opening.situation, asks, policy, self._limits, self._progress)
            except Refused as refusal:
                raise refused_odds(refusal, by_chance=True) from None
            except InputError as wrong:
                raise with_given(wrong, opening.facts) from None
            except LimitError as limit:
                limit.can_sample = limit.is_size and not aims and _plays_quickly(opening.situation, self._limits)
                raise
        return self._found[asks]

    # -- as a value -----------------------------------------------------------------------------------------

    @odds_door
    def to_json(self) -> dict[str, Any]:
        """Return the refusal, or else the odds of the result, as plain data."""
        if self._opening.refused is None:
            return self.result.to_json()
        refused = {"status": REFUSED, "procedure": self.procedure, "refusal": self.refusal}
        return refused | {"message": self.message, "cites": list(self.cites)}


def _unused(name: str, known: Collection[str]) -> str:
    """A name that is not known yet: this one, or with a number after it."""
    found, number = name, 1
    while found in known:
        number += 1
        found = f"{name} {number}"
    return found


def _plays_quickly(situation: Situation, allowed: Limits) -> bool:
    """Whether one run of a situation comes to an end soon, so many of them can be played."""
    limits = evolve(allowed, steps=min(allowed.steps, _SHORT), dice=min(allowed.dice, _FEW), play_seconds=_QUICKLY)
    asker = GeneratorAsker.from_seed(0, decides=True)
    machine = Machine(situation.program, situation.options, situation.facts, situation.state, asker, None, limits)
    try:
        with one_call(limits):
            machine.run(situation.procedure)
    except Refused:
        return True
    except EnfiladeError:
        return False
    return True


def _known(decision: Decision) -> Iterator[tuple[str, Any]]:
    """Yield the values that the deciding player can see, in the words of the rules, without internal counters."""
    for name, value in decision.known:
        if name not in ("nth", "readers"):
            yield name, as_outcome(value)


def refused_odds(refusal: Refused, *, by_chance: bool) -> RefusedOdds:
    """Return the exception for a refusal."""
    return RefusedOdds(refusal.slug, refusal.note.label or "", refusal.note.cites, by_chance=by_chance)
