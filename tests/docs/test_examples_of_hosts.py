"""The examples of hosts run: the bot in a console, JavaScript over lines, Foundry's module against a server, the study."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from tests.server.serving import serving

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "examples"
with_node: Final = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
pytestmark = pytest.mark.thorough


def ran(*command: str, cwd: Path, given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
        env=os.environ | environment,
    )


def enfilade_command(folder: Path) -> str:
    """A command that starts this copy of the library."""
    script = folder / "enfilade"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m enfilade "$@"\n')
    script.chmod(0o755)
    return str(script)


def test_the_bot_plays_in_a_console() -> None:
    typed = "hello\nfire direct_fire fire_value=16 terrain=town\nodds\n4 9\n4 1\nwhy\nundo\nroll\nstop\nfire\nfire direct_fire\n"
    said = ran(sys.executable, "console.py", cwd=EXAMPLES / "chat_bot", given=typed).stdout
    assert said.count("Type `fire") == 3
    told = (
        "fire_roll, 2d6",
        "d6 can't show 9",
        "roll 5, column 7",
        "Target hex is town or woods",
        "The combat is over.",
    )
    assert [each for each in told if each not in said] == []
    assert "fire_value" in said.splitlines()[-1]


@with_node
def test_a_javascript_host_plays_over_lines(tmp_path: Path) -> None:
    said = ran("node", "host.mjs", cwd=EXAMPLES / "javascript_host", ENFILADE=enfilade_command(tmp_path)).stdout
    told = ("M or worse: 4/9", "roll 5, column 7", "refused: fire_value is 0")
    assert [each for each in told if each not in said] == []


STUB: Final = """
const posted = [];
const hooks = {};
const values = {};
globalThis.Hooks = { once: (name, call) => (hooks[name] = call), on: (name, call) => (hooks[name] = call) };
globalThis.game = { user: { id: "gm" }, settings: {
  register: (_, key, { default: value }) => (values[key] = value), get: (_, key) => values[key] } };
globalThis.ChatMessage = { create: async (message) => posted.push(message) };
await import(process.argv[2]);
hooks.init();
values.address = process.argv[3];
const say = async (text) => {
  const before = posted.length;
  const passed = hooks.chatMessage(null, text);
  if (passed) return console.log("passed on");
  while (posted.length === before) await new Promise((done) => setTimeout(done, 10));
  console.log(JSON.stringify(posted.at(-1)));
};
await say("hello");
await say("/enfilade direct_fire fire_value=16 terrain=town");
await say("/odds direct_fire fire_value=16 terrain=town");
await say("/odds direct_fire fire_value=<b>");
"""


@with_node
def test_the_module_for_foundry_speaks_to_a_server(tmp_path: Path) -> None:
    script = tmp_path / "stub.mjs"
    script.write_text(STUB)
    module = (EXAMPLES / "foundry_vtt" / "module.mjs").as_uri()
    with serving("--workers", "1") as (address, _):
        passed, fired, odds, wrong = ran("node", str(script), module, address, cwd=tmp_path).stdout.splitlines()
    assert passed == "passed on"
    assert "fire_roll" in fired
    assert "5/9" in odds
    assert '"whisper":["gm"]' in odds
    assert "<b><" not in wrong
    assert "&#60;b&#62;" in wrong


def test_the_study_is_a_table() -> None:
    done = ran(sys.executable, "study.py", cwd=EXAMPLES / "balance_study")
    rows = done.stdout.splitlines()
    assert rows[0] == "fire value,clear,town,hill,swamp"
    assert len(rows) == 46
    assert "fire_value" in done.stderr
