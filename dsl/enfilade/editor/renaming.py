"""Rename: the edits that give a declared thing another name everywhere, or the reason why not.

The renamed texts are checked before the edits are returned, so a new name can't bring a mistake with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from enfilade.bind.names import Key, Occurrence
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Severity
from enfilade.editor.answers import CannotRename
from enfilade.editor.index import Index
from enfilade.source.shipped import shipped_dir
from enfilade.syntax import tree as t
from enfilade.syntax.tree_walk import nodes
from enfilade.syntax.unexpected import KEYWORDS

_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,127}")
_FIXED: Final = {
    "built-in": "is a name of the language",
    "file": "is the name of a file: rename the file, then this line",
    "unknown": "is not declared",
}


def edits_of_rename(index: Index, at: Occurrence, new: str, asked_in: str = "") -> tuple[Edit, ...]:
    """Find what to replace.

    Args:
        index: The names of the ruleset.
        at: The name to change.
        new: The new name.
        asked_in: The name of the text in which the author renames; by default the main text of the ruleset.

    Raises:
        CannotRename: The name is fixed or stands in a shipped file, or the new name is unusable or in use.
    """
    key, old = at.key, at.span.text
    if key.kind in _FIXED:
        raise CannotRename(f"`{old}` {_FIXED[key.kind]}")
    if not _NAME.fullmatch(new):
        raise CannotRename(f"`{new}` is not a name: use letters, digits and `_`, with a letter first")
    if new in KEYWORDS:
        raise CannotRename(f"`{new}` is a word of the language")
    named = (each for one in _named_alike(index, key) for each in index.by_key[one])
    edits = tuple(Edit(each.span, new) for each in named if each.span.text == old)
    _refuse_shipped(edits, old, asked_in or index.main)
    taken = next((each for each in index.by_key if each.name == new), None)
    if taken is not None:
        raise CannotRename(f"`{new}` is in use: it is the name of a {taken.kind}")
    return edits


def _named_alike(index: Index, key: Key) -> tuple[Key, ...]:
    """What must keep the same name: a fact or a field, and the parameters that have their type from it."""
    spans = {
        each.name.span
        for declarations in index.trees.values()
        for each in nodes(declarations)
        if isinstance(each, t.Param) and each.type is None and each.name.name == key.name
    }
    same = [each for each in index.by_key if each.name == key.name]
    types = [each for each in same if each.kind == "fact" and not each.owner] or [
        each for each in same if each.kind == "field"
    ]
    if not spans or len(types) != 1:
        return (key,)
    params = (each for each in same if any(one.declares and one.span in spans for one in index.by_key[each]))
    group = tuple(dict.fromkeys((*types, *params)))
    return group if key in group else (key,)


def _refuse_shipped(edits: Iterable[Edit], old: str, asked_in: str) -> None:
    shipped = {shipped_dir("rulesets").resolve(), shipped_dir("stdlib").resolve()}
    for each in edits:
        path = each.span.source.path
        if each.span.source.name != asked_in and path is not None and shipped & {*path.resolve().parents}:
            raise CannotRename(f"`{old}` is a name in {path.name}, which comes with Enfilade")


def refuse_new_errors(before: Iterable[Diagnostic], after: Iterable[Diagnostic], new: str) -> None:
    """Refuse a rename that brings errors.

    Raises:
        CannotRename: There are more errors than before.
    """
    left = _errors(before)
    for code, found in _errors(after).items():
        if len(found) > len(left.get(code, ())):
            raise CannotRename(f"`{new}` can't be the new name: {found[0].message}")


def _errors(diagnostics: Iterable[Diagnostic]) -> Mapping[str, list[Diagnostic]]:
    found: dict[str, list[Diagnostic]] = {}
    for each in diagnostics:
        if each.severity is Severity.ERROR:
            found.setdefault(each.code, []).append(each)
    return found
