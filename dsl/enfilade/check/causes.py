"""Root causes: drop diagnostics that are only consequences of another mistake, so each mistake gives one message.

Most checks already avoid such diagnostics: the type ``Unknown`` fits everywhere (a poisoned type). This filter sees
all diagnostics: it reports an undeclared name once, however often it is used, and never reports a part as missing if
an unparsed line may contain it. It uses the codes, places and names of diagnostics, but neither their wording
nor the declarations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve

from enfilade.diagnostics.diagnostic import Diagnostic, Label, Severity
from enfilade.diagnostics.suggest import nearest
from enfilade.source.text import Span
from enfilade.syntax.error_recovery import Lost
from enfilade.syntax.syntax_messages import DECLARATIONS

MAX_ALSO: Final = 8

_WORD = re.compile(r"\w+")
_STEP = re.compile(r"^\s*[0-9]+\.\s")
_COMMENT: Final = re.compile(r"\s--(\s.*)?$")

# Diagnostics about a name. An unparsed line may declare the name. An undeclared name, or one that
# is misspelt where it is declared, is one mistake, in whatever ways it is used.
_NAMES: Final = {"unknown-name", "unknown-type", "unknown-word", "unknown-code", "wrong-kind", "label"}
# Something seems to be missing from the declaration in which it is reported.
_MISSING_HERE: Final = {
    "chart-shape", "code-without-result", "edge-unreachable", "edge-unsaid", "header-gap", "late-refusal", "never-both",
    "never-holds", "no-cell", "no-otherwise", "nothing-before", "result-without-code", "severity-break", "table-gap",
    "unused-code", "which-roll",
}  # fmt: skip
# Something seems to be missing elsewhere: the kinds of declarations that may contain it.
_MISSING_THERE: Final[Mapping[str, frozenset[str]]] = {
    "code-without-result": frozenset({"results"}),
    "edge-unreachable": frozenset({"modifiers"}),
    "no-fields": frozenset({"facts", "procedure", "record"}),
    "no-result": frozenset({"procedure"}),
    "no-results": frozenset({"results"}),
    "no-severity": frozenset({"chart"}),
    "unreachable": frozenset({"modifiers"}),
    "which-list": frozenset({"facts", "procedure", "record"}),
    "which-procedure": frozenset({"procedure"}),
}


def without_consequences(
    diagnostics: Sequence[Diagnostic],
    lost: tuple[Lost, ...] = (),
    is_whole: bool = True,
    bodies: Sequence[Span] = (),
    examples: Sequence[Span] = (),
) -> tuple[Diagnostic, ...]:
    """Leave out diagnostics that follow from other mistakes.

    Args:
        diagnostics: All diagnostics, in the order of the text.
        lost: The declarations that could only be parsed in part.
        is_whole: Whether all texts were found.
        bodies: The declarations with steps: after a wrong step, their changes are unknown.
        examples: The examples, which depend on the changes made by steps.

    Returns:
        One diagnostic for each mistake.
    """
    names = frozenset(name for each in lost for name in each.names)
    kept = [d for d in diagnostics if not _follows(d, lost, names, is_whole)]
    kept = [d for d in kept if not _belongs_to_unparsed_when(d, lost, kept)]
    unknown = [d for d in diagnostics if d.code == "unknown-name"]
    wrong = {name for d in unknown for name in _names_in(d)}
    undeclared = {name for d in unknown for name in _names_in(d) if d.about is None or not d.about.is_parameter}
    kept = [d for d in kept if d.code != "indentation" or not _is_below_unknown_head(d, lost, unknown)]
    kept = [d for d in kept if d.code != "arguments" or not _is_about_one_of(d, undeclared | names)]
    kept = [d for d in kept if d.code != "no-result" or nearest("result", wrong) is None]
    kept = _without_nameless(_once_for_each_name(kept), bodies, examples)
    errors = [d for d in kept if d.severity is Severity.ERROR]
    unclear = [span for span in bodies if any(_is_in(d, span) for d in errors)]
    unclear += examples if errors else ()
    kept = [d for d in kept if d.code != "never-holds" or not any(_is_in(d, span) for span in unclear)]
    # An error is never left out together with its cause.
    return tuple(kept) if any(map(_is_error, kept)) or not any(map(_is_error, diagnostics)) else tuple(diagnostics)


def _is_error(d: Diagnostic) -> bool:
    # A look-alike letter is read as the letter it resembles.
    return d.severity is Severity.ERROR and d.code != "look-alike"


def _follows(d: Diagnostic, lost: tuple[Lost, ...], names: frozenset[str], is_whole: bool) -> bool:
    """Whether the cause may be on a line that could not be parsed."""
    if d.code == "type" and d.span.text in names:
        # The name of an unparsed declaration is also declared as something else.
        return True
    if d.code in _NAMES:
        return any(_is_like(name, names) for name in _names_in(d)) or (not is_whole and d.code != "label")
    if d.code in _MISSING_HERE and any(_is_in_lost(d, each) for each in lost):
        return True
    kinds = _MISSING_THERE.get(d.code)
    return kinds is not None and (not is_whole or any(_may_be_one_of(each, kinds) for each in lost))


def _belongs_to_unparsed_when(d: Diagnostic, lost: tuple[Lost, ...], kept: Sequence[Diagnostic]) -> bool:
    """Whether an ``otherwise`` belongs to a ``when`` that could not be parsed."""
    if d.span.text != "otherwise" or d.code not in ("syntax", "unknown-name"):
        return False
    spans = [each.span for each in lost if _is_in_lost(d, each)]
    return any(_is_in(other, span) and other.span.start < d.span.start for span in spans for other in kept)


def _is_below_unknown_head(d: Diagnostic, lost: tuple[Lost, ...], unknown: list[Diagnostic]) -> bool:
    """Whether a block is below a line with a misspelt keyword, which therefore could not open the block."""
    spans = [each.span for each in lost if _is_in_lost(d, each)]
    heads = [each for span in spans for each in unknown if span.start <= each.span.start < d.span.start]
    return any(each.span.source is d.span.source and _is_alone(each) for each in heads)


def _is_alone(d: Diagnostic) -> bool:
    line, _ = d.span.source.line_column(d.span.start)
    return _COMMENT.sub("", _STEP.sub("", d.span.source.line_text(line))).strip() == d.span.text


def _is_in_lost(d: Diagnostic, lost: Lost) -> bool:
    return _is_in(d, lost.span)


def _is_in(d: Diagnostic, span: Span) -> bool:
    return d.span.source is span.source and span.start <= d.span.start < span.end


def _is_like(name: str, lost: frozenset[str]) -> bool:
    """Whether a name may be among those on unparsed lines; the last name of a line may be cut short."""
    return name in lost or any(len(each) > 2 and name.startswith(each) for each in lost)


def _without_nameless(
    diagnostics: list[Diagnostic], bodies: Sequence[Span], examples: Sequence[Span]
) -> list[Diagnostic]:
    """Leave out the undeclared name that an unfinished line would have declared: ``roll 2d6``, ``record``."""
    kept = list(diagnostics)
    for d in diagnostics:
        if d.code != "unfinished-line" and not (d.code == "unknown-declaration" and _is_alone(d)):
            continue
        body = [span for span in bodies if _is_in(d, span)]
        places = [*body, *examples] if body else None
        for other in kept:
            follows = places is None or any(_is_in(other, span) for span in places)
            is_like_another = other.about is not None and other.about.guess is not None
            if other.code in _NAMES and not is_like_another and follows:
                kept.remove(other)
                break
    return kept


def _names_in(d: Diagnostic) -> tuple[str, ...]:
    """The names that a diagnostic mentions, or else the source text that it marks."""
    return d.about.names if d.about is not None else (d.span.text.strip('"'),)


def _is_about_one_of(d: Diagnostic, names: set[str]) -> bool:
    """Whether a diagnostic mentions one of the names, or a similar name."""
    own = () if d.about is None else d.about.names
    return any(name in names or nearest(name, names) is not None for name in own if len(name) > 2)


def _may_be_one_of(lost: Lost, kinds: frozenset[str]) -> bool:
    """Whether an unparsed declaration has one of the kinds, or an unknown kind."""
    words = _WORD.findall(lost.span.text.split("\n", 1)[0])
    return not words or words[0] not in DECLARATIONS or not kinds.isdisjoint(words)


def _once_for_each_name(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """Merge the diagnostics about one name; the first lists the places of the others."""
    kept: list[Diagnostic] = []
    seen: dict[tuple[str, ...], int] = {}
    for d in diagnostics:
        key = _key(d)
        if key is None or key not in seen:
            if key is not None:
                seen[key] = len(kept)
            kept.append(d)
        else:
            kept[seen[key]] = _with_place(kept[seen[key]], d)
    return kept


def _key(d: Diagnostic) -> tuple[str, ...] | None:
    if d.code in _NAMES:
        return ("name", d.span.text)
    if d.code == "no-result":
        return ("name", "result")
    return ("arguments", d.message) if d.code == "arguments" else None


def _with_place(first: Diagnostic, other: Diagnostic) -> Diagnostic:
    if len(first.labels) >= MAX_ALSO or any(label.span == other.span for label in first.labels):
        return first
    edits = () if first.fix is None or other.fix is None else (*first.fix.edits, *other.fix.edits)
    fix = evolve(first.fix, edits=edits) if first.fix is not None and edits else first.fix
    return evolve(first, labels=(*first.labels, Label(other.span, "also here")), fix=fix)
