"""The index of the reference: every word and sign of the grammar is in it, and each link leads to a section that shows it."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as pattern
from re import _parser as patterns
from typing import Any, Final

import pytest
from attrs import frozen

from enfilade.check import fields, shared_columns
from enfilade.syntax.tables import stored_tables

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "language.md"
INDEX: Final = "Index"
# Terminals whose text an author makes up; any word of the page would match them.
_FREE: Final = {"NAME", "CODE", "TAB_TEXT"}
_BLANKS: Final = {ord(" "), ord("\t")}


@frozen
class Entry:
    """A row of the index: what it lists, and its links."""

    words: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


@cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


@cache
def sections() -> dict[str, str]:
    """The text of each section by its anchor; a chapter's text ends with its first section."""
    found: dict[str, str] = {}
    fence, anchor = False, ""
    for line in page().splitlines(keepends=True):
        fence ^= line.startswith("```")
        heading = None if fence else re.match(r"##+ (.+)", line)
        if heading:
            anchor = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            assert anchor not in found, f"two headings are called {heading[1]}"
        found[anchor] = found.get(anchor, "") + line
    return found


@cache
def tables() -> dict[str, tuple[Entry, ...]]:
    """The rows of the index, by the heading above each table."""
    text = page()[page().index(f"\n## {INDEX}\n") :]
    return {
        table.splitlines()[0]: tuple(_entry(line) for line in table.splitlines() if line.startswith("| `"))
        for table in text.split("\n### ")[1:]
    }


def _entry(line: str) -> Entry:
    first, rest = re.split(r" (?<!\\)\| ", line.removeprefix("| "), maxsplit=1)
    return Entry(tuple(_code(first)), tuple(re.findall(r"\[((?:[^\[\]`]|`[^`]*`)+)\]\(#([^)]+)\)", rest)))


def _code(text: str) -> Iterator[str]:
    for code in re.findall(r"`([^`]+)`", text):
        yield code.replace("\\|", "|")


def listed() -> dict[str, Entry]:
    return {word: entry for table in tables().values() for entry in table for word in entry.words}


# ------------------------------------------------------------------------------------------------ the grammar's terminals


@cache
def terminals() -> dict[str, str | None]:
    """Each terminal that a file may contain, with its text; ``None`` if an author makes up its text."""
    table = stored_tables()
    typed = _in_files()
    found = {
        str(name): str(text) if is_text else _only_text(str(text))
        for name, is_text, text, *_ in table.terminals
        if str(name) in typed and (is_text or not str(name).startswith("_"))
    }
    return found | {name: None for name in table.ignored if name != "BLANK"}


def _in_files() -> set[str]:
    """The names of the symbols that a declaration or a cell of a table of cases is made of."""
    table = stored_tables()
    names = [str(symbol[0]) for symbol in table.symbols]
    reached, todo = set[str](), ["declaration", "case_entry"]
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += [
                names[each] for origin, expansion, *_ in table.rules if names[origin] == name for each in expansion
            ]
    return reached


def _only_text(regex: str) -> str | None:
    """The texts that a regular expression of a phrase matches, split by ``|``; ``None`` if they have no end."""
    try:
        return "|".join(sorted({text.strip() for text in _texts(patterns.parse(regex))}))
    except ValueError:
        return None


def _texts(parsed: Any) -> list[str]:
    texts = [""]
    for kind, value in parsed:
        texts = [text + more for text in texts for more in _texts_of(kind, value)]
    return texts


def _texts_of(kind: Any, value: Any) -> list[str]:
    match kind:
        case pattern.LITERAL:
            return [chr(value)]
        case pattern.AT | pattern.ASSERT | pattern.ASSERT_NOT:
            return [""]
        case pattern.SUBPATTERN:
            return _texts(value[-1])
        case pattern.BRANCH:
            return [text for branch in value[1] for text in _texts(branch)]
        case pattern.IN if {each for of, each in value if of is pattern.LITERAL} == _BLANKS:
            return [" "]
        case pattern.MAX_REPEAT if value[:2] == (0, 1):
            return [""]
        case pattern.MAX_REPEAT if value[2][0][0] is pattern.IN and _texts(value[2]) == [" "]:
            return [" "]
        case _:
            raise ValueError(kind)


FIXED: Final = sorted(text for texts in terminals().values() if texts is not None for text in texts.split("|"))
OPEN: Final = sorted(name for name, text in terminals().items() if text is None)
REGEX: Final = {str(name): str(text) for name, is_text, text, *_ in stored_tables().terminals if not is_text}

# ------------------------------------------------------------------------------------------------------------- the tests


def test_the_grammar_has_words_phrases_and_shapes() -> None:
    assert {"chart", "or higher", "at least", "yes/no", "cards each", "<="} <= {*FIXED}
    assert {"STRING", "RANGE", "ROW_TEXT", "COMMENT"} <= {*OPEN}
    assert "ANSWER" not in terminals()


@pytest.mark.parametrize("text", FIXED)
def test_each_word_and_sign_of_the_grammar_has_an_entry(text: str) -> None:
    entries = [listed()[word] for word in text.split() if word in listed()]
    signs = {sign for each in listed() for sign in each.split()}
    assert text in signs or any(text in label for entry in entries for label, _ in entry.links)


@pytest.mark.parametrize("name", [name for name in OPEN if name not in _FREE])
def test_each_shape_of_the_grammar_has_an_example_in_the_index(name: str) -> None:
    samples = [*listed(), "-- a comment", "| a row"]
    found = [re.match(REGEX[name], f"{each} ") for each in samples]
    assert [match for match, each in zip(found, samples, strict=True) if match and match[0].strip() == each]


@pytest.mark.parametrize(
    "name", [*fields._ROLL_PARTS, *fields._TALLY_PARTS, *fields.RESERVED_PARTS, *shared_columns._PARTS]
)
def test_each_part_of_rolls_readings_and_tallies_has_an_entry(name: str) -> None:
    assert any(name == word.removeprefix(".") for word in listed())


def test_no_word_of_the_index_is_stale() -> None:
    words = {word for text in FIXED for word in (text, *text.split())}
    entries = [entry.words[0] for entry in tables()["Words of the language"]]
    assert [each for each in entries if each not in words] == []
    assert entries == sorted(entries)


@pytest.mark.parametrize("word", listed())
def test_each_link_leads_to_a_section_that_shows_the_word(word: str) -> None:
    entry = listed()[word]
    assert entry.links
    for label, anchor in entry.links:
        assert anchor in sections(), f"{word}: there is no heading #{anchor}"
        shown = "\n".join(re.findall(r"```[a-z ]*\n.*?```|`[^`\n]+`", sections()[anchor], re.DOTALL))
        missing = [sign for sign in word.split() if sign not in shown and sign in FIXED]
        assert missing == [], f"#{anchor} ({label}) does not show {missing}"


def test_each_link_of_the_page_leads_to_a_heading() -> None:
    assert [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", page()) if anchor not in sections()] == []
