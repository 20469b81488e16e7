"""Diagnostics as data, and how people see them."""

import json
from importlib.resources import files

import pytest

from enfilade.diagnostics.codes import CODES
from enfilade.diagnostics.columns import WINDOW, visible
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from enfilade.diagnostics.pages import page_for
from enfilade.diagnostics.render import render_annotation, render_text
from enfilade.source.confusables import forbidden
from enfilade.source.text import SourceFile


def diagnostic_at(text: str, marked: str, message: str = "wrong", **others: object) -> Diagnostic:
    start = text.index(marked)
    span = SourceFile("a.rules", text).span(start, start + len(marked))
    return Diagnostic("some-code", message, span, **others)  # type: ignore[arg-type]


def caret_column(rendered: str) -> int:
    return next(line for line in rendered.splitlines() if "^" in line).index("^")


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


def test_a_missing_character_is_marked_where_it_is_missing() -> None:
    source = SourceFile("a.rules", 'label "open\nnext')
    rendered = render_text(Diagnostic("c", "m", source.span(11, 11)))
    assert rendered.splitlines()[-1] == "  |            ^"


def test_an_empty_text_can_be_wrong() -> None:
    rendered = render_text(Diagnostic("c", "m", SourceFile("a.rules", "").span(0, 0)))
    assert rendered.splitlines()[1:] == [" --> a.rules:1:1", "1 |", "  | ^"]


def test_a_place_over_several_lines_is_marked_on_the_first() -> None:
    rendered = render_text(diagnostic_at("ab cd\r\nef", "cd\r\nef"))
    assert rendered.splitlines()[-2:] == ["1 | ab cd", "  |    ^^"]


def test_tabs_are_shown_as_spaces_and_counted_so() -> None:
    rendered = render_text(diagnostic_at("a\tb\tX", "X"))
    assert rendered.splitlines()[-2:] == ["1 | a   b   X", "  |         ^"]


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    assert caret_column(render_text(diagnostic_at("戦闘X", "X"))) == len("1 | ") + 4
    assert caret_column(render_text(diagnostic_at("e\u0301X", "X"))) == len("1 | ") + 1


@pytest.mark.parametrize("before", [0, 40, 95, 500, 4000])
def test_a_long_line_is_cut_around_the_place(before: int) -> None:
    rendered = render_text(diagnostic_at("a" * before + "XYZ" + "b" * 4000, "XYZ"))
    line, carets = rendered.splitlines()[-2:]
    assert len(line) <= WINDOW + len("1 | ")
    assert line[carets.index("^") :].startswith("XYZ")
    assert carets.count("^") == 3
    assert line.endswith("...")


def test_the_end_of_a_long_line_is_shown_without_an_ellipsis() -> None:
    line, carets = render_text(diagnostic_at("a" * 4000 + "X", "X")).splitlines()[-2:]
    assert line.startswith("1 | ...")
    assert line[carets.index("^")] == "X"


def test_a_place_after_the_end_of_a_long_line_is_shown() -> None:
    source = SourceFile("a.rules", "a" * 4000)
    line, carets = render_text(Diagnostic("c", "m", source.span(4000, 4000))).splitlines()[-2:]
    assert carets.index("^") == len(line)


def test_a_long_place_does_not_overrun_its_window() -> None:
    line, carets = render_text(diagnostic_at("X" * 4000, "X" * 4000)).splitlines()[-2:]
    assert len(carets) <= len(line) <= WINDOW + len("1 | ")


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


def test_codes_are_kebab_case_in_the_order_of_the_alphabet() -> None:
    assert list(CODES) == sorted(CODES)
    assert all(set(code) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for code in CODES)


def test_every_page_explains_a_code_in_four_parts() -> None:
    for page in files("enfilade.diagnostics").joinpath("pages").iterdir():
        code = page.name.removesuffix(".md")
        text = page_for(code)
        assert text is not None, f"{page.name} explains no code"
        headings = [line for line in text.splitlines() if line.startswith("#")]
        parts = ["## What it finds", "## Why it matters", "## Example", "## Instead"]
        assert headings == [f"# {code}", *parts]


@pytest.mark.parametrize("code", ["control-character", "look-alike", "not-utf8", "too-large"])
def test_each_code_of_the_source_stage_has_a_page(code: str) -> None:
    assert page_for(code)


@pytest.mark.parametrize("code", ["", "unheard-of", "../codes", "/etc/passwd", "look-alike\x00"])
def test_what_is_not_a_code_has_no_page(code: str) -> None:
    assert page_for(code) is None
