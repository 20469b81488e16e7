"""The text of definitions: recognises definitions and unfinished definitions, and names them."""

from __future__ import annotations

import re
from typing import Final

from enfilade.files import library_names
from enfilade.language import DECLARATIONS, is_unfinished
from enfilade_repl.entry import first_word

# Definitions at the prompt extend a ruleset that already has a heading, so headings are not definitions.
KEYWORDS: Final = tuple(word for word in DECLARATIONS if word not in ("enfilade", "ruleset", "source"))
# `record x`, with no indented line below it.
_WITHOUT_FIELDS: Final = re.compile(r"record ([A-Za-z]\w*)(?:\n(?!\s).*)?", re.DOTALL)
# Words that leave a definition or explain it, alone on a line below its first line.
_LEAVES: Final = ("cancel", "help")
_NAMED: Final = re.compile(r"(?:results of [\w ,]+|[a-z]+ \w+)")


def is_definition(text: str) -> bool:
    """Whether an entry is a definition, not a command of the same name: `chart crt` shows one, `chart crt "CRT"` begins one.

    Args:
        text: The entry, or its lines so far.
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


def is_facts_alone(text: str) -> bool:
    """Whether an entry is the word `facts` alone: in a game it lists the facts, without one it begins a definition."""
    return text.strip() == "facts"


def leaves(text: str) -> str:
    """The word that leaves a definition, alone on the last line: `cancel` or `help`; empty if there is none.

    Examples:
        >>> leaves("facts\\n  cancel"), leaves("cancel")
        ('cancel', '')
    """
    above, _, last = text.rstrip().rpartition("\n")
    return last.strip() if above.strip() and last.strip() in _LEAVES else ""


def needs_more(text: str) -> bool:
    """Whether a definition continues: the parser finds it unfinished, or its last line is not empty."""
    if not is_definition(text) or leaves(text):
        return False
    if "\n" in text.strip():
        return not text.endswith("\n") and record_without_fields(text.strip()) is None
    return is_unfinished(text)


def record_without_fields(text: str) -> str | None:
    """The name of a record whose heading is all that was typed, or that another entry follows.

    Examples:
        >>> record_without_fields("record played\\nodds"), record_without_fields("record unit\\n  steps 1..")
        ('played', None)
    """
    found = _WITHOUT_FIELDS.fullmatch(text)
    return None if found is None else found[1]


def scratch_text(scratch: tuple[str, ...]) -> str:
    """The definitions as the text of a file, with `use` lines first."""
    uses = [each for each in scratch if each.startswith("use ")]
    others = [each for each in scratch if not each.startswith("use ")]
    return "\n".join(f"{each}\n" for each in ("\n".join(uses), *others) if each)


def name_of(text: str) -> str:
    """The name of a definition; a later definition of the same name replaces it.

    For an addition to a declaration, its whole text is the name, because a declaration can have several additions.

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
