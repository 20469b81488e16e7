"""The difference of two rulesets: what changed in the rules, and the largest changes of odds; as text, Markdown and data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import ndiff
from itertools import groupby
from typing import Any, Final

from attrs import frozen

from enfilade.api.comparisons import signed_percent
from enfilade.api.exact_numbers import percent
from enfilade.api.odds_changes import MOST_SITUATIONS, OddsChange, Parts, QuestionChanges, Search, odds_changes
from enfilade.api.outcome_values import value_text
from enfilade.api.prepared import PreparedRules
from enfilade.api.rule_changes import RuleChange, rule_changes
from enfilade.api.table_layout import text_table
from enfilade.door import with_doors
from enfilade.limits import Limits, one_call

_MOST_ROWS: Final = 10
_MOST_EXAMPLES: Final = 5
_SHORT: Final = 16
_HEAD: Final = ("outcome", "situation", "old", "new", "difference")
_ASSUMED: Final = re.compile(r' assumed "[^"]*"')


@with_doors
@frozen(repr=False)
class RulesetDiff:
    """The difference of two rulesets.

    Attributes:
        old: The name of the old ruleset.
        new: The name of the new ruleset.
        changes: What changed in the rules.
        odds: For each question that the changes can affect, the largest changes of its outcomes' chances.
        seed: The seed of the sample of situations.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> print(rules.diff(rules))
        Nothing changed.
    """

    old: str
    new: str
    changes: tuple[RuleChange, ...]
    odds: tuple[QuestionChanges, ...]
    seed: int

    @property
    def changed(self) -> bool:
        """Whether anything differs."""
        return bool(self.changes)

    def to_json(self) -> dict[str, Any]:
        """Return the difference as plain data, in the form of the published schema ``diff``."""
        return {
            "old": self.old, "new": self.new, "changed": self.changed, "seed": self.seed,
            "changes": [each.to_json() for each in self.changes],
            "odds": [each.to_json() for each in self.odds],
        }  # fmt: skip

    def text(self) -> str:
        """Return the difference as text for a terminal."""
        return "\n\n".join([*self._rules_as_text(), *self._odds_as_text()]) if self.changes else "Nothing changed."

    def markdown(self) -> str:
        """Return the difference as Markdown, for a pull request."""
        if not self.changes:
            return "Nothing changed."
        return "\n\n".join([self._title("## "), *self._rules_as_markdown(), *self._odds_as_markdown()])

    def __str__(self) -> str:
        """Return the difference as text."""
        return self.text()

    def __repr__(self) -> str:
        """Show the names and the number of changes."""
        return f"<RulesetDiff {self.old} to {self.new}: {len(self.changes)} changes>"

    # -- rules ----------------------------------------------------------------------------------------------

    def _title(self, sign: str = "") -> str:
        number = len(self.changes)
        names = self.old if self.old == self.new else f"{self.old} to {self.new}"
        return f"{sign}Rules: {names}, {number} change{'s' if number > 1 else ''}"

    def _rules_as_text(self) -> Iterator[str]:
        yield self._title()
        for heading, changes in _by_heading(self.changes):
            lines = [line for each in changes for line in _as_text(each)]
            yield "\n".join([heading, *(f"  {line}" for line in lines)] if heading else lines)
        yield from self._more_examples()

    def _rules_as_markdown(self) -> Iterator[str]:
        for heading, changes in _by_heading(self.changes):
            lines = [f"**{_escaped(heading)}**", ""] if heading else []
            for each in changes:
                lines += _as_markdown(each)
            yield "\n".join(lines)
        yield from self._more_examples()

    def _more_examples(self) -> Iterator[str]:
        more = sum(each.kind == "example" for each in self.changes) - _MOST_EXAMPLES
        if more > 0:
            yield f"and {more} more example{'s' if more > 1 else ''}"

    # -- odds -----------------------------------------------------------------------------------------------

    def _odds_as_text(self) -> Iterator[str]:
        for each in self.odds:
            if each.changes:
                table = text_table(_HEAD, [_row(change) for change in each.changes[:_MOST_ROWS]], 2)
                yield "\n".join([f"{self._heading(each)}", _indented(table), *_below(each)])
        yield from self._without_changes()

    def _odds_as_markdown(self) -> Iterator[str]:
        for each in self.odds:
            if each.changes:
                rows = [_HEAD, ("---", "---", "---:", "---:", "---:"), *map(_row, each.changes[:_MOST_ROWS])]
                table = "\n".join(f"| {' | '.join(map(_escaped, row))} |" for row in rows)
                yield "\n\n".join([f"### {self._heading(each)}", table, *map(str.strip, _below(each))])
        yield from self._without_changes()

    def _heading(self, question: QuestionChanges) -> str:
        how = (
            f"the largest changes in all {question.tried} situations" if question.proven
            else f"the largest changes in the {question.tried} situations tried, seed {self.seed}"
        )  # fmt: skip
        return f"Odds of {question.procedure}, {question.of}: {how}"

    def _without_changes(self) -> Iterator[str]:
        if not self.odds:
            affects = any(each.plays for each in self.changes)
            yield (
                "Odds: the changes affect no procedure that both rulesets have." if affects
                else "Odds: unchanged, because only words, examples or sources changed."
            )  # fmt: skip
        same = [each for each in self.odds if not each.changes and each.tried]
        for proven, several in groupby(sorted(same, key=lambda each: not each.proven), lambda each: each.proven):
            named = ", ".join(f"{each.procedure} {each.of} ({each.tried})" for each in several)
            yield (
                f"Odds unchanged in all situations: {named}"
                if proven
                else f"No change found in the situations tried: {named}"
            )
        unknown = [each for each in self.odds if not each.tried]
        if unknown:
            named = ", ".join(f"{each.procedure} {each.of}" for each in unknown)
            why = next((each.why_skipped for each in unknown if each.why_skipped), "the time limit was reached")
            yield f"Odds not compared: {named} ({why})"
        if any(each.ended_early for each in self.odds):
            yield "The time limit ended the search early. Allow more time with --patience 60s."


def diff(
    old: PreparedRules, new: PreparedRules, *, of: Sequence[str] = (), situations: int | None = None, seed: int = 1,
    limits: Limits | None = None, parts: Parts | None = None,
) -> RulesetDiff:  # fmt: skip
    """Compare two rulesets; see ``Ruleset.diff``."""
    with one_call(old.limits if limits is None else limits):
        changes = rule_changes(old, new)
    search = Search(
        MOST_SITUATIONS if situations is None else situations, seed, old.limits if limits is None else limits,
        tuple(of), parts,
    )  # fmt: skip
    found = odds_changes(old, new, changes, search) if changes and search.situations else ()
    return RulesetDiff(old.name, new.name, changes, found, seed)


# ---------------------------------------------------------------------------------------------------------- changes


def _by_heading(changes: Sequence[RuleChange]) -> Iterator[tuple[str, list[RuleChange]]]:
    """The changes of each declaration; of many examples only the first. What is new or gone as a whole has no heading."""
    examples = [each for each in changes if each.kind == "example"][_MOST_EXAMPLES:]
    shown = [each for each in changes if each not in examples]
    for heading, several in groupby(shown, key=lambda each: "" if _is_whole(each) else each.heading):
        yield heading, [*several]


def _is_whole(change: RuleChange) -> bool:
    """Whether a declaration is new or gone."""
    return not change.part and change.name != "" and (change.old is None or change.new is None)


def _as_text(change: RuleChange) -> list[str]:
    """The lines of one change, in the words of the rules."""
    old, new = change.old, change.new
    if _is_whole(change):
        first = (new or old or "").split("\n")[0]
        return [f"{'added' if old is None else 'removed'}: {_ASSUMED.sub('', first)}"]
    name = f"{change.part}: " if change.part else ""
    words = " (words only)" if change.words_only else ""
    if old is not None and new is not None and max(len(old), len(new)) <= _SHORT and "\n" not in old + new:
        return [f"{name}was {old}, now {new}{words}"]
    how = "added" if old is None else "removed" if new is None else "changed"
    if None not in (old, new) and not change.words_only:
        # The reasons are long, and only one of several things that may have changed.
        old, new = (_ASSUMED.sub("", old or ""), _ASSUMED.sub("", new or ""))
    return [f"{name}{how}{words}", *(f"  {line}" for line in _marked(old, new))]


def _marked(old: str | None, new: str | None) -> Iterator[str]:
    """The lines that differ, with the signs of a diff."""
    before, after = ([] if text is None else text.split("\n") for text in (old, new))
    for line in ndiff(before, after):
        if line.startswith(("-", "+")):
            yield f"{line[0]} {line[2:].strip()}"


def _as_markdown(change: RuleChange) -> list[str]:
    lines = _as_text(change)
    if len(lines) == 1:
        return [f"- {_escaped(lines[0])}"]
    return [f"- {_escaped(lines[0])}", "", "  ```diff", *(f"  {line.strip()}" for line in lines[1:]), "  ```"]


# ------------------------------------------------------------------------------------------------------------- odds


def _row(change: OddsChange) -> tuple[str, ...]:
    return (
        value_text(change.outcome), change.situation, percent(change.old), percent(change.new),
        signed_percent(change.difference),
    )  # fmt: skip


def _below(question: QuestionChanges) -> list[str]:
    """Remarks below the table of a question."""
    lines = []
    more = len(question.changes) - _MOST_ROWS
    if more > 0:
        lines.append(f"  and {more} more outcome{'s' if more > 1 else ''}")
    if question.skipped:
        lines.append(f"  {question.skipped} more situations have no odds to compare: {question.why_skipped}")
    if question.random_choices:
        lines.append("  Players choose at random.")
    return lines


def _indented(table: str) -> str:
    return "\n".join(f"  {line}" for line in table.split("\n"))


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("*", "\\*").replace("\n", " ")
