"""Code generation: Python text in the making."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

Line: TypeAlias = tuple[int, str]

# Written around calls; left out where the function has no such variable.
SAVE_STEPS: Final = "m.steps = steps"
LOAD_STEPS: Final = "steps = m.steps"
LOAD_RECORDS: Final = "records = m.records"
LOAD_DECKS: Final = "decks = m.decks"
VARIABLE_OF: Final = {SAVE_STEPS: "steps", LOAD_STEPS: "steps", LOAD_RECORDS: "records", LOAD_DECKS: "decks"}

# What a function needs that appends to the list of effects itself.
PERFORMS: Final = "performs"

# Stands for making what the functions of a run share.
MACHINE: Final = "machine"

# Stands for the end of a procedure, until it is known what that takes.
END: Final = "end"


def rendered(lines: list[Line], variables: set[str], ending: list[str]) -> str:
    """The lines as a text that Python reads.

    Args:
        lines: What was written.
        variables: Those that the function begins with.
        ending: The lines that stand for the end of the procedure.
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
    """Whether a text is one name or one plain constant, which costs nothing to say twice.

    Examples:
        >>> is_name("t3"), is_name("'town'"), is_name("t3 + 1")
        (True, True, False)
    """
    return text.isidentifier() or is_constant(text)


def is_constant(text: str) -> bool:
    """Whether a text is a constant that nothing changes."""
    return bool(_CONSTANT.fullmatch(text))


_CONSTANT: Final = re.compile(r"k\d+|\d+|\(-\d+\)|'[A-Za-z0-9_ ]*'|None|True|False|\(\)", re.ASCII)


def fixed(text: str) -> bool:
    """Whether a text is a constant or a temporary, which is set once before it is used."""
    return is_constant(text) or bool(_TEMPORARY.fullmatch(text))


_TEMPORARY: Final = re.compile(r"(t|f|f_|a)\d+", re.ASCII)


def display(items: list[str]) -> str:
    """A tuple of expressions.

    Examples:
        >>> display(["a"]), display(["a", "b"]), display([])
        ('(a,)', '(a, b)', '()')
    """
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def mapping(items: Mapping[str, str]) -> str:
    """A dictionary of expressions."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in items.items()) + "}"
