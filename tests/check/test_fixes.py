"""Every fix that is shown was tried: applied to the text, it removes the mistake that it stands with.

Valid texts get one mistake by chance: a token deleted, doubled, exchanged with its neighbour, or replaced by a word or a
sign of another language. ``python -m tests.check.test_fixes 2000`` prints how many mistakes had a fix.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic, Severity, edited
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.syntax.tokens import TypedToken, tokens

ROOT: Final = Path(__file__).resolve().parents[2]
LARGEST: Final = 6_000
FOREIGN: Final = (
    "=", "==", "!=", "&&", "||", "//", "%", "+=", ":=", ";", "{", "if", "then", "else", "return", "print", "null", "true",
    "max(2, 3)", "attacker", "retreats", "1-3", "x", "×", "≥", "2d6", "d6", "each", "is", "of", "'a'", "-", "5 hexes",
)  # fmt: skip


def valid_texts() -> list[Path]:
    """The small rulesets of the project."""
    found = [*ROOT.glob("rulesets/**/*.rules"), *ROOT.glob("stdlib/*.rules"), *ROOT.glob("tests/generality/**/*.rules")]
    small = [path for path in sorted(found) if path.stat().st_size <= LARGEST]
    return [path for path in small if not any(map(_is_error, diagnostics(path, path.read_text(encoding="utf-8"))))]


def diagnostics(path: Path, text: str) -> tuple[Diagnostic, ...]:
    """What a check says of a version of a file."""
    return check_source(SourceFile(str(path), text, path), Folders()).diagnostics


def _is_error(found: Diagnostic) -> bool:
    return found.severity is Severity.ERROR


def with_mistake(text: str, rng: random.Random) -> str:
    """The text with one token changed."""
    found = [each for each in tokens(text) if each.kind not in ("blank", "comment") and each.end > each.start]
    at = rng.randrange(len(found) - 1)
    this, following = found[at], found[at + 1]
    written = {
        "deleted": "", "doubled": f"{_text(text, this)} {_text(text, this)}", "foreign": rng.choice(FOREIGN),
    }  # fmt: skip
    kind = rng.choice(["deleted", "doubled", "exchanged", "foreign", "foreign"])
    if kind == "exchanged":
        between = text[this.end : following.start]
        return text[: this.start] + _text(text, following) + between + _text(text, this) + text[following.end :]
    return text[: this.start] + written[kind] + text[this.end :]


def _text(text: str, token: TypedToken) -> str:
    return text[token.start : token.end]


def useless_fixes(seed: str, number: int, counts: Counter[str]) -> Iterator[str]:
    """The fixes that leave their mistake where it was, in texts with a mistake by chance."""
    rng, paths = random.Random(seed), valid_texts()
    for _ in range(number):
        path = rng.choice(paths)
        text = with_mistake(path.read_text(encoding="utf-8"), rng)
        found = [each for each in diagnostics(path, text) if _is_error(each)]
        counts.update(texts=1, mistakes=len(found))
        for each in found:
            if each.fix is None or any(edit.span.source.name != str(path) for edit in each.fix.edits):
                continue
            counts.update(fixes=1)
            after = diagnostics(path, edited(SourceFile(str(path), text), each.fix.edits))
            if any((d.code, d.message, d.span.line) == (each.code, each.message, each.span.line) for d in after):
                yield f"{path.name}:{each.span.line}: {each.message}: {each.fix.message}"


@pytest.mark.parametrize("seed", ["a", "b"])
def test_a_fix_removes_its_mistake(seed: str) -> None:
    counts: Counter[str] = Counter()
    assert list(useless_fixes(seed, 20, counts)) == []


@pytest.mark.thorough
def test_two_thousand_mistakes() -> None:
    counts: Counter[str] = Counter()
    assert list(useless_fixes("many", 2_000, counts)) == []
    assert counts["fixes"] > 200


if __name__ == "__main__":
    total: Counter[str] = Counter()
    print(*useless_fixes("shown", int(sys.argv[1]), total), sep="\n")
    print(dict(total))
