"""Spoken entries: questions in plain English that stand for commands, such as `what does M mean?`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

_IS_MEANT: Final = re.compile(r"what\s+(?:does|do|is|are)\s+(?:(?:the|an?)\s+)?(.+?)(?:\s+(?:mean|do|stand\s+for))?")
_SHOW: Final = re.compile(r"(?:show|list)\s+(?:me\s+)?(?:(?:the|all)\s+)?(\w+)")
_NEEDED: Final = re.compile(r"what\s+(?:(\w+)\s+)?do\s+(?:i|I|we|you)\s+need\s+(?:for|to\s+get)\s+(.+)")
_ARE_THERE: Final = re.compile(r"(?:what|which)\s+(\w+)\s+(?:are|is)\s+there\b.*")

_CHART: Final = re.compile(r"(?:show|see|print)\s+(?:me\s+)?(?:the\s+)?(\w+(?:\s+\w+)*\s+(?:table|chart))")
_SAME: Final = re.compile(r"(?:the\s+)?same(?:\s+again)?(?:\s*,?\s*(?:but|with|but\s+with)\s+(.+))?")
_ASKS_FOR_HELP: Final = re.compile(
    r"(?:i\s+)?(?:don.?t|do\s+not)\s+know|dunno|no\s+idea|help\s+me|why\s+do\s+you\s+ask.*", re.IGNORECASE
)


def without_question_mark(text: str) -> str:
    """An entry without the question mark that ends it, as in `why?`; `?` alone is help.

    Examples:
        >>> without_question_mark("why?"), without_question_mark("?")
        ('why', '?')
    """
    stripped = text.strip()
    return stripped.rstrip("? ") or stripped


def with_quotes(text: str, names: Iterable[str]) -> str:
    """An entry with quotes around the names of pieces that consist of several words.

    Examples:
        >>> with_quotes("volley at Old Guard, 3 inches", ["Old Guard", "gun"])
        'volley at "Old Guard", 3 inches'
        >>> with_quotes('drop "Old Guard"', ["Old Guard"])
        'drop "Old Guard"'
    """
    of_words = sorted((name for name in names if " " in name), key=len, reverse=True)
    if not of_words:
        return text
    either = "|".join(re.escape(name) for name in of_words)
    return re.sub(rf'"[^"]*"|(?<!\w)({either})(?!\w)', lambda found: f'"{found[1]}"' if found[1] else found[0], text)


def command_meant(text: str, find_command: Callable[[str], object]) -> str:
    """Translate a question in plain English to a command; any other text stays as it is.

    Args:
        text: The entry, without a question mark at its end.
        find_command: Finds the command with a name; ``None`` if there is none.

    Examples:
        >>> commands = {"charts": "..."}
        >>> command_meant("what does M2 mean", commands.get), command_meant("what charts are there", commands.get)
        ('help M2', 'charts')
        >>> command_meant("show me the charts", commands.get), command_meant("what do I need for M", commands.get)
        ('charts', 'least  of M')
        >>> command_meant("what if night", commands.get), command_meant("same but in woods", commands.get)
        ('what if night', 'again in woods')
    """
    if _ASKS_FOR_HELP.fullmatch(text):
        return "help"
    same = _SAME.fullmatch(text)
    if same is not None:
        return f"again {same[1] or ''}".strip()
    printed = _CHART.fullmatch(text)
    if printed is not None:
        return f"chart {'_'.join(printed[1].split())}"
    listed = _ARE_THERE.fullmatch(text) or _SHOW.fullmatch(text)
    if listed is not None and find_command(listed[1]) is not None:
        return listed[1]
    needed = _NEEDED.fullmatch(text)
    if needed is not None:
        return f"least {needed[1] or ''} of {needed[2]}"
    meant = _IS_MEANT.fullmatch(text)
    return text if meant is None else f"help {meant[1]}"
