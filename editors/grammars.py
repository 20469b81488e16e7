"""Writes the grammars of editors from the terminals of the language: ``python -m editors.grammars``.

Each grammar has the same rules: tokens within which nothing else is looked for (comments, quoted texts, chart rows,
citations), then words, numbers and marks. Brackets are the one hard case: they enclose a list or a citation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from editors.words import PLAIN, TERMINALS, WHOLE
from enfilade.language import DECLARATIONS
from enfilade.syntax.tables import stored_tables
from enfilade.syntax.token_looks import LOOKS
from enfilade.syntax.unexpected import KEYWORDS, WORDS

FOLDER: Final = Path(__file__).parent
LANGUAGE: Final = "enfilade"
# The marks before a list: after any of them no citation can follow.
_MARKS: Final = r"<=|>=|\.\.|[=(,+\-*/<>]"
# The words that begin a line of a chart, so it is not a row with tabs.
_LINES: Final = TERMINALS["_TAB_NL"].partition("(?!(?:")[2].partition(")")[0]


def words_before_lists() -> tuple[str, ...]:
    """The keywords after which a bracket begins a list in every context, as the parse table says."""
    tables = stored_tables()
    followers: dict[str, set[str]] = {}
    for shifts, _ in tables.states:
        for name, state in zip(shifts[::2], shifts[1::2], strict=True):
            followers.setdefault(tables.names[name], set()).update(_accepted(state))
    return tuple(sorted(
        word for name, accepted in followers.items() for word in WORDS.get(name, ())
        if "LSQB" in accepted and "CITATION" not in accepted
    ))  # fmt: skip


def _accepted(state: int) -> Iterator[str]:
    """The terminals that a state of the parser shifts or reduces on."""
    tables = stored_tables()
    shifts, reductions = tables.states[state]
    yield from (tables.names[name] for name in shifts[::2])
    yield from (tables.names[name] for number in reductions[::2] for name in tables.lookaheads[number])


# ---------------------------------------------------------------------------------------------------------- TextMate


def textmate() -> str:
    """The grammar for VS Code and others that read TextMate grammars, as JSON."""
    before = "|".join(words_before_lists()).replace(" ", r"[ \t]+")
    includes = [
        {"include": f"#{name}"} for name in ("comment", "row", "sign", "string", "given", "list", "citation", "word")
    ]
    grammar = {
        "information_for_contributors": ["Written by `python -m editors.grammars`; do not edit."],
        "name": "Enfilade",
        "scopeName": f"source.{LANGUAGE}",
        "patterns": [{"include": "#chart"}, *includes],
        "repository": {
            "chart": {
                "begin": r"^(?=(?:(?:add[ \t]+to|replace)[ \t]+)?chart\b)",
                "end": rf"^(?=(?:{'|'.join(DECLARATIONS)})\b)(?!\G)",
                "patterns": [{"include": "#tabs"}, *includes],
            },
            "tabs": _row(rf"^[ \t]*(?!(?:{_LINES})\b|--\s|\|)(?!chart\b)([^\s|][^\t\r\n]*\t[^\r\n]*)"),
            "row": _row(r"(\|[^\r\n]*)"),
            "given": {
                "begin": r"^[ \t]*(given)\b",
                "beginCaptures": {"1": _scope("keyword")},
                "end": "$(?<!,)",
                "patterns": [{"include": f"#{name}"} for name in ("comment", "string", "bracket", "word")],
            },
            "list": {
                "match": rf"(?:\b({before})|({_MARKS})|^)((?:[ \t]*\[)+)",
                "captures": {"1": _scope("keyword"), "2": _scope("mark"), "3": {"patterns": [{"include": "#bracket"}]}},
            },
            "bracket": {"match": r"\[", **_scope("mark")},
            # The sign of `mark "` begins no text.
            "sign": {
                "match": r"\b(mark)[ \t]+(\")(?=[ \t])", "captures": {"1": _scope("keyword"), "2": _scope("mark")},
            },
            **{kind: {"match": WHOLE[kind], **_scope(kind)} for kind in ("comment", "string", "citation")},
            "word": {"patterns": [{"match": pattern, **_scope(kind)} for kind, pattern in PLAIN.items()]},
        },
    }  # fmt: skip
    return json.dumps(grammar, indent=2, ensure_ascii=False) + "\n"


def _row(pattern: str) -> dict[str, Any]:
    cells = [{"match": WHOLE[kind], **_scope(kind)} for kind in ("bar", "cell")]
    return {"match": pattern, "captures": {"1": {"patterns": cells}}}


def _scope(kind: str) -> dict[str, str]:
    return {"name": f"{LOOKS[kind].scope}.{LANGUAGE}"}


# --------------------------------------------------------------------------------------------------------------- Vim


def vim() -> str:
    """The syntax file for Vim and Neovim."""
    return "\n".join([
        '" Vim syntax file: Enfilade. Written by `python -m editors.grammars`; do not edit.',
        "if exists('b:current_syntax')",
        "  finish",
        "endif",
        "let s:keep = &cpo",
        "set cpo&vim",
        "syn case match",
        "",
        '" Of two rules that match at one place, the later one is taken.',
        *_vim_rules(),
        "",
        *(f"hi def link enfilade{kind.title()} {LOOKS[kind].vim}" for kind in (*PLAIN, *WHOLE)),
        "",
        f"let b:current_syntax = '{LANGUAGE}'",
        "let &cpo = s:keep",
        "unlet s:keep",
        "",
    ])  # fmt: skip


def _vim_rules() -> Iterator[str]:
    keywords = sorted(KEYWORDS)
    yield r"syn match enfiladeMark /\S/"
    yield r"syn match enfiladeName /\v\a\w*|#\l?>|#/"
    yield r"syn match enfiladeNumber /\v\d+(\.\d+)?/"
    yield r"syn match enfiladeNumber /\v-?\d+\.\.(-?\d+|[[:alnum:]_(#]@!)|\.\.-?\d+/"
    yield r"syn match enfiladeDice /\v<(\d+d\d+|d\d+)>|<d\ze\s*\(/"
    for start in range(0, len(keywords), 12):
        yield rf"syn match enfiladeKeyword /\v<({'|'.join(keywords[start : start + 12])})>/"
    yield r"syn match enfiladeKeyword /\v<yes\/no>/"
    yield r"syn match enfiladeCitation /\v\[[^\]]*\]/"
    before = "|".join(words_before_lists()).replace(" ", r"\s+")
    # A bracket begins a list after these marks, after these words, at the start of a line and on lines of facts.
    yield r"syn match enfiladeMark /\v([=(,+*\/<>\[-]\s*)@20<=\[/"
    yield rf"syn match enfiladeMark /\v(<({before})>\s*)@20<=\[/"
    yield r"syn match enfiladeMark /\v(^\s*given>.*)@<=\[/"
    yield r"syn match enfiladeMark /\v^\s*\[/"
    yield r'syn match enfiladeString /\v"[^"]*"?/'
    yield r'syn match enfiladeMark /\v(<mark\s+)@<="\ze\s/'
    yield r"syn match enfiladeCell /\v[^|\t]+/ contained"
    yield r"syn match enfiladeBar /|/ contained"
    yield r"syn match enfiladeRow /\v^\s*\|.*/ contains=enfiladeBar,enfiladeCell"
    yield r'syn match enfiladeRow /\v(^\s*header>([^"|]|"[^"]*")*)@<=\|.*/ contains=enfiladeBar,enfiladeCell'
    yield r"syn match enfiladeComment /\v(\S)@<!--(\s.*)?$/"


def written() -> dict[Path, str]:
    """The text of each grammar, by its file."""
    return {
        FOLDER / "vscode" / "syntaxes" / "enfilade.tmLanguage.json": textmate(),
        FOLDER / "vim" / "syntax" / "enfilade.vim": vim(),
    }


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
