"""Exact odds of a situation, calculated per question on demand (lazy evaluation, memoisation)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
from enfilade.core.run import Refused
from enfilade.engines.odds import Ask, Decision, OddsLimits, Progress, Weighted, Whole, exact_odds
from enfilade.errors import InputError, InputFault, LimitError, OddsError, RefusedOdds

_NO_AIM: Final = "say what is aimed at and who plays for it: aim=..., players={...: 'best'}"


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
    _limits: OddsLimits | None = None
    _progress: Progress | None = None
    _follow: Follow | None = None
    _found: dict[Any, Weighted] = field(factory=dict, init=False)

    # -- choices --------------------------------------------------------------------------------------------

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions that maximise or minimise the aim, with the expected value of each option.

        A decision comes before the decisions that it leads to.

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
            for decision in reversed(found)
        )

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

    def then(
        self, procedure: str, *, when: str | None = None, carry: Mapping[str, str] | None = None,
        given: Mapping[str, Any] | None = None, **facts: Any,
    ) -> Odds:  # fmt: skip
        """Return the odds of this procedure and then another one, which finds the records as this one left them.

        Args:
            procedure: The name of the other procedure.
            when: A condition over the outputs of this procedure; if it is false, the other one is not played, and its
                outputs are none.
            carry: For facts of the other procedure and for fields of its records, expressions over the outputs of this
                one: ``{"hits": "kills", "attacker.surprise": "surprise"}``.
            given: Facts by name, for facts with the name of an argument of this method.
            **facts: Further facts by name; facts that both procedures use need to be given only once.

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
        program, known = self._opening.situation.program, {**self._opening.facts, **(given or {}), **facts}
        check_known("procedure", procedure, program.procedures)
        carried = {fact: self._expression(expression) for fact, expression in (carry or {}).items()}
        condition = None if when is None else self._expression(when, condition=True)
        names = (self.procedure, procedure)
        return self._followed(lambda loaded: in_turn(loaded, names, known, carried, condition), known)

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

    def until(self, condition: str, *, at_most: int | None = None) -> Odds:
        """Return the odds of this procedure played until a condition holds.

        Args:
            condition: A condition over the outputs of each time and the state after it.
            at_most: The highest number of times; without it, the odds of ``turns`` end where the chance of another time
                is negligible, and all other odds are exact.

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
            raise InputError([InputFault("turns", times, allowed, f"turns is {times}; allowed is {allowed}")])
        name, facts = self.procedure, self._opening.facts
        return self._followed(lambda loaded: again(loaded, name, facts, times, until), facts)

    def _followed(self, chain: Callable[[Loaded], Chain], facts: Mapping[str, Any]) -> Odds:
        if self._conditions:
            raise OddsError("the odds are given a condition: ask it of the whole, after `then`, `turns` or `until`")
        if self._follow is None:
            raise OddsError("these odds belong to a table: ask the ruleset for odds of the first procedure")
        return self._follow(chain, facts)

    # -- the engine -----------------------------------------------------------------------------------------

    def _distribution(self, query: Query) -> Distribution:
        weights, total, remainder = self._weights((query,))
        single = {value[0]: weight for value, weight in weights.items()}
        return Distribution(single, total, remainder=remainder, order=query.order, of=query.text)

    def _joint(self, queries: tuple[Query, ...]) -> Distribution:
        weights, total, remainder = self._weights(queries)
        order = Order(parts=tuple(query.order for query in queries))
        names = tuple(query.text for query in queries)
        return Distribution(weights, total, remainder=remainder, order=order, of=", ".join(names), names=names)

    def _weights(self, queries: tuple[Query, ...]) -> tuple[dict[tuple[Any, ...], int], int, int]:
        """Return the weights of the outcomes given the conditions, their total and the remainder."""
        conditions = tuple(self._query(each, condition=True).ask for each in self._conditions)
        asked = self._weighted((*(query.ask for query in queries), *conditions))
        wanted = len(queries)
        weights: dict[tuple[Any, ...], int] = {}
        for values, weight in asked.weights.items():
            if all(values[wanted : wanted + len(conditions)]):
                outcome = tuple(each.outcome(value) for each, value in zip(queries, values, strict=False))
                weights[outcome] = weights.get(outcome, 0) + weight
        if not conditions:
            return weights, asked.total, asked.remainder
        total = sum(weights.values())
        if not total:
            can = " as far as it was worked out" if asked.remainder else ""
            raise OddsError(f"{' and '.join(self._conditions)} never comes true here{can}, so nothing is given by it")
        return weights, total + asked.remainder, asked.remainder

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
                if not limit.is_size:
                    raise
                raise LimitError(limit.limit, f"{limit.message}; a sample may do instead", limit.place) from None
        return self._found[asks]

    # -- as a value -----------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the refusal, or else the odds of the result, as plain data."""
        if self._opening.refused is None:
            return self.result.to_json()
        refused = {"status": REFUSED, "procedure": self.procedure, "refusal": self.refusal}
        return refused | {"message": self.message, "cites": list(self.cites)}


def _known(decision: Decision) -> Iterator[tuple[str, Any]]:
    """Yield the values that the deciding player can see, by their names in the rules, without internal counters."""
    for name, value in decision.known:
        shown = name.partition("@")[0].partition("#")[0]
        if shown and shown not in ("nth", "readers"):
            yield shown, as_outcome(value)


def refused_odds(refusal: Refused, *, by_chance: bool) -> RefusedOdds:
    """Return the exception for a refusal."""
    return RefusedOdds(refusal.slug, refusal.note.label or "", refusal.note.cites, by_chance=by_chance)
