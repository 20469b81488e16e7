"""Code generation: lines of Python source, placeholders in them, and tests on pieces of source."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

Line: TypeAlias = tuple[int, str]

# Written around calls; ``rendered`` omits these lines if the function does not have their variable.
SAVE_STEPS: Final = "m.steps = steps"
LOAD_STEPS: Final = "steps = m.steps"
LOAD_RECORDS: Final = "records = m.records"
LOAD_DECKS: Final = "decks = m.decks"
VARIABLE_OF: Final = {SAVE_STEPS: "steps", LOAD_STEPS: "steps", LOAD_RECORDS: "records", LOAD_DECKS: "decks"}

# Among the needed variables: the function itself appends to the list of effects.
PERFORMS: Final = "performs"

# Placeholder line for the creation of the run's shared state.
MACHINE: Final = "machine"

# Placeholder line for the end of a procedure, replaced when the needed lines are known.
END: Final = "end"


def rendered(lines: list[Line], variables: set[str], ending: list[str]) -> str:
    """Return the lines as Python source.

    Args:
        lines: The lines written, with placeholders.
        variables: The variables that the function sets up.
        ending: The lines at the end of the procedure.
    """
    out = []
    for indent, text in lines:
        if text == END:
            out += [(indent, line) for line in ending]
        elif text == MACHINE:
            out.append((indent, _machine(variables)))
        else:
            out.append((indent, text))
    return "".join(
        f"{'    ' * indent}{text}\n" for indent, text in out if VARIABLE_OF.get(text, "") in {"", *variables}
    )


def _machine(variables: set[str]) -> str:
    shared = ["known" if "known" in variables else "{}", "effects" if PERFORMS in variables else "[]"]
    args = ", ".join(["PROGRAM", "options", "facts", "state", "asker", *shared])
    return f"if m is None: m = Run({args}); effects = m.effects"


def is_name(text: str) -> bool:
    """Whether source is one name or one plain constant, which costs nothing to evaluate twice.

    Examples:
        >>> is_name("t3"), is_name("'town'"), is_name("t3 + 1")
        (True, True, False)
    """
    return text.isidentifier() or is_constant(text)


def is_constant(text: str) -> bool:
    """Whether source is an immutable constant."""
    return bool(_CONSTANT.fullmatch(text))


_CONSTANT: Final = re.compile(r"k\d+|\d+|\(-\d+\)|'[A-Za-z0-9_ ]*'|None|True|False|\(\)", re.ASCII)


def fixed(text: str) -> bool:
    """Whether source is a constant, or a temporary, which is assigned only once."""
    return is_constant(text) or bool(_TEMPORARY.fullmatch(text))


_TEMPORARY: Final = re.compile(r"(t|f|f_|a)\d+", re.ASCII)


def display(items: list[str]) -> str:
    """Return the source of a tuple.

    Examples:
        >>> display(["a"]), display(["a", "b"]), display([])
        ('(a,)', '(a, b)', '()')
    """
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def mapping(items: Mapping[str, str]) -> str:
    """Return the source of a dictionary."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"
