"""Syntax highlighting at the prompt: the tokens of a text with style names.

A pure function of the session and the text. Joining the styled lines gives the text again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from enfilade.language import KEYWORDS as LANGUAGE
from enfilade.language import LOOKS, Fragment, Line, Vocabulary, entry_tokens, tokens, vocabulary_of
from enfilade_repl.commands import COMMANDS, find_command
from enfilade_repl.definition_text import KEYWORDS, is_definition, is_facts_alone
from enfilade_repl.entry import first_word
from enfilade_repl.session import Session

_COMMAND_WORDS: Final = frozenset(
    ("of", "by", "given", "aim", "policy", "best", "worst", "random", "with", "within", "if", "not", "or", "worse", "better", "more",
     "less", "markdown", "on", "choosing", "and", "at", "least", "most", "is")
)  # fmt: skip
_PLAYED_WORDS: Final = frozenset(("on", "choosing", "not", "and"))
_NO_NAMES: Final = frozenset(("of", "to", "step", "cell"))
_EXPRESSIONS: Final = frozenset(LANGUAGE)


def highlighted(session: Session | None, text: str) -> tuple[Line, ...]:
    """Highlight a text.

    Args:
        session: The session in which the text is typed; ``None`` while the session is being prepared.
        text: The text.

    Returns:
        The lines of the text, as styled fragments.

    Examples:
        >>> highlighted(None, "use it")
        ((('', 'use it'),),)
    """
    lines = text.split("\n")
    if session is None:
        return tuple((("", each),) if each else () for each in lines)
    ruleset = session.state.ruleset
    known = vocabulary_of(ruleset.rules) if ruleset is not None else None
    word, _ = first_word(text.strip())
    defines = is_definition(text) and not is_facts_alone(text)
    if not session.state.asks and word in KEYWORDS and (find_command(word) is None or defines):
        return tuple(map(_merged, _lines(in_rules(text, known))))
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


def in_rules(text: str, known: Vocabulary | None) -> Iterator[Fragment]:
    """Style declarations: tokens by their kind from the lexer, names by their kind from the vocabulary.

    Args:
        text: The text of declarations.
        known: The vocabulary of the ruleset in use; ``None`` without one.

    Yields:
        The style and the text of each token.
    """
    declared = in_label = False
    for token in tokens(text):
        at_margin = token.start == 0 or text[token.start - 1] in "\r\n"
        style = LOOKS[token.kind].style
        if token.kind == "cell" and in_label:
            style = "label"
        elif token.kind == "name" and declared and token.text not in _NO_NAMES:
            style = "title"
        elif token.kind == "name" and known is not None:
            style = "fact" if token.text in known.names else "word" if token.text in known.words else ""
        if token.kind != "blank":
            # A declaration's name follows its keyword at the margin; a row's label follows its first bar.
            declared = at_margin and token.kind == "keyword"
            in_label = token.kind == "bar" and not text[: token.start].rpartition("\n")[2].strip()
        yield style, token.text


def _lines(fragments: Iterator[Fragment]) -> Iterator[Iterator[Fragment]]:
    """Split styled text at its line ends."""
    line: list[Fragment] = []
    for style, text in fragments:
        first, *others = text.split("\n")
        line.append((style, first))
        for each in others:
            yield iter(line)
            line = [(style, each)]
    yield iter(line)


# -------------------------------------------------------------------------------------------------------------- entries


def _of_entry(session: Session, text: str, known: Vocabulary | None) -> Iterator[Fragment]:
    """Style a command, a procedure with facts, or an expression."""
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
    for token in entry_tokens(rest):
        yield words(token.text) if token.kind in ("name", "word") else LOOKS[token.kind].style, token.text


def _first_style(session: Session, word: str, rest: str, known: Vocabulary | None) -> str:
    """The style of the first word; an unfinished word has the style of unknown words only if no name begins with it."""
    table = session.state
    command = find_command(word)
    if table.asks:
        return "command" if command is not None and command.while_asking else _value_style(session, word, known)
    if command is not None:
        return "command"
    if table.ruleset is not None and word in session.names():
        return "procedure"
    if known is not None and word in known.fields:
        return "kind"
    if word in table.pieces:
        return "name"
    if word in LANGUAGE or (known is not None and word in known.names):
        return "keyword" if word in LANGUAGE else "fact"
    dice = table.ruleset.rules.names("die") if table.ruleset is not None else ()
    if word in dice or re.fullmatch(r"d\d*", word):
        return "dice"
    begins = (name.startswith(word) for name in _first_names(session))
    return "" if not rest and any(begins) else "unknown"


def _first_names(session: Session) -> Iterator[str]:
    yield from (command.name for command in COMMANDS)
    yield from KEYWORDS
    yield from session.names()
    yield from session.state.pieces
    if session.state.ruleset is not None:
        yield from session.state.ruleset.rules.records


def _words_after(session: Session, first: str, known: Vocabulary | None) -> Callable[[str], str]:
    """The function that gives the style of the words after the first."""
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
    """The style of a fact, a field, a piece or a word of the ruleset; empty for other words."""
    if word in session.state.pieces:
        return "name"
    if word in ("yes", "no", "none"):
        return "word"
    if known is None:
        return ""
    if word in known.facts_and_fields or word in known.options:
        return "fact"
    return "word" if word in known.words else "fact" if word in known.names else ""
