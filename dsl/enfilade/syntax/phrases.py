"""The words that a terminal of the grammar stands for."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from enfilade.syntax.tables import stored_tables

SYNONYMS: Final = {
    "higher": "more", "greater": "more", "later": "more", "fewer": "less", "lower": "less", "earlier": "less",
}  # fmt: skip
"""The words that may be typed for others; what is printed has the others."""

# Words or signs, perhaps with one choice in brackets, perhaps behind a comma, and then perhaps a look ahead.
_PHRASE: Final = re.compile(
    r"(?P<comma>,~|\(,~\)\?(?!or))?(?:\(,~\)\?|\(\?:[a-z |]+\)\?)?"
    r"(?P<before>[a-z][a-z /]*)?(?:\((?P<options>(?!\?)(?:[^()]|\(\?[=!][^()]*(?:\([^()]*\))*[^()]*\))+)\)(?P<after>[a-z ]*))?"
    r"(?:\(\?[=!].*|\\b)*",
    re.DOTALL,
)
_LEFT_OUT: Final = re.compile(r"\(\?:[a-z]+ [a-z ,?]+\)\?")
"""Words that may be written and are not printed."""
_LITTLE: Final = re.compile(r"^(?:, )?(?:to (?:the )?)?| (?:of|on|by|for)$")
_OPTION: Final = re.compile(r"(?:\[([^]])\]|([^|(\[\\]+))(?:\\b|\(\?=(?:[^()]|\([^()]*\))*\))?(?:\||$)")


@cache
def options() -> dict[str, dict[str, str]]:
    """The texts of each terminal that stands for fixed words or signs.

    Returns:
        For the name of the terminal, the text for each value of a field that it goes into. The value is what can be
        chosen, without the little words around it: of `count of` it is `count`.
    """
    found = {}
    for name, is_word, pattern, *_ in stored_tables().terminals:
        plain = str(pattern).replace("[ \t]+", " ").replace("[ \t]*", "~").replace("\\/", "/")
        plain = _LEFT_OUT.sub("", plain)
        if is_word:
            found[str(name)] = {str(pattern): str(pattern)}
        elif (match := _PHRASE.fullmatch(plain)) and (match["before"] or match["options"]):
            before, after = (", " if match["comma"] else "") + (match["before"] or ""), match["after"] or ""
            chosen = [a or b for a, b in _OPTION.findall(match["options"] or "")]
            texts = {each: before + each + after for each in chosen if each not in SYNONYMS} or {before: before}
            found[str(name)] = {_LITTLE.sub("", value): text for value, text in texts.items()}
    return found


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {
        str(name): re.compile(str(pattern)) for name, is_word, pattern, *_ in stored_tables().terminals if not is_word
    }


def value_of(terminal: str, text: str) -> str:
    """The value of a field that a terminal goes into: what was chosen, or the words themselves."""
    known = options().get(terminal)
    if known is None or text in known:
        return text
    plain = re.sub(r"[ \t]+", " ", text)
    return next((value for value, shown in known.items() if shown == plain), None) or _chosen(terminal, text)


def _chosen(terminal: str, text: str) -> str:
    match = _patterns()[terminal].match(text)
    chosen = text if match is None or not match.lastindex else re.sub(r"[ \t]+", " ", match[match.lastindex])
    return SYNONYMS.get(chosen, _LITTLE.sub("", chosen))
