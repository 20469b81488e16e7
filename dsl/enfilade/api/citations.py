"""Citations: an index from sections of the rulebook to the lines of a ruleset that cite them.

The index is built from the syntax trees, because some lines with citations, such as the order of severity, have no node
in the core. In a variant it has the lines that are still in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NoReturn

from attrs import frozen

from enfilade.api.outcome_values import natural
from enfilade.api.prechecked import Prechecked
from enfilade.check.program import Checked
from enfilade.diagnostics.suggest import MAX_WORD, nearest
from enfilade.door import with_doors
from enfilade.errors import InputError, InputFault
from enfilade.source.text import SourceFile
from enfilade.syntax import tree as t
from enfilade.syntax.tails import start_of, tails

_MOST_NAMED: Final = 20


@with_doors
@frozen
class Citation:
    """A line of the rules with citations.

    Attributes:
        kind: The kind of line: procedure, chart, edge, modifier, refusal, and so on.
        name: The name of the line, or of the declaration that contains it; ``None`` if neither has a name.
        label: The label of the line, for people.
        cites: The cited sections.
        assumed: The author's reason for a decision that the rulebook leaves open.
        text: The text of the line.
        source: The name of the file.
        line: The line number in the file, from 1.
    """

    kind: str
    name: str | None
    label: str | None
    cites: tuple[str, ...]
    assumed: str | None
    text: str
    source: str
    line: int

    def to_json(self) -> dict[str, Any]:
        """Return the citation as plain data."""
        return {
            "kind": self.kind, "name": self.name, "label": self.label, "cites": list(self.cites),
            "assumed": self.assumed, "text": self.text, "source": self.source, "line": self.line,
        }  # fmt: skip


KINDS: Final[dict[type, str]] = {
    t.FieldDecl: "fact", t.RulesetHead: "ruleset", t.Source: "source", t.Players: "players", t.OptionDecl: "option",
    t.Words: "words", t.Record: "record", t.Facts: "facts", t.Case: "case", t.Define: "definition", t.Die: "die",
    t.Deck: "deck", t.CardLine: "card", t.CardProduct: "card", t.AxisLine: "axis", t.CellsLine: "cells", t.SeverityOrder: "severity", t.SeverityRule: "severity",
    t.Edge: "edge", t.HeaderLine: "header", t.PageLine: "page", t.Erratum: "erratum", t.Surplus: "surplus",
    t.CellMark: "mark", t.ChartNote: "note", t.ThenCode: "result",
    t.Chart: "chart", t.Beside: "beside", t.Columns: "columns", t.But: "exception", t.ModLine: "modifier",
    t.ModSection: "section", t.ModNet: "limit", t.Modifiers: "modifiers", t.Refuse: "refusal", t.Must: "refusal", t.Roll: "roll",
    t.Draw: "draw", t.Reshuffle: "reshuffle", t.MoveCards: "cards", t.Let: "value", t.Becomes: "change", t.Read: "reading",
    t.Apply: "results", t.Perform: "effect", t.Choose: "choice", t.ChooseWhether: "choice", t.ChooseWord: "choice",
    t.Assign: "choice", t.Block: "steps", t.Leave: "stop", t.DoNothing: "steps", t.Stop: "stop", t.Call: "call", t.Give: "output", t.GiveFields: "output", t.Effect: "effect",
    t.Entry: "result", t.Results: "results", t.Procedure: "procedure", t.Event: "event", t.Unless: "refusal",
    t.StartLine: "start", t.OnEvent: "reaction", t.Example: "example", t.ReplaceCell: "erratum",
}  # fmt: skip
"""The kind of a line by the class of its node, in the words of the language and of explanations."""


def all_citations(checked: Checked | Prechecked) -> tuple[Citation, ...]:
    """Return all lines with citations, in the order of the text; modules come after the main text."""
    order = {source.name: number for number, source in enumerate(checked.sources)}
    found = [each for declaration in checked.declarations for each in _in(declaration)]
    found.sort(key=lambda pair: (order[pair[0].name], pair[1].line))
    return tuple(dict.fromkeys(citation for _, citation in found))


def cited(citations: Iterable[Citation]) -> tuple[str, ...]:
    """Return the cited sections, each once, in natural order."""
    return tuple(sorted({cite for citation in citations for cite in citation.cites}, key=natural))


def citing(citations: tuple[Citation, ...], cite: str) -> tuple[Citation, ...]:
    """Return the lines that cite a section, then the lines that cite a part of it.

    Raises:
        InputError: No line cites the section.
    """
    section = cite.strip()
    exact = tuple(each for each in citations if section in each.cites)
    within = tuple(
        each for each in citations if each not in exact and any(part.startswith(f"{section}.") for part in each.cites)
    )
    return exact + within or _nothing_cites(section, cited(citations))


def _nothing_cites(section: str, known: tuple[str, ...]) -> NoReturn:
    close = _nearest(section, known)
    listed = ", ".join(known[:_MOST_NAMED]) + (", ..." if len(known) > _MOST_NAMED else "")
    meant = f"; did you mean {close}?" if close else f"; cited are {listed}" if known else "; there are no citations"
    message = f"nothing cites {section or 'nothing'}{meant}"
    raise InputError([InputFault("citation", section, listed or "no citations", message)])


def _nearest(section: str, known: tuple[str, ...]) -> str | None:
    """Return the citation with the most leading numbers in common, or the one with the smallest edit distance."""
    shared = {each: _shared(section, each) for each in known}
    most = max(shared.values(), default=0)
    if not most:
        return nearest(section, known)
    return nearest(section, [each for each in known if shared[each] == most], MAX_WORD)


def _shared(one: str, other: str) -> int:
    count = 0
    for mine, its in zip(one.split("."), other.split("."), strict=False):
        if mine != its:
            break
        count += 1
    return count


# ------------------------------------------------------------------------------------------------------ one line


def _in(declaration: t.Declaration) -> Iterator[tuple[SourceFile, Citation]]:
    for node, tail in tails(declaration):
        if tail.cites:
            source: SourceFile = node.span.source
            line, _ = source.line_column(start_of(node, tail))
            kind = "field" if isinstance(declaration, t.Record) and isinstance(node, t.FieldDecl) else KINDS[type(node)]
            name = _name(node) or _name(declaration)
            label = node.label if isinstance(node, t.Example) else tail.label
            text = source.line_text(line).strip()
            file = source.name.rpartition("/")[2]
            yield source, Citation(kind, name, label, tail.cites, tail.assumed, text, file, line)


_NAMED_BY: Final = ("name", "slug", "pattern", "effect", "chart", "procedure", "event", "deck")


def _name(node: Any) -> str | None:
    if isinstance(node, t.Becomes):
        return ".".join(each.name for each in node.target)
    for attribute in _NAMED_BY:
        found = getattr(node, attribute, None)
        if isinstance(found, (t.Ident, t.Code)):
            return found.name if isinstance(found, t.Ident) else found.text
    return None
