"""The words that a terminal of the grammar stands for."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from enfilade.syntax.tables import stored_tables

# Words with blanks between them, perhaps behind a comma (none before `or`), and then perhaps a look ahead.
_PHRASE: Final = re.compile(
    r"(?:\(,~\)\?(?=or))?((?:\(?,~(?:\)\?)?)?[a-z]+(?:[ /](?:[a-z]+|\([a-z|]+\)))*)(?:\(\?[=!].*|\\b)*", re.DOTALL
)


@cache
def phrases() -> dict[str, str]:
    """The text of each terminal that stands for fixed words or a sign, by its name; of several words, the first."""
    found = {}
    for name, is_word, pattern, *_ in stored_tables().terminals:
        plain = str(pattern).replace("[ \t]+", " ").replace("[ \t]*", "~").replace(r"\/", "/")
        if is_word:
            found[str(name)] = str(pattern)
        elif match := _PHRASE.fullmatch(plain):
            found[str(name)] = (
                re.sub(r"\(([a-z]+)\|[a-z|]+\)", r"\1", match[1]).replace("(,~)?", ",~").replace("~", " ")
            )
    return found
