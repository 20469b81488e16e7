"""The kinds of mistakes, by the stable names that messages show in brackets, and the page of each.

A page is a Markdown file in this package, or the docstring of a lint. Its first line is the title. A released code
never gets another meaning.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from enfilade.door import door


def _homes() -> dict[str, Traversable]:
    """The file that has each page."""
    folders = (("diagnostics", "pages"), ("check", "lints"))
    every = [each for folder in folders for each in files("enfilade").joinpath(*folder).iterdir()]
    homes = {each.name.rpartition(".")[0].replace("_", "-"): each for each in every if not each.name.startswith("__")}
    return {code: homes[code] for code in sorted(homes)}


def _text(home: Traversable) -> str:
    text = home.read_text(encoding="utf-8")
    return text if home.name.endswith(".md") else ast.get_docstring(ast.parse(text)) or ""


_TEXTS: Final = {code: _text(home).strip() for code, home in _homes().items()}
CODES: Final[Mapping[str, str]] = MappingProxyType({code: text.partition("\n")[0] for code, text in _TEXTS.items()})
"""The title of each code, in the order of the alphabet."""


@door
def page_for(code: str) -> str | None:
    """Read the page that explains a diagnostic code.

    Args:
        code: The code, as printed in brackets after ``error``.

    Returns:
        The page in Markdown, or ``None`` for a code that is unknown.

    Examples:
        >>> page_for("look-alike").splitlines()[0]
        '# look-alike'
        >>> page_for("../codes") is None
        True
    """
    return f"# {code}\n\n{_TEXTS[code]}\n" if code in _TEXTS else None
