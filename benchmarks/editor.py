"""How long the language service takes for a keystroke in a text of 2,000 lines.

Run it from the repository with ``python -m benchmarks.editor``. Every keystroke is a letter typed at a random place of
the text, which is analysed as ``enfilade lsp`` does it: what did not change is taken over from the analysis before.
"""

import argparse
import json
import random
import time
from collections.abc import Callable
from typing import Any

from benchmarks.large_ruleset import large_ruleset
from enfilade.editor import Analysis, analyse

QUESTIONS: dict[str, Callable[[Analysis, int], object]] = {
    "diagnostics": lambda found, at: found.diagnostics,
    "first name (hover)": lambda found, at: found.hover(at),
    "completion": lambda found, at: found.completion(at),
    "semantic tokens": lambda found, at: found.semantic_tokens(),
    "outline": lambda found, at: found.document_symbols(),
    "folding": lambda found, at: found.folding(),
}


def keystroke(before: Analysis, at: int) -> dict[str, float]:
    """Seconds for each question after a letter was typed; the check of the text belongs to the diagnostics."""
    taken = {}
    text = before.source.text
    found: Analysis | None = None
    for name, ask in QUESTIONS.items():
        begin = time.perf_counter()
        found = found or analyse(text[:at] + "x" + text[at:], before=before)
        ask(found, at)
        taken[name] = time.perf_counter() - begin
    return taken


def main() -> None:
    """Measure and print milliseconds: the median and the 90th percentile."""
    parser = argparse.ArgumentParser(description="Time keystrokes in a large ruleset.")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="print data instead of a table")
    arguments = parser.parse_args()
    text, chance = large_ruleset(arguments.lines), random.Random(16)
    before = analyse(text)
    for ask in QUESTIONS.values():
        # As an editor does after the keystroke before.
        ask(before, 0)
    rounds = [keystroke(before, chance.randrange(len(text))) for _ in range(arguments.rounds)]
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
