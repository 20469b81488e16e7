"""What an editor offers for a file without a declaration: a first ruleset to learn from, or one around a pasted chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from enfilade.diagnostics.diagnostic import Diagnostic, Edit
from enfilade.editor.answers import Action
from enfilade.source.text import SourceFile
from enfilade.tools.chart_guesses import guess_axis
from enfilade.tools.pasted_chart import NoChart, read_pasted
from enfilade.tools.scaffold import is_ruleset_name, new_ruleset, ruleset_from_pasted

_AROUND: Final = "write a ruleset around this chart"


def pasted_chart(source: SourceFile) -> Diagnostic | None:
    """The one mistake of a text that contains only a pasted chart; ``None`` for other texts.

    Args:
        source: A text without declarations.
    """
    try:
        chart = read_pasted(source.text)
    except NoChart:
        return None
    # Words in columns may be anything, such as facts below a misspelt `facts`.
    axes = (chart.columns, [label for label, _ in chart.rows])
    if all(guess_axis(each).kind == "words" for each in axes):
        return None
    first = len(source.text) - len(source.text.lstrip())
    span = source.span(first, first + len(source.text[first:].split(maxsplit=1)[0]))
    help_ = f"use the quick fix `{_AROUND}`"
    return Diagnostic("unknown-declaration", "this is a printed chart, and not yet a ruleset", span, helps=(help_,))


def first_texts(source: SourceFile) -> Iterator[Action]:
    """The rulesets that could begin here; none if the text is no chart.

    Args:
        source: A text without declarations.
    """
    stem = re.sub(r"\W", "_", PurePath(source.name).stem, flags=re.ASCII)
    name = stem if is_ruleset_name(stem) else "my_game"
    whole = source.span(0, len(source.text))
    if not source.text.strip():
        yield Action("write a first ruleset", (Edit(whole, new_ruleset(name).text),), "", whole, "refactor")
        return
    try:
        found = ruleset_from_pasted(name, source.text)
    except NoChart:
        return
    edits = (Edit(whole, found.text),)
    yield Action(_AROUND, edits, "", whole, "quickfix", preferred=True)
