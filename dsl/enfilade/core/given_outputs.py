"""Which outputs a procedure gives on every way to its end: definite assignment, a forward must-analysis."""

from __future__ import annotations

from attrs import define, field

from enfilade.core import ir
from enfilade.values.types import ListOf, Num


def surely_given(body: ir.Body) -> frozenset[str]:
    """The outputs that are given on every way through the body of a procedure, unless it refuses.

    Outputs that only a loop gives are among them if the loop is certain to have a round.
    """
    ends = _Ends()
    ends.add(ends.after(body, frozenset()))
    return frozenset.intersection(*ends.given) if ends.given else frozenset()


def falls_through(body: ir.Body) -> bool:
    """Whether a body may run to its end, instead of stopping."""
    return _Ends().after(body, frozenset()) is not None


def is_run(rounds: ir.Expr) -> bool:
    """Whether a loop over a list, or of so many rounds, is certain to have a round."""
    match rounds.type:
        case ListOf(least=low) | Num(low=low):
            return low is not None and low >= 1
    return False


@define
class _Ends:
    """The outputs given at each place where the procedure ends."""

    given: list[frozenset[str]] = field(factory=list)

    def add(self, given: frozenset[str] | None) -> None:
        if given is not None:
            self.given.append(given)

    def after(self, body: ir.Body, given: frozenset[str]) -> frozenset[str] | None:
        """The outputs given after a body; ``None`` if it never runs to its end."""
        for s in body:
            after = self._after(s, given)
            if after is None:
                return None
            given = after
        return given

    def _after(self, s: ir.Statement, given: frozenset[str]) -> frozenset[str] | None:
        match s:
            case ir.Stop():
                self.add(given)
                return None
            case ir.Give():
                return given | {s.name}
            case ir.Branch():
                return _joined([self.after(s.body, given), self.after(s.otherwise, given)])
            case ir.Together():
                parts = [self.after(part, given) for part in s.parts]
                # A part that stops ends the procedure after all parts.
                return None if None in parts else given.union(*(part for part in parts if part is not None))
            case ir.Loop() | ir.Repeat():
                after = self.after(s.body, given)
                return after if _has_round(s) else given
            case ir.CallProcedure() if s.if_refused is not None:
                return _joined([given, self.after(s.if_refused, given)])
        return given


def _has_round(s: ir.Loop | ir.Repeat) -> bool:
    rounds = s.over if isinstance(s, ir.Loop) else s.times
    return rounds is None or is_run(rounds)


def _joined(ends: list[frozenset[str] | None]) -> frozenset[str] | None:
    reached = [end for end in ends if end is not None]
    return frozenset.intersection(*reached) if reached else None
