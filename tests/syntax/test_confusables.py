"""Look-alike letters are read as meant, outside labels and comments; invisible characters are refused."""

import pytest

from enfilade.source.confusables import LookAlike, fold, forbidden, protected_ranges


def folded(text: str) -> str:
    return fold(text, protected_ranges(text))[0]


def protected_texts(text: str) -> list[str]:
    return [text[start:end] for start, end in protected_ranges(text)]


@pytest.mark.parametrize(
    ("found", "meant"),
    [
        ("\u041c", "M"),
        ("\u039c", "M"),
        ("\u0425", "X"),
        ("\u03a7", "X"),
        ("\u0455", "s"),
        ("\u0585", "o"),
        ("\uff27", "G"),
        ("\uff17", "7"),
        ("\uff5c", "|"),
        ("\u2212", "-"),
        ("\u2014", "-"),
        ("\u201c", '"'),
        ("\u201f", '"'),
        ("\u2019", "'"),
        ("\u00a0", " "),
        ("\u3000", " "),
        ("\U0001d40c", "M"),
    ],
)
def test_a_look_alike_is_read_as_the_character_that_it_looks_like(found: str, meant: str) -> None:
    assert fold(found, []) == (meant, (LookAlike(0, found, meant),))


@pytest.mark.parametrize("char", ["×", "•", "◀", "†", "‡", "½", "²", "≥", "é", "ß", "战", "😀", "…"])
def test_a_symbol_that_resembles_no_ascii_character_is_left(char: str) -> None:
    assert fold(char, []) == (char, ())


def test_ascii_text_is_given_back_as_it_is() -> None:
    text = '| 7 | M2 | "X" |\n'
    assert fold(text, [])[0] is text


def test_findings_come_in_order_with_their_places() -> None:
    findings = fold("| М | X | Х | – |", [])[1]
    assert [(finding.offset, finding.meant) for finding in findings] == [(2, "M"), (10, "X"), (14, "-")]


def test_a_finding_names_its_code_point() -> None:
    finding = LookAlike(0, "\u041c", "M")
    assert finding.code_point == "U+041C"
    assert finding.title == "CYRILLIC CAPITAL LETTER EM"


def test_protected_letters_stay_while_their_neighbours_change() -> None:
    assert fold("МММ", [(1, 2)])[0] == "MМM"


def test_letters_in_a_label_are_free() -> None:
    assert folded('option М "Туман"') == 'option M "Туман"'


def test_letters_in_a_comment_are_free() -> None:
    assert folded("М -- М “М”\nМ") == "M -- М “М”\nM"


@pytest.mark.parametrize("comment", ["-- note", "--", "x -- note", "x --\tnote", "x\t--"])
def test_dashes_between_white_space_open_a_comment(comment: str) -> None:
    assert protected_texts(comment) == [comment[comment.index("--") :]]


@pytest.mark.parametrize("text", ["x--y", "x --y", "x-- y", "--- x", '"a -- b'])
def test_dashes_beside_other_characters_open_no_comment(text: str) -> None:
    expected = ["-- b"] if text.startswith('"') else []
    assert protected_texts(text) == expected


def test_dashes_in_a_label_open_no_comment() -> None:
    assert protected_texts('"a -- b" М -- "c"') == ['"a -- b"', '-- "c"']


def test_a_quote_in_a_comment_opens_no_label() -> None:
    assert protected_texts('x -- 6" range\nМ "y"') == ['-- 6" range', '"y"']


def test_a_label_ends_with_its_line() -> None:
    assert protected_texts('"open\nМ "closed"') == ['"closed"']


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_a_comment_ends_with_its_line(end: str) -> None:
    assert folded(f"-- М{end}М") == f"-- М{end}M"


def test_smart_quotes_open_no_label() -> None:
    assert folded("“М”") == '"M"'


def test_quotes_mean_nothing_in_a_chart_row() -> None:
    assert folded('  | 6" | М" |') == '  | 6" | M" |'


def test_only_what_follows_the_last_bar_of_a_row_is_a_comment() -> None:
    assert protected_texts("| -- | М | -- \u041c") == ["-- \u041c"]
    assert protected_texts("| -- | М |") == []


def test_a_row_after_any_line_end_is_a_row() -> None:
    for end in ("\n", "\r", "\r\n"):
        assert protected_texts(f'x{end}| "a" |') == []


def test_a_bar_in_the_middle_of_a_line_makes_no_row() -> None:
    assert protected_texts('x | "a" |') == ['"a"']


def test_a_row_drawn_with_full_width_bars_is_a_row() -> None:
    assert folded('｜ М ｜ "М" ｜ -- М') == '| M | "M" | -- М'


def test_a_space_that_does_not_break_parts_a_comment_as_others_do() -> None:
    assert folded("x\u00a0--\u00a0М") == "x --\u00a0М"


@pytest.mark.parametrize(
    "char",
    "\x00\x1b\x0b\x0c\x7f\x85\u200b\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\u200e\u061c\u2028\ud800\udfff",
)
def test_a_character_that_can_not_be_seen_is_refused_with_its_place(char: str) -> None:
    assert forbidden(f'"a{char}b" -- {char}') == [(2, char), (9, char)]


def test_tabs_line_ends_and_visible_letters_are_not_refused() -> None:
    assert forbidden("a\tb\r\nc\rd\n \u00a0é战😀×•◀†‡") == []
