"""Hostile rulesets: does each call end within ``Limits.untrusted()``?

Each ruleset runs in a process of its own. The operating system caps its memory at 512 MB beyond what the process has after
its imports. The table shows the slowest call, what ended it, its seconds of processor time, and the peak memory beyond the start.

    python -m benchmarks.hostile [NAME ...]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import enfilade
from enfilade.editor import analyse
from enfilade.tools import format_text, reference_card, run_ruleset_examples

CAP: Final = 512 * 2**20
P: Final = "procedure main\n"
FIRST: Final = "enfilade 1.1\n"


def lines(number: int, line: Callable[[int], str]) -> str:
    """Lines that differ by their number."""
    return "".join(line(n) + "\n" for n in range(number))


def chained(number: int, kind: Callable[[int, int], str], last: str) -> str:
    """Declarations that each use the next one."""
    return lines(number, lambda n: kind(n, n + 1)) + last + "\n"


def pool(dice: str, *rest: str) -> str:
    """A procedure with one roll."""
    thrown, comma, again = dice.partition(",")
    return f"{FIRST}{P}  roll {thrown} as dice{comma}{again}\n" + "".join(f"  {line}\n" for line in rest)


LOOP: Final = f"{FIRST}{P}  let x = 0\n  let l = (1..2)\n"
HOSTILE: Final[dict[str, dict[str, str]]] = {
    "deep nesting": {
        "brackets": f"define x = {'(' * 4_900}1{')' * 4_900}\n",
        "negations": f"define x = {'not ' * 2_400}1 is 1\n",
        "blocks": P + lines(300, lambda n: "  " * (n + 1) + "when 1 is 1") + "  " * 301 + "give x = 1\n",
        "conditions": f"define x = {'1 when 1 is 1 otherwise ' * 400}2\n",
    },
    "long lines": {
        "terms": f"define x = {' + '.join(['1'] * 2_400)}\n",
        "name": f"define {'x' * 9_900} = 1\n",
        "quote": f'ruleset x "{"y" * 9_900}"\n',
        "blanks": f"define x = 1{' ' * 9_900}\n",
    },
    "long chains": {
        "definitions": chained(1_900, lambda a, b: f"define d{a} = d{b} + 1", "define d1900 = 1") + f"{P}  give result = d0\n",
        "procedures": chained(1_500, lambda a, b: f"procedure p{a}\n  1. call p{b}", "procedure p1500\n  1. give x = 1") + f"{P}  call p0\n",
        "doubling": chained(24, lambda a, b: f"define d{a} = d{b} + d{b}", "define d24 = 1") + f"{P}  give result = d0\n",
        "many ways": chained(20, lambda a, b: f"define d{a} = d{b} when d{b} > 3 otherwise d{b} + d{b}", "define d20 = 1") + f"{P}  give result = d0\n",
    },
    "many declarations": {
        "facts": "facts\n" + lines(1_900, lambda n: f"  f{n} 0..") + f"{P}  give result = f1\n",
        "definitions": lines(1_900, lambda n: f"define d{n} = {n} + {n}") + f"{P}  give result = d1\n",
        "charts": lines(1_500, lambda n: f"chart c{n}\n  down d2\n  | d | r |\n  | 1 | a |\n  | 2 | b |"),
        "examples": f"{P}  roll d6 as x\n  give result = x\n" + lines(1_500, lambda n: f'example main "e{n}"\n  on 3\n  gives 3'),
    },
    "large charts": {
        "rows": "chart c\n  down d6000\n| d | r |\n" + lines(6_000, lambda n: f"| {n + 1} | a |"),
        "columns": f"facts\n  n 1..1500\nchart c\n  down d2\n  across n\n|  | {' | '.join(map(str, range(1, 1_501)))} |\n" + lines(2, lambda n: f"| {n + 1} {'| a ' * 1_500}|"),
        "like": "chart c0\n  down d2\n| d | r |\n| 1 | a |\n| 2 | b |\n" + lines(1_900, lambda n: f"chart c{n + 1} like c{n}\n| d | r |\n| 1 | a |\n| 2 | b |"),
        "ragged": "chart c\n  down d9000\n" + lines(4_000, lambda n: f"| {n + 1} " + "| a " * (n % 7) + "|"),
    },
    "misspelt names": {
        "near misses": "facts\n" + lines(1_000, lambda n: f"  strength_of_unit_{n} 0..") + P + lines(1_000, lambda n: f"  give x{n} = strength_off_unit_{n}"),
        "look-alikes": lines(9, lambda _: f"define x = {'а' * 4_900}"),
        "look-alike lines": lines(3_000, lambda n: f"define dеf{n} = {n}"),
        "codes": "chart c\n  down d900\n| d | r |\n" + lines(900, lambda n: f"| {n + 1} | code{n} |") + "results of c\n" + lines(900, lambda n: f'  coed{n}  "a"'),
    },
    "huge numbers": {
        "literal": f"define x = {'9' * 9_000}\n",
        "powers": LOOP + "  let x = 3\n  repeat 5000 times: let x = x * x\n  give result = x\n",
        "fractions": LOOP + "  let x = 1\n  repeat 5000 times: let x = x * 7 / 3\n  give result = x\n",
        "die": f"{P}  roll 1d999999999999999 as x\n",
    },
    "huge lists": {
        "range": f"{P}  let l = (1..999999999)\n  give result = count of l\n",
        "doubled": LOOP + "  repeat 40 times: let l = l followed by l\n  give result = count of l\n",
        "nested": LOOP + "  let l = (1..10000)\n  repeat 5000 times: let l = l sorted\n  give result = count of l\n",
        "product": LOOP + "  let l = (1..9000)\n  give result = count of (l where any of l where each is 0)\n",
    },
    "endless loops": {
        "until": LOOP + "  repeat until x is 1: let x = 0\n  give result = x\n",
        "counted": LOOP + "  repeat 999999999 times: let x = x + 1\n  give result = x\n",
        "nested": LOOP + "  repeat 99999 times\n    repeat 99999 times: let x = x + 1\n  give result = x\n",
        "recursion": f"{P}  call main\n",
    },
    "explosions and rerolls": {
        "always": pool("d6, explode on 1..6", "give result = dice"),
        "nearly": pool("100d1000, explode on 2..1000", "give result = dice"),
        "reroll": pool("100d6, reroll 1..6", "give result = dice"),
        "both": pool("50d6, reroll 1..5, explode on 6", "give result = highest 3 of dice"),
    },
    "big pools in odds": {
        "sorted": pool("60d20", "give result = dice.values sorted"),
        "listed": pool("40d6", "give result = dice.values"),
        "sum": pool("1000d1000", "give result = dice"),
        "mixed": pool("30d4 + 30d6 + 30d8 + 30d10", "give result = highest 20 of dice.values"),
    },
    "loops in odds": {
        "walk": LOOP + "  repeat until x > 5000\n    roll 2d20 as step\n    let x = x + step\n  give result = x\n",
        "two counters": f"{FIRST}{P}  let a = 0\n  let b = 0\n  repeat until a > 900 or b > 900\n    roll 2d20 as step\n    let a = a + step when step > 20 otherwise a\n    let b = b + step\n  give result = a - b\n",
        "after a roll": pool("3d100", "let x = 0", "repeat 90000 times: let x = x + dice", "give result = x"),
        "many rolls": LOOP + "  repeat 900 times\n    roll d100 as step\n    let l = l followed by step\n  give result = count of l\n",
    },
    "recursion between modules": {
        "itself": 'use "main.rules"\n' + f"{P}  give result = 1\n",
        "others": lines(1_000, lambda n: f'use "m{n}.rules"') + f"{P}  give result = 1\n",
        "outside": 'use "../../../../etc/passwd.rules"\nuse "/etc/passwd.rules"\n' + f"{P}  give result = 1\n",
        "library": lines(40, lambda _: "use dice") + f"{P}  give result = 1\n",
    },
    "huge outputs": {
        "effects": f"{FIRST}effect hit (by 0..)\n{P}  let x = 0\n  repeat 90000 times\n    let x = x + 1\n    hit with by x\n",
        "lists": f"{FIRST}effect keep (kept list of 0..)\n{P}  let x = 0\n  repeat 9000 times\n    let x = x + 1\n    keep with kept (x..(x + 9000))\n",
        "labels": lines(700, lambda n: f'define d{n} = {n}  "{"long label " * 8}"') + P + lines(700, lambda n: f'  let x{n} = d{n}  "{"y" * 20}"'),
        "outputs": P + lines(1_900, lambda n: f"  give o{n} = (1..1000)"),
    },
    "odd texts": {
        "control characters": "define x = 1\n" + "\x1b[31m\x07" * 10_000,
        "one letter a line": "x\n" * 49_000,
        "open brackets a line": lines(5_500, lambda n: f"define d{n} = ("),
        "more than 100 kB": "-- " + "x" * 2_000_000,
    },
}  # fmt: skip


QUESTIONS: Final[dict[str, dict[str, str]]] = {
    "many questions": {
        "modifiers": "facts\n  n  0..9 = 3\nmodifiers drm\n" + lines(900, lambda n: f"  +1  m{n}  n > {n % 9}") + f"{P}  1. roll 40d6 as dice\n  2. give result = dice + drm\n",
        "chances": f"{P}  1. roll 60d6 as dice\n  2. give result = sum of highest 9 of dice.values\n" + lines(900, lambda n: f'example main "{n}"\n  chance of result is {n} = 1/3'),
        "facts": "facts\n" + lines(900, lambda n: f"  f{n}  0..9 = 0") + f"{P}  1. roll 30d6 as dice\n  2. give result = dice + (f0 when f1 > 3 otherwise f2)\n",
    },
}  # fmt: skip
"""Rulesets about which some calls ask many questions."""


# ------------------------------------------------------------------------------------------------------ one ruleset


def calls(text: str, *, many: bool) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The calls that a host makes of a text, in turn; the later ones only if it loads.

    Args:
        text: The text.
        many: Whether the calls that ask many questions are among them.
    """
    limits = enfilade.Limits.untrusted()
    found: list[Any] = []
    yield "check", lambda: found.extend(enfilade.check(text, limits=limits))
    yield "print", lambda: "\n".join(map(str, (each.to_json() for each in found)))
    yield "fmt", lambda: format_text(text)
    loaded: list[enfilade.Ruleset] = []
    yield "load", lambda: loaded.append(enfilade.load(text=text, limits=limits))
    if not loaded or "main" not in [each.name for each in loaded[0].procedures]:
        return
    rules = loaded[0]
    facts = {each.name: 1 for each in rules.inputs("main").values() if each.required}
    outcomes: list[enfilade.Outcome] = []
    yield "resolve", lambda: outcomes.append(rules.resolve("main", given=facts, seed=1))
    if outcomes:
        yield "explain", lambda: str(outcomes[0].explain())
        yield "to_json", lambda: json.dumps(outcomes[0].to_json())
    yield "odds", lambda: str(rules.odds("main", given=facts).result)
    yield "card", lambda: reference_card(rules)
    if not many:
        return
    wide: dict[str, Any] = {"of": "result", "given": facts}
    yield "matters", lambda: rules.matters("main", **wide)
    yield "sensitivity", lambda: rules.sensitivity("main", **wide)
    yield "sample", lambda: rules.sample("main", trials=10**9, given=facts, kernel=False).of("result")
    yield "test", lambda: list(run_ruleset_examples(rules))
    extended = cache(lambda: rules.extended("define extra = 1"))
    yield "extended", extended
    yield "diff", lambda: rules.diff(extended())
    fact = next((each.name for each in rules.inputs("main").values()), None)
    if fact is not None:
        yield "prepare_many", lambda: rules.prepare_many("main", {fact: range(10**6)}, **wide)
    yield "answer_text", lambda: rules.begin("main").answer_text("9" * 10**7)
    analysis = analyse(text)
    yield "tokens", analysis.semantic_tokens
    yield "folding", analysis.folding
    yield "symbols", analysis.document_symbols


def tried(text: str, *, many: bool = False) -> list[dict[str, Any]]:
    """Each call with what ended it and its seconds."""
    rows = []
    with enfilade.limited(enfilade.Limits.untrusted()):
        for name, call in calls(text, many=many):
            began = time.thread_time()
            try:
                call()
                ended = "ended"
            except enfilade.LimitError as error:
                ended = error.limit
            except enfilade.RulesetError as error:
                ended = error.diagnostics[0].code if error.diagnostics else "refused"
            except enfilade.EnfiladeError as error:
                ended = type(error).__name__
            rows.append({"call": name, "ended": ended, "seconds": time.thread_time() - began})
    return rows


def in_this_process(name: str) -> dict[str, Any]:
    """Run one ruleset with capped memory."""
    warm = enfilade.load(text=pool("2d6", "give result = dice"))
    warm.resolve("main", seed=1).explain()
    str(warm.odds("main").result), reference_card(warm), format_text(P + "  give x = 1\n")
    pages, resident = map(int, Path("/proc/self/statm").read_text().split()[:2])
    size = resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (pages * size + CAP, pages * size + CAP))
    kind, _, which = name.partition("/")
    rows = tried({**HOSTILE, **QUESTIONS}[kind][which], many=True)
    slowest = max(rows, key=lambda row: row["seconds"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - resident * size
    last = "; ".join(dict.fromkeys(row["ended"] for row in rows if row["ended"] != "ended")) or "ended"
    return {**slowest, "all": last, "megabytes": peak / 2**20}


# ------------------------------------------------------------------------------------------------------------- all


def names(wanted: list[str]) -> list[str]:
    """The names of the rulesets, or of those that contain a word."""
    every = [f"{kind}/{which}" for kind, texts in {**HOSTILE, **QUESTIONS}.items() for which in texts]
    return [name for name in every if not wanted or any(word in name for word in wanted)]


def row(name: str) -> str:
    """Run one ruleset in a process of its own, and show what happened."""
    asked = [sys.executable, "-m", "benchmarks.hostile", "--one", name]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        return f"| {name} | FAILED | {done.stderr.strip().splitlines()[-1] if done.stderr else done.returncode} | | |"
    found = json.loads(done.stdout)
    return f"| {name} | {found['all']} | {found['call']} | {found['seconds']:.2f} | {found['megabytes']:.0f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--one")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(in_this_process(args.one)))
        return
    print("| ruleset | what ended its calls | slowest call | seconds | MB |\n|---|---|---|---|---|")
    for name in names(args.names):
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
