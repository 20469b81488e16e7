"""Lints: what a checked program does that its author hardly means. Each is a file; a lint that can't be sure is silent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from enfilade.check.context import Context
from enfilade.check.lints.draws import check_draws
from enfilade.check.lints.hidden_headers import check_hidden_headers
from enfilade.check.lints.list_comparisons import check_list_comparisons
from enfilade.check.lints.lone_lines import check_lone_lines
from enfilade.check.lints.modifier_blocks import check_blocks
from enfilade.check.lints.operands import check_operands
from enfilade.check.lints.replaced_outputs import check_replaced_outputs
from enfilade.check.lints.shadowed_modifiers import check_shadowed
from enfilade.check.lints.together import check_together
from enfilade.core import ir

Lint: TypeAlias = Callable[[Context, ir.Program], None]

LINTS: Final[tuple[Lint, ...]] = (
    check_operands, check_list_comparisons, check_blocks, check_lone_lines, check_shadowed, check_together, check_draws,
    check_hidden_headers, check_replaced_outputs,
)  # fmt: skip
