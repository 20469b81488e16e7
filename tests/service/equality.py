"""Compare the answers of all ways to the engine: the API, ``enfilade rpc``, ``enfilade serve`` and Python in a browser.

Run it as a command; it is no test itself, since it takes some minutes::

    python -m tests.service.equality --number 500

Each situation is resolved with its seed, explained, and asked for its odds. Answers that ended at a limit of time are left
out, because each way has its own clock.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

from attrs import frozen
from tests.service.requests import GAMES, MADE, as_requests, situations

import enfilade
from enfilade.service import Service

ROOT: Final = Path(__file__).resolve().parents[2]
BROWSER: Final = ROOT / "web/scripts/rpc.mjs"


@frozen
class Way:
    """One way to the engine: its name, and its answers as lines."""

    name: str
    answers: list[str]
    seconds: float


def requests(number: int, seed: int) -> list[dict[str, Any]]:
    """Requests about random situations of all games, as many for each."""
    rng = random.Random(seed)
    named: list[Any] = [*GAMES, *({"text": path.read_text(encoding="utf-8")} for path in MADE)]
    games = [each for each in (_of_game(ruleset, rng, number) for ruleset in named) if each is not None]
    found: list[dict[str, Any]] = []
    while len(found) < 2 * number:
        found += next(games[len(found) // 2 % len(games)])
    return found


def _of_game(ruleset: Any, rng: random.Random, number: int) -> Iterator[list[dict[str, Any]]] | None:
    """The requests about one situation after the other; ``None`` if nothing of the ruleset can be played."""
    rules = enfilade.load(ruleset) if isinstance(ruleset, str) else enfilade.load(text=ruleset["text"])
    if not rules.procedures:
        return None
    return (as_requests(ruleset, *situation) for situation in situations(rules, rng, number))


def by_library(lines: list[str]) -> list[str]:
    """The answers of ``Service`` in this process."""
    service = Service()
    return [service.handle_text(line) or "" for line in lines]


def by_process(*command: str) -> Any:
    """The answers of a process that reads lines."""

    def ask(lines: list[str]) -> list[str]:
        done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    return ask


def by_server(lines: list[str]) -> list[str]:
    """The answers of ``enfilade serve``."""
    command = [sys.executable, "-m", "enfilade", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address is not None
        found = []
        for line in lines:
            asked = Request(f"{address[0]}rpc", line.encode(), {"content-type": "application/json"})
            with urlopen(asked, timeout=60) as answer:
                found.append(answer.read().decode())
        process.terminate()
    return found


def _ended_at_a_limit(answer: str) -> bool:
    return any(sign in answer for sign in ('"limit_error"', '"limit":"seconds"', "check-too-long"))


def main() -> int:
    """Print how many answers agree."""
    parser = argparse.ArgumentParser(description="Compare the answers of all ways to the engine.")
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lines = [json.dumps(each) for each in requests(given.number, given.seed)]
    asks = {
        "library": by_library,
        "rpc": by_process(sys.executable, "-m", "enfilade", "rpc", "--untrusted"),
        "serve": by_server,
    }
    node = shutil.which("node")
    if node is not None and (ROOT / "web/public/engine").is_dir():
        asks["browser's Python"] = by_process(node, str(BROWSER))
    else:
        print("browser's Python: left out; build the page first (web/README.md)")
    ways = []
    for name, ask in asks.items():
        start = time.perf_counter()
        ways.append(Way(name, ask(lines), time.perf_counter() - start))
    first = ways[0]
    wrong = 0
    for way in ways:
        pairs = [*zip(first.answers, way.answers, strict=True)]
        timed = [at for at, pair in enumerate(pairs) if any(_ended_at_a_limit(text) for text in pair)]
        differ = [at for at, (a, b) in enumerate(pairs) if a != b and at not in timed]
        print(
            f"{way.name:18} {len(lines)} answers, {len(differ)} differ, {len(timed)} ended at a limit, {way.seconds:.1f} s"
        )
        for at in differ[:3]:
            print(f"    {lines[at][-300:]}\n    {first.answers[at][:300]}\n    {way.answers[at][:300]}")
        wrong += len(differ)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
