"""The rulesets of requests: by name, or as text; the last ones are kept checked."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Context
from functools import lru_cache
from typing import Any, Final, TypeAlias

from enfilade.api.loading import check, load
from enfilade.api.ruleset import Ruleset
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.door import read_argument
from enfilade.errors import ArgumentError, RulesetError
from enfilade.frozen import FrozenMap
from enfilade.limits import Limits
from enfilade.source.finder import shipped_names

_Texts: TypeAlias = tuple[str, FrozenMap]
"""The text of a ruleset, and the texts that it uses by file name."""

_MOST: Final = 32


class Rulesets:
    """Loads rulesets, and keeps the last ones.

    Args:
        limits: The limits of each request. With ``files=False``, only shipped rulesets have names.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._kept = lru_cache(_MOST)(self._loaded)

    def of(self, named: Any) -> Ruleset:
        """Return the ruleset of a request.

        Args:
            named: A name or a path; or an object with ``text``, and ``files`` with other texts by file name.

        Raises:
            RulesetError: There is none, or it has mistakes.
            ArgumentError: The object has something else.
        """
        asked = named if isinstance(named, str) else _texts(named)
        # A file may have changed.
        return self._loaded(asked) if isinstance(asked, str) and asked not in shipped_names() else self._kept(asked)

    def checked(self, named: Any) -> tuple[Diagnostic, ...]:
        """Return the mistakes of a ruleset, errors and warnings."""
        if isinstance(named, str):
            return self._loaded(named).diagnostics
        text, files = _texts(named)
        return check(text if "\n" in text else f"{text}\n", files=files, limits=self.limits)

    def _loaded(self, named: str | _Texts) -> Ruleset:
        if not isinstance(named, str):
            text, files = named
            return load(text=text, files=files, limits=self.limits)
        if named in shipped_names():
            # Ours are trusted: checking one takes nothing of the time of a request.
            return Context().run(load, named).with_limits(self.limits)
        if not self.limits.files:
            raise RulesetError(f"there is no ruleset {named}; the shipped rulesets are {', '.join(shipped_names())}")
        return load(named, limits=self.limits)


def _texts(named: Mapping[str, Any]) -> _Texts:
    """The texts of a request."""
    unknown = named.keys() - {"text", "files"}
    if unknown:
        raise ArgumentError(f"ruleset can't have the key {min(unknown)!r}; its keys are `text` and `files`")
    files = FrozenMap(read_argument("the `files` of ruleset", named.get("files") or {}, "Mapping[str, str]"))
    return read_argument("the `text` of ruleset", named.get("text"), "Text"), files
