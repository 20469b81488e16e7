"""Messages for syntax errors, worded for wargamers rather than programmers.

``common_mistakes`` is tried first; if it does not recognise the mistake, the message lists the expected tokens.
The parser decides whether there is an error; this module only describes it.
"""

from __future__ import annotations

import re
from typing import Final

from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax.common_mistakes import common_mistake
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.unexpected import MARKS, WORDS, Unexpected

DECLARATIONS: Final = (
    "enfilade", "ruleset", "source", "players", "option", "words", "record", "facts", "define", "die", "deck",
    "chart", "columns", "modifiers", "effect", "results", "procedure", "helper", "event", "on", "example", "examples", "use", "replace",
    "add", "remove",
)  # fmt: skip
MAX_LISTED: Final = 8

# The name of each kind of token in messages.
_SPOKEN: Final = {
    "NAME": "a name", "INT": "a number", "DECIMAL": "a number", "AMOUNT": "an amount such as -1",
    "STRING": "a text in quotes", "CODE": "a code", "RANGE": "a range such as 0..2", "CITATION": "a citation",
    "ROW_TEXT": "a chart row", "_INDENT": "an indented block", "_NL": "the end of the line",
    "NDICE": "dice such as 2d6", "DIE": "a die such as d6", "STEP": "a step number",
}  # fmt: skip
_OPERANDS: Final = {"INT", "NAME", "STRING", "COUNT_OF"}
# These may follow nearly everything, so listing them would not help.
_ANYWHERE: Final = {"STRING", "CITATION", "ASSUMED"}


def unknown_declaration(span: Span, line: str) -> Diagnostic:
    """Word the error for a line at the left margin that does not start a declaration.

    Args:
        span: Its first word.
        line: The whole line.
    """
    word = span.text
    close = nearest(word, DECLARATIONS)
    if close is None and ("\t" in line or "|" in line):
        return Diagnostic(
            "stray-row", "this row belongs to no chart", span, helps=("put the row below a `chart` line",)
        )
    help_ = f"did you mean `{close}`?" if close else "indent the line if it belongs to the declaration above"
    fix = Fix(f"replace `{word}` by `{close}`", (Edit(span, close),)) if close else None
    return Diagnostic(
        "unknown-declaration", f"no declaration begins with `{word}`", span, helps=(help_,), fix=fix, is_plain=True
    )


# Signs and words that go on with an expression.
_OPERATORS: Final = {"+", "-", "*", "/", "mod", "and", "or", "<", "<=", ">", ">="}


def describe_unexpected(unexpected: Unexpected) -> SyntaxFault:
    """Word the error for an unexpected token, with advice on how to correct it."""
    slip = common_mistake(unexpected)
    if slip is not None:
        return slip
    if unexpected.type == "_INDENT":
        return _stray_block(unexpected)
    if unexpected.ends_line or (unexpected.begins_line and "_INDENT" in unexpected.expected):
        return _too_early(unexpected)
    near = _near_phrase(unexpected)
    if near is not None:
        phrase, start, end = near
        return SyntaxFault("syntax", f"`{_shown(unexpected.text[start:end])}` is not expected here", start, end,
                           f"did you mean `{phrase}`?", phrase, is_plain=True)  # fmt: skip
    return SyntaxFault(
        "syntax", f"`{_shown(unexpected.word)}` is not expected here", unexpected.start, unexpected.end,
        _expected_text(unexpected.expected), is_plain=True,
    )  # fmt: skip


def _stray_block(unexpected: Unexpected) -> SyntaxFault:
    match = re.compile(r"\s*(\S+)").match(unexpected.text, unexpected.end)
    start, end = match.span(1) if match else (unexpected.end, unexpected.end + 1)
    word = match[1] if match else ""
    if word in _OPERATORS:
        return SyntaxFault("indentation", f"a line can't begin with `{word}`", start, end,
                           f"put `{word}` at the end of the line above; this line then continues it")  # fmt: skip
    return SyntaxFault("indentation", "this line is indented, but the line above it can't have a block", start, end,
                       "move the line to the left, or check the line above", is_plain=True)  # fmt: skip


def _too_early(unexpected: Unexpected) -> SyntaxFault:
    start, end = _line_tail(unexpected.text, unexpected.start)
    help_ = _expected_text(unexpected.expected)
    if "_INDENT" in unexpected.expected and not unexpected.expected & _OPERANDS:
        help_ = "indent the lines that belong to this line by two blanks"
        return SyntaxFault(
            "missing-block", "this line needs an indented block below it", start, end, help_, is_plain=True
        )
    return SyntaxFault("unfinished-line", "this line ends too early", start, end, help_, is_plain=True)


def _line_tail(text: str, at: int) -> tuple[int, int]:
    """The place of a missing part: the span of the last character before *at* that is not a blank."""
    before = text[:at].rstrip()
    return max(len(before) - 1, 0), max(len(before), 1)


def _shown(word: str) -> str:
    first = word.split("\n")[0].strip() or word
    return first if first.isprintable() else f"U+{ord(word[0]):04X}"


def _near_phrase(unexpected: Unexpected) -> tuple[str, int, int] | None:
    """The phrase that is expected here, or was begun a word or two before, if one of its words has a slip; its place."""
    expected = {word for name in unexpected.expected for word in WORDS.get(name, ())}
    begun = {word for words in WORDS.values() for word in words if " " in word}
    before, after = list(_WORDS.finditer(unexpected.before)), list(_WORDS.finditer(unexpected.after))
    for back, known in ((0, expected), (1, begun), (2, begun)):
        if len(before) < back or not after or after[0].start():
            continue
        start = unexpected.start - len(unexpected.before) + before[-back].start() if back else unexpected.start
        for phrase in sorted(known):
            count = phrase.count(" ") + 1
            typed = [*(each[0] for each in before[len(before) - back :]), *(each[0] for each in after[: count - back])]
            fits = count > back and len(typed) == count and (back == 0 or typed[0] == phrase.split()[0])
            if fits and nearest(" ".join(typed), {phrase}):
                return phrase, start, unexpected.start + after[count - back - 1].end()
    return None


_WORDS: Final = re.compile(r"\S+")


def _expected_text(expected: set[str]) -> str | None:
    """The terminals that could follow, in words; ``None`` if the list would be long."""
    if "COUNT_OF" in expected:
        return "write a value or a condition here"
    if {"IS", "SUM_SIGN"} <= expected:
        return None
    told = expected if expected <= _ANYWHERE else expected - _ANYWHERE
    words = sorted(f"`{word}`" for name in told for word in WORDS.get(name, ()))
    marks = sorted(f"`{mark}`" for name in told for mark in MARKS.get(name, ()))
    spoken = sorted({_SPOKEN[name] for name in told if name in _SPOKEN})
    listed = words + marks + spoken
    if not listed or len(listed) > MAX_LISTED:
        return None
    return "expected " + (listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + " or " + listed[-1])
