"""What an editor offers for a file without a declaration: a first ruleset to learn from, or one around a pasted chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import Final

from enfilade.diagnostics.diagnostic import Diagnostic, Edit
from enfilade.diagnostics.suggest import nearest
from enfilade.editor.answers import Action
from enfilade.errors import RulesetError
from enfilade.source.text import SourceFile
from enfilade.syntax.syntax_messages import DECLARATIONS
from enfilade.tools.chart_guesses import guess_axis
from enfilade.tools.pasted_chart import NoChart, read_pasted
from enfilade.tools.scaffold import is_ruleset_name, new_ruleset, ruleset_from_pasted

_AROUND: Final = "write a ruleset around this chart"
# The first word of a declaration and the name after it, as in `chrat fire_table`.
_HEAD: Final = re.compile(r"\s*([a-z]+) [a-z]")


def pasted_chart(source: SourceFile) -> Diagnostic | None:
    """The one mistake of a text that contains only a pasted chart; ``None`` for other texts.

    Args:
        source: A text without declarations.
    """
    if not _is_chart(source.text):
        return None
    first = len(source.text) - len(source.text.lstrip())
    span = source.span(first, first + len(source.text[first:].split(maxsplit=1)[0]))
    help_ = f"use the quick fix `{_AROUND}`"
    return Diagnostic("unknown-declaration", "this is a printed chart, and not yet a ruleset", span, helps=(help_,))


def _is_chart(text: str) -> bool:
    """Whether a text without declarations is a chart, and not a declaration whose first word is misspelt."""
    head = _HEAD.match(text)
    if head is not None and nearest(head[1], DECLARATIONS) is not None:
        return False
    try:
        chart = read_pasted(text)
    except NoChart:
        return False
    # Words in columns may be anything, such as facts below a misspelt `facts`.
    axes = (chart.columns, [label for label, _ in chart.rows])
    return any(guess_axis(each).kind != "words" for each in axes)


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
    if not _is_chart(source.text):
        return
    try:
        found = ruleset_from_pasted(name, source.text)
    except RulesetError:
        # The ruleset around a very large chart is larger than a text may be.
        return
    edits = (Edit(whole, found.text),)
    yield Action(_AROUND, edits, "", whole, "quickfix", preferred=True)
