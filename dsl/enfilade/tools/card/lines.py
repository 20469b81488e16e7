"""Renders the blocks of a card as styled lines for a terminal or a chat, and tells the meaning of a result code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from attrs import evolve

from enfilade.api.ruleset import Ruleset
from enfilade.core import ir
from enfilade.core.code_patterns import match_code, pattern_for
from enfilade.core.modifiers import modifiers_in, text_of
from enfilade.diagnostics.suggest import only_beginning
from enfilade.door import door
from enfilade.language.styled_text import NO_LINE, Line, cited, line
from enfilade.tools.card import data
from enfilade.tools.card.blocks import results_block
from enfilade.tools.card.build import card_of, distinct_results
from enfilade.values.types import CodeOf

_INDENT = "  "


@door
def reference_lines(
    rules: Ruleset, kinds: Collection[str] | None = None, chart: str | None = None, *, block: str | None = None
) -> tuple[Line, ...]:
    """Print blocks of the reference card: modifiers, results, how to read the charts, options.

    Args:
        rules: The ruleset.
        kinds: The kinds of blocks: reading, modifiers, results, charts, options, definitions, procedure; ``None`` for
            all, with every assumption.
        chart: The chart that the blocks must concern; ``None`` for all.
        block: The name of the only block to print; ``None`` for all.

    Returns:
        Styled lines, with the assumptions that the blocks refer to at the end; none if there is no such block.
    """
    card = card_of(rules.program, chart)
    every = chain(chain.from_iterable(section.blocks for section in card.sections), card.blocks)
    blocks = [each for each in every if (kinds is None or each.kind in kinds) and block in (None, each.name)]
    lines = [line for each in blocks for line in (NO_LINE, *_block(each))]
    used = {mark for each in blocks for line in (each.title, *each.lines) for mark in line.marks}
    return (*lines[1:], *_footnotes([each for each in card.footnotes if kinds is None or each.number in used]))


@door
def code_lines(rules: Ruleset, code: str) -> tuple[Line, ...]:
    """Tell what a result code means: its label, its effects and their citations, for each chart that gives it.

    Args:
        rules: The ruleset.
        code: A code as printed, ``M1``; the label of a code, ``No Effect``; or a cell with several codes, ``1 1 -``.

    Returns:
        Styled lines, with the assumptions behind them at the end; none if no chart has such a code.
    """
    footnotes = data.Footnotes()
    codes = [code] if _is_code(rules.program, code) else _labelled(rules.program, code) or _parts(rules.program, code)
    meanings = (_meanings(rules.program, each, footnotes) for each in codes)
    found = dict.fromkeys(chain.from_iterable(chain.from_iterable(meanings)))
    return (*found, *_footnotes(footnotes.all()))


@door
def modifier_conditions(rules: Ruleset, word: str) -> dict[str, str]:
    """The conditions of the modifiers that a word names or begins to name, by the names of the modifiers.

    Args:
        rules: The ruleset.
        word: The name, or the beginning of the name of one modifier alone.

    Returns:
        The conditions as written in the rules; none if there is no such modifier.
    """
    blocks = rules.program.modifiers.values()
    modifiers = [each for block in blocks for each in modifiers_in(block.items)]
    name = only_beginning(word, {each.name for each in modifiers})
    conditions = dict.fromkeys(text_of(each.condition) for each in modifiers if each.name == name)
    return {name: " or ".join(conditions)} if name is not None else {}


def _is_code(program: ir.Program, code: str) -> bool:
    return any(_has_code(program.charts[name], code) for _, charts in distinct_results(program) for name in charts)


def _labelled(program: ir.Program, label: str) -> list[str]:
    """The codes with a label, in any case: ``-`` for ``No Effect``."""
    types = [program.charts[name].code_type for _, charts in distinct_results(program) for name in charts]
    codes = dict.fromkeys(str(code) for type_ in types if isinstance(type_, CodeOf) for code in type_.codes)
    found = []
    for code in codes:
        firsts = (lines[0] for lines in _meanings(program, code, data.Footnotes()) if lines)
        if any(label.casefold() == text.strip().casefold() for first in firsts for _, text in first):
            found.append(code)
    return found


def _parts(program: ir.Program, cell: str) -> list[str]:
    """The codes of a cell with several; none if one of its words is not a code."""
    parts = list(dict.fromkeys(cell.split()))
    return parts if len(parts) > 1 and all(_is_code(program, each) for each in parts) else []


def _meanings(program: ir.Program, code: str, footnotes: data.Footnotes) -> Iterator[tuple[Line, ...]]:
    for results, charts in distinct_results(program):
        fits = pattern_for(results, code)
        if fits is None or not any(_has_code(program.charts[name], code) for name in charts):
            continue
        pattern, numbers = fits
        entries = tuple(each for each in results.entries if _applies(each, pattern, code))
        block = results_block(program, evolve(results, entries=entries), "", footnotes)
        signs = {f"#{name}" if not name.startswith("{") else name: str(value) for name, value in numbers.items()}
        first, *others = (_with_numbers(each, signs) for each in block.lines if each.text != "and after that")
        yield tuple(_line(each) for each in (evolve(first, lead=code, more=""), *others))


def _has_code(chart: ir.Chart, code: str) -> bool:
    return isinstance(chart.code_type, CodeOf) and code in chart.code_type.codes


def _applies(entry: ir.Entry, pattern: ir.Pattern, code: str) -> bool:
    return match_code(entry.pattern, code) is not None if entry.then else entry.pattern == pattern


def _with_numbers(each: data.Line, signs: dict[str, str]) -> data.Line:
    text, more = each.text, each.more
    for sign, value in signs.items():
        text, more = text.replace(sign, value), more.replace(sign, value)
    return evolve(each, text=text, more=more)


def _block(block: data.Block) -> Iterator[Line]:
    title = block.title
    more = f"  {title.more}" if title.more else ""
    yield line(("title", title.text), cited(title.cites), ("hint", more), _marked(title.marks))
    wide = max((len(each.lead) for each in block.lines if len(each.lead) <= _MOST_LEAD), default=0)
    for each in block.lines:
        yield _line(each, wide + 2 if wide else 0, 1)


_MOST_LEAD = 6


def _line(each: data.Line, wide: int = 0, depth: int = 0) -> Line:
    indent = _INDENT * (each.depth + depth)
    lead = f"{each.lead:<{wide}}" if wide else f"{each.lead}  " if each.lead else ""
    if wide and len(each.lead) > _MOST_LEAD:
        lead = f"{each.lead}: "
    elif wide and not each.lead and each.depth:
        lead = ""
    style = "label" if each.is_group else ""
    more = f" ({each.more})" if each.more else ""
    return line(indent, ("code", lead), (style, each.text), ("hint", more), cited(each.cites), _marked(each.marks))


def _marked(marks: tuple[int, ...]) -> tuple[str, str]:
    return "hint", "".join(f" {data.mark_sign(number)}" for number in marks)


def _footnotes(footnotes: Sequence[data.Footnote]) -> Iterator[Line]:
    if footnotes:
        yield NO_LINE
        yield line(("label", "Assumed by the author of the rules"))
    for each in footnotes:
        about = (("hint", each.about), cited(each.cites), ("hint", ": ")) if each.about else ()
        yield line(_INDENT, ("hint", f"{each.sign:<3} "), *about, ("hint", each.text))
