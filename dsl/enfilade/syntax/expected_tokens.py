"""Code completion from the parser: the keywords that may follow an unfinished text.

The LALR parser lists the terminals that its state accepts, so every suggestion is valid. No errors are reported.
"""

from __future__ import annotations

import re
from typing import Any, Final

from lark import TextSlice
from lark.exceptions import UnexpectedInput

from enfilade.door import door
from enfilade.source.text import SourceFile
from enfilade.syntax.build import CURRENT
from enfilade.syntax.error_recovery import declaration_starts, shared_parser
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.grammar import DECLARATION
from enfilade.syntax.syntax_messages import DECLARATIONS
from enfilade.syntax.unexpected import WORDS

NAME: Final = "NAME"
_LAST_WORD: Final = re.compile(r"(?<![^\s])([a-z]+)[ \t]+\Z")
_MAX_BEGUN: Final = 3
# No token starts with an unclosed quote, so the parser stops there and lists the terminals it would accept.
_STOP: Final = '"'


@door
def expected_after(text: str) -> frozenset[str]:
    """Find the words that may follow a text.

    Args:
        text: Declarations, the last one cut off where the next word is wanted; the last word must be complete.

    Returns:
        The keywords, and ``NAME`` if a name may follow. Empty if the text before has a syntax error.

    Examples:
        >>> sorted(expected_after("chart losses\\n  severity never "))
        ['assumed', 'falls', 'rises']
        >>> "procedure" in expected_after(""), "NAME" in expected_after("procedure ")
        (True, True)
    """
    heads = declaration_starts(text)
    begins = text.endswith(("\n", "\r")) or not text
    last = text[heads[-1] :] if heads else text
    words = {word for each in _next_terminals(last) for word in WORDS.get(each, (NAME,) if each == NAME else ())}
    if begins:
        return frozenset({word for word in words if word.split()[0] not in DECLARATIONS} | set(DECLARATIONS))
    return frozenset(_rests_of_phrases(last) | words)


def _rests_of_phrases(text: str) -> set[str]:
    """What is left of the phrases that the last words of a text begin."""
    begun, found, end = "", set[str](), len(text)
    for _ in range(_MAX_BEGUN):
        match = _LAST_WORD.search(text, 0, end)
        if match is None:
            break
        begun, end = f"{match[1]} {begun}", match.start(1)
        phrases = {word for each in _next_terminals(text[:end]) for word in WORDS.get(each, ())}
        found |= {word.removeprefix(begun) for word in phrases if word.startswith(begun)}
    return found


def _next_terminals(text: str) -> frozenset[str]:
    source = SourceFile("<typed>", text + _STOP)
    # Lark gives these no types.
    parser: Any = shared_parser().parse_interactive(TextSlice.cast_from(source.text), DECLARATION)
    place: Any
    token = CURRENT.set(source)
    try:
        parser.exhaust_lexer()
    except UnexpectedInput as error:
        place = error.pos_in_stream
        return frozenset(parser.accepts()) if place == len(text) else frozenset()
    except SyntaxFault:
        pass
    finally:
        CURRENT.reset(token)
    return frozenset()
