"""The parser: its saved form, its limits, its messages and the charts that people paste."""

import inspect
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import evolve
from lark import TextSlice
from tests.fuzz.seeds import shipped_texts

from enfilade.diagnostics.codes import CODES
from enfilade.diagnostics.pages import page_for
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.text import SourceFile
from enfilade.syntax import grammar, tables
from enfilade.syntax import tree as t
from enfilade.syntax.error_recovery import MAX_FAULTS, MAX_LINE
from enfilade.syntax.generate import tables_text
from enfilade.syntax.indentation import MAX_BLOCKS, MAX_NAME, MAX_TEXT
from enfilade.syntax.nesting import MAX_BRACKETS
from enfilade.syntax.parser import MAX_FINDINGS, Parsed, parse_module
from enfilade.syntax.stored_parser import StoredParser, is_current
from enfilade.syntax.syntax_messages import DECLARATIONS
from enfilade.syntax.tables import stored_tables
from enfilade.syntax.tree_builder import CURRENT, TreeBuilder
from enfilade.syntax.unparse import unparse

ROOT: Final = Path(__file__).resolve().parents[2]
SHIPPED: Final = shipped_texts()


def parse(text: str) -> Parsed:
    return parse_module(SourceFile("<text>", text))


def codes_of(text: str) -> list[str]:
    return [found.code for found in parse(text).diagnostics]


def define(expr: str) -> str:
    return f"define a = {expr}\n"


# -- the stored parse table


def test_the_stored_parse_table_is_that_of_the_grammar() -> None:
    written = Path(tables.__file__).with_name(tables.FILE).read_text(encoding="utf-8")
    assert written == tables_text(), "run `python -m enfilade.syntax.generate`"
    assert is_current(stored_tables())


def test_the_stored_parse_table_parses_as_the_grammar_does() -> None:
    slow = grammar.parser_from_grammar(TreeBuilder())
    fast = StoredParser(stored_tables(), TreeBuilder())
    for text in SHIPPED:
        source = SourceFile("<text>", text)
        token = CURRENT.set(source)
        for declaration in parse(text).module.declarations:
            piece = TextSlice.cast_from(unparse(t.Module((declaration,))))
            for parser in (slow, fast):
                read: object = parser.parse(piece, grammar.DECLARATION)
                assert read == declaration
        CURRENT.reset(token)


@pytest.mark.parametrize("change", [{"lark": "0.0"}, {"grammar": ""}])
def test_a_table_of_another_lark_or_grammar_is_not_used(change: dict[str, Any]) -> None:
    assert not is_current(evolve(stored_tables(), **change))


def test_the_stored_parser_is_made_without_reading_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lark.load_grammar.load_grammar", None)
    assert StoredParser(stored_tables(), TreeBuilder()) is not None


def test_the_declarations_of_the_grammar_are_those_known_to_recovery() -> None:
    firsts = {name.lower() for name in stored_tables().names if name.lower() in DECLARATIONS} | {"die"}
    assert set(DECLARATIONS) == firsts


def test_threads_share_nothing() -> None:
    texts = [SHIPPED[number % len(SHIPPED)] for number in range(240)]
    alone = {text: parse(text) for text in SHIPPED}
    with ThreadPoolExecutor(8) as pool:
        for text, parsed in zip(texts, pool.map(parse, texts), strict=True):
            assert parsed.module == alone[text].module


# -- limits: one below, at, one above


def names(length: int) -> str:
    return define("b" * length)


def brackets(depth: int) -> str:
    return define("(" * depth + "1" + ")" * depth)


def negations(depth: int) -> str:
    return define("not " * depth + "b")


def blocks(depth: int) -> str:
    lines = ["procedure a", *("  " * level + "when b" for level in range(1, depth)), "  " * depth + "stop"]
    return "\n".join(lines) + "\n"


def chain(length: int) -> str:
    return "procedure a\n  when b: stop\n" + "  otherwise when b: stop\n" * (length - 1)


def quoted(length: int) -> str:
    return f'source "{"x" * length}"\n'


def digits(length: int) -> str:
    return define("1" * length)


def line(length: int) -> str:
    return define("1 + " * ((length - 12) // 4) + "1" * ((length - 12) % 4 + 1))


def size(length: int) -> str:
    return "\n" * length


LIMITS: Final = [
    (names, MAX_NAME, "name-too-long"), (brackets, MAX_BRACKETS, "nesting-too-deep"),
    (negations, DEFAULT_LIMITS.nesting, "nesting-too-deep"), (blocks, MAX_BLOCKS, "nesting-too-deep"),
    (chain, MAX_BLOCKS, "nesting-too-deep"), (quoted, MAX_TEXT, "text-too-long"), (digits, 18, "number-too-long"),
    (line, MAX_LINE, "line-too-long"), (size, DEFAULT_LIMITS.text, "too-large"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "limit", "code"), LIMITS, ids=[case[0].__name__ for case in LIMITS])
def test_a_limit_holds_one_below_at_and_one_above(make: Any, limit: int, code: str) -> None:
    assert codes_of(make(limit - 1)) == []
    assert codes_of(make(limit)) == []
    assert codes_of(make(limit + 1)) == [code]
    assert code in CODES


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


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_many_empty_lines_come_to_an_end(end: str) -> None:
    # With a terminal that matches a line end in two ways this would not.
    text = f"chart a{end}  down d6{end}  | 1 | 2 |{end * 5_000}  cells codes{end}"
    assert not parse(text).diagnostics


@pytest.mark.parametrize("text", ["(" * 9_000, "facts\n" + "  a b c\n" * 50_000, "when " * 2_000, "x\n" * 100_000, "М" * 300_000,
                                  "procedure p\n" + "  1. x y z\n" * 30_000, '"' * 9_999, "[" * 9_999])  # fmt: skip
def test_a_text_full_of_mistakes_is_answered(text: str) -> None:
    for bad in (text, f"define a = {text}\n", f"facts\n  a {text}\n"):
        assert parse(bad).diagnostics


# -- one mistake, one message


@pytest.mark.parametrize("text", ["", "\n", "-- x", "  -- x\n\n", "\t\n"])
def test_a_text_without_declarations_is_an_empty_file(text: str) -> None:
    assert parse(text) == Parsed(t.Module(()))


def test_what_stands_before_the_first_declaration_is_not_dropped_silently() -> None:
    assert codes_of("  night  yes/no\nfacts\n  a  1..\n") == ["indentation"]
    assert codes_of("| 1 | 2 |\nfacts\n  a  1..\n") == ["stray-row"]


def test_lines_in_one_wrong_column_are_one_mistake() -> None:
    assert codes_of("facts\n\ta  1..\n  b  1..\n  c  1..\n") == ["indentation"]
    assert codes_of("facts\n        a  1..\n    b  1..\n  c  1..\n") == ["indentation", "indentation"]


def test_a_mistake_is_reported_once_and_the_rest_is_read() -> None:
    parsed = parse("facts\n  a  1..\n  b  = 1\n  c  1..\n\ndefine d = a +\ndefine e = c\n")
    assert [found.span.source.line_column(found.span.start)[0] for found in parsed.diagnostics] == [3, 6]
    facts, last = parsed.module.declarations
    assert isinstance(facts, t.Facts)
    assert [field.name.name for field in facts.fields] == ["a", "c"]
    assert isinstance(last, t.Define)


def test_what_hangs_on_a_bad_line_is_not_reported() -> None:
    text = "procedure p\n  1. when a is is 3\n       stop\n     otherwise\n       stop\n  2. stop\n"
    assert codes_of(text) == ["syntax"]


def test_the_otherwise_after_a_refusal_belongs_to_the_when_around_it() -> None:
    text = (
        "procedure p\n  1. when a: refuse far when b\n     otherwise when c: refuse near when d\n     otherwise: stop\n"
    )
    assert codes_of(text) == []


@pytest.mark.parametrize("value", ['1 * (when "")', "(a 1, when 2)"])
def test_the_otherwise_after_an_entry_that_is_called_when_belongs_to_the_statement(value: str) -> None:
    assert codes_of(f"procedure p\n  1. when a: b becomes {value}\n     otherwise: stop\n") == []


def test_a_block_whose_only_line_is_bad_is_not_called_empty() -> None:
    assert codes_of("procedure p\n  1. together\n       roll\n  2. stop\n") == ["unfinished-line"]


def test_at_most_a_hundred_mistakes_are_reported() -> None:
    assert len(codes_of("facts\n  a  b c\n" * 500)) == MAX_FAULTS
    assert len(codes_of("nonsense\n" * 500)) == MAX_FAULTS


def test_a_long_declaration_is_read_again_only_so_often() -> None:
    found = codes_of("facts\n" + "  a  b c\n" * 20_000)
    assert found[0] == "syntax"
    assert len(found) < MAX_FAULTS


def test_a_word_of_the_language_ends_where_the_word_ends() -> None:
    assert codes_of("modifiers m adds to roll of c\n  -1 a b\n") == ["syntax"]
    assert codes_of("chart c\n  downd6\n") == ["syntax"]


@pytest.mark.parametrize(
    ("slip", "help_"),
    [
        ("when a == 3: stop", "write `is`"), ("when a = 3: stop", "write `is`"), ("when a && b: stop", "write `and`"),
        ("when a != 3: stop", "write `is not`"), ("if a is 3: stop", "write `when`"), ("return a", "write `give`"),
        ("rol d6 as x", "did you mean `roll`?"), ('refuse a "why', 'end it with `"`'),
        ("when r is 2X: stop", 'quote a code: `"2X"`'), ("when r is -: stop", 'quote a code: `"-"`'),
        ("let each = 1", "choose another name, such as `each_one`"), ("let x = (a", "close it with `)`"),
        ("let x = a)", "delete the closing bracket, or add an opening bracket before it"), ("stop;", "delete it"), ("stop // now", "write ` -- ` before the comment"),
        ("let x = a ≥ 3", "write `>=`"), ("let x = a × 3", "write `*`"), ("let x = 'a'", 'write `"..."`'),
    ],
)  # fmt: skip
def test_a_slip_is_met_with_what_to_write(slip: str, help_: str) -> None:
    (found,) = parse(f"procedure p\n  1. {slip}\n  2. stop\n").diagnostics
    assert found.helps == (help_,)


def test_every_code_of_the_syntax_stage_has_a_page() -> None:
    syntax = [path.read_text(encoding="utf-8") for path in (ROOT / "dsl" / "enfilade" / "syntax").glob("*.py")]
    used = {code for code in CODES if any(f'"{code}"' in text for text in syntax)}
    assert len(used) >= 18
    assert [code for code in sorted(used) if page_for(code) is None] == []


# -- letters and charts as they are pasted


def test_more_look_alikes_than_are_shown_are_counted() -> None:
    found = parse(f"define a = {'М' * 100}\n" + f"define b = {'М' * 100}\n" * 20).diagnostics
    assert len(found) == MAX_FINDINGS
    assert found[-1].helps[-1] == f"{2_100 - MAX_FINDINGS} more such characters follow"


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


@pytest.mark.parametrize("margin", ["", "  ", "\t"])
def test_a_chart_pasted_with_its_tabs_is_read(margin: str) -> None:
    rows = "".join(f"{margin}{row}\n" for row in PRINTED.splitlines())
    parsed = parse(f"chart fire\n  down  2d6\n  across  fire_value\n{rows}\nfacts\n  fire_value  1..\n")
    assert [found.code for found in parsed.diagnostics] == ["look-alike"] * 32
    chart, _ = parsed.module.declarations
    assert isinstance(chart, t.Chart)
    assert [cell.text for cell in chart.items[-1].rows[1].cells] == [
        "2",
        "M",
        "M1",
        "M1",
        "X",
        "X",
        "2X",
        "2X",
        "3X",
        "3X",
    ]


def test_a_chart_with_bars_is_read_as_the_pasted_one() -> None:
    head = "chart fire\n  down  2d6\n  across  fire_value\n"
    bars = "".join(f"  | {row} |\n".replace("\t", " | ") for row in PRINTED.splitlines())
    assert parse(head + bars).module == parse(head + PRINTED).module
    assert [found.code for found in parse(head + bars).diagnostics] == ["look-alike"] * 32
