"""How often completion has the wanted word among the first, when nothing of it is typed yet.

Run it from the repository with ``python -m benchmarks.completion [FILES]``. Finished files are cut at each word, as if
they were written from top to bottom. A place counts unless a new name is made there: a name that is declared at the
place, or that nothing above declares.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from enfilade.editor import Analysis, analyse

ROOT = Path(__file__).parents[1]
GAMES = (
    "tests/generality/odds_afrika_korps.rules",
    "tests/generality/battletech_hits.rules",
    "tests/generality/terrible_swift_sword.rules",
    "tests/generality/flames_of_war.rules",
    "rulesets/franco_prussian/melee.rules",
    "rulesets/infantry_attacks/infantry_attacks.rules",
)
FEW = 5
# These are not completed: nobody looks up a number or a text.
_SKIPPED = frozenset(("number", "string", "citation", "comment", "range", "dice"))
_WORD = re.compile(r"(?<![/\w])[A-Za-z]\w*")


@frozen
class Place:
    """A word of a finished text, and where completion has it.

    Attributes:
        line: Its line, from 1.
        before: The line before the word.
        word: The word.
        kind: Its kind of token.
        rank: Its rank among the words offered, from 1; 0 if it is not offered.
        first: The first words offered.
    """

    line: int
    before: str
    word: str
    kind: str
    rank: int
    first: tuple[str, ...]


def places(path: Path, *, every: int = 1, typed: int = 0) -> Iterator[Place]:
    """Cut a text at its words, and ask for completion.

    Args:
        path: The file.
        every: Ask at every so many words only.
        typed: So many letters of the word are typed.
    """
    text = path.read_text("utf-8")
    whole = analyse(text, path=path)
    made = set(_made_here(whole))
    words = [
        (token.kind, token.span.start + match.start(), match[0])
        for token in whole.semantic_tokens()
        if token.kind not in _SKIPPED
        for match in _WORD.finditer(token.span.text)
        if token.span.start not in made
    ]
    found: Analysis | None = None
    for kind, start, word in words[::every]:
        found = analyse(text[: start + typed], path=path, before=found)
        offered = [each.name for each in found.completion(start + typed).items]
        wanted = (at for at, each in enumerate(offered, 1) if each.split()[0] == word or text.startswith(each, start))
        rank = next(wanted, 0)
        line, column = whole.source.line_column(start)
        before = text[start - column + 1 : start]
        yield Place(line, before, word, kind, rank, tuple(offered[:FEW]))


def _made_here(whole: Analysis) -> Iterator[int]:
    """The places of names that are declared there, or that are not known above."""
    seen: set[object] = set()
    foreign = {each.key for each in whole.names if any(s.source is not whole.source for s in whole.places_of(each.key))}
    for each in whole.names:
        if each.declares or (each.key not in seen | foreign and each.key.kind != "built-in"):
            yield each.span.start
        seen.add(each.key)
    codes = set[str]()
    for token in whole.semantic_tokens():
        if token.kind in ("code", "cell"):
            if token.span.text not in codes or "#" in token.span.text:
                yield token.span.start
            codes.add(token.span.text)


def main() -> None:
    """Measure and print a row for each file."""
    parser = argparse.ArgumentParser(description="Measure the ranks of completion.")
    parser.add_argument("files", nargs="*", type=Path, default=[ROOT / each for each in GAMES])
    parser.add_argument("--every", type=int, default=1, help="ask at every so many words")
    parser.add_argument("--typed", type=int, default=0, help="so many letters of each word are typed")
    parser.add_argument("--late", action="store_true", help="print the words that are not among the first")
    arguments = parser.parse_args()
    total = Counter[str]()
    print(f"{'':40} {'places':>7} {'first':>7} {'in 5':>7} {'not offered':>12}")
    for path in arguments.files:
        counted = Counter[str]()
        for each in places(path, every=arguments.every, typed=arguments.typed):
            counted["places"] += 1
            counted["first"] += each.rank == 1
            counted["few"] += 0 < each.rank <= FEW
            counted["missing"] += each.rank == 0
            if arguments.late and not 0 < each.rank <= FEW:
                print(f"{each.line}: {each.before}[{each.word}]  {each.rank}  {', '.join(each.first)}")
        total += counted
        _print(path.name, counted)
    _print("all", total)


def _print(name: str, counted: Counter[str]) -> None:
    every = counted["places"] or 1
    shares = (f"{counted[each] / every:7.1%}" for each in ("first", "few"))
    print(f"{name:40} {counted['places']:7} {' '.join(shares)} {counted['missing'] / every:12.1%}")


if __name__ == "__main__":
    main()
