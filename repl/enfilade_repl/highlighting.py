"""Colours of what is typed: a style word for each stretch of each line.

A function of the session and the text. It must not change a letter of it: the lines put together are the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from enfilade.language import KEYWORDS as LANGUAGE
from enfilade.language import Fragment, Line, Vocabulary, vocabulary_of
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.definitions import KEYWORDS, is_definition
from enfilade_repl.entry import first_word

if TYPE_CHECKING:
    from enfilade_repl.session import Session

_TOKEN: Final = re.compile(
    r"(?P<comment>(?<!\S)--(?=\s|$).*)"
    r"|(?P<string>\"[^\"]*\"?)"
    r"|(?P<dice>\b\d*d\d+\b)"
    r"|(?P<range>(?<![\w.])-?\d+(?:\.\.-?\d*|/\d+|\.\d+)?%?(?![\w]))"
    r"|(?P<name>\w+)"
    r"|(?P<cite>\[[^\]\s][^\]]*\]?)"
    r"|(?P<other>\s+|.)"
)
_COMMAND_WORDS: Final = frozenset(
    ("of", "by", "given", "aim", "best", "worst", "random", "with", "within", "if", "not", "or", "worse", "better", "more",
     "less", "markdown", "on", "choosing", "and", "at", "least", "most", "is")
)  # fmt: skip
_PLAYED_WORDS: Final = frozenset(("on", "choosing", "not", "and"))
_NO_NAMES: Final = frozenset(("of", "to", "step", "cell"))
_EXPRESSIONS: Final = frozenset(LANGUAGE)


def highlighted(session: Session | None, text: str) -> tuple[Line, ...]:
    """Colour a text.

    Args:
        session: The session in which it is typed; ``None`` while there is none yet.
        text: The text.

    Returns:
        A line of styled pieces for each line of it.

    Examples:
        >>> highlighted(None, "use it")
        ((('', 'use it'),),)
    """
    lines = text.split("\n")
    if session is None:
        return tuple((("", each),) if each else () for each in lines)
    ground = session.table.ground
    known = vocabulary_of(ground.rules) if ground is not None else None
    word, _ = first_word(text.strip())
    if not session.table.asks and word in KEYWORDS and (find_command(word) is None or is_definition(text)):
        return tuple(_merged(_of_language(each, known)) for each in lines)
    return tuple(_merged(_of_entry(session, each, known)) for each in lines)


def _merged(fragments: Iterator[Fragment]) -> Line:
    found: list[Fragment] = []
    for style, text in fragments:
        if found and found[-1][0] == style:
            found[-1] = (style, found[-1][1] + text)
        elif text:
            found.append((style, text))
    return tuple(found)


# ---------------------------------------------------------------------------------------------------------- definitions


def _of_language(text: str, known: Vocabulary | None) -> Iterator[Fragment]:
    if text.lstrip().startswith("|"):
        yield from _row(text)
        return
    at_margin = not text[:1].isspace()
    seen = 0
    for kind, word in _tokens(text):
        style = {"comment": "comment", "string": "string", "dice": "dice", "range": "number", "cite": "cite"}.get(
            kind, ""
        )
        if kind == "name":
            seen += 1
            if seen == 2 and at_margin and word not in _NO_NAMES:
                style = "title"
            elif word in LANGUAGE:
                style = "keyword"
            elif known is not None and word in known.names:
                style = "fact"
            elif known is not None and word in known.words:
                style = "word"
        yield style, word


def _row(text: str) -> Iterator[Fragment]:
    """A row of a chart: its bars, its label, its cells."""
    indent = len(text) - len(text.lstrip())
    yield "", text[:indent]
    for number, cell in enumerate(re.split(r"(\|)", text[indent:])):
        if cell == "|":
            yield "hint", cell
        else:
            yield "label" if number <= 2 else "code", cell


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.finditer(text):
        yield found.lastgroup or "other", found[0]


# -------------------------------------------------------------------------------------------------------------- entries


def _of_entry(session: Session, text: str, known: Vocabulary | None) -> Iterator[Fragment]:
    """An entry of one line: its first word, and what such an entry can hold."""
    body = text.lstrip()
    yield "", text[: len(text) - len(body)]
    if body.startswith(("/", "?")):
        yield "command", body[0]
        body = body[1:]
    blank = len(body) - len(body.lstrip())
    yield "", body[:blank]
    body = body[blank:]
    word, _ = first_word(body)
    rest = body[len(word) :]
    if word:
        yield _first_style(session, word, rest, known), word
    words = _words_after(session, word, known)
    for kind, token in _tokens(rest):
        style = {"comment": "comment", "string": "string", "dice": "dice", "range": "number"}.get(kind, "")
        if kind == "cite":
            # Brackets hold a list here.
            yield from ((words(each) if sort == "name" else "number" if sort == "range" else "", each)
                        for sort, each in (("other", "["), *_tokens(token[1:])))  # fmt: skip
            continue
        yield words(token) if kind == "name" else style, token


def _first_style(session: Session, word: str, rest: str, known: Vocabulary | None) -> str:
    """What the first word is; while it is written it is unknown only if nothing begins so."""
    table = session.table
    command = find_command(word)
    if table.asks:
        return "command" if command is not None and command.while_asking else _value_style(session, word, known)
    if command is not None:
        return "command"
    if table.ground is not None and word in session.names():
        return "procedure"
    if known is not None and word in known.fields:
        return "kind"
    if word in table.pieces:
        return "name"
    if word in LANGUAGE or (known is not None and word in known.names):
        return "keyword" if word in LANGUAGE else "fact"
    dice = table.ground.rules.names("die") if table.ground is not None else ()
    if word in dice or re.fullmatch(r"d\d*", word):
        return "dice"
    begins = (name.startswith(word) for name in _first_names(session))
    return "" if not rest and any(begins) else "unknown"


def _first_names(session: Session) -> Iterator[str]:
    yield from (command.name for command in COMMANDS)
    yield from KEYWORDS
    yield from session.names()
    yield from session.table.pieces
    if session.table.ground is not None:
        yield from session.table.ground.rules.records


def _words_after(session: Session, first: str, known: Vocabulary | None) -> Callable[[str], str]:
    """What the words after the first are."""
    command = find_command(first)
    fixed = _COMMAND_WORDS if command is not None else _PLAYED_WORDS if first in session.names() else _EXPRESSIONS

    def style(word: str) -> str:
        if word in fixed:
            return "keyword"
        if known is not None and word in known.facts and command is not None:
            return "procedure"
        return _value_style(session, word, known)

    return style


def _value_style(session: Session, word: str, known: Vocabulary | None) -> str:
    """A fact, a field, a piece, a word of the ruleset, or nothing that is known."""
    if word in session.table.pieces:
        return "name"
    if word in ("yes", "no", "none"):
        return "word"
    if known is None:
        return ""
    if word in known.facts_and_fields or word in known.options:
        return "fact"
    return "word" if word in known.words else "fact" if word in known.names else ""
