"""Draw sentences at random from all that people read, for a reader who has not seen the project.

Run it as a command; it is no test itself::

    python -m tests.english.sentences 200 --seed 1

The reader marks each sentence that had to be read twice; at most four of 200 may be marked.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import frozen

ROOT: Final = Path(__file__).resolve().parents[2]
_PAGES: Final = ("README.md", "SECURITY.md", "docs/*.md", "rulesets/*/README.md", "stdlib/*.md", "repl/README.md")
_HELP: Final = ("dsl/enfilade/diagnostics/pages/*.md",)
_CODE: Final = ("dsl/enfilade/**/*.py", "repl/enfilade_repl/**/*.py")
_RULES: Final = ("rulesets/**/*.rules", "stdlib/**/*.rules")
# These write Python or rules, not sentences.
_WRITERS: Final = (
    "engines/compile/",
    "syntax/unparse",
    "tools/rule_lines.py",
    "tools/first_ruleset.py",
    "syntax/generate.py",
    "engines/fact_validation.py",
    "server/security.py",
)
_LEAST_WORDS: Final = 4
_SHARES: Final = {"docs": 60, "help": 30, "messages": 80, "labels": 15, "schemas": 15}
"""How many of 200 sentences come from each kind of text."""

_STOP: Final = re.compile(r"(?<=[.!?:])\s+(?=[A-Z`*\"])")
_MARKS: Final = re.compile(r"^(?:#+|[-*](?=\s)|\d+\.|>|\|)\s*|\s*\|$")
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_FORM: Final = re.compile(r"\*\*Form\*\*|<\w+[ >]")
_LABEL: Final = re.compile(r'(?<!reads )"([^"\n]+)"')
_FIELD: Final = re.compile(r"\{[^{}]*\}")
_WORD: Final = re.compile(r"[A-Za-z']{2,}")


@frozen
class Sentence:
    """A sentence, and the place where it is written."""

    kind: str
    text: str
    place: str


def sentences() -> Iterator[Sentence]:
    """Every sentence that people read."""
    for path in _files(*_PAGES):
        yield from _of_page("docs", path)
    for path in _files(*_HELP):
        yield from _of_page("help", path)
    for path in _files(*_CODE):
        if not any(writer in path.as_posix() for writer in _WRITERS):
            yield from _of_code(path)
    for path in _files("dsl/enfilade/schemas/*.json"):
        for text in _descriptions(json.loads(path.read_text(encoding="utf-8"))):
            yield Sentence("schemas", text, _place(path, 1))
    for path in _files(*_RULES):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield from (Sentence("labels", text, _place(path, number)) for text in _LABEL.findall(line))


def drawn(number: int, seed: int) -> list[Sentence]:
    """Draw sentences, a share of each kind."""
    chance = random.Random(seed)
    found: dict[str, list[Sentence]] = {kind: [] for kind in _SHARES}
    for each in dict.fromkeys(sentences()):
        if len(_WORD.findall(_FIELD.sub("", each.text))) >= _LEAST_WORDS:
            found[each.kind].append(each)
    whole = sum(_SHARES.values())
    picked = [
        each
        for kind, of in found.items()
        for each in chance.sample(of, min(len(of), round(number * _SHARES[kind] / whole)))
    ]
    chance.shuffle(picked)
    return picked


def _files(*patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(ROOT.glob(pattern))


def _place(path: Path, line: int) -> str:
    return f"{path.relative_to(ROOT)}:{line}"


def _of_page(kind: str, path: Path) -> Iterator[Sentence]:
    """The sentences of a page of Markdown, without its blocks of code."""
    is_code, paragraph, start = False, "", 1
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
            line = ""
        elif is_code:
            continue
        starts_anew = not line.strip() or _MARKS.match(line.strip())
        if starts_anew and paragraph:
            yield from _cut(kind, paragraph, _place(path, start))
            paragraph = ""
        if line.strip():
            start = start if paragraph else number
            paragraph += f" {line.strip()}"


def _cut(kind: str, paragraph: str, place: str) -> Iterator[Sentence]:
    cells = [paragraph] if not paragraph.strip().startswith("|") else paragraph.strip().strip("|").split(" | ")
    for cell in cells:
        for text in _STOP.split(_MARKS.sub("", cell.strip())):
            # What is left of a form without its code, or of a row of links, is no sentence.
            if not _FORM.match(text.strip()) and _LINK.sub("", text).strip(" ·,:"):
                yield Sentence(kind, _LINK.sub(r"\1", text).strip().replace("**", ""), place)


def _of_code(path: Path) -> Iterator[Sentence]:
    """The texts of a module that are not documentation of its code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    documentation = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    # A text below an assignment documents it.
    documentation |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    # The names that a package exports, by the module that declares them.
    tables = (node for node in ast.walk(tree) if isinstance(node, ast.Dict) and _are_modules(node.keys))
    documentation |= {id(value) for node in tables for value in node.values}
    within = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in documentation or (id(node) in within and not isinstance(node, ast.JoinedStr)):
            continue
        text = _text_of(node)
        if text is not None and " " in text and not re.search(r"\\[bdswS]|\(\?|%\(|<\w+[ >]", text):
            for sentence in _STOP.split(text):
                yield Sentence("messages", " ".join(sentence.split()), _place(path, getattr(node, "lineno", 1)))


def _are_modules(keys: Sequence[ast.expr | None]) -> bool:
    """Whether the keys of a table name modules: ``api.entries``."""
    names = [str(key.value) for key in keys if isinstance(key, ast.Constant)]
    return any("." in name for name in names) and all(re.fullmatch(r"[a-z_.]+", name) for name in names)


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part).strip('{}')}}}"
            for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _descriptions(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (str(value) for key, value in data.items() if key == "description")
        for value in data.values():
            yield from _descriptions(value)
    elif isinstance(data, list):
        for value in data:
            yield from _descriptions(value)


def main() -> None:
    """Print the sentences that were drawn, with their places."""
    parser = argparse.ArgumentParser(description="Draw sentences that people read.")
    parser.add_argument("number", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", action="store_true", help="only count the sentences of each kind")
    given = parser.parse_args()
    if given.count:
        every = [each.kind for each in dict.fromkeys(sentences())]
        for kind in _SHARES:
            print(f"{every.count(kind):6} {kind}")
        return
    for number, each in enumerate(drawn(given.number, given.seed), 1):
        print(f"{number:3} [{each.kind}] {each.text}\n      {each.place}")


if __name__ == "__main__":
    main()
