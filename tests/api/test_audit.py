"""Untrusted texts open no file, socket or process: an audit hook watches every call, in a process of its own.

Two events are ours: the process reads its own memory, and a misspelt module is compared with the names of shipped ones.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

WATCHED: Final = '''
import sys
import enfilade
from enfilade.tools import format_text, reference_card

TEXT = """{text}"""
CALLS = 3


def every_call(text):
    limits = enfilade.Limits.untrusted()
    enfilade.check(text, limits=limits)
    enfilade.check("define x = y\\nuse \\"../secret.rules\\"\\n", limits=limits)
    rules = enfilade.load(text=text, limits=limits)
    outcome = rules.resolve("main", n=1, seed=1)
    str(outcome.explain()), outcome.to_json()
    run = rules.begin("main", n=1)
    rules.resume(run.save()).roll(1)
    str(rules.odds("main", n=1).result), rules.procedures, rules.charts
    rules.sample("main", n=1, trials=10, seed=1).result
    reference_card(rules), format_text(text)


every_call(TEXT)  # imports everything
opened = []


def watch(event, args):
    kinds = ("open", "os.", "socket.", "subprocess.", "shutil.", "import", "ctypes.", "urllib.", "tempfile.", "pty.")
    own_memory = event == "open" and args[0] == "/proc/self/statm"
    shipped_names = event == "os.scandir" and str(args[0]).endswith(("stdlib", "rulesets"))
    if event.startswith(kinds) and not own_memory and not shipped_names:
        opened.append((event, repr(args)[:200]))


sys.addaudithook(watch)
for number in range(CALLS):
    every_call(TEXT + f"define more{{number}} = {{number}}\\n")
{more}
print(opened)
'''
RULES: Final = """facts
  n 0..
chart fire
  down d6
  | d | r |
  | 1..6 | hit |
procedure main
  1. roll d6 as die
  2. give result = die + n
"""


def opened(more: str = "") -> str:
    """What a process opens while it checks, plays and asks."""
    program = WATCHED.format(text=RULES, more=more)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_calls_with_an_untrusted_text_open_nothing() -> None:
    assert opened() == "[]"


@pytest.mark.thorough
def test_the_hook_sees_an_opened_file() -> None:
    assert "/etc/hostname" in opened("open('/etc/hostname').close()")
