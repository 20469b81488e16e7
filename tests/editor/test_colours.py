"""The prompt, Pygments and the grammars of editors agree token by token on every rules file of the repository.

The TextMate grammar itself is run in Node: ``npm test`` in ``editors/vscode`` compares it with the pieces tested here.
"""

from __future__ import annotations

import shutil
import subprocess
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest
from editors.grammars import FOLDER, written
from editors.words import ONLY_IN_CONTEXT, PLAIN, WHOLE, Piece, pieces, rules_files
from pygments.token import string_to_tokentype

from enfilade.editor.pygments_lexer import RulesLexer
from enfilade.language import LOOKS, TypedToken, tokens
from enfilade_repl.highlighting import in_rules

# The cases of the checker have mistakes, in which the parser and a grammar may differ.
FILES: Final = {name: text for name, text in rules_files() if not name.startswith("tests/check/")}
QUICK: Final = (
    "rulesets/infantry_attacks/infantry_attacks.rules",
    "stdlib/morale.rules",
    "tests/generality/root.rules",
)
# Writes the kind of each character, line by line.
_VIM_SCRIPT: Final = """
source {folder}/syntax/enfilade.vim
let out = []
for g:row in range(1, line('$'))
  call add(out, join(map(range(1, len(getline(g:row))), {{_, c -> synIDattr(synID(g:row, c, 1), 'name')[8:]}}), ' '))
endfor
call writefile(out, '{out}')
qa!
"""


@cache
def pieces_of(name: str) -> tuple[Piece, ...]:
    return tuple(pieces(FILES[name]))


@cache
def told(name: str) -> tuple[TypedToken, ...]:
    """What the library says of a file."""
    return tuple(tokens(FILES[name]))


each_file: Final = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.thorough) for name in FILES]
)


@pytest.mark.parametrize("path", written(), ids=lambda path: path.name)
def test_a_grammar_is_the_one_that_the_terminals_give(path: Path) -> None:
    """``python -m editors.grammars`` writes them."""
    assert path.read_text(encoding="utf-8") == written()[path]


@each_file
def test_pygments_has_the_tokens_of_the_library(name: str) -> None:
    found = list(RulesLexer().get_tokens_unprocessed(FILES[name]))
    assert found == [(each.start, string_to_tokentype(LOOKS[each.kind].pygments), each.text) for each in told(name)]


@each_file
def test_the_prompt_has_the_tokens_of_the_library(name: str) -> None:
    # The prompt also marks the names that a declaration gives, and the first cell of a row.
    more = {"name": {"title"}, "cell": {"label"}}
    found = list(in_rules(FILES[name], None))
    assert [each for _, each in found] == [each.text for each in told(name)]
    for (style, _), token in zip(found, told(name), strict=True):
        assert style in {LOOKS[token.kind].style, *more.get(token.kind, ())}, token


@each_file
def test_grammars_have_the_tokens_of_the_library_but_where_the_table_says_so(name: str) -> None:
    differing = {(origin, each.kind) for each in pieces_of(name) for origin in each.origin if origin != each.kind}
    assert differing <= ONLY_IN_CONTEXT.keys()
    kept = list(FILES[name])
    for each in pieces_of(name):
        kept[each.start : each.end] = " " * (each.end - each.start)
    assert not "".join(kept).strip()
    assert {token.kind for token in told(name)} <= LOOKS.keys()


@pytest.mark.thorough
def test_each_line_of_the_table_of_differences_is_needed() -> None:
    every = [*(each for name in FILES for each in pieces_of(name)), *pieces('example fire "x"\n  gives d6\nété')]
    assert {(origin, each.kind) for each in every for origin in each.origin} >= ONLY_IN_CONTEXT.keys()


def test_every_kind_of_token_looks_different() -> None:
    scopes = {LOOKS[kind].scope for kind in (*PLAIN, *WHOLE)}
    assert len(scopes) == len(PLAIN) + len(WHOLE)
    assert "" not in scopes


def test_the_entry_point_of_pygments_is_the_lexer() -> None:
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["pygments.lexers"]["enfilade"].partition(":")
    assert getattr(import_module(module), name) is RulesLexer


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("vim") is None, reason="there is no vim")
def test_vim_has_the_pieces_of_the_shipped_games(tmp_path: Path) -> None:
    wrong = []
    for number, (name, text) in enumerate(FILES.items()):
        if not name.startswith("rulesets/"):
            continue
        out, script = tmp_path / f"{number}.txt", tmp_path / f"{number}.vim"
        script.write_text(_VIM_SCRIPT.format(folder=FOLDER / "vim", out=out), encoding="utf-8")
        command = [
            "vim",
            "-es",
            "-N",
            "-u",
            "NONE",
            "-i",
            "NONE",
            "--cmd",
            "set encoding=utf-8",
            "-S",
            str(script),
            name,
        ]
        subprocess.run(command, cwd=FOLDER.parent, timeout=120, check=False)
        groups = [line.split(" ") for line in out.read_text(encoding="utf-8").split("\n")]
        for each in pieces_of(name):
            line, before = text.count("\n", 0, each.start), text[: each.start].rpartition("\n")[2]
            column = len(before.encode())
            size = len(text[each.start : each.end].encode())
            if set(groups[line][column : column + size]) != {each.kind.title()}:
                wrong.append((name, line + 1, text[each.start : each.end], groups[line][column]))
    assert not wrong
