"""Prints diagnostics for people, without duplicates."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from enfilade import Diagnostic
from enfilade.language import render_text
from enfilade.terminal import has_color


def distinct(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Remove duplicate diagnostics: a module that several files use is checked with each file."""
    return list(
        {(d.code, d.message, d.span.source.path or d.span.source.name, d.span.start): d for d in diagnostics}.values()
    )


def print_diagnostics(diagnostics: Iterable[Diagnostic], stream: TextIO | None = None) -> None:
    """Print diagnostics for people, an empty line after each."""
    stream = stream or sys.stdout
    color = has_color(stream)
    for each in diagnostics:
        print(render_text(each, color=color) + "\n", file=stream)
