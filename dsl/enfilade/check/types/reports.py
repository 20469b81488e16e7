"""Diagnostics that several checks report: a type mismatch, an unknown word, a condition that is never true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from enfilade.check.context import Context, similar
from enfilade.check.types.satisfiability import find_covered, is_never_true
from enfilade.check.types.type_relations import is_known
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Label, Severity, Subject
from enfilade.source.text import Span
from enfilade.values.types import CodeOf, Either, Num, Type, Word, spelled, with_article

MAX_LISTED = 8
# A cell that may be meant as a number, or an empty one.
_NUMBER: Final = re.compile(r"[+-]?\d+(?:\.\d+)?|[-–—]")


# What to do with a number or a word where a number is needed.
_NUMBER_OR_WORD: Final = "test the word first, `when {0} is {1}`, and use the number below `otherwise`"
_OWN_PARTS: Final = "or give the chart a part for the word and one for the number, each `-` where the other stands"


def warn_if_unsatisfiable(ctx: Context, conditions: Sequence[ir.Expr], span: Span) -> bool:
    """Warn if the conditions can't all be true together; return whether it warned."""
    never = is_unsatisfiable(ctx, conditions)
    if never:
        ctx.warn("never-holds", "this condition is never true", span, "two parts of the condition exclude each other")
    return never


def is_unsatisfiable(ctx: Context, conditions: Sequence[ir.Expr]) -> bool:
    """Whether the conditions can't all be true together."""
    return is_never_true(conditions, ctx.input_types)


def warn_of_covered_cases(ctx: Context, cases: Sequence[tuple[ir.Expr, Span]]) -> None:
    """Warn of each case that is never reached, because a case above is true whenever its condition is."""
    for number in find_covered([condition for condition, _ in cases], ctx.input_types):
        condition, span = cases[number]
        covering = (place for above, place in cases[:number] if is_unsatisfiable(ctx, [condition, ir.Not(above)]))
        labels = tuple(Label(place, "this case comes first") for place in islice(covering, 1))
        what = "an earlier case applies" if labels else "one of the earlier cases applies"
        message = f"this case never applies: whenever its condition is true, {what}"
        ctx.warn("unreachable-case", message, span, "put the narrower case first, or delete this one", labels=labels)


def has_errors(ctx: Context, noted: int) -> bool:
    """Whether a mistake was reported since there were *noted* diagnostics."""
    return any(each.severity is Severity.ERROR for each in ctx.diagnostics[noted:])


def report_mismatch(ctx: Context, wanted: str | Type, got: Type, span: Span, *helps: str) -> None:
    """Report a value of the wrong type, unless its type is unknown because of a mistake already reported."""
    if not is_known(got):
        return
    if isinstance(wanted, Word) and isinstance(got, CodeOf):
        other = [code for code in got.codes if code not in wanted.words]
        helps = (
            *helps,
            (f"the chart also contains {', '.join(other[:MAX_LISTED])}; " if other else "")
            + "to use the cells of the chart as words, add the line `cells words` to it",
        )
    if isinstance(got, CodeOf) and not isinstance(wanted, Word) and all(map(_is_number, got.codes)):
        helps = (*helps, "if the cells of the chart are numbers, add the line `cells numbers` to the chart")
    if isinstance(wanted, Num) and isinstance(got, Num):
        # Only the difference between whole and other numbers makes numbers of different types.
        helps = (*helps, f"round it: `{span.text} rounded down`")
    if isinstance(got, Either) and (wanted == "a number" or isinstance(wanted, Num)):
        helps = (*helps, _NUMBER_OR_WORD.format(span.text, spelled(got.words[0])), _OWN_PARTS)
    needed = wanted if isinstance(wanted, str) else with_article(wanted)
    ctx.report("type", f"this is {with_article(got)}, but {needed} is needed", span, *helps)


def _is_number(code: str) -> bool:
    return bool(_NUMBER.fullmatch(code))


def report_unknown_word(ctx: Context, text: str, words: tuple[str, ...], span: Span, what: str = "word") -> None:
    """Report a word that is not among the possible words."""
    close = similar(text, words)
    listed = ", ".join(map(spelled, words[:12])) + (", ..." if len(words) > 12 else "")
    help_ = f"did you mean `{close}`?" if close else f"write one of {listed}"
    ctx.report(
        f"unknown-{what}",
        f"`{text}` is not a possible {what} here",
        span,
        help_,
        about=Subject((text,), close),
    )
