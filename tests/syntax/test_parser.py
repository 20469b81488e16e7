"""The parser: its saved form, its limits, and the charts that people paste."""

import inspect
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from lark import TextSlice
from tests.fuzz.seeds import shipped_texts

from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.text import SourceFile
from enfilade.syntax import tables
from enfilade.syntax import tree as t
from enfilade.syntax.build import CURRENT
from enfilade.syntax.error_recovery import MAX_FAULTS, MAX_LINE
from enfilade.syntax.generate import generate_tables, tables_text
from enfilade.syntax.grammar import DECLARATION
from enfilade.syntax.indentation import MAX_BLOCKS, MAX_NAME, MAX_TEXT
from enfilade.syntax.nesting import MAX_BRACKETS
from enfilade.syntax.parser import MAX_FINDINGS, Parsed, parse_module
from enfilade.syntax.phrases import options
from enfilade.syntax.stored_parser import StoredParser, is_current
from enfilade.syntax.syntax_messages import DECLARATIONS
from enfilade.syntax.tables import stored_tables
from enfilade.syntax.unparse import unparse

SHIPPED: Final = shipped_texts()


def parse(text: str) -> Parsed:
    return parse_module(SourceFile("<text>", text))


def codes_of(text: str) -> list[str]:
    return [found.code for found in parse(text).diagnostics]


# -- the stored parse table


def test_the_stored_parse_table_is_that_of_the_grammar() -> None:
    written = Path(tables.__file__).with_name(tables.FILE).read_text(encoding="utf-8")
    assert written == tables_text(), "run `python -m enfilade.syntax.generate`"
    assert is_current(stored_tables())


def test_a_table_that_is_made_on_the_spot_parses_as_the_stored_one_does() -> None:
    made = StoredParser(generate_tables())
    source = SourceFile("<text>", SHIPPED[0])
    token = CURRENT.set(source)
    for declaration in parse(SHIPPED[0]).module.declarations:
        assert made.parse(TextSlice.cast_from(unparse(t.Module((declaration,)))), DECLARATION) == declaration
    CURRENT.reset(token)


@pytest.mark.parametrize("change", [{"lark": "0.0"}, {"grammar": ""}])
def test_a_table_of_another_lark_or_grammar_is_not_used(change: dict[str, Any]) -> None:
    assert not is_current(evolve(stored_tables(), **change))


def test_the_stored_parser_is_made_without_reading_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lark.load_grammar.load_grammar", None)
    assert StoredParser(stored_tables()) is not None


def test_the_declarations_of_the_grammar_are_those_known_to_recovery() -> None:
    tables = stored_tables()
    shifts, _ = tables.states[tables.first["declaration"]]
    firsts = {text.split()[0] for name in shifts[::2] for text in options().get(tables.names[name], {}).values()}
    assert set(DECLARATIONS) == firsts


def test_threads_share_nothing() -> None:
    texts = SHIPPED[::24]
    alone = [parse(text).module for text in texts]
    with ThreadPoolExecutor(8) as pool:
        parsed = list(pool.map(parse, texts * 3))
    assert [each.module for each in parsed] == alone * 3


# -- limits: one below, at, one above


def define(expr: str) -> str:
    return f"define a = {expr}\n"


def blocks(depth: int) -> str:
    lines = ["procedure a", *("  " * level + "when b" for level in range(1, depth)), "  " * depth + "stop"]
    return "\n".join(lines) + "\n"


def chain(length: int) -> str:
    return "procedure a\n  when b: stop\n" + "  otherwise when b: stop\n" * (length - 1)


def line(length: int) -> str:
    return define("1 + " * ((length - 12) // 4) + "1" * ((length - 12) % 4 + 1))


LIMITS: Final[dict[str, tuple[Callable[[int], str], int, str]]] = {
    "names": (lambda length: define("b" * length), MAX_NAME, "name-too-long"),
    "brackets": (lambda depth: define("(" * depth + "1" + ")" * depth), MAX_BRACKETS, "nesting-too-deep"),
    "negations": (lambda depth: define("not " * depth + "b"), DEFAULT_LIMITS.nesting, "nesting-too-deep"),
    "blocks": (blocks, MAX_BLOCKS, "nesting-too-deep"),
    "chain": (chain, MAX_BLOCKS, "nesting-too-deep"),
    "quoted": (lambda length: f'source "{"x" * length}"\n', MAX_TEXT, "text-too-long"),
    "digits": (lambda length: define("1" * length), 18, "number-too-long"),
    "line": (line, MAX_LINE, "line-too-long"),
    "size": (lambda length: "\n" * length, DEFAULT_LIMITS.text, "too-large"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_holds_one_below_at_and_one_above(name: str) -> None:
    make, limit, code = LIMITS[name]
    assert [codes_of(make(size)) for size in (limit - 1, limit, limit + 1)] == [[], [], [code]]


def test_a_line_of_the_limit_has_that_length() -> None:
    assert len(line(MAX_LINE)) == MAX_LINE + 1


DEEPEST: Final = {
    "brackets": "(" * 60 + "a" + ".a" * 40 + ")" * 60, "negations": "not " * 100 + "b", "fields": "a" + ".c" * 100,
    "conditionals": "1 when a is b otherwise " * 97 + "1", "lists": "[" * 60 + "1" + "]" * 60,
    "sums": "(1 + " * 33 + "1" + ")" * 33, "calls": "f(a + " * 33 + "1" + ")" * 33, "entries": "a of " * 100 + "b",
    "comparisons": "(a is " * 33 + "b" + ")" * 33, "filters": "count of x where " * 50 + "a",
    "alternatives": "(a is 1 or b is " * 14 + "b" + ")" * 14, "roundings": "a" + " rounded down" * 100,
}  # fmt: skip


@pytest.mark.parametrize("expr", DEEPEST.values(), ids=DEEPEST.keys())
def test_the_deepest_tree_is_compared_hashed_and_shown_within_half_of_pythons_depth(expr: str) -> None:
    text = blocks(MAX_BLOCKS).replace("stop", f"let x = {expr}")
    one, two = parse(text), parse(text)
    assert not one.diagnostics
    depth = sys.getrecursionlimit()
    used = len(inspect.stack(0))
    try:
        sys.setrecursionlimit(used + 500)
        assert one.module == two.module
        assert hash(one.module) == hash(two.module)
        assert repr(one.module) == repr(two.module)
        assert unparse(one.module)
    finally:
        sys.setrecursionlimit(depth)


def test_long_lists_and_sums_are_not_deep() -> None:
    fields = " + ".join(["a.b"] * 1_500)
    assert codes_of(define(fields)) == []
    assert codes_of(define(f"[{', '.join(['-a.b'] * 1_000)}]")) == []


def test_many_empty_lines_come_to_an_end() -> None:
    # With a terminal that matches a line end in two ways this would not.
    for end in ("\n", "\r\n", "\r"):
        assert not parse(f"chart a{end}  down d6{end}  | 1 | 2 |{end * 5_000}  cells codes{end}").diagnostics


MISTAKES: Final = [
    "(" * 9_000,
    pytest.param("facts\n" + "  a b c\n" * 50_000, marks=pytest.mark.thorough),
    "when " * 2_000,
    pytest.param("x\n" * 30_000, marks=pytest.mark.thorough),
    pytest.param("М" * 100_000, marks=pytest.mark.thorough),
    pytest.param("procedure p\n" + "  1. x y z\n" * 30_000, marks=pytest.mark.thorough),
    '"' * 9_999,
    "[" * 9_999,
]


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: text[:9])
def test_a_text_full_of_mistakes_is_answered(text: str) -> None:
    for bad in (text, f"define a = {text}\n", f"facts\n  a {text}\n"):
        assert parse(bad).diagnostics


# -- mistakes


@pytest.mark.parametrize("text", ["", "\n", "-- x", "  -- x\n\n", "\t\n"])
def test_a_text_without_declarations_is_an_empty_file(text: str) -> None:
    assert parse(text) == Parsed(t.Module(()))


def test_the_lines_around_a_mistake_are_read() -> None:
    facts, last = parse("facts\n  a  1..\n  b  = 1\n  c  1..\n\ndefine d = a +\ndefine e = c\n").module.declarations
    assert isinstance(facts, t.Facts)
    assert [field.name.name for field in facts.fields] == ["a", "c"]
    assert isinstance(last, t.Define)


@pytest.mark.parametrize("value", ['1 * (when "")', "(a 1, when 2)"])
def test_the_otherwise_after_an_entry_that_is_called_when_belongs_to_the_statement(value: str) -> None:
    assert codes_of(f"procedure p\n  1. when a: b becomes {value}\n     otherwise: stop\n") == []


def test_at_most_a_hundred_mistakes_are_reported_and_a_long_declaration_is_read_again_only_so_often() -> None:
    assert len(codes_of("facts\n  a  b c\n" * 500)) == MAX_FAULTS
    assert len(codes_of("nonsense\n" * 500)) == MAX_FAULTS
    found = codes_of("facts\n" + "  a  b c\n" * 20_000)
    assert found[0] == "syntax"
    assert len(found) < MAX_FAULTS


def test_more_look_alikes_than_are_shown_are_counted() -> None:
    found = parse(f"define a = {'М' * 100}\n" + f"define b = {'М' * 100}\n" * 20).diagnostics
    assert len(found) == MAX_FINDINGS
    assert found[-1].helps[-1] == f"{2_100 - MAX_FINDINGS} more such characters follow"


# -- charts as they are pasted


# A chart as it was scanned: bare letters are Greek and Cyrillic ones.
PRINTED: Final = (
    "Roll\t1\t2\t4\t7\t11\t16\t22\t30\t45+\n"
    "2\tΜ\tM1\tM1\tХ\tХ\t2X\t2X\t3X\t3X\n"
    "3\tΜ\tМ\tМ\tM2\tM2\tХ\tХ\t2X\t3X\n"
    "4\t-\tМ\tМ\tM1\tM1\tM2\tХ\tХ\t2X\n"
    "5\t-\t-\t-\tМ\tМ\tM1\tM2\tM2\tХ\n"
    "6\t-\t-\t-\t-\t-\tМ\tM1\tM1\tM2\n"
    "7\t-\t-\t-\t-\t-\t-\tМ\tМ\tM1\n"
    "8\t-\t-\t-\t-\t-\tМ\tМ\tM1\tM2\n"
    "9\t-\t-\t-\t-\tМ\tМ\tM1\tM2\tM2\n"
    "10\t-\t-\tМ\tМ\tM1\tM1\tM2\tХ\tХ\n"
    "11\tΜ\tМ\tM1\tM1\tM2\tM2\tХ\t2X\t2X\n"
    "12\tМ\tM1\tM2\tM2\tХ\tХ\t2X\t2X\t3X\n"
)


def test_a_chart_is_read_alike_with_tabs_and_with_bars() -> None:
    head = "chart fire\n  down  2d6\n  across  fire_value\n"
    bars = parse(head + "".join(f"  | {row} |\n".replace("\t", " | ") for row in PRINTED.splitlines()))
    (chart,) = bars.module.declarations
    assert isinstance(chart, t.Chart)
    assert " ".join(cell.text for cell in chart.items[-1].rows[1].cells) == "2 M M1 M1 X X 2X 2X 3X 3X"
    for margin in ("", "  ", "\t"):
        tabs = parse(head + "".join(f"{margin}{row}\n" for row in PRINTED.splitlines()))
        assert tabs.module == bars.module, repr(margin)
        assert [found.code for found in tabs.diagnostics] == ["look-alike"] * 32, repr(margin)
    assert [found.code for found in bars.diagnostics] == ["look-alike"] * 32


@pytest.mark.parametrize("text", ["facts\n  attack", "modifiers m add to roll of c\n  +(leader)", *SHIPPED[:2]])
def test_a_text_without_a_last_line_feed_has_the_errors_of_one_with_it(text: str) -> None:
    for end in (len(text), *range(97, len(text), 997)):
        cut = text[:end].rstrip("\n")
        found, with_feed = parse(cut).diagnostics, parse(f"{cut}\n").diagnostics
        assert [(each.code, each.message, each.span.line) for each in found] == [
            (each.code, each.message, each.span.line) for each in with_feed
        ]
        assert all(each.span.end <= len(cut) for each in found)
