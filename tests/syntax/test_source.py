"""Places in texts, and texts that are refused before anything reads them."""

import pickle
from pathlib import Path

import pytest

from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceError, SourceFile, Span
from enfilade.source.text import SourceFile as SameSourceFile


def source_of(text: str) -> SourceFile:
    return SourceFile("a.rules", text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_kind_of_line_end_counts_as_one(end: str) -> None:
    source = source_of(f"one{end}two{end}three")
    assert source.line_count == 3
    assert source.line_column(source.text.index("three")) == (3, 1)
    assert [source.line_text(line) for line in (1, 2, 3)] == ["one", "two", "three"]


def test_mixed_line_ends_are_told_apart() -> None:
    source = source_of("a\rb\r\nc\n\rd")
    assert [source.line_text(line) for line in range(1, source.line_count + 1)] == ["a", "b", "c", "", "d"]


@pytest.mark.parametrize("char", ["\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_no_other_character_ends_a_line(char: str) -> None:
    assert source_of(f"a{char}b").line_count == 1


def test_a_line_end_belongs_to_the_line_that_it_ends() -> None:
    source = source_of("ab\r\ncd")
    assert source.line_column(2) == (1, 3)
    assert source.line_column(3) == (1, 4)
    assert source.line_column(4) == (2, 1)


def test_the_end_of_a_text_is_a_place() -> None:
    assert source_of("").line_column(0) == (1, 1)
    assert source_of("ab\n").line_column(3) == (2, 1)


@pytest.mark.parametrize("offset", [-1, 3])
def test_a_place_outside_the_text_is_our_mistake(offset: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        source_of("ab").line_column(offset)


@pytest.mark.parametrize("line", [0, 3])
def test_a_line_outside_the_text_is_our_mistake(line: int) -> None:
    with pytest.raises(ValueError, match="outside"):
        source_of("a\nb").line_text(line)


def test_columns_count_characters_and_not_bytes() -> None:
    assert source_of("é⚔😀x").line_column(3) == (1, 4)


def test_the_span_of_a_line_leaves_out_its_end() -> None:
    source = source_of("ab\r\ncd")
    assert source.line_span(1) == Span(source, 0, 2)
    assert source.line_span(2) == Span(source, 4, 6)


def test_two_spans_join_in_either_order() -> None:
    source = source_of("fire 2d6")
    fire, dice = source.span(0, 4), source.span(5, 8)
    assert fire.to(dice) == dice.to(fire) == source.span(0, 8)
    assert fire.to(dice).text == "fire 2d6"


def test_spans_of_two_sources_do_not_join() -> None:
    with pytest.raises(ValueError, match="different sources"):
        source_of("a").span(0, 1).to(source_of("a").span(0, 1))


def test_a_part_of_a_span_is_counted_from_its_start() -> None:
    row = source_of("x\n| 7 | M2 |").span(2, 12)
    assert row.at(6, 8).text == "M2"
    assert row.at(6, 8).start == 8


def test_sources_with_the_same_text_are_different_sources() -> None:
    assert source_of("a") != source_of("a")
    assert len({source_of("a"), source_of("a")}) == 2


def test_a_source_survives_pickling_after_its_lines_were_counted() -> None:
    source = source_of("a\nb")
    assert source.line_count == 2
    assert pickle.loads(pickle.dumps(source)).line_text(2) == "b"


def test_a_byte_order_mark_is_not_part_of_the_text() -> None:
    assert SourceFile.from_bytes(b"\xef\xbb\xbffacts").text == "facts"
    assert SourceFile.from_text("\ufefffacts").text == "facts"


def test_bytes_that_are_not_utf8_are_refused_with_their_place() -> None:
    with pytest.raises(SourceError) as caught:
        SourceFile.from_bytes(b"\xef\xbb\xbfa\nCaf\xe9 x", "a.rules")
    error = caught.value
    assert (error.code, error.byte_offset) == ("not-utf8", 8)
    assert error.span.source.line_column(error.span.start) == (2, 4)
    assert error.span.source.line_text(2) == "Caf\ufffd x"
    assert "a.rules" in str(error)
    assert "0xE9" in str(error)


def test_a_text_that_breaks_off_within_a_character_is_refused() -> None:
    with pytest.raises(SourceError) as caught:
        SourceFile.from_bytes("é".encode()[:1])
    assert caught.value.span[1:] == (0, 1)


def test_the_refusal_of_a_text_survives_pickling() -> None:
    with pytest.raises(SourceError) as caught:
        SourceFile.from_bytes(b"\xff")
    copy = pickle.loads(pickle.dumps(caught.value))
    assert (copy.code, str(copy)) == (caught.value.code, str(caught.value))


def test_a_text_of_the_largest_size_is_taken() -> None:
    assert len(SourceFile.from_bytes(b" " * DEFAULT_LIMITS.text).text) == DEFAULT_LIMITS.text
    assert SourceFile.from_text("é" * (DEFAULT_LIMITS.text // 2)).line_count == 1


def test_a_text_one_byte_larger_is_refused() -> None:
    with pytest.raises(SourceError, match=str(DEFAULT_LIMITS.text)) as caught:
        SourceFile.from_bytes(b" " * (DEFAULT_LIMITS.text + 1))
    assert caught.value.code == "too-large"
    with pytest.raises(SourceError):
        SourceFile.from_text("é" * (DEFAULT_LIMITS.text // 2) + "x")


def test_a_file_is_named_as_its_path_is_written(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(b"facts\r\n")
    source = SourceFile.from_path(path)
    assert (source.name, source.path, source.text) == (str(path), path, "facts\r\n")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(b" " * (DEFAULT_LIMITS.text + 1))
    with pytest.raises(SourceError):
        SourceFile.from_path(path)


def test_an_installed_package_holds_its_own_rulesets(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "enfilade"
    (package / "rulesets").mkdir(parents=True)
    assert shipped_dir("rulesets", package=package) == package / "rulesets"


def test_a_checkout_holds_its_rulesets_at_the_top(tmp_path: Path) -> None:
    package = tmp_path / "dsl" / "enfilade"
    package.mkdir(parents=True)
    (tmp_path / "stdlib").mkdir()
    assert shipped_dir("stdlib", package=package) == tmp_path / "stdlib"


def test_a_stranger_s_folder_above_the_package_is_not_taken_for_ours(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "enfilade"
    package.mkdir(parents=True)
    (tmp_path / "stdlib").mkdir()
    with pytest.raises(FileNotFoundError, match="stdlib"):
        shipped_dir("stdlib", package=package)


def test_a_module_has_one_identity_for_tests_and_for_the_library() -> None:
    assert SourceFile is SameSourceFile
    assert SourceFile.__module__ == "enfilade.source.text"
