"""Best play in loops that come back to their decisions: a Markov decision process, solved by policy iteration.

A state at the beginning of a round is a vertex, and so is a choice with an option that leads to such a state. Every other
answer is a mixture of values and vertices, so a vertex has one mixture for each option, and a round just one.

Strongly connected components are solved one after the other, the last ones of play first. Within one, policy iteration
(Howard) starts from a policy that surely ends, and changes an option only for one that is worth strictly more: so every
policy on the way ends, too, and nobody gains by never ending. If players with opposite aims choose in one component, the
policy of the minimiser is improved after each best response to it (Hoffman and Karp). All numbers are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from attrs import define

from enfilade.core import ir
from enfilade.core.graph import strongly_connected
from enfilade.core.requests import ChoiceRequest
from enfilade.engines.odds.expectimax.choice_nodes import aim_of, doubt_of, told
from enfilade.engines.odds.expectimax.mixture import Mixture, Vertex, cut_off, with_doubt
from enfilade.engines.odds.interface import Decision, NeedsPolicy
from enfilade.engines.odds.states.context import Context
from enfilade.engines.odds.steps.linear_equations import eliminated, expected_visits
from enfilade.engines.odds.steps.tasks import State


@define(eq=False)
class Round(Vertex):
    """A state at the beginning of a round.

    Attributes:
        depth: The least number of rounds in which play gets there.
        loop: The loop.
    """

    depth: int = 0
    loop: ir.Repeat | None = None


@define(eq=False)
class Choice(Vertex):
    """A choice.

    Attributes:
        request: The choice.
        ways: Its options, in the order of the mixtures.
        known: What the player knows.
        mode: How the player chooses; ``None`` without a policy.
    """

    request: ChoiceRequest = None  # type: ignore[assignment]
    ways: tuple[tuple[Any, ...], ...] = ()
    known: tuple[tuple[str, Any], ...] = ()
    mode: str | None = None


class DecisionProcess:
    """The vertices of a question, and their solution."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._new: list[Vertex] = []

    def round(self, depth: int, loop: ir.Repeat) -> Round:
        """A vertex for a state at the beginning of a round."""
        vertex = Round(depth=depth, loop=loop)
        self._new.append(vertex)
        return vertex

    def choice(
        self, request: ChoiceRequest, weighted: Mapping[tuple[Any, ...], int], found: list[Mixture], state: State
    ) -> Mixture:
        """The answer at a choice with an option that leads to a vertex."""
        mode = self._ctx.policy.players.get(request.player)
        vertex = Choice(found, request=request, ways=tuple(weighted), known=told(self._ctx, state), mode=mode)
        self._new.append(vertex)
        return Mixture({vertex: 1}, 1)

    # -- values -----------------------------------------------------------------------------------------------

    def solve(self) -> None:
        """Choose an option at each new vertex.

        Raises:
            NeedsPolicy: A choice has no policy, and its options have different answers.
            LimitError: A component is too large, or may never end.
        """
        new, self._new = self._new, []
        place = {vertex: number for number, vertex in enumerate(new)}

        def successors(number: int) -> set[int]:
            found = {vertex for option in new[number].options for vertex in option.vertices}
            return {place[vertex] for vertex in found if vertex in place}

        for numbers in strongly_connected(range(len(new)), successors):
            if len(numbers) == 1 and numbers[0] not in successors(numbers[0]):
                self._choose(new[numbers[0]])
            else:
                self._iterate([new[number] for number in numbers])
        for vertex in new:
            if isinstance(vertex, Choice) and vertex.mode is None:
                answers = [self.resolved(option) for option in vertex.options]
                if not all(each.same_as(answers[0]) for each in answers[1:]):
                    raise NeedsPolicy(vertex.request.name, vertex.request.player, vertex.request.options)

    def _choose(self, vertex: Vertex) -> None:
        """Solve a vertex to which play does not come back."""
        values = [aim_of(self._ctx, option) for option in vertex.options]
        if isinstance(vertex, Choice) and vertex.mode is not None:
            vertex.at = values.index((max if vertex.mode == "best" else min)(values))
        vertex.value, vertex.lost = values[vertex.at], vertex.options[vertex.at].lost
        vertex.reach = max(option.reach for option in vertex.options)

    def _iterate(self, component: list[Vertex]) -> None:
        """Solve a component by policy iteration."""
        if not _begin(component):
            # Whatever is chosen, play never ends.
            for vertex in component:
                vertex.options, vertex.at = [cut_off()] * len(vertex.options), 0
                vertex.lost = vertex.reach = Fraction(1)
                if isinstance(vertex, Round):
                    self._ctx.cut(vertex.loop)
            return
        reach = _highest_reach(component)
        while True:
            self._evaluate(component)
            if not self._improve(component, "best") and not self._improve(component, "worst"):
                break
        for vertex in component:
            vertex.reach = reach

    def _evaluate(self, component: list[Vertex]) -> None:
        """Compute the values of a component under its policy."""
        self._ctx.meter.count(len(component) ** 2)
        place = {vertex: at for at, vertex in enumerate(component)}
        rows = [[Fraction(int(at == column)) for column in range(len(component))] for at in range(len(component))]
        for vertex in component:
            # Only what leaves the component counts in the known part.
            vertex.value = vertex.lost = Fraction(0)
            for other, chance in _onward(vertex):
                if other in place:
                    rows[place[vertex]][place[other]] -= chance
        known = [aim_of(self._ctx, vertex.options[vertex.at]) for vertex in component]
        lost = [vertex.options[vertex.at].lost for vertex in component]
        for vertex, value in zip(component, eliminated([[*row] for row in rows], known), strict=True):
            vertex.value = value
        if any(lost):
            for vertex, value in zip(component, eliminated(rows, lost), strict=True):
                vertex.lost = value

    def _improve(self, component: list[Vertex], mode: str) -> bool:
        """Take each option that is worth strictly more to the players with an aim; return whether there was one."""
        changed = False
        for vertex in component:
            if isinstance(vertex, Choice) and vertex.mode == mode:
                values = [aim_of(self._ctx, option) for option in vertex.options]
                most = (max if mode == "best" else min)(values)
                if most != values[vertex.at]:
                    vertex.at, changed = values.index(most), True
        return changed

    # -- answers ----------------------------------------------------------------------------------------------

    def resolved(self, mixture: Mixture) -> Mixture:
        """A mixture without vertices: what they come to under the policies found."""
        order = _reached(mixture)
        number = {vertex: at for at, vertex in enumerate(order)}
        coming = {number[vertex]: Fraction(mixture.weights[vertex], mixture.total) for vertex in mixture.vertices}
        visits = expected_visits(
            coming, [[(number[other], chance) for other, chance in _onward(each)] for each in order]
        )
        chances = _values(mixture, Fraction(1))
        doubt = Fraction(0)
        shown = [Mixture({}, 1, self._decision(vertex), []) for vertex in order]
        for at, times in visits.items():
            vertex = order[at]
            chosen = vertex.options[vertex.at]
            for key, chance in _values(chosen, times).items():
                chances[key] = chances.get(key, Fraction(0)) + chance
            if isinstance(vertex, Choice):
                doubt += times * doubt_of(self._ctx, vertex.options, vertex.at)
        for vertex, each in zip(order, shown, strict=True):
            _follow(each, vertex.options[vertex.at], shown, number)
        every = lcm(*(chance.denominator for chance in chances.values()))
        weights = {key: chance.numerator * (every // chance.denominator) for key, chance in chances.items()}
        found = Mixture(weights, every, None, [], mixture.reach)
        _follow(found, mixture, shown, number)
        return with_doubt(found, min(doubt, Fraction(1)))

    def _decision(self, vertex: Vertex) -> Decision | None:
        if not isinstance(vertex, Choice) or vertex.mode is None:
            return None
        values = [aim_of(self._ctx, option) for option in vertex.options]
        weighed = tuple(zip(vertex.ways, values, strict=True))
        return Decision(vertex.request.name, vertex.request.player, weighed, vertex.ways[vertex.at], vertex.known)


def _begin(component: list[Vertex]) -> bool:
    """Choose options with which play surely ends; return whether there are any."""
    left, inside = list(component), set(component)
    while left:
        waiting = []
        for vertex in left:
            leading = (
                at for at, option in enumerate(vertex.options) if option.lost or not inside.issuperset(option.weights)
            )
            at = next(leading, None)
            if at is None:
                waiting.append(vertex)
            else:
                vertex.at = at
                inside.remove(vertex)
        if len(waiting) == len(left):
            return False
        left = waiting
    return True


def _highest_reach(component: list[Vertex]) -> Fraction:
    """The highest chance of a cut behind an exit of a component: play may go on until it takes that exit."""
    inside, options = set(component), [option for vertex in component for option in vertex.options]
    if any(option.cut for option in options):
        return Fraction(1)
    return max((key.reach for option in options for key in option.vertices if key not in inside), default=Fraction(0))


def _onward(vertex: Vertex) -> list[tuple[Vertex, Fraction]]:
    """The vertices that follow under the policy, with their chances."""
    chosen = vertex.options[vertex.at]
    return [(other, Fraction(chosen.weights[other], chosen.total)) for other in chosen.vertices]


def _reached(mixture: Mixture) -> list[Vertex]:
    """The vertices to which play comes under the policies, the nearest first."""
    found = dict.fromkeys(mixture.vertices)
    waiting: list[Iterable[Vertex]] = [mixture.vertices]
    for vertices in waiting:
        for vertex in vertices:
            following = [other for other, _ in _onward(vertex) if other not in found]
            found.update(dict.fromkeys(following))
            if following:
                waiting.append(following)
    return list(found)


def _values(mixture: Mixture, times: Fraction) -> dict[Any, Fraction]:
    """The chances of the values of a mixture."""
    scale = times / mixture.total
    return {key: weight * scale for key, weight in mixture.weights.items() if not isinstance(key, Vertex)}


def _follow(before: Mixture, mixture: Mixture, shown: list[Mixture], number: Mapping[Vertex, int]) -> None:
    """Note the decisions that follow a mixture."""
    assert isinstance(before.parts, list)
    before.parts.extend(mixture.parts)
    if mixture.decision is not None:
        before.parts.append(mixture)
    before.parts.extend(shown[number[vertex]] for vertex in mixture.vertices)
