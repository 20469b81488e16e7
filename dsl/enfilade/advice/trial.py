"""Tries advice: a text with an edit made is checked, and only what removes the mistake, and brings no other, is shown.

What disappears together with the mistake was a consequence of it, and is not reported either.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Final, TypeAlias

from attrs import define, evolve, frozen

from enfilade.advice.lines import CodeLine, code_line, code_lines
from enfilade.advice.patterns import DECLARED_KINDS, NEW, PATTERNS, Known, Pattern, missing_names
from enfilade.bind.unread import MISSING_HERE
from enfilade.diagnostics.diagnostic import BLOCK, Diagnostic, Edit, Fix, Severity, edited
from enfilade.diagnostics.suggest import nearest
from enfilade.errors import LimitError
from enfilade.source.text import SourceFile, Span
from enfilade.syntax.parser import parse_module
from enfilade.syntax.unexpected import KEYWORDS

_Key: TypeAlias = tuple[str, str, str, int]
Check: TypeAlias = Callable[[SourceFile], Sequence[Diagnostic]]

MOST_CHARACTERS: Final = 1_500_000
"""The characters of all texts that are checked for advice on one text: about a second of work."""
MOST_TRIALS: Final = 200
_MOST_ABOVE: Final = 6
_EACH: Final = 500
"""What an error costs in a check, in characters of a text."""
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_GIVEN: Final = re.compile(r"(?:let|give) ([A-Za-z_]\w*) =")
_WORD: Final = re.compile(r"`([^`]+)`")


@frozen
class Proposal:
    """A change that may remove a mistake.

    Attributes:
        edits: The change; none if the report alone can help.
        mistake: How the mistake is reported if it does.
        is_certain: Whether a check proposes it: then it may bring out another mistake on another line.
        is_bold: Whether it counts only if no other mistake comes out, not even a warning.
    """

    edits: tuple[Edit, ...]
    mistake: Diagnostic
    is_certain: bool = False
    is_bold: bool = False


@frozen
class _Trial:
    """What a proposal does.

    Attributes:
        mistake: How the mistake is reported.
        left: The errors that are left; ``None`` if nothing was changed.
        is_clean: Whether no other error came out.
    """

    mistake: Diagnostic
    left: Counter[_Key] | None
    is_clean: bool


def advise(source: SourceFile, found: Sequence[Diagnostic], check: Check) -> tuple[Diagnostic, ...]:
    """Give each mistake of a text advice that was tried, and leave out what follows from it.

    Args:
        source: The text.
        found: Its diagnostics.
        check: Checks another version of the text.

    Returns:
        The diagnostics; those of other texts as they are.
    """
    return _Trials(source, found, check).advised()


@define(eq=False)
class _Mistake:
    """An error, as it was found and as it is shown."""

    found: Diagnostic
    shown: Diagnostic


class _Trials:
    def __init__(self, source: SourceFile, found: Sequence[Diagnostic], check: Check) -> None:
        self._source, self._check = source, check
        self._left = min(MOST_CHARACTERS, MOST_TRIALS * (len(source.text) + _EACH * len(found)))
        self._mistakes = [_Mistake(each, _without_fix(each) if self._is_tried(each) else each) for each in found]
        self._before = Counter(map(_key, found))
        self._known = Known.of(source, found)
        self._missing: list[str] = []

    def advised(self) -> tuple[Diagnostic, ...]:
        """All diagnostics that are no consequence of one that can be mended."""
        untried = []
        with suppress(LimitError):  # The time is up: what is left has no advice.
            for each in list(self._mistakes):
                if each in self._mistakes and self._is_tried(each.found):
                    if self._left >= 0:
                        self._advise(each)
                    else:
                        untried.append(each)
            self._advise_together([each for each in untried if each in self._mistakes])
        return tuple(each.shown for each in self._mistakes)

    def _is_tried(self, found: Diagnostic) -> bool:
        # A look-alike letter is read as the letter that its fix writes.
        return _is_error(found) and found.code != "look-alike" and found.span.source is self._source

    def _advise_together(self, mistakes: Sequence[_Mistake]) -> None:
        """Try what the checks propose for many mistakes in one check, when there is no room for a check of each."""
        edits = {edit for each in mistakes if each.found.fix is not None for edit in each.found.fix.edits}
        changed = SourceFile(self._source.name, edited(self._source, edits), self._source.path)
        if not edits or changed.text.count("\n") != self._source.text.count("\n"):
            return
        left = Counter(map(_key, filter(_is_error, self._check(changed))))
        spoilt = {line for (*_, line) in left - self._before}
        for each in mistakes:
            if left[_key(each.found)] < self._before[_key(each.found)] and each.found.span.line not in spoilt:
                each.shown = each.found

    def _advise(self, mistake: _Mistake) -> None:
        found, second = mistake.found, None
        for proposal in self._proposals(found):
            trial = self._trial(mistake, proposal)
            if trial is not None and trial.is_clean:
                self._take(mistake, trial)
                return
            second = second or trial
        is_open = second is None and found.is_plain and self._left >= 0
        missing = list(self._by_missing_word(mistake)) if is_open else []
        if len(missing) == 1:
            self._take(mistake, missing[0])
        elif second is not None:
            self._take(mistake, second)

    def _take(self, mistake: _Mistake, trial: _Trial) -> None:
        """Show a proposal, and leave out all that it removes."""
        left = trial.left
        kept = []
        for each in self._mistakes:
            is_left = left is None or left[_key(each.found)] > 0
            if left is not None:
                left[_key(each.found)] -= is_left
            if each is mistake or is_left:
                kept.append(each)
        self._mistakes, mistake.shown = kept, trial.mistake

    def _proposals(self, found: Diagnostic) -> Iterator[Proposal]:
        if found.fix is not None:
            yield Proposal(found.fix.edits, found, is_certain=True)
        lines = [*code_lines(self._source, found.span.line)]
        matches = [
            (pattern, match, line)
            for line in lines
            for pattern in PATTERNS
            if pattern.fits(found, line)
            and (match := pattern.nearest(line.code, found.span.start - line.start)) is not None
        ]
        for pattern, match, line in matches:
            if pattern.instead is not None:
                yield from self._by_pattern(pattern, match, line, found)
        for line in lines:
            own = [(pattern, match) for pattern, match, at in matches if pattern.is_sign and at is line]
            yield from self._together(own, line, found)
        if found.is_plain:
            yield from self._by_indentation(lines[0], found)
            yield from self._by_spelling(lines[0], found)
        yield from self._by_block(lines[0], found)
        if found.code == "type":
            yield from self._by_definition(lines[0], found)
        for pattern, match, line in matches:
            if pattern.instead is None:
                yield Proposal((), evolve(self._told(pattern, match, line, found), helps=(pattern.help(match),)))

    def _by_indentation(self, line: CodeLine, found: Diagnostic) -> Iterator[Proposal]:
        """The line, indented like one of the lines above it."""
        own = line.margin - len(line.step)
        if found.span.start != line.start or (own == 0 and found.code != "unknown-declaration"):
            return
        numbers = range(line.number - 1, max(line.number - 1 - _MOST_ABOVE, 0), -1)
        depths = dict.fromkeys(self._margin(each) for each in numbers if self._source.line_text(each).strip())
        for depth in [each for each in depths if each not in (own, 0)]:
            edit = self._indented(line, depth)
            start = edit.span.start
            told = evolve(found, message=f"this line is indented by {own}", span=Span(self._source, start + own, start + own + 1),
                          labels=(), helps=(f"indent it by {depth}",), fix=Fix(f"indent it by {depth}", (edit,)), about=None)  # fmt: skip
            yield Proposal((edit,), told, is_bold=True)

    def _by_definition(self, line: CodeLine, found: Diagnostic) -> Iterator[Proposal]:
        """What gave the names at the place their values, above in the same declaration."""
        names = set(_NAME.findall(found.span.text))
        number = line.number - 1
        while number > 0 and self._source.line_text(number)[:1] in ("", " ", "\t"):
            above = code_line(self._source, number)
            given = _GIVEN.match(above.code)
            if given is not None and given[1] in names:
                meant = [each for each in PATTERNS if each.is_meant and above.keyword in each.within]
                for pattern in meant:
                    if (match := pattern.nearest(above.code, 0)) is not None:
                        yield from self._by_pattern(pattern, match, above, found)
                return
            number -= 1

    def _by_block(self, line: CodeLine, found: Diagnostic) -> Iterator[Proposal]:
        """The line as the last one of the block above it, which alone knows a name."""
        if found.about is None or found.about.missing != BLOCK or line.step:
            return
        number = line.number
        while number > 1 and self._margin(number - 1) >= line.margin:
            number -= 1
            if self._margin(number) > line.margin:
                depth = self._margin(number)
                edit = self._indented(line, depth)
                help_ = f"if this line belongs to the block above, indent it by {depth}"
                yield Proposal((edit,), evolve(found, helps=(help_, *found.helps), fix=Fix(help_, (edit,))))
                return

    def _indented(self, line: CodeLine, depth: int) -> Edit:
        """The edit that gives a line another margin."""
        start = self._source.line_span(line.number).start
        return Edit(Span(self._source, start, start + line.margin - len(line.step)), " " * depth)

    def _margin(self, number: int) -> int:
        text = self._source.line_text(number)
        return len(text) - len(text.lstrip(" "))

    def _by_spelling(self, line: CodeLine, found: Diagnostic) -> Iterator[Proposal]:
        """Words of the language with a slip of the fingers."""
        for match in re.finditer(r'"[^"]*"?|[A-Za-z]+', line.code):
            word = match[0]
            close = None if word[0] == '"' or word in KEYWORDS else nearest(word, KEYWORDS)
            if close is not None:
                span = Span(self._source, line.start + match.start(), line.start + match.end())
                fix = Fix(f"replace `{word}` by `{close}`", (Edit(span, close),))
                told = evolve(found, message=f"`{word}` is not expected here", span=span, labels=(),
                              helps=(f"did you mean `{close}`?",), fix=fix, about=None)  # fmt: skip
                yield Proposal(fix.edits, told)

    def _by_missing_word(self, mistake: _Mistake) -> Iterator[_Trial]:
        """The words that the grammar expects, each written in front of the place or in place of the word there."""
        found = mistake.found
        listed = [help_ for help_ in found.helps if help_.startswith("expected ")]
        before = found.span.source.span(found.span.start, found.span.start)
        for word in _WORD.findall(listed[0]) if listed else ():
            for edit, help_ in (
                (Edit(before, f"{word} "), f"write `{word}` before it"), (Edit(found.span, word), f"write `{word}`"),
            ):  # fmt: skip
                told = evolve(found, helps=(help_,), fix=Fix(help_, (edit,)))
                trial = self._trial(mistake, Proposal((edit,), told, is_bold=True)) if self._left >= 0 else None
                if trial is not None:
                    yield trial

    def _by_pattern(
        self, pattern: Pattern, match: re.Match[str], line: CodeLine, found: Diagnostic
    ) -> Iterator[Proposal]:
        told = self._told(pattern, match, line, found)
        start = line.start - len(line.step) if pattern.unnumbered else line.start
        whole = Span(self._source, start, line.start + len(line.code))
        for shown, code in self._written(pattern, line.code, match):
            text = " " * (line.start - start) + code.replace("\n", "\n" + " " * line.margin)
            edit = Edit(whole, text)
            fix = Fix(f"write {_quoted(shown)}", (edit,)) if "NAME" not in shown else None
            yield Proposal((edit,), evolve(told, helps=(f"write {_quoted(shown)}",), fix=fix), is_bold=pattern.is_bold)

    def _together(
        self, matches: list[tuple[Pattern, re.Match[str]]], line: CodeLine, found: Diagnostic
    ) -> Iterator[Proposal]:
        """Several parts of one line replaced: all, or two of them."""
        whole = Span(self._source, line.start, line.start + len(line.code))
        codes: dict[str, tuple[Pattern, re.Match[str]]] = {}
        for some in (matches, *combinations(matches, 2)) if len(matches) > 1 else ():
            code = line.code
            for pattern, _ in some:
                again = pattern.nearest(code, 0)
                code = code if again is None else next(pattern.written(code, again, self._known))[1]
            codes.setdefault(code, some[0])
        for code, (pattern, match) in codes.items():
            edit = Edit(whole, code)
            told = self._told(pattern, match, line, found)
            yield Proposal((edit,), evolve(told, helps=(f"write `{code}`",), fix=Fix(f"write `{code}`", (edit,))))

    def _told(self, pattern: Pattern, match: re.Match[str], line: CodeLine, found: Diagnostic) -> Diagnostic:
        """A mistake as a pattern explains it."""
        span = Span(self._source, line.start + match.start(), line.start + match.end())
        return evolve(found, message=pattern.message(match), span=span, labels=(), fix=None, about=None)

    def _written(self, pattern: Pattern, code: str, match: re.Match[str]) -> Iterator[tuple[str, str]]:
        """What a pattern writes; a name that is missing is also one that only the trial finds missing."""
        self._missing = []
        yield from pattern.written(code, match, self._known)
        if self._missing:
            yield from pattern.written(
                code, match, evolve(self._known, names={**self._known.names, NEW: self._missing})
            )

    def _trial(self, mistake: _Mistake, proposal: Proposal) -> _Trial | None:
        """What a proposal would leave; ``None`` if the mistake stays, or another comes."""
        if not proposal.edits:
            return _Trial(proposal.mistake, None, is_clean=False)
        text = edited(self._source, proposal.edits)
        changed = SourceFile(self._source.name, text, self._source.path)
        line = proposal.edits[0].span.line
        if mistake.found.is_plain and not self._can_be_read(changed, line):
            return None
        more = text.count("\n") - self._source.text.count("\n")

        def key(d: Diagnostic) -> _Key:
            return (*_key(d)[:3], d.span.line - (more if d.span.source is changed and d.span.line > line else 0))

        self._left -= len(text) + _EACH * len(self._mistakes)
        found = self._check(changed)
        left = Counter(map(key, found))
        new = [each for each in found if left[key(each)] > self._before[key(each)]]
        new = [each for each in new if _is_error(each) or (proposal.is_bold and each.span.line == line)]
        self._missing = list(dict.fromkeys(missing_names(new)))[:1]
        if left[_key(mistake.found)] >= self._before[_key(mistake.found)]:
            return None
        if proposal.is_certain:
            new = [each for each in new if each.span.line == mistake.found.span.line]
        if new and (
            proposal.is_bold or any(not self._was_there(each) and not _is_revealed(each, line) for each in new)
        ):
            return None
        return _Trial(proposal.mistake, left, is_clean=not new)

    def _can_be_read(self, source: SourceFile, number: int) -> bool:
        """Whether a line has no mistake of syntax, in its declaration alone: a quick look before a check of everything."""
        lines = source.text.count("\n") + 1
        first, last = number, number + 1
        while first > 1 and not source.line_text(first)[:1].strip():
            first -= 1
        while last <= lines and not source.line_text(last)[:1].strip():
            last += 1
        start = source.line_span(first).start
        end = source.line_span(last).start if last <= lines else len(source.text)
        self._left -= end - start
        part = parse_module(SourceFile(source.name, source.text[start:end]))
        return all(each.span.line != number - first + 1 for each in part.diagnostics if _is_error(each))

    def _was_there(self, new: Diagnostic) -> bool:
        """Whether an error that comes out is about a name of the text, which the mistake hid."""
        names = () if new.about is None or new.about.missing not in DECLARED_KINDS else new.about.names
        return bool(names) and all(re.search(rf"\b{re.escape(name)}\b", self._source.text) for name in names)


def _is_revealed(new: Diagnostic, line: int) -> bool:
    """Whether an error is that something is missing in a declaration that now has to do with the edited line."""
    return new.code in MISSING_HERE and new.span.line != line


def _is_error(d: Diagnostic) -> bool:
    return d.severity is Severity.ERROR


def _without_fix(found: Diagnostic) -> Diagnostic:
    return found if found.fix is None else evolve(found, fix=None, helps=found.helps[1:])


def _key(d: Diagnostic) -> _Key:
    return (d.code, d.message, d.span.source.name, d.span.line)


def _quoted(text: str) -> str:
    return " and below it ".join(f"`{line.strip()}`" for line in text.split("\n"))
