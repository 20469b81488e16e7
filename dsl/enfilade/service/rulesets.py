"""The rulesets of requests: by name, or as text; the last ones are kept checked."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import Context
from functools import lru_cache
from typing import Any, Final, TypeAlias

from enfilade.api.loading import check, load
from enfilade.api.ruleset import Ruleset
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.errors import RulesetError
from enfilade.frozen import FrozenMap
from enfilade.limits import Limits
from enfilade.service.parameters import WrongParameter
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
            WrongParameter: It is neither.
        """
        if not isinstance(named, str):
            return self._kept(_texts(named))
        # A file may have changed.
        return self._kept(named) if named in shipped_names() else self._loaded(named)

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


def _texts(named: Any) -> _Texts:
    """The texts of a request."""
    if not isinstance(named, Mapping) or not isinstance(named.get("text"), str):
        raise WrongParameter("`ruleset` must be a name, or an object with a `text`")
    unknown = named.keys() - {"text", "files"}
    if unknown:
        raise WrongParameter(f"`ruleset` can't have the key {min(unknown)!r}; its keys are `text` and `files`")
    files = named.get("files") or {}
    if not isinstance(files, Mapping) or not all(isinstance(text, str) for text in files.values()):
        raise WrongParameter("`files` must be an object with file names as keys and the texts as values")
    return named["text"], FrozenMap(files)
