"""Random edits: after each, an analysis that takes over what has not changed finds what a new analysis finds.

The suite makes some hundred. For more, run ``python -m tests.editor.edits --number 10000`` from the repository.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

from tests.editor.rules import ROOT, of_file

from enfilade.editor import Analysis, analyse

FILES: Final = tuple(sorted([*ROOT.glob("rulesets/**/*.rules"), *ROOT.glob("stdlib/**/*.rules")]))
_TYPED: Final = (
    "x",
    "1",
    " ",
    "\n",
    "\n  ",
    "|",
    '"',
    "[",
    "-",
    "when ",
    "night",
    "is ",
    "\n\nfacts\n  ",
    "é",
    "--",
    "\t",
)
# How often an edit is undone by the next one, so most texts have few mistakes.
_UNDONE: Final = 0.7


def edited(text: str, chance: random.Random) -> str:
    """A text with one random change: something typed, deleted, moved or written twice."""
    at = chance.randrange(len(text) + 1)
    lines = text.splitlines(keepends=True)
    match chance.randrange(6):
        case 0 | 1:
            return text[:at] + chance.choice(_TYPED) + text[at:]
        case 2:
            return text[:at] + text[at + chance.choice((1, 1, 2, 10)) :]
        case 3 if lines:
            del lines[chance.randrange(len(lines))]
        case 4 if lines:
            lines.insert(chance.randrange(len(lines)), chance.choice(lines))
        case _:
            word = chance.choice(text.split() or ["x"])
            return text[:at] + word + text[at:]
    return "".join(lines)


def texts(text: str, number: int, chance: random.Random) -> Iterator[str]:
    """A text as an author changes it. Most edits are undone, and undoing one is an edit as well."""
    return islice(_texts(text, chance), number)


def _texts(text: str, chance: random.Random) -> Iterator[str]:
    while True:
        changed = edited(text, chance)
        yield changed
        if chance.random() > _UNDONE:
            text = changed
        else:
            yield text


def seen(found: Analysis) -> list[Any]:
    """All that an editor shows of the diagnostics."""
    return [(each.to_json(), each.about) for each in found.diagnostics]


def differs(path: Path, number: int, seed: int, *, with_names: bool = False) -> str | None:
    """Edit a file, and compare after each edit.

    Args:
        path: The file.
        number: How many edits.
        seed: Chooses the edits.
        with_names: Whether names, tokens and the outline are compared as well.

    Returns:
        The first text for which something differs; ``None`` if there is none.
    """
    chance = random.Random(f"{path.name} {seed}")
    found = of_file(path)
    for text in texts(found.source.text, number, chance):
        found = analyse(text, path=path, before=found)
        fresh = analyse(text, path=path)
        if seen(found) != seen(fresh) or (with_names and _shown(found) != _shown(fresh)):
            return text
    return None


def _shown(found: Analysis) -> list[Any]:
    places = [found.source.text.find("\n", at) for at in range(0, len(found.source.text), 999)]
    return [
        [(each.span.start, each.span.end, each.kind, each.declares) for each in found.semantic_tokens()],
        [(each.name, each.kind, each.span.start, each.name_span.start) for each in found.document_symbols()],
        [found.hover(at) and found.hover(at).markdown for at in places],  # type: ignore[union-attr]
        [[(span.source.name, span.start, span.end) for span in found.definition(at)] for at in places],
        found.folding(),
    ]


def main() -> None:
    """Make random edits in the shipped files, and print what differs."""
    parser = argparse.ArgumentParser(description="Compare analyses after random edits.")
    parser.add_argument("--number", type=int, default=10_000, help="edits in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="files at the same time")
    parser.add_argument("--names", action="store_true", help="compare names, tokens and the outline as well")
    arguments = parser.parse_args()
    each = -(-arguments.number // len(FILES))
    wrong = 0
    ask = partial(differs, number=each, seed=arguments.seed, with_names=arguments.names)
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for path, text in zip(FILES, pool.map(ask, FILES), strict=True):
            kept = Path(f"differs-{path.stem}.rules")
            if text is not None:
                wrong += 1
                kept.write_text(text, encoding="utf-8")
            print(
                f"{path.relative_to(ROOT)}: {each} edits, {'none differs' if text is None else f'see {kept}'}",
                flush=True,
            )
    print(f"{each * len(FILES)} edits in {len(FILES)} files, {wrong} files differ")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
