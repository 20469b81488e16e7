"""Results blocks: what each result code of a chart does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import evolve

from enfilade.bind.names import Key
from enfilade.check.charts.code_parts import pattern_of
from enfilade.check.context import Context, note_of, similar
from enfilade.check.demand import require_chart
from enfilade.check.expressions.fields import type_of_part
from enfilade.check.procedures.changing_locals import changing_locals
from enfilade.check.procedures.loops import check_loop
from enfilade.check.procedures.steps import check_block, check_statement
from enfilade.check.scope import Element, Scope, Typed
from enfilade.check.types.expected_types import check_condition
from enfilade.core import ir
from enfilade.core.code_patterns import letters_of, match_code
from enfilade.diagnostics.diagnostic import Label as Mark
from enfilade.syntax import tree as t
from enfilade.values.types import ListOf, MapOf, Num, RecordOf, Type


def check_results(ctx: Context, tree: t.Results) -> ir.Results | None:
    """Check a results block."""
    chart = require_chart(ctx, tree.chart.name, tree.chart.span) if tree.chart.name in ctx.symbols.charts else None
    if chart is None:
        if tree.chart.name not in ctx.symbols.charts:
            ctx.unknown("chart", tree.chart, list(ctx.symbols.charts))
        return None
    record = None if tree.record is None else tree.record.name
    if tree.record is not None and record not in ctx.records:
        ctx.unknown("record", tree.record, list(ctx.records))
        return None
    scope = Scope(f"results of {chart.name}", keys={name: Key("built-in", name) for name in ("reader", "readers")})
    entries = [entry for number in range(len(tree.entries)) for entry in _check_entry(ctx, number, tree, record, scope)]
    return ir.Results(chart.name, record, tuple(entries), note_of(tree.tail, tree.span))


def _check_entry(ctx: Context, number: int, tree: t.Results, record: str | None, scope: Scope) -> Iterator[ir.Entry]:
    """Check an entry; one that begins with ``then`` continues each of the entries that it names."""
    entry = tree.entries[number]
    pattern = pattern_of(ctx, entry, tree)
    _check_pattern(ctx, entry, pattern, tree.entries[:number])
    numbers: dict[str, Typed] = {}
    for letter in letters_of(pattern):
        of_code = _type_of_number(ctx, tree, letter)
        type_ = of_code if record is None else MapOf(RecordOf(record), of_code)
        numbers[letter] = Typed.of(ir.Local(f"#{letter}", entry.pattern.span, type_))
    inner = evolve(scope, numbers=numbers, locals={}, outputs={}, changing=changing_locals(_steps_of(entry)))
    if record is not None:
        inner.locals["readers"] = Typed.of(ir.Local("readers", type=ListOf(RecordOf(record), 1)))
    lines = _check_lines(ctx, entry, tree, record, inner, (entry.pattern.text,))
    made = ir.Entry(pattern, entry.then, lines, _note_of_entry(entry))
    if not entry.then:
        yield made
        return
    for text in dict.fromkeys(
        earlier.pattern.text
        for earlier in tree.entries[:number]
        if not earlier.then and _codes(earlier) & _codes(entry)
    ):
        yield made if text == pattern.text and not entry.also else evolve(made, pattern=ir.Pattern(text))


def _note_of_entry(entry: t.Entry) -> ir.Note:
    """The note of an entry. A line ``then CODE`` leaves no step behind, so what stands behind it belongs to the entry."""
    tails = [entry.tail, *(line.tail for line in entry.lines if isinstance(line, t.ThenCode))]
    return ir.Note(
        next((tail.label for tail in tails if tail.label), None),
        tuple(dict.fromkeys(cite for tail in tails for cite in tail.cites)),
        "; ".join(dict.fromkeys(tail.assumed for tail in tails if tail.assumed)) or None,
        entry.span,
    )


def _codes(entry: t.Entry) -> set[str]:
    return {entry.pattern.text, *(code.text for code in entry.also)}


def _type_of_number(ctx: Context, tree: t.Results, letter: str) -> Type:
    """The type of a number in a code; of a name in braces, that of all its values in the cells."""
    if not letter.startswith("{"):
        return Num(0, None)
    charts = [name.name for name in (tree.chart, *tree.also) if name.name in ctx.symbols.charts]
    for name in charts:
        require_chart(ctx, name, tree.span)
    found = [ctx.code_parts.get(name, {}).get(letter[1:-1], {}) for name in charts]
    values = [value for part in found for value in part.values() if value is not None]
    return type_of_part(values) if values else Num(0, None)


def _check_lines(
    ctx: Context, entry: t.Entry, tree: t.Results, record: str | None, scope: Scope, above: tuple[str, ...]
) -> tuple[ir.ResultLine, ...]:
    """Check the lines of an entry. The lines of a code that ``then`` names stand in place of that line.

    Args:
        ctx: The context.
        entry: The entry.
        tree: All entries.
        record: The record of the readers.
        scope: The names visible to the lines.
        above: The codes whose lines contain these, to find circles.
    """
    lines: list[ir.ResultLine] = []
    for line in entry.lines:
        if isinstance(line, t.ThenCode):
            lines += _check_lines_of_code(ctx, line, tree, record, scope, above)
        else:
            lines.append(_check_line(ctx, line, record, scope))
    return tuple(lines)


def _check_lines_of_code(
    ctx: Context, line: t.ThenCode, tree: t.Results, record: str | None, scope: Scope, above: tuple[str, ...]
) -> list[ir.ResultLine]:
    named = _entries_named(ctx, tree, line.code.text, scope.numbers)
    if named is None:
        known = [code.text for entry in tree.entries for code in (entry.pattern, *entry.also) if "#" not in code.text]
        close = similar(line.code.text, known)
        help_ = f"did you mean `{close}`?" if close else "after `then`, write a code with an entry of its own"
        ctx.report("nothing-before", f"there is no entry for `{line.code.text}`", line.code.span, help_)
        return []
    entries, numbers = named
    if entries[0].pattern.text in above:
        ctx.report("circular", f"`{line.code.text}` leads back to itself", line.code.span, "delete one `then`")
        return []
    inner = evolve(scope, numbers=numbers)
    inner.changing.update(*(changing_locals(_steps_of(entry)) for entry in entries))
    return [
        found
        for entry in entries
        for found in _check_lines(ctx, entry, tree, record, inner, (*above, entries[0].pattern.text))
    ]


def _entries_named(
    ctx: Context, tree: t.Results, code: str, numbers: Mapping[str, Typed]
) -> tuple[list[t.Entry], Mapping[str, Typed]] | None:
    """The entries for a code, and what its numbers are: those in the code, or those of the entry that names it."""
    found_patterns = [pattern_of(ctx, entry, tree) for entry in tree.entries if not entry.then]
    patterns = sorted(found_patterns, key=lambda each: bool(letters_of(each)))
    for pattern in patterns:
        found: Mapping[str, Typed] | None = None
        if code in (pattern.text, *pattern.also):
            found = numbers if set(letters_of(pattern)) <= set(numbers) else None
        elif (values := match_code(pattern, code)) is not None:
            found = {name: Typed.of(ir.Const(value)) for name, value in values.items()}
        if found is not None:
            return [entry for entry in tree.entries if entry.pattern.text == pattern.text], found
    return None


def _check_pattern(ctx: Context, entry: t.Entry, pattern: ir.Pattern, above: tuple[t.Entry, ...]) -> None:
    earlier = {code.text: code for e in reversed(above) if not e.then for code in (e.pattern, *e.also)}
    if entry.then:
        _check_continued(ctx, entry, above)
        return
    for code, form in zip((entry.pattern, *entry.also), pattern.forms or (pattern.text, *pattern.also), strict=True):
        if code.text in earlier:
            ctx.report(
                "duplicate-name",
                f"the code `{code.text}` is repeated",
                code.span,
                f"delete one of the two entries, or write `then {code.text}` to add lines to the first",
                labels=(Mark(earlier[code.text].span, "first here"),),
            )
        earlier[code.text] = code
        if code is not entry.pattern and sorted(letters_of(ir.Pattern(form))) != sorted(letters_of(pattern)):
            ctx.report(
                "misplaced",
                f"`{entry.pattern.text}` and `{code.text}` share an entry, but one of them contains a number that the other lacks",
                code.span,
                f"give `{code.text}` an entry of its own",
            )


def _check_continued(ctx: Context, entry: t.Entry, above: tuple[t.Entry, ...]) -> None:
    """Check that ``then A, B`` continues earlier entries, and each of them for all of its codes."""
    for code in (entry.pattern, *entry.also):
        continued = next((e for e in above if not e.then and code.text in _codes(e)), None)
        if continued is None:
            message = f"`then {code.text}` adds to an earlier entry, but there is no earlier entry"
            ctx.report("nothing-before", message, code.span)
        elif others := sorted(_codes(continued) - _codes(entry)):
            message = f"`{code.text}` shares its entry with `{others[0]}`, so lines can't be added for it alone"
            help_ = f"give `{code.text}` an entry of its own, or write `then {', '.join([code.text, *others])}`"
            ctx.report("misplaced", message, code.span, help_)


def _check_line(
    ctx: Context, line: t.EachReader | t.Once | t.Statement, record: str | None, scope: Scope
) -> ir.ResultLine:
    if isinstance(line, t.EachReader):
        if record is None:
            ctx.report(
                "readers",
                "these results have no `for each`",
                line.span,
                "write `results of CHART for each RECORD`, or delete `each reader`",
            )
            return ir.ResultLine("plain", None, ())
        element = Element("reader", RecordOf(record))
        inner = scope.within(element)
        inner.locals["reader"] = Typed.of(ir.Local("reader", type=RecordOf(record)))
        where = None if line.where is None else check_condition(ctx, line.where, inner)
        return ir.ResultLine("each", where, check_loop(ctx, scope, lambda: check_block(ctx, line.block, inner)))
    if isinstance(line, t.Once):
        return ir.ResultLine("once", None, check_block(ctx, line.block, scope))
    return ir.ResultLine("plain", None, tuple(check_statement(ctx, line, scope)))


def _steps_of(entry: t.Entry) -> tuple[t.Step, ...]:
    """The steps in all lines of an entry."""
    steps: list[t.Step] = []
    for line in entry.lines:
        if isinstance(line, (t.EachReader, t.Once)):
            steps += line.block.steps
        elif not isinstance(line, t.ThenCode):
            steps.append(t.Step(None, line, line.span))
    return tuple(steps)
