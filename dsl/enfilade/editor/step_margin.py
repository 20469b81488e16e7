"""The margin of step numbers: editors indent a new line for the text of a step, and a number must stand further left."""

from __future__ import annotations

import re
from typing import Final

from enfilade.diagnostics.diagnostic import Edit
from enfilade.source.text import SourceFile

_STEP: Final = re.compile(r"([ \t]+)([0-9]+)\.")


def step_margin(source: SourceFile, offset: int) -> tuple[Edit, ...]:
    """Put a step number that was just typed under the number of the step before it.

    Args:
        source: The text.
        offset: The place after the point that follows the number.

    Returns:
        The edit; none if the line has something else, or the number is in its place.
    """
    line, _ = source.line_column(offset)
    typed = _STEP.fullmatch(source.text[source.line_span(line).start : offset])
    if typed is None:
        return ()
    for above in range(line - 1, 0, -1):
        text = source.line_text(above)
        if text.strip() and not text[0].isspace():
            return ()
        found = _STEP.match(text)
        if found is not None and int(found[2]) == int(typed[2]) - 1:
            start = source.line_span(line).start
            edit = Edit(source.span(start, start + len(typed[1])), found[1])
            return () if found[1] == typed[1] else (edit,)
    return ()
