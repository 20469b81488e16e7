"""How questions that are too large end: the time and memory that they take beyond their budget, and the cause they name.

Each question runs in a process of its own, with a budget of a few seconds of processor time. It must end within 1.1 times the time and
below the memory, by an answer or by a ``LimitError`` that names a cause::

    python -m benchmarks.limits [--seconds 2] [--megabytes 512]
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

MILLION = """\
facts
  n  1..
die million faces 1..10000
procedure main
  1. roll n million as dice
  2. give result = dice
     give faces = dice.values
     give best = highest of dice.values or 0
"""
LARGE_DIE = """\
facts
  n  1..
procedure main
  1. roll n d1000000 as dice
  2. give result = dice
"""
EXPLODING = """\
facts
  n  1..
procedure main
  1. roll n d10 as dice, explode on 10
     let hits = count of dice.values where each >= 7
     let botches = count of dice.values where each is 1
     let high = highest 3 of dice.values
  2. give result = hits - botches
     give sum = sum of high
"""
DUEL = """\
record side
  hits  ..100 = 100
  fury  0.. = 0
facts
  a  side
  b  side
procedure main
  1. repeat until a.hits <= 0 or b.hits <= 0, limit 1000 times
       roll 2d12 as blow
       roll 2d12 as riposte
       b.hits becomes b.hits - blow
       a.hits becomes a.hits - riposte
       when blow is 24: a.fury becomes a.fury + 1
       when riposte is 24: b.fury becomes b.fury + 1
  2. give result = a.hits - b.hits
     give fury = a.fury - b.fury
"""
DECKS = (
    "\n".join(f"deck d{number} of 4 x red, 5 x black, 6 x white, 7 x blue" for number in range(9))
    + "\nprocedure main\n"
    + "\n".join(f"  draw 4 from d{number} as hand{number}" for number in range(9))
    + "\n  give result = "
    + " followed by ".join(f"hand{number}" for number in range(9))
    + "\n"
)
JOINT = """\
record unit
  steps  0..60 = 60
facts
  units  list of unit
procedure main
  1. for each unit in units
       roll 3d6 as die
       unit.steps becomes unit.steps - die
  2. give result = list of steps over units
"""
EFFECTS = """\
effect mark "is marked" (amount 0..)
procedure main
  1. repeat 60 times
       roll d6 as die
       mark with amount die
  2. give result = list of amount over effects mark
"""
DEAL = "deck cards of 26 x red, 26 x black\nprocedure main\n  draw 20 from cards as hand\n  give result = hand\n"
MANY_FACES = "procedure main\n  roll 12d6 as dice\n  give result = dice.values\n"


def nested(depth: int, body: str) -> str:
    lines = [f"{'  ' * (at + 1)}repeat 9 times" for at in range(depth)]
    return "\n".join([*lines, f"{'  ' * (depth + 1)}{body}"])


def deep(depth: int) -> str:
    return f"procedure main\n  let x = 0\n{nested(depth, 'x becomes x + 1')}\n  give result = x\n"


def deep_rolls(depth: int) -> str:
    body = nested(depth, "roll d6 as die")
    return f"procedure main\n  let x = 0\n{body}\n{'  ' * (depth + 1)}x becomes x * 7 + die\n  give result = x\n"


def calls(last: str) -> str:
    main = "record side\n  hits  0..\nfacts\n  side  side\nprocedure main\n  call p0\n  give result = side.hits\n"
    texts = [f"procedure p{at}\n{nested(3, f'call p{at + 1}')}\n" for at in range(20)]
    return "\n".join([main, *texts, f"procedure p20\n  {last}\n  side.hits becomes side.hits + die\n"])


def growing(step: str, start: str = "0", result: str = "x") -> str:
    return f"facts\n  n  1..\nprocedure main\n  let x = {start}\n  repeat n times\n{step}\n  give result = {result}\n"


UNITS = [f"u{number}" for number in range(30)]
QUESTIONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a million dice of 10,000 faces": (MILLION, "result", {"n": 1_000_000}),
    "10,000 dice of 10,000 faces, total": (MILLION, "result", {"n": 10_000}),
    "10,000 dice of 10,000 faces, faces": (MILLION, "faces", {"n": 10_000}),
    "500 dice of a million faces": (LARGE_DIE, "result", {"n": 500}),
    "loops, 20 deep": (deep(20), "result", {}),
    "rolls in loops, 4 deep": (deep_rolls(4), "result", {}),
    "rolls in loops, 20 deep": (deep_rolls(20), "result", {}),
    "60 loops through calls": (calls("let die = 3"), "result", {"side": {"hits": 0}}),
    "60 loops through calls, rolled": (calls("roll d6 as die"), "result", {"side": {"hits": 0}}),
    "30 units, joint": (JOINT, "result", {"units": UNITS}),
    "60 effects in order": (EFFECTS, "result", {}),
    "20 cards in order": (DEAL, "result", {}),
    "12 dice in order": (MANY_FACES, "result", {}),
    "a number squared n times": (growing("    x becomes x * x", "2"), "result", {"n": 10**9}),
    "a list doubled n times": (growing("    x becomes x followed by x", "[1]", "count of x"), "result", {"n": 10**9}),
    "a number counted n times": (growing("    x becomes x + 1"), "result", {"n": 10**9}),
    "a total of n dice": (growing("    roll d6 as die\n    x becomes x + die"), "result", {"n": 10**9}),
    "40 exploding dice with botches": (EXPLODING, "result", {"n": 40}),
    "highest 3 of 40 exploding dice": (EXPLODING, "sum", {"n": 40}),
    "a duel of 100 hits, margin": (DUEL, "result", {"a": {}, "b": {}}),
    "a duel of 100 hits, fury": (DUEL, "fury", {"a": {}, "b": {}}),
    "9 decks": (DECKS, "result", {}),
}


def ask(name: str, seconds: float, megabytes: float) -> dict[str, Any]:
    """Ask one question in this process, and measure it."""
    import resource

    import enfilade

    text, question, facts = QUESTIONS[name]
    rules = enfilade.load(text=text)
    # The first question imports the engine.
    enfilade.load(text="procedure main\n  roll d6 as die\n  give result = die\n").odds("main").of("result")
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.thread_time()
    try:
        odds = rules.odds("main", given=facts, limits=enfilade.Limits(seconds=seconds, megabytes=megabytes))
        found = odds.of(question)
        ending = "exact" if found.exact else f"not exact: {float(found.remainder):.1g}"
    except enfilade.EnfiladeError as error:
        ending = str(error)
    took = time.thread_time() - began
    return {
        "took": took,
        "peak": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024,
        "ending": ending,
    }


def run(name: str, seconds: float, megabytes: float) -> dict[str, Any]:
    """Ask one question in a process of its own."""
    asked = [sys.executable, "-m", "benchmarks.limits", "--one", name, "--seconds", str(seconds)]
    done = subprocess.run([*asked, "--megabytes", str(megabytes)], capture_output=True, text=True, check=False)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"took": 0, "peak": 0, "ending": f"FAILED: {done.stderr[-300:]}"}
    return found


def main(show: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--megabytes", type=float, default=512)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--only", default="", help="questions whose name has this in it")
    args = parser.parse_args()
    if args.one:
        show(json.dumps(ask(args.one, args.seconds, args.megabytes)))
        return
    show(f"budget {args.seconds:g} s, {args.megabytes:g} MB")
    for name in QUESTIONS:
        if args.only in name:
            found = run(name, args.seconds, args.megabytes)
            late = found["took"] > 1.1 * args.seconds or found["peak"] > args.megabytes
            mark = "LATE" if late else ""
            show(f"{name:36}{found['took']:7.2f} s{found['peak']:7.0f} MB {mark:5}{found['ending'][:300]}")


if __name__ == "__main__":
    main()
