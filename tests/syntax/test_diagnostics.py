"""Diagnostics as data, and how people see them."""

import json

import pytest

from enfilade.diagnostics.columns import WINDOW, visible
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from enfilade.diagnostics.render import render_annotation, render_text
from enfilade.source.confusables import forbidden
from enfilade.source.text import SourceFile


def diagnostic_at(text: str, marked: str, message: str = "wrong", **others: object) -> Diagnostic:
    start = text.index(marked)
    span = SourceFile("a.rules", text).span(start, start + len(marked))
    return Diagnostic("some-code", message, span, **others)  # type: ignore[arg-type]


def test_a_message_shows_its_line_with_carets_a_remark_and_help() -> None:
    text = "\n" * 30 + "  | 6 | - |\n"
    span = SourceFile("infantry_attacks.rules", text).span(34, 35)
    diag = Diagnostic(
        "table-gap",
        "no row of direct_fire_table covers 7",
        span,
        labels=(Label(span, "2d6 gives 2..12; the next row is 8"),),
        helps=("add a row for 7, or write `6,7` or `6..7` on this one",),
    )
    assert render_text(diag).splitlines() == [
        "error[table-gap]: no row of direct_fire_table covers 7",
        "  --> infantry_attacks.rules:31:5",
        "31 |   | 6 | - |",
        "   |     ^ 2d6 gives 2..12; the next row is 8",
        "   = help: add a row for 7, or write `6,7` or `6..7` on this one",
    ]


def test_a_warning_says_so() -> None:
    diag = diagnostic_at("x", "x", severity=Severity.WARNING)
    assert render_text(diag).startswith("warning[some-code]: ")
    assert render_annotation(diag).startswith("::warning ")


def test_remarks_on_other_places_stand_below_with_their_lines() -> None:
    source = SourceFile("a.rules", "night yes/no\nhill\nnight 0..1\n")
    labels = (Label(source.span(18, 23), "said again"), Label(source.span(0, 5), "said first"))
    rendered = render_text(Diagnostic("twice", "night is declared twice", source.span(18, 23), labels=labels))
    assert rendered.splitlines()[1:] == [
        " --> a.rules:3:1",
        "3 | night 0..1",
        "  | ^^^^^ said again",
        "1 | night yes/no",
        "  | ----- said first",
    ]


def test_two_remarks_on_one_line_share_it() -> None:
    source = SourceFile("a.rules", "+2 a  -3 b")
    diag = Diagnostic("c", "m", source.span(0, 4), labels=(Label(source.span(6, 10), "here"),))
    assert render_text(diag).splitlines()[2:] == ["1 | +2 a  -3 b", "  | ^^^^", "  |       ---- here"]


def test_a_remark_in_another_file_names_the_file() -> None:
    base = SourceFile("base.rules", "\nfact")
    diag = diagnostic_at("word", "word", labels=(Label(base.span(1, 5), "declared here"),))
    assert render_text(diag).splitlines()[-3:] == [" ::: base.rules:2", "2 | fact", "  | ---- declared here"]


@pytest.mark.parametrize(
    ("text", "start", "end", "shown"),
    [
        # A missing character is marked where it is missing.
        ('label "open\nnext', 11, 11, ['1 | label "open', "  |            ^"]),
        # An empty text can be wrong.
        ("", 0, 0, ["1 |", "  | ^"]),
        # A place over several lines is marked on the first.
        ("ab cd\r\nef", 3, 9, ["1 | ab cd", "  |    ^^"]),
        # Tabs are shown as blanks, and counted so.
        ("a\tb\tX", 4, 5, ["1 | a   b   X", "  |         ^"]),
        # Wide characters take two columns, and marks none.
        ("戦闘X", 2, 3, ["1 | 戦闘X", "  |     ^"]),
        ("e\u0301X", 2, 3, ["1 | e\u0301X", "  |  ^"]),
    ],
)
def test_a_place_is_marked_below_its_line(text: str, start: int, end: int, shown: list[str]) -> None:
    rendered = render_text(Diagnostic("c", "m", SourceFile("a.rules", text).span(start, end)))
    assert rendered.splitlines()[2:] == shown


@pytest.mark.parametrize("before", [0, 40, 95, 500, 4000])
def test_a_long_line_is_cut_around_the_place(before: int) -> None:
    rendered = render_text(diagnostic_at("a" * before + "XYZ" + "b" * 4000, "XYZ"))
    line, carets = rendered.splitlines()[-2:]
    assert len(line) <= WINDOW + len("1 | ")
    assert line[carets.index("^") :].startswith("XYZ")
    assert carets.count("^") == 3
    assert line.endswith("...")


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("a" * 4000 + "X", 4000, 4001), ("a" * 4000, 4000, 4000), ("X" * 4000, 0, 4000)],
    ids=["the end", "after the end", "the whole line"],
)
def test_what_is_cut_off_a_long_line_is_said_and_its_end_is_shown(text: str, start: int, end: int) -> None:
    line, carets = render_text(Diagnostic("c", "m", SourceFile("a.rules", text).span(start, end))).splitlines()[-2:]
    assert line.startswith("1 | ...") == (start > 0)
    assert carets.index("^") == (len("1 | ") if start == 0 else len(line) - (end - start))
    assert len(line) <= WINDOW + len("1 | ")
    assert len(carets) <= max(len(line), carets.index("^") + 1)


def test_a_long_line_of_wide_characters_is_cut_between_them() -> None:
    line, carets = render_text(diagnostic_at("戦" * 2000 + "X" + "闘" * 2000, "X")).splitlines()[-2:]
    columns = 0
    for char in line[: line.index("X")]:
        columns += 2 if char == "戦" else 1
    assert carets.index("^") == columns


HOSTILE = "a\x1b[2J\x00\u202e\u200b\x7f\x85\u2028\ud800X"


def test_nothing_from_a_source_moves_the_cursor() -> None:
    diag = diagnostic_at(HOSTILE, "X", message=HOSTILE, helps=(HOSTILE,))
    for rendered in (render_text(diag), render_annotation(diag)):
        assert forbidden(rendered) == []
        rendered.encode("utf-8")
    assert render_text(diag).count("\n") == 4 + len(HOSTILE.splitlines()) - 1


def test_nothing_from_a_file_name_moves_the_cursor() -> None:
    diag = Diagnostic("c", "m", SourceFile("a\x1b\n.rules", "x").span(0, 1))
    assert "a<U+001B><U+000A>.rules:1:1" in render_text(diag)
    assert "\n" not in render_annotation(diag)


def test_carets_find_their_place_behind_a_control_character() -> None:
    line, carets = render_text(diagnostic_at("a\x1bX", "X")).splitlines()[-2:]
    assert line[carets.index("^")] == "X"


def test_harmless_text_is_shown_as_it_is() -> None:
    assert visible("Café × 战 “so”") == "Café × 战 “so”"


def test_colours_are_used_only_when_asked_for() -> None:
    diag = diagnostic_at("x", "x", helps=("look",))
    assert "\x1b" not in render_text(diag)
    coloured = render_text(diag, color=True)
    assert "\x1b[1;31merror[some-code]\x1b[0m" in coloured
    assert coloured.count("\x1b[0m") * 2 == coloured.count("\x1b")


def test_an_annotation_escapes_what_the_format_uses() -> None:
    source = SourceFile("a,b:c%.rules", "xy")
    diag = Diagnostic("some-code", "50%, or: less", source.span(0, 2), helps=("one\ntwo",))
    assert render_annotation(diag) == (
        "::error file=a%2Cb%3Ac%25.rules,line=1,col=1,endColumn=3,title=some-code::50%25, or: less%0Ahelp: one%0Atwo"
    )


def test_an_annotation_over_several_lines_gives_the_last_line() -> None:
    assert ",line=1,col=2,endLine=2,title=" in render_annotation(diagnostic_at("ab\ncd", "b\nc"))


def test_a_diagnostic_is_plain_values_for_a_program() -> None:
    source = SourceFile("a.rules", "x\n| М |")
    place = source.span(4, 5)
    fix = Fix("replace U+041C by M", (Edit(place, "M"),))
    diag = Diagnostic("look-alike", "m", place, Severity.WARNING, (Label(place, "here"),), ("h",), fix)
    where = {"file": "a.rules", "line": 2, "column": 3, "end_line": 2, "end_column": 4}
    assert json.loads(json.dumps(diag.to_json())) == {
        **where,
        "code": "look-alike",
        "severity": "warning",
        "message": "m",
        "help": ["h"],
        "labels": [{**where, "message": "here"}],
        "fix": {"message": "replace U+041C by M", "edits": [{**where, "text": "M"}]},
    }


def test_a_diagnostic_without_a_fix_says_null() -> None:
    assert diagnostic_at("x", "x").to_json()["fix"] is None


def test_diagnostics_sort_by_file_and_place_and_code() -> None:
    first, second = SourceFile("a.rules", "abc"), SourceFile("b.rules", "abc")
    ordered = [
        Diagnostic("z", "m", first.span(0, 1)),
        Diagnostic("a", "m", first.span(1, 2)),
        Diagnostic("b", "m", first.span(1, 2)),
        Diagnostic("a", "m", second.span(0, 1)),
    ]
    shuffled = [ordered[place] for place in (2, 0, 3, 1)]
    assert sorted(shuffled, key=lambda diag: diag.sort_key) == ordered
