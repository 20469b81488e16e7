"""Colour themes: the look of each style word on a dark background, on a light background and without colour.

Each style word is a class of prompt_toolkit. Text that must be conspicuous without colour is bold, underlined or
reversed in every theme.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

if TYPE_CHECKING:
    from enfilade.language import Line

_PLAIN: Final = {
    "title": "bold",
    "result": "bold",
    "refused": "bold",
    "error": "bold",
    "read": "bold",
    "line": "bold",
    "unknown": "underline",
    "toolbar": "reverse",
    "changed": "bold",
    "completion-menu.completion.current": "reverse",
}  # fmt: skip

# The terminal's own sixteen colours, so the prompt respects the user's choice of colours.
_DARK: Final = {
    "label": "ansibrightblack",
    "hint": "ansibrightblack",
    "source": "ansibrightblack",
    "name": "ansicyan",
    "title": "bold",
    "kind": "ansibrightblue",
    "code": "ansibrightyellow",
    "result": "bold ansibrightyellow",
    "refused": "bold ansibrightmagenta",
    "error": "bold ansibrightred",
    "warning": "ansiyellow",
    "ok": "ansigreen",
    "cite": "ansibrightblack",
    "dice": "ansibrightgreen",
    "effect": "ansibrightmagenta",
    "read": "bold ansibrightyellow",
    "line": "bold",
    "output": "",
    "bar": "ansiblue",
    "player": "bold ansibrightblue",
    "prompt": "ansigreen",
    "command": "ansibrightblue",
    "procedure": "bold ansicyan",
    "fact": "ansicyan",
    "word": "ansibrightyellow",
    "number": "ansibrightmagenta",
    "string": "ansigreen",
    "comment": "italic ansibrightblack",
    "keyword": "ansibrightblue",
    "row": "",
    "verbatim": "",
    "unknown": "underline ansired",
    "toolbar": "noreverse bg:ansibrightblack ansiwhite",
    "changed": "bold ansibrightyellow",
    "auto-suggestion": "ansibrightblack",
}  # fmt: skip

_LIGHT: Final = {
    **_DARK,
    "name": "ansiblue",
    "kind": "ansiblue",
    "code": "ansired",
    "result": "bold ansired",
    "refused": "bold ansimagenta",
    "error": "bold ansired",
    "warning": "ansimagenta",
    "dice": "ansigreen",
    "effect": "ansimagenta",
    "read": "bold ansired",
    "player": "bold ansiblue",
    "prompt": "ansiblue",
    "command": "ansiblue",
    "procedure": "bold ansiblue",
    "fact": "ansiblue",
    "word": "ansired",
    "number": "ansimagenta",
    "keyword": "ansiblue",
    "toolbar": "noreverse bg:ansigray ansiblack",
    "changed": "bold ansired",
}  # fmt: skip

_RULES: Final[Mapping[str, Mapping[str, str]]] = {"dark": _DARK, "light": _LIGHT, "none": _PLAIN}

STYLE_WORDS: Final = frozenset(_DARK)
"""The style words that lines may use, with a few of prompt_toolkit's own."""


def shows_colors(theme: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether to use colours: the theme has colours, and neither the player nor the terminal turns them off.

    Examples:
        >>> shows_colors("dark", {}), shows_colors("dark", {"NO_COLOR": "1"}), shows_colors("none", {})
        (True, False, False)
    """
    return theme != "none" and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def style_of(theme: str, environment: Mapping[str, str] = os.environ) -> Style:
    """The style sheet of a theme.

    Args:
        theme: ``dark``, ``light`` or ``none``.
        environment: The environment variables that describe the terminal.
    """
    rules = _RULES[theme if shows_colors(theme, environment) else "none"]
    return Style([*((class_of(word), look) for word, look in rules.items()), ("bottom-toolbar", "noreverse")])


def class_of(word: str) -> str:
    """The prompt_toolkit class of a style word; `prompt` has a class of its own, which colours questions too."""
    return "ready" if word == "prompt" else word


def depth_of(theme: str, environment: Mapping[str, str] = os.environ) -> ColorDepth | None:
    """The colour depth: no colours, or ``None`` for as many as the terminal has."""
    return None if shows_colors(theme, environment) else ColorDepth.DEPTH_1_BIT


def fragments_of(lines: Iterable[Line], *, end: str = "\n") -> StyleAndTextTuples:
    """Lines in the format of prompt_toolkit.

    Examples:
        >>> fragments_of([(("code", "M2"), ("", " or worse"))])
        [('class:code', 'M2'), ('', ' or worse'), ('', '\\n')]
    """
    found: StyleAndTextTuples = []
    for each in lines:
        found += [(f"class:{class_of(style)}" if style else "", text) for style, text in each]
        found.append(("", end))
    return found
