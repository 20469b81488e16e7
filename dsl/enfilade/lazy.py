"""Lazy imports for packages: a public name is imported from its own module when it is first used.

A program then pays only for what it uses. Type checkers read the imports under ``TYPE_CHECKING`` instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_exports(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Make the ``__getattr__`` of a package that imports its public names on first use.

    Args:
        package: The package's ``__name__``.
        modules: The names that each module gives, with blanks between them, by its name below ``enfilade``.
    """
    homes = {name: f"enfilade.{module}" for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return get
