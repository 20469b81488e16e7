"""Traceability ledger: accounts for every line of a source document, as rules or by the reason why there are none.

The ledger of a ruleset is the file ``NAME.ledger`` in the same folder. The document itself is not needed: the ledger
identifies each line by its number and a hash, so it can be checked for completeness without quoting the document.

Each line of the file is ``LINE HASH TARGETS``. Targets are separated by ``;``. A target is one of:

- the name of a part of the rules: ``chart fire_table row 7``, ``modifier night``, ``refusal too_far`` (see ``rule_lines``),
  or of several: ``procedure fire steps 2-4``, ``define class cases 1-3``;
- ``host "what"``: a mechanic that the ruleset leaves to the game that calls it;
- ``says again line 12``: a duplicate of another line;
- ``heading``, or ``heading of chart fire_table``: a title above rules, which states none itself;
- ``not a mechanic "why"``, ``unreadable "why"``, ``blank``, or ``?`` for a line not yet examined.

``--`` begins a comment. The first line names the document: ``document "title", 148 lines``. A rule that no line of the
document states needs a line of its own: ``only in the rules option fog "the sheet leaves it open"``. ``ledger_rules``
says which parts of the rules must be named.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from enfilade.door import door, with_doors
from enfilade.source.text import SourceFile
from enfilade.tools.assumptions import Assumption, assumptions_of
from enfilade.tools.ledger_rules import RuleItem, kind_of, rule_items, unnamed
from enfilade.tools.rule_lines import Index, RuleLines, rule_lines, suggest

SUFFIX: Final = ".ledger"
HASH_LENGTH: Final = 12
RULES, NO_MECHANIC, UNREADABLE, BLANK, OPEN = "rules", "not a mechanic", "unreadable", "blank", "open"
HOST, AGAIN, HEADING = "host", "says again", "heading"
KINDS: Final = (RULES, HOST, AGAIN, HEADING, NO_MECHANIC, UNREADABLE, BLANK, OPEN)

_LINE: Final = re.compile(rf"(\d+)\s+([0-9a-f]{{{HASH_LENGTH}}})\s+(\S.*)")
_DOCUMENT: Final = re.compile(r'document\s+"([^"]*)"\s*,\s*(\d+)\s+lines?')
_REASONED: Final = re.compile(r'(not a mechanic|unreadable|host)(?:\s+"([^"]*)")?')
_AGAIN: Final = re.compile(r"says again line (\d+)")
_HEADING: Final = re.compile(r"heading(?: of (\S.*))?")
_ALONE: Final = re.compile(r'only in the rules\s+(\S.*?)(?:\s+"([^"]*)")?')
_SEVERAL: Final = re.compile(r"(procedure \S+ step|define \S+ case)s (\d{1,3})-(\d{1,3})")


@frozen
class Target:
    """The classification of a line of the document, or of a part of it.

    Attributes:
        kind: One of ``KINDS``.
        name: The name of the rule or of the other line, or the reason why there is no rule.
        places: The lines of the rule.
    """

    kind: str
    name: str
    places: tuple[RuleLines, ...] = ()

    def __str__(self) -> str:
        """Write the target as in the ledger, with its places."""
        places = f" ({', '.join(map(str, self.places))})" if self.places else ""
        match self.kind:
            case "rules":
                return f"{self.name}{places}"
            case "says again":
                return f"says again {self.name}"
            case "heading":
                return f"heading of {self.name}{places}" if self.name else "heading"
            case _:
                return f"{self.kind}: {self.name}" if self.name else self.kind


@frozen
class Entry:
    """One line of the document."""

    line: int
    hash: str
    targets: tuple[Target, ...]

    @property
    def kind(self) -> str:
        """The kind of the line as a whole: open if any target is open, else the first in the order of ``KINDS``."""
        kinds = {target.kind for target in self.targets}
        return OPEN if OPEN in kinds else next(kind for kind in KINDS if kind in kinds)


@frozen
class Alone:
    """A rule that the ledger says no line of the document states, with the reason for it."""

    rule: Target
    why: str

    def __str__(self) -> str:
        """Write the rule as in the ledger, with its places."""
        return f"{self.rule}: {self.why}"


@with_doors
@frozen
class Ledger:
    """The classification of all lines of a document.

    Attributes:
        title: The title of the document.
        lines: Its number of lines.
        entries: Its lines, in order.
        rules: The parts of the ruleset that state rules, so that the ledger must name them.
        alone: The rules that the ledger says no line of the document states, each with the reason.
        problems: The errors of the ledger: each a place and a sentence.
        assumptions: The assumptions of the rules, each with its reason.
    """

    title: str
    lines: int
    entries: tuple[Entry, ...]
    rules: tuple[RuleItem, ...]
    alone: tuple[Alone, ...]
    problems: tuple[str, ...]
    assumptions: tuple[Assumption, ...]

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of lines of each kind."""
        return {kind: sum(entry.kind == kind for entry in self.entries) for kind in KINDS}

    @property
    def shared(self) -> int:
        """The number of lines in the rules that leave a part of their mechanic to the host."""
        return sum(entry.kind == RULES and any(each.kind == HOST for each in entry.targets) for entry in self.entries)

    @property
    def accounted(self) -> int:
        """The number of lines accounted for."""
        return len(self.entries) - self.counts[OPEN]

    @property
    def unnamed(self) -> tuple[RuleItem, ...]:
        """The rules that no line of the document is named for, except those that the ledger says stand alone."""
        return _unnamed(self.rules, self.entries, self.alone)

    @property
    def is_whole(self) -> bool:
        """Whether every line of the document and every rule is accounted for, and the ledger has no errors."""
        return not self.problems and not self.unnamed and self.accounted == self.lines

    def to_json(self) -> dict[str, Any]:
        """Return the ledger as plain data."""
        return {
            "document": self.title,
            "lines": self.lines,
            "accounted": self.accounted,
            "counts": dict(self.counts),
            "shared": self.shared,
            "entries": [_entry_json(entry) for entry in self.entries],
            "assumptions": [each.to_json() for each in self.assumptions],
            "rules": len(self.rules),
            "alone": list(map(str, self.alone)),
            "unnamed": list(map(str, self.unnamed)),
            "problems": list(self.problems),
        }


def _entry_json(entry: Entry) -> dict[str, Any]:
    targets = [
        {"kind": target.kind, "name": target.name, "places": [str(place) for place in target.places]}
        for target in entry.targets
    ]
    return {"line": entry.line, "hash": entry.hash, "kind": entry.kind, "targets": targets}


def hash_of(line: str) -> str:
    """The hash of a line of a document, trailing white space excluded.

    Examples:
        >>> hash_of("Direct Fire Table")
        '1f8ea971edc0'
        >>> len(hash_of("half a letter: \\ud800"))
        12
    """
    return hashlib.sha256(line.rstrip().encode("utf-8", "surrogatepass")).hexdigest()[:HASH_LENGTH]


@door
def ledger_path(source: SourceFile) -> Path | None:
    """The path of a ruleset's ledger: the path of its main file with the suffix ``.ledger``."""
    return None if source.path is None else source.path.with_suffix(SUFFIX)


_HOW_TO: Final = (
    "-- Replace each `?` with the names of the rules made from the line: `chart NAME`, `chart NAME row 7`,",
    "-- `modifier BLOCK.NAME`, `results CHART code M`, `refusal PROCEDURE.NAME`, `fact NAME`, `procedure NAME steps 2-4`;",
    '-- or `host "what"`, `says again line 3`, `heading of chart NAME`, `not a mechanic "why"`, `unreadable "why"`, `blank`.',
    '-- For a rule that no line states, add a line: only in the rules option NAME "why".',
)


@door
def begin_ledger(title: str, text: str) -> str:
    """Make a new ledger, in which all lines are open except blank ones.

    Args:
        title: The title of the document.
        text: The text of the document.
    """
    lines = text.splitlines()
    head = [
        "-- The rules made from each line of the document: LINE HASH TARGETS, the targets separated by `;`.",
        *_HOW_TO,
        f'document "{title}", {len(lines)} lines',
        "",
    ]
    width = len(str(len(lines)))
    rows = [f"{n:>{width}}  {hash_of(line)}  {'?' if line.strip() else BLANK}" for n, line in enumerate(lines, start=1)]
    return "\n".join([*head, *rows]) + "\n"


@door
def read_ledger(file: SourceFile, sources: tuple[SourceFile, ...]) -> Ledger:
    """Read a ledger and resolve the names in it.

    Args:
        file: The ledger.
        sources: The texts of the ruleset.
    """
    index = rule_lines(sources)
    reader = _Reader(file.name.rpartition("/")[2], index)
    entries = list(reader.entries(file.text.splitlines()))
    title, lines = reader.document or ("", len(entries))
    if reader.document is None:
        reader.problems.append(f'{reader.name}: the document has no title: write document "title", 12 lines')
    reader.problems += _missing(reader.name, lines, [entry.line for entry in entries])
    reader.problems += _wrongly_repeated(reader.name, entries)
    rules, alone = tuple(rule_items(index, _own_files(file, sources))), tuple(reader.alone)
    reader.problems += _wrongly_alone(reader.name, rules, entries, alone)
    return Ledger(title, lines, tuple(entries), rules, alone, tuple(reader.problems), assumptions_of(sources))


@door
def compare_text(ledger: Ledger, text: str) -> tuple[str, ...]:
    """Report the lines of a text that differ from the lines in a ledger."""
    lines = text.splitlines()
    problems = (
        [] if len(lines) == ledger.lines else [f"the text has {len(lines)} lines, but the ledger has {ledger.lines}"]
    )
    others = [e.line for e in ledger.entries if e.line <= len(lines) and hash_of(lines[e.line - 1]) != e.hash]
    if others:
        problems.append(f"the ledger does not match the text in {_numbered(others)}")
    return tuple(problems)


class _Reader:
    """Reads one ledger and collects its errors."""

    def __init__(self, name: str, index: Index) -> None:
        self.name = name
        self.index = index
        self.document: tuple[str, int] | None = None
        self.problems: list[str] = []
        self.alone: list[Alone] = []

    def entries(self, lines: Iterable[str]) -> Iterator[Entry]:
        """The entries of a ledger, from its lines."""
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            if not text or text == "--" or text.startswith("-- "):
                continue
            heading = _DOCUMENT.fullmatch(text)
            if heading is not None:
                self.document = heading[1], int(heading[2])
                continue
            alone = _ALONE.fullmatch(text)
            if alone is not None:
                self._note_alone(alone[1], alone[2], number)
                continue
            found = _LINE.fullmatch(text)
            if found is None:
                self._complain(number, "this is not an entry: write LINE HASH TARGETS")
                continue
            targets = tuple(self._target(part, number) for part in _parts(found[3]))
            yield Entry(int(found[1]), found[2], targets)

    def _target(self, text: str, number: int) -> Target:
        if text == BLANK:
            return Target(BLANK, "")
        said = _REASONED.fullmatch(text)
        if said is not None:
            if not said[2]:
                self._complain(number, f'say why: {said[1]} "..."')
            return Target(said[1], said[2] or "")
        if text == "?":
            return Target(OPEN, "")
        again = _AGAIN.fullmatch(text)
        if again is not None:
            return Target(AGAIN, f"line {again[1]}")
        heading = _HEADING.fullmatch(text)
        if heading is not None:
            return self._rules(heading[1], number, HEADING) if heading[1] else Target(HEADING, "")
        return self._rules(text, number, RULES)

    def _note_alone(self, name: str, why: str | None, number: int) -> None:
        rule = self._rules(name, number, RULES)
        if not why:
            self._complain(number, f'say why: only in the rules {name} "..."')
        elif rule.kind == RULES:
            self.alone.append(Alone(rule, why))

    def _places(self, name: str) -> tuple[RuleLines, ...] | None:
        several = _SEVERAL.fullmatch(name)
        if several is None:
            return self.index.get(name)
        each = [self.index.get(f"{several[1]} {n}") for n in range(int(several[2]), int(several[3]) + 1)]
        return tuple(place for places in each if places for place in places) if each and all(each) else None

    def _rules(self, name: str, number: int, kind: str) -> Target:
        places = self._places(name)
        if places is None:
            close = suggest(name, self.index)
            or_else = f"did you mean {close}?" if close else f'for a line without a rule, write `{NO_MECHANIC} "why"`'
            self._complain(number, f"the rules have no {name}; {or_else}")
            return Target(OPEN, name)
        return Target(kind, name, places)

    def _complain(self, number: int, message: str) -> None:
        self.problems.append(f"{self.name}:{number}: {message}")


def _parts(text: str) -> list[str]:
    """The targets of a line; a `;` in quotes does not separate targets."""
    pieces = re.findall(r'(?:[^;"]|"[^"]*")+', text)
    return [" ".join(piece.split()) for piece in pieces if piece.strip()]


def _missing(name: str, lines: int, found: list[int]) -> Iterator[str]:
    seen: set[int] = set()
    for line in found:
        if line in seen:
            yield f"{name}: line {line} of the document has two entries"
        elif not 1 <= line <= lines:
            yield f"{name}: the document has no line {line}"
        seen.add(line)
    absent = [line for line in range(1, lines + 1) if line not in seen]
    if absent:
        yield f"{name}: there is no entry for {_numbered(absent)}"


def _wrongly_repeated(name: str, entries: list[Entry]) -> Iterator[str]:
    """The lines said to repeat a line that the document does not have, or that says nothing by itself."""
    kinds = {entry.line: entry.kind for entry in entries}
    for entry in entries:
        for target in entry.targets:
            if target.kind == AGAIN:
                said = int(target.name.removeprefix("line "))
                if said == entry.line or kinds.get(said, BLANK) in (AGAIN, BLANK):
                    yield f"{name}: line {entry.line} says `again line {said}`, but no earlier entry is for line {said}"


def _numbered(lines: list[int]) -> str:
    """Write line numbers as ranges: ``lines 3-5, 9``.

    Examples:
        >>> _numbered([3, 4, 5, 9]), _numbered([2])
        ('lines 3-5, 9', 'line 2')
    """
    runs: list[list[int]] = []
    for line in lines:
        if runs and runs[-1][-1] == line - 1:
            runs[-1][1:] = [line]
        else:
            runs.append([line])
    shown = ", ".join("-".join(map(str, run)) for run in runs)
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}"


def _own_files(file: SourceFile, sources: tuple[SourceFile, ...]) -> list[str]:
    """The names of the files of the rules in the folder of the ledger."""
    folder = None if file.path is None else file.path.parent
    return [each.name for each in sources if folder is None or each.path is None or each.path.parent == folder]


def _unnamed(rules: Iterable[RuleItem], entries: Iterable[Entry], alone: Iterable[Alone] = ()) -> tuple[RuleItem, ...]:
    targets = [target for entry in entries for target in entry.targets] + [each.rule for each in alone]
    places = {
        kind: [(kind_of(target.name), place) for target in targets if target.kind == kind for place in target.places]
        for kind in (RULES, HEADING)
    }
    return tuple(unnamed(rules, places[RULES], places[HEADING]))


def _wrongly_alone(
    name: str, rules: tuple[RuleItem, ...], entries: list[Entry], alone: tuple[Alone, ...]
) -> Iterator[str]:
    """The rules said to be only in the rules that a line is named for, or that need no line."""
    open_rules = _unnamed(rules, entries)
    for each in alone:
        rule = each.rule
        same = [
            item for item in rules if item.kind == kind_of(rule.name) and not set(item.places).isdisjoint(rule.places)
        ]
        if not same:
            yield f"{name}: {rule.name} needs no line of the document; take it out of the rules that stand alone"
        elif not any(item in open_rules for item in same):
            yield f"{name}: {rule.name} is said to be only in the rules, but a line of the document is named for it"
