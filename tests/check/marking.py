"""What a text is told of, and what comments in it say that it should be: for the tests of the checker."""

import re

from enfilade.check.program import check_source
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile


def found(text: str) -> list[tuple[str, int]]:
    """The code and the line of each diagnostic."""
    source = SourceFile("test.rules", text)
    diagnostics = check_source(source, Folders()).diagnostics
    return [(d.code, source.line_column(d.span.start)[0]) for d in diagnostics]


def marked(text: str) -> list[tuple[str, int]]:
    """The codes that the comments ``-- ! code`` at the ends of lines ask for."""
    lines = enumerate(text.splitlines(), 1)
    return [(code, number) for number, line in lines for code in re.findall(r"-- ! ([a-z-]+)$", line)]
