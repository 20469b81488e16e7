"""Lints: what a checked program does that its author hardly means.

Each is a file, named after the code of its warning. Its docstring is the page that ``enfilade explain`` prints, below the
title in the first line; its function ``check`` looks at the core, and is silent where it can't be sure.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, TypeAlias

from enfilade.check.context import Context
from enfilade.core import ir

Lint: TypeAlias = Callable[[Context, ir.Program], None]

LINTS: Final[tuple[Lint, ...]] = tuple(
    import_module(f"{__name__}.{each.name}").check for each in iter_modules(__path__)
)
