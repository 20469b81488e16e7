"""Messages for mistakes that no edit of one line mends: a quote or a bracket that is not closed, tabs, a row without a chart.

Each check is a function that takes the unexpected token and returns a fault, or ``None``. What an edit can mend stands in
``advice``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.retired import retired_form
from enfilade.syntax.unexpected import Unexpected

_STEPS: Final = (
    "refuse", "roll", "draw", "reshuffle", "let", "read", "apply", "when", "for", "repeat", "together", "leave", "stop",
    "call",
    "give", "otherwise", "facts", "once", "each", "then",
)  # fmt: skip
# Keywords of expressions, which can't be used as names in an expression.
_TAKEN: Final = {
    "each", "nth", "not", "mod", "where", "of", "by",
}  # fmt: skip


def common_mistake(unexpected: Unexpected) -> SyntaxFault | None:
    """Recognise a common mistake, or return ``None``."""
    for look in _LOOKS:
        fault = look(unexpected)
        if fault is not None:
            return fault
    return None


def _at(unexpected: Unexpected, code: str, message: str, help_: str | None) -> SyntaxFault:
    return SyntaxFault(code, message, unexpected.start, unexpected.end, help_)


def _retired(unexpected: Unexpected) -> SyntaxFault | None:
    """A form of an older version of the language."""
    line = (unexpected.before + unexpected.after).strip()
    form = retired_form(line)
    if form is None:
        return None
    instead = form.pattern.sub(form.instead, line)
    help_, edit = (instead, None) if form.is_advice else (f"write `{instead}`", instead)
    start = unexpected.start - len(unexpected.before.lstrip())
    return SyntaxFault("syntax", "this form is an old one", start, start + len(line), help_, edit)


def _missing_quote(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.word[:1] != '"' or unexpected.type == "STRING":
        return None
    return SyntaxFault("missing-quote", "this quote is not closed on its line", unexpected.start, unexpected.start + 1,
                       'end it with `"`')  # fmt: skip


def _open_bracket(unexpected: Unexpected) -> SyntaxFault | None:
    """A bracket that is not closed, or closes nothing."""
    if unexpected.word in (")", "]") and not _unclosed(unexpected.before):
        return _at(
            unexpected,
            "missing-bracket",
            f"this `{unexpected.word}` has no opening bracket",
            "delete the closing bracket, or add an opening bracket before it",
        )
    if not unexpected.ends_line:
        return None
    opened = _unclosed(unexpected.before)
    if not opened:
        return None
    at = unexpected.start - len(unexpected.before) + opened[-1]
    partner = {"(": ")", "[": "]"}[unexpected.text[at]]
    return SyntaxFault(
        "missing-bracket", "this bracket is not closed on its line", at, at + 1, f"close it with `{partner}`"
    )


def _unclosed(line: str) -> list[int]:
    opened: list[int] = []
    for match in re.finditer(r'"[^"]*"|[()\[\]]', line):
        if match[0] in "([":
            opened.append(match.start())
        elif match[0] in ")]" and opened:
            opened.pop()
    return opened


def _continued(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.word[:1] != "\\":
        return None
    return _at(unexpected, "syntax", "a line can't continue with `\\`",
               "end the line with an operator, a comma or an open bracket, and indent the next line")  # fmt: skip


def _stray_row(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.word[:1] != "|" or unexpected.before.strip():
        return None
    return _at(unexpected, "stray-row", "this row belongs to no chart", "put the row below a `chart` line")


def _word_as_name(unexpected: Unexpected) -> SyntaxFault | None:
    """``item + 1``, in which ``item`` is meant to be a fact."""
    match = re.search(r"([A-Za-z_]\w*)\s*$", unexpected.before)
    if match is None or match[1] not in _TAKEN or not unexpected.expected & {"OF", "NAME", "INT"}:
        return None
    if not (unexpected.ends_line or unexpected.word[:1] in "+-*/)=<>,"):
        return None
    start = unexpected.start - len(unexpected.before) + match.start(1)
    return SyntaxFault("syntax", f"`{match[1]}` is a word of the language and can't be a name here", start,
                       start + len(match[1]), f"choose another name, such as `{match[1]}_value`")  # fmt: skip


def _tabs(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.type != "_INDENT" or "\t" not in unexpected.word + unexpected.text[unexpected.start : unexpected.end]:
        return None
    start = max(unexpected.end - 1, 0)
    return SyntaxFault("indentation", "this line begins with a tab, which moves to the next multiple of eight columns", start,
                       unexpected.end, "indent with blanks, two for each level")  # fmt: skip


def _computed_field(unexpected: Unexpected) -> SyntaxFault | None:
    """``target.(row.code)``: a field picked by a value."""
    if unexpected.word[:1] not in "([" or not unexpected.before.rstrip().endswith("."):
        return None
    return _at(unexpected, "syntax", "after `.`, write a name, not a value",
               "to look up an entry by a word, declare `boxes map of system to 0..` and write `boxes of ...`")  # fmt: skip


def _step_as_local(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll becomes 2``, in which ``roll`` is a local."""
    line = unexpected.before + unexpected.text[unexpected.start : unexpected.end]
    match = re.match(r"\s*(?:\d+\.\s+)?(\w+)\s+becomes\b", line)
    if match is None or match[1] not in _STEPS:
        return None
    start = unexpected.start - len(unexpected.before) + match.start(1)
    message = f"`{match[1]}` begins a step, so it can't be the name of a local variable that changes"
    return SyntaxFault(
        "syntax", message, start, start + len(match[1]), f"choose another name, such as `{match[1]}_value`"
    )


def _described_default(unexpected: Unexpected) -> SyntaxFault | None:
    """``units list of unit = [a (steps 2)]`` among the facts."""
    match = re.search(r"=\s*\[?(?:.*,)?\s*([A-Za-z]\w*)\s*\(\s*[A-Za-z]\w*\s+$", unexpected.before)
    if match is None or unexpected.declaration not in ("facts", "record", "procedure"):
        return None
    start = unexpected.start - len(unexpected.before) + match.start(1)
    return SyntaxFault("syntax", "a record can't be described in a default", start, unexpected.start,
                       "delete the default; the player enters the record")  # fmt: skip


def _otherwise_too_deep(unexpected: Unexpected) -> SyntaxFault | None:
    """An ``otherwise`` that is indented deeper than its ``when``."""
    if unexpected.word != "otherwise" and not re.match(r"\s*otherwise\b", unexpected.text[unexpected.start :]):
        return None
    start = unexpected.text.index("otherwise", unexpected.start)
    above = unexpected.text[unexpected.origin : start].splitlines()
    heads = [head for line in above if (head := re.match(r"(\s*(?:\d+\.\s+)?(?:otherwise\s+)?)when\b", line))]
    if not heads or len(above[-1]) <= len(heads[-1][1]):
        return None
    return SyntaxFault("indentation", "this `otherwise` is indented deeper than its `when`", start, start + 9,
                       "align `otherwise` with the word `when`")  # fmt: skip


_LOOKS: Final[tuple[Callable[[Unexpected], SyntaxFault | None], ...]] = (
    _retired, _missing_quote, _step_as_local, _open_bracket, _stray_row, _otherwise_too_deep, _continued, _word_as_name,
    _tabs, _computed_field, _described_default,
)  # fmt: skip
