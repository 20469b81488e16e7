"""A language service: what an editor asks about a text of rules, as pure functions over texts.

Nothing here speaks a protocol. ``enfilade lsp`` serves it to editors, ``enfilade.service`` to other programs.

Examples:
    >>> found = analyse("facts\\n  night  yes/no\\ndefine dark = nihgt\\n")
    >>> [action.title for action in found.code_actions(36, 41)]
    ['replace `nihgt` by `night`']
"""

from enfilade.diagnostics.diagnostic import Edit
from enfilade.editor.analysis import Analysis, analyse
from enfilade.editor.answers import (
    Action,
    CannotRename,
    Completions,
    Fold,
    Hint,
    Hover,
    Lens,
    Outline,
    Parameter,
    Signature,
    Subject,
    Suggestion,
    TextToken,
)
from enfilade.editor.workspace import Workspace, users_of
from enfilade.source.text import Span

__all__ = [
    "Action",
    "Analysis",
    "CannotRename",
    "Completions",
    "Edit",
    "Fold",
    "Hint",
    "Hover",
    "Lens",
    "Outline",
    "Parameter",
    "Signature",
    "Span",
    "Subject",
    "Suggestion",
    "TextToken",
    "Workspace",
    "analyse",
    "users_of",
]
