"""What an editor offers for a file without a declaration: a first ruleset to learn from, or one around a pasted chart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from enfilade.diagnostics.diagnostic import Edit
from enfilade.editor.answers import Action
from enfilade.source.text import SourceFile
from enfilade.tools.pasted_chart import NoChart
from enfilade.tools.scaffold import is_ruleset_name, new_ruleset, ruleset_from_pasted


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
    yield Action("write a ruleset around this chart", edits, "", whole, "quickfix", preferred=True)
