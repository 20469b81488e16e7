"""Methods for authors: tokens, completion, examples, and a ruleset from a pasted chart."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from enfilade.diagnostics.diagnostic import Severity
from enfilade.editor.analysis import Analysis, analyse
from enfilade.editor.answers import CannotRename, Outline, Suggestion
from enfilade.editor.completion import complete as complete_with
from enfilade.errors import EnfiladeError
from enfilade.service.methods import RULESET, Call, method
from enfilade.service.parameters import Parameter, WrongParameter
from enfilade.source.text import Span
from enfilade.syntax.tokens import tokens as tokens_of
from enfilade.tools.examples import ExampleResult
from enfilade.tools.pasted_chart import NoChart
from enfilade.tools.scaffold import is_ruleset_name, ruleset_from_pasted
from enfilade.tools.testing import ruleset_coverage, run_ruleset_examples

_TEXT: Final = Parameter("text", "the text of a rules file", {"type": "string"}, required=True)
_OFFSET: Final = Parameter("offset", "the position in the text, in characters", {"type": "integer"}, required=True)
_FILES: Final = Parameter("files", "the other texts that this text uses, by file name",
                          {"type": "object", "additionalProperties": {"type": "string"}})  # fmt: skip


@method(
    "Split a text into tokens, for syntax colours.",
    _TEXT,
    gives="the kind, the start and the end of each token; blanks are left out",
)
def tokens(call: Call) -> Any:
    return [[each.kind, each.start, each.end] for each in tokens_of(call.params["text"]) if each.kind != "blank"]


@method("Complete a text: return the words and names that may follow at a position.", _TEXT, _OFFSET,
        Parameter("ruleset", "the ruleset whose names are offered, such as the last version without mistakes; by default, "
                             "the text itself", RULESET.schema),
        gives="`start`, where the word begins, and `items` with `name`, `kind` and `label`")  # fmt: skip
def complete(call: Call) -> Any:
    text, offset = call.params["text"], call.params["offset"]
    if "ruleset" in call.params:
        found = complete_with(text, offset, _names(call))
    else:
        found = _analysed(call).completion(offset)
    items = [{"name": each.name, "kind": each.kind, "label": each.label} for each in found.items]
    return {"start": found.start, "items": items}


def _names(call: Call) -> list[Suggestion]:
    with suppress(EnfiladeError):
        return [Suggestion(each.name, each.kind, each.label or "") for each in call.rules.symbols]
    return []


# -- editors --------------------------------------------------------------------------------------------------


def _analysed(call: Call) -> Analysis:
    return analyse(call.params["text"], files=call.params.get("files") or {})


@method("Describe the name or the result code at a position of a text.", _TEXT, _OFFSET, _FILES,
        gives="null, or `kind`, `name`, `type`, `label`, `cites` and `lines`; `markdown`, which contains all of these; "
              "and `start` and `end`, the position of the name")  # fmt: skip
def hover(call: Call) -> Any:
    found = _analysed(call).hover(call.params["offset"])
    if found is None:
        return None
    said = {"kind": found.kind, "name": found.name, "type": found.type, "label": found.label,
            "cites": list(found.cites), "lines": list(found.lines), "markdown": found.markdown}  # fmt: skip
    return said | _where(found.span)


@method("Find where a name is declared.", _TEXT, _OFFSET, _FILES,
        gives="a list of places: `file`, `start` and `end`")  # fmt: skip
def definition(call: Call) -> Any:
    return [_where(each) for each in _analysed(call).definition(call.params["offset"])]


@method("Find every reference to the name at a position.", _TEXT, _OFFSET, _FILES,
        gives="a list of places, including the declaration: `file`, `start` and `end`")  # fmt: skip
def references(call: Call) -> Any:
    return [_where(each) for each in _analysed(call).references(call.params["offset"])]


@method("Rename the name at a position everywhere.", _TEXT, _OFFSET, _FILES,
        Parameter("name", "the new name", {"type": "string"}, required=True),
        gives="`edits` with `file`, `start`, `end` and `text`; if the name can't be changed, an empty list of edits, and the `reason`")  # fmt: skip
def rename(call: Call) -> Any:
    try:
        edits = _analysed(call).rename(call.params["offset"], call.params["name"])
    except CannotRename as wrong:
        return {"edits": [], "reason": str(wrong)}
    return {"edits": [_where(each.span) | {"text": each.text} for each in edits], "reason": None}


@method("Return the outline of a text.", _TEXT, _FILES,
        gives="for each declaration: `name`, `kind`, `detail`, `start`, `end`, and its parts as `children`")  # fmt: skip
def symbols(call: Call) -> Any:
    return [
        _outline(each) | {"children": [_outline(part) for part in each.children]}
        for each in _analysed(call).document_symbols()
    ]


@method(
    "List the parts of a text that can be folded.",
    _TEXT,
    gives="a list with `first` and `last` (line numbers from 1) and the `kind` of each part",
)
def folding(call: Call) -> Any:
    return [{"first": each.first, "last": each.last, "kind": each.kind} for each in _analysed(call).folding()]


def _outline(each: Outline) -> dict[str, Any]:
    return {"name": each.name, "kind": each.kind, "detail": each.detail} | _where(each.span)


def _where(span: Span) -> dict[str, Any]:
    return {"file": span.source.name, "start": span.start, "end": span.end}


@method("Run the examples of a ruleset.", RULESET,
        gives="for each example: `procedure`, `label`, `line`, `passed`, and the `failures`, each a text with its `line`")  # fmt: skip
def test(call: Call) -> Any:
    return [_result(each) for each in run_ruleset_examples(call.rules)]


@method("Count the rules that the examples of a ruleset reach.", RULESET,
        gives="`counts` by kind of rule, and `cells`: the chart cells that no example reads, each by chart, page, row and column")  # fmt: skip
def coverage(call: Call) -> Any:
    found = ruleset_coverage(call.rules)
    counts = {each.kind: {"used": each.used, "total": each.total} for each in found.counts}
    places = dict.fromkeys(item.key[1:5] for item in found.of("cells").never)
    cells = [dict(zip(("chart", "page", "row", "column"), place, strict=True)) for place in places]
    return {"counts": counts, "cells": cells}


def _result(found: ExampleResult) -> dict[str, Any]:
    return {
        "procedure": found.procedure,
        "label": found.label,
        "line": _line(found),
        "passed": found.passed,
        "failures": [{"message": each.message, "line": _line(each)} for each in found.failures],
    }


def _line(place: Any) -> int | None:
    span = place.span
    return None if span is None else span.source.line_column(span.start)[0]


@method("Write a first ruleset around a chart that was pasted or scanned.",
        Parameter("text", "the pasted text", {"type": "string"}, required=True),
        Parameter("name", "the name of the ruleset", {"type": "string"}),
        gives="`text`, the ruleset; `guesses`, a list; and `ok`, true if the ruleset has no errors")  # fmt: skip
def paste(call: Call) -> Any:
    name = call.params.get("name", "my_game")
    if not is_ruleset_name(name):
        raise WrongParameter("name must be a letter, followed by letters, digits and _")
    try:
        found = ruleset_from_pasted(name, call.params["text"])
    except NoChart as wrong:
        raise WrongParameter(str(wrong)) from wrong
    ok = all(each.severity is not Severity.ERROR for each in found.diagnostics)
    return {"text": found.text, "guesses": list(found.guesses), "ok": ok}
