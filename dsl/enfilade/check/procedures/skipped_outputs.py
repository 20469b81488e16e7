"""``stop`` inside a loop, with outputs that are given only after the loop: `leave` is probably meant."""

from __future__ import annotations

from itertools import accumulate
from typing import Final

from attrs import frozen

from enfilade.check.context import Context
from enfilade.check.procedures.changing_locals import blocks_of, statements_in
from enfilade.syntax import tree as t

_SHOWN: Final = 3


@frozen
class _Place:
    """A place in a procedure.

    Attributes:
        given: The outputs given before it.
        later: The outputs given after the block that contains it.
        after_loop: The outputs given after the innermost loop; ``None`` outside loops.
    """

    given: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    after_loop: frozenset[str] | None = None


def warn_of_skipped_outputs(ctx: Context, steps: tuple[t.Step, ...]) -> None:
    """Warn of each ``stop`` in a loop that skips outputs given after the loop."""
    _walk(ctx, steps, _Place())


def _walk(ctx: Context, steps: tuple[t.Step, ...], place: _Place) -> None:
    own = [_given(step) for step in steps]
    before = accumulate(own, frozenset.union, initial=place.given)
    after = [*accumulate(reversed(own[1:]), frozenset.union, initial=place.later)][::-1]
    for step, given, later in zip(steps, before, after, strict=False):
        s = step.statement
        if isinstance(s, t.Stop) and place.after_loop is not None:
            _warn(ctx, s, place.after_loop - given)
        is_loop = isinstance(s, (t.ForEach, t.RepeatUntil, t.RepeatTimes))
        inner = _Place(given, later, later if is_loop else place.after_loop)
        # A call that is refused may well end the procedure.
        for block in () if isinstance(s, t.Call) else blocks_of(s):
            _walk(ctx, block.steps, inner)


def _given(step: t.Step) -> frozenset[str]:
    return frozenset(s.name.name for s in statements_in((step,)) if isinstance(s, t.Give))


def _warn(ctx: Context, s: t.Stop, skipped: frozenset[str]) -> None:
    if skipped:
        names = [f"`{name}`" for name in sorted(skipped)]
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        ctx.warn(
            "stop-in-loop",
            f"`stop` ends the whole procedure and skips the outputs given after the loop: {', '.join(names[:_SHOWN])}{more}",
            s.span,
            "write `leave` to end only the loop",
        )
