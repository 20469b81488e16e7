"""The index of the reference: every word and sign of the grammar is in it, and each link leads to a section that shows it."""

import re
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from enfilade.check.charts import shared_columns
from enfilade.check.expressions import fields
from enfilade.syntax.phrases import SYNONYMS, options
from enfilade.syntax.tables import stored_tables

PAGE: Final = (Path(__file__).resolve().parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
INDEX: Final = "Index"
_LINK: Final = re.compile(r"\[((?:[^\[\]`]|`[^`]*`)+)\]\(#([^)]+)\)")
# Terminals whose text an author makes up; any word of the page would match them.
_FREE: Final = {"NAME", "CODE", "TAB_TEXT"}
# Labels and anchors.
Links: TypeAlias = list[tuple[str, str]]


@cache
def sections() -> dict[str, str]:
    """The text of each section by its anchor; a chapter's text ends with its first section."""
    found: dict[str, str] = {}
    fence, anchor = False, ""
    for line in PAGE.splitlines(keepends=True):
        fence ^= line.startswith("```")
        heading = None if fence else re.match(r"##+ (.+)", line)
        if heading:
            anchor = re.sub(r"[^\w\- ]", "", heading[1].lower()).replace(" ", "-")
            assert anchor not in found, f"two headings are called {heading[1]}"
        found[anchor] = found.get(anchor, "") + line
    return found


@cache
def tables() -> dict[str, list[tuple[list[str], Links]]]:
    """The entries of the index, by the heading above each list: what each entry lists, and its links."""
    text = PAGE[PAGE.index(f"\n## {INDEX}\n") :]
    return {
        table.splitlines()[0]: [
            _entry(entry)
            for line in table.splitlines()
            if line.startswith("- ")
            for entry in line.removeprefix("- ").split(" · ")
        ]
        for table in text.split("\n### ")[1:]
    }


def _entry(entry: str) -> tuple[list[str], Links]:
    """What an entry lists is in front of its links; if nothing is, the first label is the word."""
    links = _LINK.findall(entry)
    words = re.findall(r"`([^`]+)`", _LINK.sub("", entry)) or re.findall(r"`([^`]+)`", links[0][0])[:1]
    return words, links


@cache
def listed() -> dict[str, Links]:
    return {word: links for table in tables().values() for words, links in table for word in words}


# ------------------------------------------------------------------------------------------------ the grammar's terminals


@cache
def terminals() -> dict[str, str | None]:
    """Each terminal that a file may contain, with its text; ``None`` if an author makes up its text."""
    table = stored_tables()
    typed = _in_files()
    phrases = options()
    found = {
        str(name): "|".join(phrases[name].values()) if name in phrases else None
        for name, is_text, *_ in table.terminals
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


FIXED: Final = sorted(
    {
        *(f"or {word}" for word in SYNONYMS),
        *(text.lstrip(", ") or text for texts in terminals().values() if texts for text in texts.split("|")),
    }
)
OPEN: Final = sorted(name for name, text in terminals().items() if text is None)
REGEX: Final = {str(name): str(text) for name, is_text, text, *_ in stored_tables().terminals if not is_text}

# ------------------------------------------------------------------------------------------------------------- the tests


def test_the_grammar_has_words_phrases_and_shapes() -> None:
    assert {"chart", "or higher", "at least", "yes/no", "cards each", "<="} <= {*FIXED}
    assert {"STRING", "RANGE", "ROW_TEXT", "COMMENT"} <= {*OPEN}
    assert "ANSWER" not in terminals()


def test_each_word_and_sign_of_the_grammar_has_an_entry() -> None:
    signs = {sign for each in listed() for sign in each.split()}
    for text in FIXED:
        entries = [listed()[word] for word in text.split() if word in listed()]
        assert signs >= {*text.split()} or any(text in label for links in entries for label, _ in links), text


def test_each_shape_of_the_grammar_has_an_example_in_the_index() -> None:
    samples = [*listed(), "-- a comment", "| a row"]
    for name in (each for each in OPEN if each not in _FREE):
        found = [re.match(REGEX[name], f"{each} ") for each in samples]
        assert [match for match, each in zip(found, samples, strict=True) if match and match[0].strip() == each], name


def test_each_part_of_rolls_readings_and_tallies_has_an_entry() -> None:
    parts = {*fields._ROLL_PARTS, *fields._TALLY_PARTS, *fields.RESERVED_PARTS, *shared_columns._PARTS}
    assert parts - {word.removeprefix(".") for word in listed()} == set()


def test_no_word_of_the_index_is_stale() -> None:
    words = {word for text in FIXED for word in (text, *text.split())}
    entries = [words[0] for words, _ in tables()["Words of the language"]]
    assert [each for each in entries if each not in words] == []
    assert entries == sorted(entries)


def test_each_link_leads_to_a_section_that_shows_the_word() -> None:
    shown = {
        anchor: "\n".join(re.findall(r"```[a-z ]*\n.*?```|`[^`\n]+`", text, re.DOTALL))
        for anchor, text in sections().items()
    }
    assert [word for word, links in listed().items() if not links] == []
    for word, anchor in ((word, anchor) for word, links in listed().items() for _, anchor in links):
        missing = [sign for sign in word.split() if sign not in shown[anchor] and sign in FIXED]
        assert missing == [], f"#{anchor} does not show {word}"


def test_each_link_of_the_page_leads_to_a_heading() -> None:
    assert [anchor for anchor in re.findall(r"\]\(#([^)]+)\)", PAGE) if anchor not in sections()] == []
