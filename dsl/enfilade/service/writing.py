"""Methods for authors: tokens, completion, examples, and a ruleset from a pasted chart."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from enfilade.diagnostics.diagnostic import Severity
from enfilade.editor.analysis import Analysis, analyse
from enfilade.editor.answers import CannotRename, Outline, Suggestion
from enfilade.editor.completion import complete as complete_with
from enfilade.errors import EnfiladeError
from enfilade.service.calls import RULESET, Call, Method, Parameter
from enfilade.source.text import Span
from enfilade.syntax.tokens import tokens as tokens_of
from enfilade.tools.examples import ExampleResult
from enfilade.tools.format import format_text
from enfilade.tools.scaffold import ruleset_from_pasted
from enfilade.tools.testing import ruleset_coverage, run_ruleset_examples


def _complete(call: Call) -> dict[str, Any]:
    found = (
        complete_with(call.params["text"], call.params["offset"], _names(call))
        if "ruleset" in call.params
        else _at(call, "completion")
    )
    return {
        "start": found.start,
        "items": [{"name": each.name, "kind": each.kind, "label": each.label} for each in found.items],
    }


def _names(call: Call) -> list[Suggestion]:
    with suppress(EnfiladeError):
        return [Suggestion(each.name, each.kind, each.label or "") for each in call.rules.symbols]
    return []


def _analysed(call: Call) -> Analysis:
    return analyse(call.params["text"], files=call.params.get("files") or {})


def _at(call: Call, ask: str) -> Any:
    """What a method of an analysis says of the place that the request names."""
    return getattr(_analysed(call), ask)(call.params["offset"])


def _hover(call: Call) -> dict[str, Any] | None:
    found = _at(call, "hover")
    if found is None:
        return None
    return _where(found.span) | {"kind": found.kind, "name": found.name, "type": found.type, "label": found.label,
            "cites": list(found.cites), "lines": list(found.lines), "markdown": found.markdown}  # fmt: skip


def _rename(call: Call) -> dict[str, Any]:
    try:
        edits = _analysed(call).rename(call.params["offset"], call.params["name"])
    except CannotRename as wrong:
        return {"edits": [], "reason": str(wrong)}
    return {"edits": [_where(each.span) | {"text": each.text} for each in edits], "reason": None}


def _outline(each: Outline) -> dict[str, Any]:
    return {"name": each.name, "kind": each.kind, "detail": each.detail} | _where(each.span)


def _where(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, "start": span.start, "end": span.end}


def _coverage(call: Call) -> dict[str, Any]:
    found = ruleset_coverage(call.rules)
    places = dict.fromkeys(item.key[1:5] for item in found.of("cells").never)
    return {
        "counts": {each.kind: {"used": each.used, "total": each.total} for each in found.counts},
        "cells": [dict(zip(("chart", "page", "row", "column"), place, strict=True)) for place in places],
    }


def _result(found: ExampleResult) -> dict[str, Any]:
    return {
        "procedure": found.procedure,
        "label": found.label,
        "line": found.span and found.span.line,
        "passed": found.passed,
        "failures": [{"message": each.message, "line": each.span and each.span.line} for each in found.failures],
    }


def _paste(call: Call) -> dict[str, Any]:
    found = ruleset_from_pasted(call.params.get("name", "my_game"), call.params["text"])
    ok = all(each.severity is not Severity.ERROR for each in found.diagnostics)
    return {"text": found.text, "guesses": list(found.guesses), "ok": ok}


_TEXT: Final = Parameter("text", "the text of a rules file", "Text", required=True)
_OFFSET: Final = Parameter("offset", "the position in the text, in characters", "int", required=True)
_FILES: Final = Parameter("files", "the other texts that this text uses, by file name", "Mapping[str, str]")

WRITING: Final[Mapping[str, Method]] = {
    "format": Method("Format the text of a ruleset.", (Parameter("text", "the text", "Text", required=True),), "`text`",
        lambda call: {"text": format_text(call.params["text"])}),
    "tokens": Method("Split a text into tokens, for syntax colours.", (_TEXT,),
        "the kind, the start and the end of each token; blanks are left out",
        lambda call: [[each.kind, each.start, each.end] for each in tokens_of(call.params["text"]) if each.kind != "blank"]),
    "complete": Method("Complete a text: return the words and names that may follow at a position.",
        (_TEXT, _OFFSET,
         Parameter("ruleset", "the ruleset whose names are offered, such as the last version without mistakes; by default, "
                              "the text itself", RULESET.takes, schema=RULESET.schema)),
        "`start`, where the word begins, and `items` with `name`, `kind` and `label`", _complete),
    "hover": Method("Describe the name or the result code at a position of a text.", (_TEXT, _OFFSET, _FILES),
        "null, or `kind`, `name`, `type`, `label`, `cites` and `lines`; `markdown`, which contains all of these; "
        "and `start` and `end`, the position of the name", _hover),
    "definition": Method("Find where a name is declared.", (_TEXT, _OFFSET, _FILES),
        "a list of places: `file`, `start` and `end`", lambda call: list(map(_where, _at(call, "definition")))),
    "references": Method("Find every reference to the name at a position.", (_TEXT, _OFFSET, _FILES),
        "a list of places, including the declaration: `file`, `start` and `end`",
        lambda call: list(map(_where, _at(call, "references")))),
    "rename": Method("Rename the name at a position everywhere.",
        (_TEXT, _OFFSET, _FILES, Parameter("name", "the new name", "str", required=True)),
        "`edits` with `file`, `start`, `end` and `text`; if the name can't be changed, an empty list of edits, and the `reason`",
        _rename),
    "symbols": Method("Return the outline of a text.", (_TEXT, _FILES),
        "for each declaration: `name`, `kind`, `detail`, `start`, `end`, and its parts as `children`",
        lambda call: [_outline(each) | {"children": list(map(_outline, each.children))}
                      for each in _analysed(call).document_symbols()]),
    "folding": Method("List the parts of a text that can be folded.", (_TEXT,),
        "a list with `first` and `last` (line numbers from 1) and the `kind` of each part",
        lambda call: [{"first": each.first, "last": each.last, "kind": each.kind} for each in _analysed(call).folding()]),
    "test": Method("Run the examples of a ruleset.", (RULESET,),
        "for each example: `procedure`, `label`, `line`, `passed`, and the `failures`, each a text with its `line`",
        lambda call: list(map(_result, run_ruleset_examples(call.rules)))),
    "coverage": Method("Count the rules that the examples of a ruleset reach.", (RULESET,),
        "`counts` by kind of rule, and `cells`: the chart cells that no example reads, each by chart, page, row and column",
        _coverage),
    "paste": Method("Write a first ruleset around a chart that was pasted or scanned.",
        (Parameter("text", "the pasted text", "Text", required=True), Parameter("name", "the name of the ruleset", "str")),
        "`text`, the ruleset; `guesses`, a list; and `ok`, true if the ruleset has no errors", _paste),
}  # fmt: skip
"""The methods for authors by name."""
