"""Look-alike letters are read as meant, outside labels and comments; invisible characters are refused."""

from typing import Final

import pytest

from enfilade.source.confusables import LookAlike, fold, forbidden, protected_ranges


def folded(text: str) -> str:
    return fold(text, protected_ranges(text))[0]


def protected_texts(text: str) -> list[str]:
    return [text[start:end] for start, end in protected_ranges(text)]


MEANT: Final = {
    "\u041c": "M", "\u039c": "M", "\u0425": "X", "\u03a7": "X", "\u0455": "s", "\u0585": "o", "\uff27": "G", "\uff17": "7",
    "\uff5c": "|", "\u2212": "-", "\u2014": "-", "\u201c": '"', "\u201f": '"', "\u2019": "'", "\u00a0": " ", "\u3000": " ",
    "\U0001d40c": "M",
}  # fmt: skip


def test_a_look_alike_is_read_as_the_character_that_it_looks_like() -> None:
    for found, meant in MEANT.items():
        assert fold(found, []) == (meant, (LookAlike(0, found, meant),))


def test_a_symbol_that_resembles_no_ascii_character_is_left() -> None:
    for char in "×•◀†‡½²≥éß战😀…":
        assert fold(char, []) == (char, ())


def test_ascii_text_is_given_back_as_it_is() -> None:
    text = '| 7 | M2 | "X" |\n'
    assert fold(text, [])[0] is text


def test_findings_come_in_order_with_their_places_and_names() -> None:
    findings = fold("| М | X | Х | – |", [])[1]
    assert [(finding.offset, finding.meant) for finding in findings] == [(2, "M"), (10, "X"), (14, "-")]
    assert (findings[0].code_point, findings[0].title) == ("U+041C", "CYRILLIC CAPITAL LETTER EM")


def test_protected_letters_stay_while_their_neighbours_change() -> None:
    assert fold("МММ", [(1, 2)])[0] == "MМM"


@pytest.mark.parametrize(
    ("text", "protected"),
    [
        # Dashes between white space open a comment, up to the end of the line.
        ("-- note", ["-- note"]),
        ("--", ["--"]),
        ("x -- note", ["-- note"]),
        ("x --\tnote", ["--\tnote"]),
        ("x\t--", ["--"]),
        ("-- М\nМ", ["-- М"]),
        ("-- М\rМ", ["-- М"]),
        ("-- М\r\nМ", ["-- М"]),
        # Dashes beside other characters open none.
        ("x--y", []),
        ("x --y", []),
        ("x-- y", []),
        ("--- x", []),
        ('"a -- b', ["-- b"]),
        # A label ends with its line; dashes in it open no comment, and a quote in a comment no label.
        ('"a -- b" М -- "c"', ['"a -- b"', '-- "c"']),
        ('x -- 6" range\nМ "y"', ['-- 6" range', '"y"']),
        ('"open\nМ "closed"', ['"closed"']),
        # In a row, quotes mean nothing, and only what follows the last bar is a comment.
        ("| -- | М | -- \u041c", ["-- \u041c"]),
        ("| -- | М |", []),
        ('x\n| "a" |', []),
        ('x\r| "a" |', []),
        ('x\r\n| "a" |', []),
        ('x | "a" |', ['"a"']),
    ],
)
def test_labels_and_comments_are_protected(text: str, protected: list[str]) -> None:
    assert protected_texts(text) == protected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('option М "Туман"', 'option M "Туман"'),
        ("М -- М “М”\nМ", "M -- М “М”\nM"),
        ("“М”", '"M"'),
        ('  | 6" | М" |', '  | 6" | M" |'),
        ('｜ М ｜ "М" ｜ -- М', '| M | "M" | -- М'),
        ("x\u00a0--\u00a0М", "x --\u00a0М"),
    ],
)
def test_letters_are_read_as_meant_outside_labels_and_comments(text: str, expected: str) -> None:
    assert folded(text) == expected


def test_a_character_that_can_not_be_seen_is_refused_with_its_place() -> None:
    unseen = (
        "\x00\x1b\x0b\x0c\x7f\x85\u200b\u200d\u2060\ufeff\u00ad\u202a\u202e\u2066\u2069\u200e\u061c\u2028\ud800\udfff"
    )
    for char in unseen:
        assert forbidden(f'"a{char}b" -- {char}') == [(2, char), (9, char)]


def test_tabs_line_ends_and_visible_letters_are_not_refused() -> None:
    assert forbidden("a\tb\r\nc\rd\n \u00a0é战😀×•◀†‡") == []
