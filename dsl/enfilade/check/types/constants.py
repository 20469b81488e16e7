"""Constant folding for defaults and chances: the value of an expression made of constants alone."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from enfilade.core import ir
from enfilade.core.operators import full_map
from enfilade.values.data import exact
from enfilade.values.types import NO_VALUE


def constant_of(node: ir.Expr) -> Any:
    """The value of a constant expression, or ``NO_VALUE`` if it is not constant."""
    if isinstance(node, ir.Const):
        return node.value
    if isinstance(node, ir.Op) and node.name == "divide":
        parts = [constant_of(arg) for arg in node.args]
        return NO_VALUE if NO_VALUE in parts or parts[1] == 0 else exact(Fraction(parts[0]) / parts[1])
    if isinstance(node, ir.Items):
        items = tuple(constant_of(item) for item in node.items)
        return NO_VALUE if NO_VALUE in items else items
    if isinstance(node, ir.Op) and node.name == "followed":
        lists = [constant_of(arg) for arg in node.args]
        return NO_VALUE if NO_VALUE in lists else lists[0] + lists[1]
    if isinstance(node, ir.Op) and node.name == "map":
        words, *values = (constant_of(arg) for arg in node.args)
        return NO_VALUE if NO_VALUE in values else full_map(words, *values)
    return NO_VALUE
