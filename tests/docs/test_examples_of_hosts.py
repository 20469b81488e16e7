"""The examples of hosts run: the bot in a console, JavaScript over lines, Foundry's module against a server, the study."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

EXAMPLES: Final = Path(__file__).resolve().parents[2] / "examples"
NODE: Final = shutil.which("node")
with_node: Final = pytest.mark.skipif(NODE is None, reason="Node is not installed")


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
    assert "fire_roll, 2d6" in said
    assert "d6 can't show 9" in said
    assert "roll 5, column 7" in said
    assert "Target hex is town or woods" in said
    assert "The combat is over." in said
    assert "fire_value" in said.splitlines()[-1]


@with_node
def test_a_javascript_host_plays_over_lines(tmp_path: Path) -> None:
    assert NODE is not None
    said = ran(NODE, "host.mjs", cwd=EXAMPLES / "javascript_host", ENFILADE=enfilade_command(tmp_path)).stdout
    assert "M or worse: 4/9" in said
    assert "roll 5, column 7" in said
    assert "refused: fire_value is 0" in said


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
    assert NODE is not None
    script = tmp_path / "stub.mjs"
    script.write_text(STUB)
    command = [sys.executable, "-m", "enfilade", "serve", "--port", "0", "--workers", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None
        module = (EXAMPLES / "foundry_vtt" / "module.mjs").as_uri()
        said = ran(NODE, str(script), module, address[0], cwd=tmp_path).stdout.splitlines()
        server.terminate()
    assert said[0] == "passed on"
    assert "fire_roll" in said[1]
    assert "5/9" in said[2]
    assert '"whisper":["gm"]' in said[2]
    assert "<b><" not in said[3]
    assert "&#60;b&#62;" in said[3]


def test_the_study_is_a_table() -> None:
    done = ran(sys.executable, "study.py", cwd=EXAMPLES / "balance_study")
    rows = done.stdout.splitlines()
    assert rows[0] == "fire value,clear,town,hill,swamp"
    assert len(rows) == 46
    assert "fire_value" in done.stderr
