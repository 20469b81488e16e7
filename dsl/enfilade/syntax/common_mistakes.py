"""Heuristics for common mistakes: a quote that is not closed, ``==``, a code without quotes, ``if`` for ``when``.

Their messages name the cause; the grammar could only list the expected tokens. Each check is a function that takes
the unexpected token and returns a fault, or ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from enfilade.diagnostics.suggest import nearest
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.mistaken_values import LOOKS
from enfilade.syntax.retired import retired_form
from enfilade.syntax.unexpected import KEYWORDS, Unexpected

# Operators of other languages, and printed signs, with their replacements.
_SIGNS: Final = {
    "=": "is", "==": "is", "===": "is", "!=": "is not", "<>": "is not", "≠": "is not", "=/=": "is not",
    "&": "and", "&&": "and", "|": "or", "||": "or", "!": "not", "~": "not", "%": "mod", "≥": ">=", "≤": "<=",
    "=>": ">=", "=<": "<=", "×": "*", "·": "*", "**": "*", "÷": "/", "//": "rounded down", ":=": "becomes",
    "+=": "becomes", "-=": "becomes",
}  # fmt: skip
_FOREIGN: Final = {
    "if": "when", "else": "otherwise", "elif": "otherwise when", "elseif": "otherwise when", "elsif": "otherwise when",
    "unless": "when not", "return": "give", "while": "repeat while", "foreach": "for each", "set": "let",
    "var": "let", "then": ":", "do": ":", "true": "yes", "false": "no", "and/or": "or", "equals": "is",
    "isn't": "is not", "until": "repeat until", "loop": "repeat", "break": "leave", "max": "highest of", "min": "lowest of",
}  # fmt: skip
_OUTSIDE: Final = {
    ";": ("a line can't end with `;`", "delete it"),
    "{": ("a block can't begin with `{`", "indent the lines that belong to the line above"),
    "}": ("a block can't end with `}`", "indent the lines that belong to the line above"),
    "'": ("a text needs double quotes", 'write `"..."`'),
    "`": ("a text needs double quotes", 'write `"..."`'),
    "\\": (
        "a line can't continue with `\\`",
        "end the line with an operator, a comma or an open bracket, and indent the next line",
    ),
    "$": ("a name can contain only letters, digits and `_`", "delete the `$`"),
    "@": ("a name can contain only letters, digits and `_`", "delete the `@`"),
    "½": ("`½` is not a number here", "write `1/2` or `0.5`"),
}
_STEPS: Final = (
    "refuse", "roll", "draw", "reshuffle", "let", "read", "apply", "when", "for", "repeat", "together", "leave", "stop",
    "call",
    "give", "otherwise", "facts", "once", "each", "then",
)  # fmt: skip
# Keywords of expressions, which can't be used as names in an expression.
_TAKEN: Final = {
    "each", "nth", "not", "mod", "where", "of", "by",
}  # fmt: skip
_SIGN = re.compile(r"[=!&|<>+\-*/%~≠≥≤×·÷:]+")
_ROW = re.compile(r'[ \t]*([^\s|"][^|"\r\n]*\|[^\r\n]*?\|)[ \t]*(?:--[^\r\n]*)?(?=[\r\n]|$)')
_CODE = re.compile(r"[^\s,:\"()\[\]]+")


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


def _assignment(unexpected: Unexpected) -> SyntaxFault | None:
    """``x = 1`` as a step."""
    if unexpected.word != "=" or "BECOMES" not in unexpected.expected:
        return None
    name = unexpected.before.split()[-1] if unexpected.before.split() else "x"
    return _at(unexpected, "syntax", "a step can't be an assignment with `=`", f"write `let {name} = ...` for a new value, "
               f"`{name} becomes ...` to change one, `give {name} = ...` for an output")  # fmt: skip


def _label_before_value(unexpected: Unexpected) -> SyntaxFault | None:
    """``define twice "the double" = n * 2``."""
    if (
        unexpected.word[:1] not in ("=", "(")
        or unexpected.declaration != "define"
        or not unexpected.before.rstrip().endswith('"')
    ):
        return None
    label = re.search(r'"[^"]*"\s*$', unexpected.before)
    start = unexpected.start - len(unexpected.before) + (label.start() if label else 0)
    return SyntaxFault("syntax", "a label must be at the end of its line", start, unexpected.start,
                       "write the label after the value")  # fmt: skip


def _foreign_sign(unexpected: Unexpected) -> SyntaxFault | None:
    match = _SIGN.match(unexpected.text, unexpected.start)
    sign = match[0] if match else ""
    meant = _SIGNS.get(sign)
    declares = sign == "=" and unexpected.declaration in ("facts", "record", "option", "words", "die", "deck")
    if match is None or meant is None or declares or not re.search(r"[\w)\]\"]\s*$", unexpected.before):
        return None
    what = f"`{sign}` assigns a value and can't compare two values" if sign == "=" else f"`{sign}` is not used here"
    return SyntaxFault("syntax", what, unexpected.start, match.end(), f"write `{meant}`")


def _dashed_range(unexpected: Unexpected) -> SyntaxFault | None:
    """``strength 1-9`` among the facts."""
    match = re.search(r"\b(\d+)\s*$", unexpected.before)
    rest = re.match(r"\s*-\s*(\d+)", unexpected.text[unexpected.start :])
    if match is None or rest is None or unexpected.declaration not in ("facts", "record", "procedure", "effect"):
        return None
    return SyntaxFault("syntax", "a range needs two dots", unexpected.start, unexpected.start + rest.end(),
                       f"write `{match[1]}..{rest[1]}`")  # fmt: skip


def _outside(unexpected: Unexpected) -> SyntaxFault | None:
    known = _OUTSIDE.get(unexpected.word[:1]) if unexpected.type in ("", "CODE", "TAB_TEXT") else None
    return SyntaxFault("syntax", known[0], unexpected.start, unexpected.start + 1, known[1]) if known else None


def _comment(unexpected: Unexpected) -> SyntaxFault | None:
    # The lexer may have read the first of two signs as an operator.
    start = (
        unexpected.start - 1
        if unexpected.before[-1:] in ("-", "/") and unexpected.word[:1] in "-/*"
        else unexpected.start
    )
    if not re.match(r"--|//|/\*|#", unexpected.text[start : start + 2]) or unexpected.word == "-- ":
        return None
    return SyntaxFault("syntax", "a comment begins with `--` and needs a blank on both sides of it", start, start + 2,
                       "write ` -- ` before the comment")  # fmt: skip


def _foreign_word(unexpected: Unexpected) -> SyntaxFault | None:
    first = () if _fits(unexpected.first_word[0], unexpected) else (unexpected.first_word,)
    for word, at in ((unexpected.word, unexpected.start), *first):
        meant = _FOREIGN.get(word.lower())
        if meant:
            return SyntaxFault("syntax", f"`{word}` is not used here", at, at + len(word), f"write `{meant}`")
    return None


def _fits(word: str, unexpected: Unexpected) -> bool:
    """Whether a keyword of other languages may start a line here."""
    return (word, unexpected.declaration) in (("unless", "on"), ("then", "results")) or unexpected.before.endswith(
        "if refused"
    )


def _stray_row(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.word[:1] != "|" or unexpected.before.strip():
        return None
    return _at(unexpected, "stray-row", "this row belongs to no chart", "put the row below a `chart` line")


def _glued(unexpected: Unexpected) -> SyntaxFault | None:
    """``adds``, which the lexer split into the keyword ``add`` and ``s``."""
    match = re.search(r"[A-Za-z]\w*$", unexpected.before)
    if match is None or not re.match(r"\w", unexpected.word):
        return None
    word = match[0] + re.match(r"\w+", unexpected.word)[0]  # type: ignore[index]  # it was tried above
    start = unexpected.start - len(match[0])
    return SyntaxFault(
        "syntax", f"`{word}` is not expected here", start, start + len(word), f"did you mean `{match[0]}`?"
    )


def _code_without_quotes(unexpected: Unexpected) -> SyntaxFault | None:
    """``result is 2X``: the number 2, and then a name."""
    match = re.search(r"[^\s,\"()\[\]]+$", unexpected.before)
    glued = match is not None and match[0][-1].isalnum() and unexpected.word[:1].isalnum()
    if match is not None and glued and match[0][0].isdigit():
        rest = _CODE.match(unexpected.text, unexpected.start)
        code = match[0] + (rest[0] if rest else "")
        start = unexpected.start - len(match[0])
        return SyntaxFault("syntax", f"`{code}` without quotes is a number followed by a name", start, start + len(code),
                           f'quote a code: `"{code}"`')  # fmt: skip
    if (unexpected.ends_line or unexpected.word[:1] in ":,)") and re.search(
        r"\b(is|not|or)\s+-\s*$", unexpected.before
    ):
        start = len(unexpected.text[: unexpected.start].rstrip()) - 1
        return SyntaxFault("syntax", "`-` without quotes is a minus sign", start, start + 1, 'quote a code: `"-"`')
    return None


def _code_with_blank(unexpected: Unexpected) -> SyntaxFault | None:
    """``{side} {steps}`` as the head of an entry of results."""
    head = re.match(r'[^,:"]*[^,:"\s]', unexpected.before.lstrip() + unexpected.after)
    if unexpected.declaration != "results" or "IS" not in unexpected.expected or head is None or unexpected.ends_line:
        return None
    start = unexpected.start - len(unexpected.before.lstrip())
    return SyntaxFault("syntax", "this code contains a blank", start, start + len(head[0]), f'quote it: `"{head[0]}"`')


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


def _name_with_blank(unexpected: Unexpected) -> SyntaxFault | None:
    """``fire value 1..`` among the facts."""
    match = re.fullmatch(r"\s*([A-Za-z]\w*)[ -]([A-Za-z]\w*)\s+", unexpected.before)
    words = match.groups() if match else ()
    if (
        match is None
        or unexpected.declaration not in ("facts", "record")
        or unexpected.type == "STRING"
        or KEYWORDS & {*words}
    ):
        return None
    start = unexpected.start - len(unexpected.before) + match.start(1)
    return SyntaxFault("syntax", "a name can't contain a blank", start, start + match.end(2) - match.start(1),
                       f"write `{match[1]}_{match[2]}`")  # fmt: skip


def _mistyped_step(unexpected: Unexpected) -> SyntaxFault | None:
    """``rol 2d6 as x``: parsed as an effect named ``rol``, so the error is one word later."""
    word, at = unexpected.first_word
    is_second = at + len(word) == len(unexpected.before.rstrip()) + unexpected.start - len(unexpected.before)
    if not is_second or word in KEYWORDS or not {"ON", "BECOMES"} & unexpected.expected:
        return None
    close = nearest(word, _STEPS)
    if close is None and re.fullmatch(r"[A-Za-z]\w*", unexpected.word):
        return _at(unexpected, "syntax", f"`{unexpected.word}` is not expected here", f"write `{word} on RECORD` for an "
                   "effect; other steps begin with `roll`, `read`, `let`, `when`, `for each`, `apply` or `give`")  # fmt: skip
    if close is None:
        return None
    return SyntaxFault("syntax", f"no step begins with `{word}`", at, at + len(word), f"did you mean `{close}`?")


def _tabs(unexpected: Unexpected) -> SyntaxFault | None:
    if unexpected.type != "_INDENT" or "\t" not in unexpected.word + unexpected.text[unexpected.start : unexpected.end]:
        return None
    start = max(unexpected.end - 1, 0)
    return SyntaxFault("indentation", "this line begins with a tab, which moves to the next multiple of eight columns", start,
                       unexpected.end, "indent with blanks, two for each level")  # fmt: skip


def _row_without_bar(unexpected: Unexpected) -> SyntaxFault | None:
    """A chart row whose first bar is missing, recognised by its other bars."""
    if not unexpected.text.startswith("chart", unexpected.origin) or not (
        unexpected.type == "_INDENT" or unexpected.begins_line
    ):
        return None
    line = _ROW.match(
        unexpected.text, unexpected.end if unexpected.type == "_INDENT" else unexpected.start - len(unexpected.before)
    )
    if line is None or line[1].split()[0] in ("header", "page"):
        return None
    start = line.start(1)
    return SyntaxFault("row-not-closed", "this row has no bar before its first cell", start, start + len(line[1].split()[0]),
                       "begin it with `|`")  # fmt: skip


def _computed_field(unexpected: Unexpected) -> SyntaxFault | None:
    """``target.(row.code)``: a field picked by a value."""
    if unexpected.word[:1] not in "([" or not unexpected.before.rstrip().endswith("."):
        return None
    return _at(unexpected, "syntax", "after `.`, write a name, not a value",
               "to look up an entry by a word, declare `boxes map of system to 0..` and write `boxes of ...`")  # fmt: skip


def _split_amount(unexpected: Unexpected) -> SyntaxFault | None:
    """``- 1`` for ``-1``."""
    sign = unexpected.before.strip()
    if not unexpected.word[:1].isdigit() or sign not in ("+", "-"):
        return None
    return _at(
        unexpected, "syntax", "there is a blank between the amount and its sign", f"write `{sign}{unexpected.word}`"
    )


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


def _example_without_label(unexpected: Unexpected) -> SyntaxFault | None:
    match = re.fullmatch(r"(examples?)\b[^\"]*", unexpected.before.rstrip())
    if match is None or not unexpected.ends_line or "STRING" not in unexpected.expected:
        return None
    help_ = f'add a label: `{match[0]} "a label"`'
    return _at(unexpected, "unfinished-line", "an example needs a label in quotes", help_)


def _dashed_name(unexpected: Unexpected) -> SyntaxFault | None:
    """``line-of-sight yes/no`` among the facts."""
    first = re.search(r"[A-Za-z]\w*(?:-[A-Za-z]\w*)*-?$", unexpected.before)
    rest = re.match(r"-?[A-Za-z]\w*(?:-[A-Za-z]\w*)*", unexpected.after)
    if first is None or rest is None or first[0].endswith("-") == rest[0].startswith("-"):
        return None
    name = first[0] + rest[0]
    start = unexpected.start - len(first[0])
    return SyntaxFault(
        "syntax", "a name can't contain `-`", start, start + len(name), f"write `{name.replace('-', '_')}`"
    )


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
    _retired, _missing_quote, _step_as_local, _open_bracket, _stray_row, _comment, _dashed_name, _otherwise_too_deep,
    _assignment, _label_before_value, _foreign_sign, _dashed_range, _outside,
    _code_without_quotes, _code_with_blank, _glued, _word_as_name, _name_with_blank, _tabs, _row_without_bar,
    _split_amount, _computed_field, _example_without_label, _described_default, *LOOKS, _foreign_word, _mistyped_step,
)  # fmt: skip
