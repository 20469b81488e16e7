"""Definitions typed at the prompt: they extend the ruleset in use, or make one of their own.

What is typed is checked as a file is, and taken over whole or not at all. Whether a definition goes on with the next
line is the parser's word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from attrs import evolve

import enfilade
from enfilade import Ruleset
from enfilade.files import library_names
from enfilade.language import DECLARATIONS, Line, is_unfinished, line
from enfilade_repl.entry import first_word
from enfilade_repl.table import Ground

if TYPE_CHECKING:
    from enfilade_repl.session import Session

# A ruleset that is extended at the prompt has its heading already.
KEYWORDS: Final = tuple(word for word in DECLARATIONS if word not in ("enfilade", "ruleset", "source"))
_NAMED: Final = re.compile(r"(?:results of [\w ,]+|[a-z]+ \w+)")


def is_definition(text: str) -> bool:
    """Whether an entry is a definition, and no command of the same word: `chart crt` shows one, `chart crt "CRT"` begins one.

    Args:
        text: The entry, or the lines of it that were typed so far.
    """
    word, rest = first_word(text.strip())
    if word not in KEYWORDS:
        return False
    if "\n" in text.strip():
        return True
    name, more = first_word(rest)
    match word:
        case "use":
            return name in library_names() and not more
        case "chart":
            return bool(name) and '"' in more
        case "option":
            return bool(more) and (more.startswith(("one of", '"', "=")))
        case "record":
            return bool(name) and (not more or more[0] not in "./\\")
        case "remove" | "add" | "replace":
            return bool(more)
        case "facts":
            return not rest
    return bool(rest)


def needs_more(text: str) -> bool:
    """Whether a definition goes on: the parser finds it unfinished, or it has lines and no empty one at its end."""
    if not is_definition(text):
        return False
    if "\n" in text.strip():
        return not text.endswith("\n")
    return is_unfinished(text)


def define(session: Session, text: str) -> Iterator[Line]:
    """Take a definition over; one of the same name that was typed before gives way."""
    old = session.table.ground or Ground(of_its_own(""), None)
    name = name_of(text)
    kept = tuple(each for each in old.scratch if name_of(each) != name)
    new = with_scratch(old, (*kept, text.strip("\n")))
    session.table = evolve(session.table, ground=new)
    replaced = "replaced" if len(kept) < len(old.scratch) else "defined"
    yield line(("ok", f"{replaced} "), ("name", name))
    for found in new.rules.diagnostics:
        if found.span.source == new.rules.sources[0]:
            yield line(("warning", f"warning[{found.code}]: {found.message}"))


def with_scratch(ground: Ground, scratch: tuple[str, ...]) -> Ground:
    """A ruleset with other definitions typed.

    Raises:
        RulesetError: They do not check.
    """
    text = scratch_text(scratch)
    if ground.base is None:
        rules = of_its_own(text)
    else:
        base = ground.base.with_options(**{name: ground.rules.options[name] for name in ground.base.options})
        rules = base.extended(text) if scratch else base
    return evolve(ground, rules=rules, scratch=scratch)


def scratch_text(scratch: tuple[str, ...]) -> str:
    """The definitions as they stand in a file, the modules that they use first."""
    uses = [each for each in scratch if each.startswith("use ")]
    others = [each for each in scratch if not each.startswith("use ")]
    return "\n".join(f"{each}\n" for each in ("\n".join(uses), *others) if each)


def file_text(ground: Ground, name: str, base: str | None) -> str:
    """What was defined as a file: a variant of the ruleset in use, or a ruleset of its own.

    Args:
        ground: The ruleset in use, with what was defined.
        name: What the file is called.
        base: The name by which it finds the ruleset in use, if there is one.
    """
    extends = "" if base is None else f" extends {base}"
    called = re.sub(r"\W", "_", name, flags=re.ASCII)
    called = called if called[:1].isalpha() else f"ruleset_{called}"
    return f"enfilade 1\nruleset {called}{extends}\n\n{scratch_text(ground.scratch)}"


def of_its_own(text: str) -> Ruleset:
    """A ruleset of what was typed alone."""
    return enfilade.load(text=f"enfilade 1\nruleset scratch\n{text}")


def name_of(text: str) -> str:
    """What a definition goes by: the next of the same name takes its place.

    What is added to a declaration goes by all that it says, for more may be added to the same.

    Examples:
        >>> name_of("define a = 1"), name_of("replace step 2 in shot\\n  give result = 1")
        ('define a', 'replace step 2 in shot')
    """
    first, _, rest = text.strip().partition("\n")
    word, _ = first_word(first)
    if word in ("add", "replace", "remove"):
        return f"{first}: {' '.join(rest.split())}" if word == "add" else first
    found = _NAMED.match(first)
    return found[0] if found else word
