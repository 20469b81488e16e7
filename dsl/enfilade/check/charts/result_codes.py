"""Result codes: each code of a chart is checked against its severity order and its `results of` block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from enfilade.check.charts.chart_layout import ChartLayout
from enfilade.check.charts.code_parts import patterns_of
from enfilade.check.context import Context, similar
from enfilade.core.code_patterns import match_code, pattern_for
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.diagnostics.diagnostic import Subject
from enfilade.syntax import tree as t

MAX_MARKED = 8
_NUMBER_IN_CODE = re.compile(r"\d+")


def check_codes(
    ctx: Context, tree: t.Chart, layout: ChartLayout, codes: list[t.Code], replaced: AbstractSet[str] = frozenset()
) -> None:
    """Check the codes of a chart against its severity order and its results.

    Args:
        ctx: The context.
        tree: The chart.
        layout: Its lines.
        codes: The codes that can be read.
        replaced: The codes of cells that an erratum replaces: they need no entry, and may have one.
    """
    present = {code.text: code for code in reversed(codes)}
    results = ctx.symbols.results.get(tree.name.name)
    order = layout.severity
    wrong = False
    if results is not None:
        wrong = _check_results(ctx, tree, layout, results, present, replaced)
    elif order and layout.kind != "numbers":
        bad = [code for text, code in present.items() if text not in order]
        wrong = bool(bad)
        for code in sorted(bad, key=lambda each: each.span.start):
            why = "is not in the chart's `severity` line"
            _report_code(ctx, code, list(order), [text for text in order if text not in present], "unknown-code", why)
    if layout.order is not None and not wrong and not layout.is_ragged and not layout.lacks_rows:
        for listed in layout.order.codes:
            if (
                listed.text not in present
                and listed.text not in replaced
                and listed.text not in ctx.query(_of_others, tree, layout.order)
            ):
                ctx.warn("unused-code", f"no cell contains `{listed.text}`", listed.span, *_near(listed.text, present))
    _check_order(ctx, layout)


def _of_others(ctx: Context, tree: t.Chart, order: t.SeverityOrder) -> set[str]:
    """The cells of the other charts that share the severity line."""
    others = [
        chart
        for chart in ctx.symbols.charts.values()
        if chart.name != tree.name and any(item.line is order for item in chart.items)
    ]
    rows = [row for chart in others for item in chart.items for row in item.rows]
    return {piece for row in rows for cell in row.cells[1:] for piece in (cell.text, *cell.text.split())}


def _check_order(ctx: Context, layout: ChartLayout) -> None:
    seen: dict[str, t.Code] = {}
    for code in layout.order.codes if layout.order is not None else ():
        if code.text in seen:
            first = (Mark(seen[code.text].span, "first here"),)
            message = f"the code `{code.text}` is repeated"
            ctx.report("duplicate-name", message, code.span, "delete one", labels=first)
        seen.setdefault(code.text, code)


def _check_results(
    ctx: Context,
    tree: t.Chart,
    layout: ChartLayout,
    results: t.Results,
    present: dict[str, t.Code],
    replaced: AbstractSet[str],
) -> bool:
    """Report codes without an entry and entries without a code; return whether a code has no entry."""
    patterns = patterns_of(ctx, results)
    missing = [code for text, code in present.items() if pattern_for(patterns, text) is None]
    missing.sort(key=lambda code: code.span.start)
    idle = [
        (entry, e)
        for entry, e in zip(patterns.entries, results.entries, strict=True)
        if not entry.then
        and not any(match_code(entry.pattern, text) is not None for text in (*present, *replaced, *layout.severity))
    ]
    if idle and len(missing) > len(idle):
        _report_entry(ctx, idle[0][1], missing, tree)
    else:
        known = [*layout.severity, *(entry.pattern.text for entry in patterns.entries)]
        read = (*present, *replaced)
        unused = [
            entry.pattern.text
            for entry in patterns.entries
            if not entry.then and not any(match_code(entry.pattern, text) is not None for text in read)
        ]
        series = {_NUMBER_IN_CODE.sub("#", code.text) for code in missing}
        if len(missing) > 1 and len(series) == 1 and not unused:
            _report_missing(ctx, missing, next(iter(series)), results)
        else:
            for code in missing:
                whole = code.text.replace(" ", "")
                if whole != code.text and pattern_for(patterns, whole) is not None:
                    known = [whole]
                _report_code(ctx, code, known, unused, "code-without-result", "has no entry in the results")
    if (
        not missing
        and not results.also
        and not layout.is_ragged
        and not layout.lacks_rows
        and not ctx.unread.is_part_of(tree.span)
    ):
        for _, entry in idle:
            ctx.warn(
                "result-without-code",
                f"no cell of {tree.name.name} contains `{entry.pattern.text}`",
                entry.pattern.span,
                *_near(entry.pattern.text, present),
            )
    return bool(missing)


def _exchanged(text: str, codes: Iterable[str]) -> str | None:
    """The code with the same letters in another order, or else the one that is spelt most like it."""
    found = [code for code in codes if code != text]
    return next((code for code in found if sorted(code) == sorted(text)), None) or similar(text, found)


def _near(text: str, present: Iterable[str]) -> list[str]:
    close = _exchanged(text, present)
    return [] if close is None else [f"a cell contains `{close}`: is this the same code?"]


_LETTERS: Final = str.maketrans({"O": "0", "o": "0", "l": "1", "I": "1"})
_SIGNED: Final = re.compile(r"(.*[\w-])([^\w\s-]{1,2})")


def _report_code(ctx: Context, cell: t.Code, known: list[str], unused: list[str], code: str, why: str) -> None:
    where = "results" if code == "code-without-result" else "`severity` line"
    close = _exchanged(cell.text, unused)
    helps = [f"did you mean `{close}`? no cell contains that code"]
    signed = _SIGNED.fullmatch(cell.text)
    if signed is not None and signed[1] in known:
        help_ = f"if `{signed[2]}` is the sign of a note behind `{signed[1]}`, declare it in the chart: `mark {signed[2]} NAME`"
        ctx.report(code, f"the code `{cell.text}` {why}", cell.span, help_, f"if not, add the code to the {where}")
        return
    if (scanned := cell.text.translate(_LETTERS)) != cell.text and (scanned in known or scanned in unused):
        known = [scanned]
    if close is None:
        close = similar(cell.text, set(known))
        helps = [f"add the code to the {where}, or correct the cell"]
        helps = [f"did you mean `{close}`?", f"if not, add the code to the {where}"] if close else helps
    ctx.report(code, f"the code `{cell.text}` {why}", cell.span, *helps, about=Subject((cell.text,), close))


def _report_missing(ctx: Context, missing: list[t.Code], series: str, results: t.Results) -> None:
    """Report a series of codes without an entry, such as D1 and D2: one mistake."""
    codes = ", ".join(f"`{code.text}`" for code in missing[:MAX_MARKED])
    head = results.span.at(0, len(results.span.text.split("\n")[0]))
    marks = (Mark(head, "the results"), *(Mark(code.span, "also here") for code in missing[1:MAX_MARKED]))
    about = Subject(tuple(code.text for code in missing))
    help_ = f"add `{series}`, which stands for all of them"
    ctx.report(
        "code-without-result",
        f"these results have no entry for {codes}",
        missing[0].span,
        help_,
        labels=marks,
        about=about,
    )


def _report_entry(ctx: Context, entry: t.Entry, missing: list[t.Code], tree: t.Chart) -> None:
    """Report a misspelt entry that leaves several codes without a result: one mistake."""
    codes = ", ".join(f"`{code.text}`" for code in missing[:MAX_MARKED])
    ctx.report(
        "code-without-result",
        f"no cell of {tree.name.name} contains `{entry.pattern.text}`, and there is no entry for {codes}",
        entry.pattern.span,
        "correct the code of this entry, or add an entry for each code",
        labels=tuple(Mark(code.span, f"`{code.text}`") for code in missing[:MAX_MARKED]),
    )
