"""Code action: declares a fact that a condition or an expression names, with a type that fits its uses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from enfilade.diagnostics.diagnostic import Diagnostic, Edit
from enfilade.editor.answers import Action
from enfilade.source.text import Span
from enfilade.syntax import tree as t

_MISSING: Final = "fact, definition or word"
_CONSTANTS: Final = ("yes", "no", "none", "not", "all", "any", "one")


def new_facts(
    found: Diagnostic, declarations: tuple[t.Declaration, ...], place: Callable[[Span], Span]
) -> Iterator[Action]:
    """Declare the fact that a diagnostic misses: below the other facts, or above the declaration that names it.

    Args:
        found: The diagnostic.
        declarations: The declarations of the text.
        place: Converts a place in a declaration to one in the text.
    """
    if found.about is None or found.about.missing != _MISSING or found.about.guess is not None:
        return
    name, source = found.about.names[0], found.span.source
    line = f"{name}  {type_in_uses(name, source.text)}"
    facts = (each for each in declarations if isinstance(each, t.Facts) and each.fields)
    last = next((place(each.fields[-1].span) for each in facts), None)
    if last is not None and last.source is source:
        at, text = last.start + len(last.text.rstrip()), f"\n  {line}"
    else:
        starts = (place(each.span).start for each in declarations)
        at, text = max((each for each in starts if each <= found.span.start), default=0), f"facts\n  {line}\n\n"
    yield Action(f"add the fact `{line}`", (Edit(source.span(at, at), text),), found.code, found.span, preferred=True)


def type_in_uses(name: str, text: str) -> str:
    """The type that fits the uses of an undeclared fact.

    Examples:
        >>> type_in_uses("terrain", "-1 cover terrain is woods or town")
        'one of woods, town'
        >>> type_in_uses("range", "-1 far range > 6"), type_in_uses("night", "-1 dark night")
        ('0..', 'yes/no')
    """
    compared = re.findall(rf"\b{name}\s+is\s+(?:not\s+)?([a-z]\w*(?:\s+or\s+[a-z]\w*)*)", text)
    words = dict.fromkeys(word for each in compared for word in re.split(r"\s+or\s+", each) if word not in _CONSTANTS)
    if words:
        return f"one of {', '.join(words)}"
    if re.search(rf"/\s*{name}\b", text):
        return "1.."
    numbers = (
        rf"\b{name} *(?:[<>+*/-]|is\s+(?:not\s+)?\d)|(?:[<>*+]|[<>]=|\s-\s)\s*{name}\b|\b{name},\s+(?:column|row)\b"
    )
    return "0.." if re.search(numbers, text) else "yes/no"
