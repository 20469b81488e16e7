"""How long the language service takes for a keystroke in a text of 2,000 lines.

Run it from the repository with ``python -m benchmarks.editor``. A letter is typed at a random place of the text and
deleted again: two keystrokes. After each, the text is analysed as ``enfilade lsp`` does it: what did not change is taken
over from the analysis before.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import Any

from benchmarks.large_ruleset import large_ruleset
from enfilade.cli.lsp import collect_garbage_rarely
from enfilade.editor import Analysis, analyse

QUESTIONS: dict[str, Callable[[Analysis, int], object]] = {
    "diagnostics": lambda found, at: found.diagnostics,
    "first name (hover)": lambda found, at: found.hover(at),
    "completion": lambda found, at: found.completion(at),
    "semantic tokens": lambda found, at: found.semantic_tokens(),
    "outline": lambda found, at: found.document_symbols(),
    "folding": lambda found, at: found.folding(),
}


def keystroke(before: Analysis, text: str, at: int) -> tuple[Analysis, dict[str, float]]:
    """Seconds for each question after an edit; the check of the text belongs to the diagnostics."""
    taken = {}
    found: Analysis | None = None
    for name, ask in QUESTIONS.items():
        begin = time.perf_counter()
        found = found or analyse(text, before=before)
        ask(found, at)
        taken[name] = time.perf_counter() - begin
    assert found is not None
    return found, taken


def main() -> None:
    """Measure and print milliseconds: the median and the 90th percentile."""
    parser = argparse.ArgumentParser(description="Time keystrokes in a large ruleset.")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="print data instead of a table")
    arguments = parser.parse_args()
    collect_garbage_rarely()
    text, chance = large_ruleset(arguments.lines), random.Random(16)
    before, _ = keystroke(analyse(text), text, 0)
    rounds = []
    for _ in range(arguments.rounds):
        at = chance.randrange(len(text))
        # A letter is typed, and deleted again.
        for edited in (text[:at] + "x" + text[at:], text):
            before, taken = keystroke(before, edited, at)
            rounds.append(taken)
    found: dict[str, Any] = {}
    for name in QUESTIONS:
        times = sorted(1000 * each[name] for each in rounds)
        found[name] = {"median": times[len(times) // 2], "p90": times[int(0.9 * (len(times) - 1))]}
    if arguments.json:
        print(json.dumps(found, indent=2))
        return
    for name, each in found.items():
        print(f"{name:20} median {each['median']:7.1f} ms   90 % {each['p90']:7.1f} ms")


if __name__ == "__main__":
    main()
