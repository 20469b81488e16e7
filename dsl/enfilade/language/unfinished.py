"""Unfinished input: asks the parser whether a typed declaration continues on the next line."""

from __future__ import annotations

from typing import Final

from enfilade.door import door
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.parser import parse_module

_UNFINISHED: Final = frozenset(("missing-block", "unfinished-line"))


@door
def is_unfinished(text: str) -> bool:
    """Whether more lines must follow the first line of a declaration.

    Args:
        text: The first line. A chart always needs more lines, because its rows follow.

    Examples:
        >>> is_unfinished("procedure scatter"), is_unfinished("define double(n) = n * 2")
        (True, False)
    """
    parsed = parse_module(SourceFile("<typed>", f"{text.strip()}\n"))
    if any(isinstance(each, t.Chart) for each in parsed.module.declarations):
        return True
    return any(found.code in _UNFINISHED for found in parsed.diagnostics)
