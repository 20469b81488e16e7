"""The language service in the terms of the Language Server Protocol: positions in UTF-16, kinds as numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from lsprotocol import types as lsp
from pygls import uris

from enfilade import Diagnostic, Severity
from enfilade.editor import Action, Analysis, Edit, Fold, Hint, Hover, Outline, Signature, Span, Suggestion
from enfilade.files import SourceFile

# The kinds of semantic tokens, in the order of their numbers.
TOKENS: Final = (
    "keyword", "number", "string", "comment", "variable", "parameter", "property", "enumMember", "function", "class",
    "event", "macro", "operator", "namespace",
)  # fmt: skip
_TOKEN_OF: Final[Mapping[str, str]] = {
    "keyword": "keyword", "number": "number", "range": "number", "dice": "macro", "die": "macro", "deck": "macro",
    "string": "string", "citation": "comment", "comment": "comment", "code": "enumMember",
    "cell": "enumMember", "word": "enumMember", "player": "enumMember", "fact": "variable", "name": "variable", "local": "parameter",
    "piece": "parameter", "field": "property", "card field": "property", "part": "property", "option": "variable",
    "define": "function", "chart": "function", "columns": "function", "modifiers": "function", "effect": "function",
    "procedure": "function", "modifier": "enumMember", "record": "class", "words": "class", "event": "event",
    "refusal": "enumMember", "ruleset": "namespace", "file": "namespace", "built-in": "keyword",
}  # fmt: skip
_SYMBOL_OF: Final[Mapping[str, lsp.SymbolKind]] = {
    "ruleset": lsp.SymbolKind.Namespace, "record": lsp.SymbolKind.Class, "words": lsp.SymbolKind.Enum,
    "facts": lsp.SymbolKind.Struct, "fact": lsp.SymbolKind.Variable, "field": lsp.SymbolKind.Field,
    "option": lsp.SymbolKind.Boolean, "define": lsp.SymbolKind.Function, "chart": lsp.SymbolKind.Array,
    "columns": lsp.SymbolKind.Array, "modifiers": lsp.SymbolKind.Struct, "modifier": lsp.SymbolKind.Number,
    "effect": lsp.SymbolKind.Method, "results": lsp.SymbolKind.Object, "code": lsp.SymbolKind.EnumMember,
    "procedure": lsp.SymbolKind.Function, "event": lsp.SymbolKind.Event, "onevent": lsp.SymbolKind.Event,
    "example": lsp.SymbolKind.String, "player": lsp.SymbolKind.EnumMember,
}  # fmt: skip
_ITEM_OF: Final[Mapping[str, lsp.CompletionItemKind]] = {
    "keyword": lsp.CompletionItemKind.Keyword, "word": lsp.CompletionItemKind.EnumMember,
    "code": lsp.CompletionItemKind.EnumMember, "player": lsp.CompletionItemKind.EnumMember,
    "fact": lsp.CompletionItemKind.Variable, "parameter": lsp.CompletionItemKind.Variable,
    "local": lsp.CompletionItemKind.Variable,
    "field": lsp.CompletionItemKind.Field, "record": lsp.CompletionItemKind.Class,
    "words": lsp.CompletionItemKind.Enum, "type": lsp.CompletionItemKind.TypeParameter, "citation": lsp.CompletionItemKind.Reference,
}  # fmt: skip


def units(text: str) -> int:
    """How many units of UTF-16 a text has.

    Examples:
        >>> units("M2"), units("\\N{GAME DIE}")
        (2, 2)
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def position_of(source: SourceFile, offset: int) -> lsp.Position:
    """Convert an offset in characters."""
    line, column = source.line_column(offset)
    return lsp.Position(line - 1, units(source.text[offset - column + 1 : offset]))


def offset_of(source: SourceFile, position: lsp.Position) -> int:
    """Convert a position; one beyond the end of its line is the end, one beyond the text the end of the text."""
    if position.line >= source.line_count:
        return len(source.text)
    line = source.line_span(position.line + 1)
    before = line.text.encode("utf-16-le", "surrogatepass")[: 2 * position.character]
    return line.start + len(before.decode("utf-16-le", "ignore"))


def range_of(span: Span) -> lsp.Range:
    """Convert a span."""
    return lsp.Range(position_of(span.source, span.start), position_of(span.source, span.end))


def uri_of(source: SourceFile) -> str:
    """The address of a source: of its file, or its name."""
    found = None if source.path is None else uris.from_fs_path(str(source.path.absolute()))
    return found or source.name


def location_of(span: Span) -> lsp.Location:
    """Convert a span, with its file."""
    return lsp.Location(uri_of(span.source), range_of(span))


def diagnostics_of(found: Analysis, told: Iterable[Diagnostic]) -> list[lsp.Diagnostic]:
    """Diagnostics of a text; those of a file that it uses are told on the line that uses it."""
    return [_diagnostic(each, found) for each in told]


def _diagnostic(each: Diagnostic, found: Analysis) -> lsp.Diagnostic:
    severity = lsp.DiagnosticSeverity.Error if each.severity is Severity.ERROR else lsp.DiagnosticSeverity.Warning
    text = "\n".join((each.message, *(f"help: {line}" for line in each.helps)))
    span = each.span
    if span.source is not found.source:
        line, _ = span.source.line_column(span.start)
        text, span = f"{span.source.name}, line {line}: {text}", found.import_of(span.source)
    related = [lsp.DiagnosticRelatedInformation(location_of(label.span), label.message) for label in each.labels]
    return lsp.Diagnostic(range_of(span), text, severity, each.code, source="enfilade", related_information=related)


def failures_of(results: Iterable[Mapping[str, Any]], source: SourceFile) -> Iterator[Diagnostic]:
    """The failures of examples, as `lsp_worker.example_results` tells them, as warnings."""
    for result in results:
        for each in result["failures"]:
            line = source.line_span(each["line"] + 1)
            start = line.end - len(line.text.lstrip())
            message, *helps = each["message"].split("\n")
            at = Span(source, start, line.end)
            yield Diagnostic("example-failed", message, at, Severity.WARNING, helps=tuple(helps))


def edit_of(edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
    """Edits by file."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for each in edits:
        changes.setdefault(uri_of(each.span.source), []).append(lsp.TextEdit(range_of(each.span), each.text))
    return lsp.WorkspaceEdit(changes=changes)


def text_edits(edits: Iterable[Edit]) -> list[lsp.TextEdit]:
    """Edits of one file."""
    return [lsp.TextEdit(range_of(each.span), each.text) for each in edits]


def hover_of(found: Hover) -> lsp.Hover:
    """What is told of a name, as Markdown."""
    return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown), range_of(found.span))


def signature_of(found: Signature) -> lsp.SignatureHelp:
    """What is called at a place, with the places of its parameters in units of UTF-16."""
    text = found.text
    parameters = [
        lsp.ParameterInformation((units(text[: each.start]), units(text[: each.end])), each.label or None)
        for each in found.parameters
    ]
    about = " ".join(filter(None, (found.label, f"[{', '.join(found.cites)}]" if found.cites else "")))
    one = lsp.SignatureInformation(text, about or None, parameters, found.active)
    return lsp.SignatureHelp([one], 0, found.active)


def symbol_of(found: Outline) -> lsp.DocumentSymbol:
    """A declaration with its parts."""
    return _symbol(found, [_symbol(part, []) for part in found.children])


def _symbol(found: Outline, children: list[lsp.DocumentSymbol]) -> lsp.DocumentSymbol:
    # Editors refuse a symbol without a name, and one whose name lies outside of it.
    name, kind = found.name or "(no label)", _SYMBOL_OF.get(found.kind, lsp.SymbolKind.Object)
    return lsp.DocumentSymbol(
        name, kind, range_of(found.span), range_of(found.name_span), found.detail, children=children
    )


def workspace_symbols(found: Analysis, query: str) -> list[lsp.WorkspaceSymbol]:
    """The declarations of a text whose names contain the query."""
    every = chain.from_iterable((each, *each.children) for each in found.document_symbols())
    return [
        lsp.WorkspaceSymbol(location_of(each.name_span), each.name, _SYMBOL_OF.get(each.kind, lsp.SymbolKind.Object))
        for each in every
        if query.casefold() in each.name.casefold()
    ]


def fold_of(fold: Fold) -> lsp.FoldingRange:
    """Lines that may be folded."""
    kind = lsp.FoldingRangeKind.Comment if fold.kind == "comment" else lsp.FoldingRangeKind.Region
    return lsp.FoldingRange(fold.first - 1, fold.last - 1, kind=kind)


def hint_of(found: Hint) -> lsp.InlayHint:
    """A text to show at the end of a place."""
    at, is_range = position_of(found.span.source, found.span.end), found.kind == "range"
    kind = lsp.InlayHintKind.Type if is_range else None
    return lsp.InlayHint(at, found.text, kind, tooltip=found.note or None, padding_left=not is_range)


def item_of(item: Suggestion, number: int, replaced: lsp.Range) -> lsp.CompletionItem:
    """A word that may follow; editors keep the order of the service."""
    kind = _ITEM_OF.get(item.kind, lsp.CompletionItemKind.Function)
    return lsp.CompletionItem(item.name, kind=kind, detail=item.label or item.kind, sort_text=f"{number:05}",
                              text_edit=lsp.TextEdit(replaced, item.name))  # fmt: skip


def action_of(action: Action) -> lsp.CodeAction:
    """A change that an editor offers."""
    kind = lsp.CodeActionKind(action.kind)
    return lsp.CodeAction(action.title, kind, edit=edit_of(action.edits), is_preferred=action.preferred)


def is_wanted(action: lsp.CodeAction, only: Iterable[str] | None) -> bool:
    """Whether an editor asks for actions of this kind, or of a kind above it."""
    kind = action.kind or ""
    return only is None or any(kind == each or kind.startswith(each + ".") for each in only)


def tokens_of(found: Analysis) -> list[int]:
    """The colours, five numbers a token, each relative to the one before; a token of several lines is cut."""
    data: list[int] = []
    line = column = 0
    for token in found.semantic_tokens():
        kind = _TOKEN_OF.get(token.kind)
        if kind is None:
            continue
        start = position_of(found.source, token.span.start)
        length = units(token.span.text.partition("\n")[0])
        data += (start.line - line, start.character - (column if start.line == line else 0), length,
                 TOKENS.index(kind), int(token.declares))  # fmt: skip
        line, column = start.line, start.character
    return data


def selection_of(spans: Iterable[Span]) -> lsp.SelectionRange:
    """Spans from the smallest to the largest, each the parent of the one before."""
    found: lsp.SelectionRange | None = None
    for span in reversed(list(spans)):
        found = lsp.SelectionRange(range_of(span), found)
    assert found is not None
    return found
