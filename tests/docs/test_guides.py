"""The guides say what is so: all that they show is run, and compared word for word.

A page is played from its top to its end, in a folder of its own that begins empty. Its fenced blocks are:

- ``console``: lines ``$ enfilade ...`` with what they print; ``>`` and ``<`` lead to and from a file, ``$ cat FILE`` shows one,
  and ``$ echo $?`` the exit code;
- ``session``: a piece of a session at the prompt, which goes on from block to block; a block that begins with
  ``enfilade> `` begins a new one;
- any kind with ``file=NAME``: a file that the reader writes; with ``append`` too, lines at the end of it;
- ``diff file=NAME``: an edit; the lines with `-` are taken out of the file, those with `+` put in their place;
- ``python``: each line that is a value gives what its comment says; ``python arrays`` is run where NumPy is installed;
- ``sh``: commands for a terminal, which are held to the parser alone;
- ``text``: something to look at, which is not run.

``python tests/docs/test_guides.py`` writes the outputs again. In a block of a session that is new, an entry may be written
``> entry``.
"""

from __future__ import annotations

import ast
import difflib
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from fractions import Fraction
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, field, frozen

from enfilade.api.plain_data import plain as plain_data
from enfilade.cli import main
from enfilade.cli.commands import build_parser
from enfilade.language import plain
from enfilade_repl.commands import COMMANDS
from enfilade_repl.dispatch import new_session
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS
from enfilade_repl.transcript import COLUMNS, Player

HAS_NUMPY: Final = find_spec("numpy") is not None
DOCS: Final = Path(__file__).resolve().parents[2] / "docs"
PAGES: Final = tuple(DOCS / f"{name}.md" for name in ("playing", "authoring", "odds", "protocol", "embedding"))
# These take seconds.
LONG: Final = ("playing", "authoring", "odds", "embedding")
# The tables of the player's guide.
TABLES: Final = (
    "| command | what it does |\n|---|---|\n" + "".join(f"| `{each.usage}` | {each.help} |\n" for each in COMMANDS),
    "| setting | values, the default first | what it does |\n|---|---|---|\n"
    + "".join(
        f"| `{each.name}` | {', '.join(f'`{value}`' for value in each.values)} | {each.help} |\n" for each in SETTINGS
    ),
)
_FENCE: Final = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LIKE_A_PROMPT: Final = re.compile(r"(?:\w+>|\S.*\):)(?: (?P<entry>.*))?")
_GOES_ON: Final = "... "


@frozen
class Block:
    """A fenced block of a page.

    Attributes:
        kind: The word after the fence.
        rest: What follows it.
        body: The lines.
        line: Where it begins.
    """

    kind: str
    rest: str
    body: str
    line: int

    @property
    def file(self) -> str | None:
        """The file that the reader writes or edits."""
        found = re.search(r"\bfile=(\S+)", self.rest)
        return found[1] if found else None


def blocks(text: str) -> Iterator[tuple[Block, tuple[int, int]]]:
    """The blocks of a page, and where their lines stand."""
    for found in _FENCE.finditer(text):
        yield Block(found[1], found[2].strip(), found[3], text.count("\n", 0, found.start()) + 1), found.span(3)


# ----------------------------------------------------------------------------------------------------------- playing


@define
class Reader:
    """Does what a page says, block after block, in the folder in which it stands.

    Attributes:
        session: The session at the prompt.
        code: The exit code of the last command.
        names: What the Python of the page has named.
    """

    session: Session | None = None
    code: int = 0
    names: dict[str, Any] = field(factory=dict)

    def read(self, block: Block) -> str:
        """Do what a block says.

        Returns:
            The block as it comes out.
        """
        if block.kind == "diff":
            self._edit(block)
        elif block.file is not None:
            with open(block.file, "a" if "append" in block.rest.split() else "w", encoding="utf-8") as stream:
                stream.write(block.body)
        elif block.kind == "console":
            return "".join(self._commanded(block))
        elif block.kind == "session":
            return self._typed(block)
        elif block.kind == "python":
            return self._evaluated(block) if HAS_NUMPY or block.rest != "arrays" else block.body
        elif block.kind == "sh":
            for each in block.body.splitlines():
                words = shlex.split(each, comments=True)
                assert words[0] == "enfilade", each
                build_parser().parse_args(words[1:])
        else:
            # Programs in TypeScript are tested beside the package.
            assert block.kind in ("text", "ts"), f"line {block.line}: there are no blocks of {block.kind}"
        return block.body

    def _edit(self, block: Block) -> None:
        assert block.file is not None
        lines = block.body.splitlines(keepends=True)
        assert all(each[0] in " +-\n" for each in lines), f"line {block.line}: each line has a mark, or a blank"
        old = "".join(each[1:] or each for each in lines if not each.startswith("+"))
        new = "".join(each[1:] or each for each in lines if not each.startswith("-"))
        path = Path(block.file)
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"line {block.line}: {text.count(old)} places of {path} have these lines"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def _commanded(self, block: Block) -> Iterator[str]:
        for each in block.body.splitlines():
            if each.startswith("$ "):
                yield f"{each}\n{self._command(shlex.split(each[2:]))}"

    def _command(self, words: list[str]) -> str:
        if words == ["echo", "$?"]:
            return f"{self.code}\n"
        if words[0] == "cat":
            return Path(words[1]).read_text(encoding="utf-8")
        assert words[0] == "enfilade", words
        # The files that it reads from and writes to.
        files = {mark: words[words.index(mark) + 1] for mark in ("<", ">") if mark in words}
        arguments = [each for each, before in zip(words[1:], words, strict=False) if not {each, before} & files.keys()]
        output = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
        given = sys.stdin
        with open(files.get("<", os.devnull), encoding="utf-8") as sys.stdin:
            try:
                with redirect_stdout(output), redirect_stderr(output):
                    self.code = main(arguments)
            finally:
                sys.stdin = given
        output.seek(0)
        text = output.read()
        if ">" not in files:
            return text
        Path(files[">"]).write_text(text, encoding="utf-8")
        return ""

    def _typed(self, block: Block) -> str:
        lines = block.body.splitlines()
        if lines[0].startswith("enfilade> "):
            self.session = new_session(columns=COLUMNS)
        session = self.session
        assert session is not None, f"line {block.line}: the first session begins with `enfilade> `"
        written: list[str] = []
        player = Player(session, written.append)
        for entry in _entries(session, lines, block.line):
            player.enter(entry)
        if session.state.asks:
            written.append(f"{plain([session.prompt]).rstrip()}\n")
        return "".join(written)

    def _evaluated(self, block: Block) -> str:
        lines = block.body.splitlines()
        for node in ast.parse(block.body).body:
            source = ast.get_source_segment(block.body, node) or ""
            if not isinstance(node, ast.Expr):
                exec(source, self.names)
                continue
            came = plain_data(eval(source, self.names))
            before, _, comment = lines[(node.end_lineno or 1) - 1].partition("  # ")
            if came != plain_data(eval(comment or "None", {"Fraction": Fraction})):
                lines[(node.end_lineno or 1) - 1] = f"{before}  # {came!r}"
        return "".join(f"{each}\n" for each in lines)


def _entries(session: Session, lines: list[str], number: int) -> Iterator[str]:
    """What is typed in a block, found by the prompt that the session shows when it gets there."""
    at = 0
    while at < len(lines):
        prompt = plain([session.prompt]).rstrip()
        found = _next_entry(lines, at, prompt)
        if found is None:
            left = [each for each in lines[at:] if each.startswith("> ") or re.match(r"\w+> ", each)]
            assert not left, f"in the block of line {number} nothing is typed at `{prompt}`, but there is `{left[0]}`"
            return
        at, entry = found
        if at == len(lines) and not entry and session.state.asks and not lines[-1].startswith(">"):
            return
        while at < len(lines) and (lines[at].startswith(_GOES_ON) or lines[at] == _GOES_ON.rstrip()):
            entry += "\n" + lines[at][len(_GOES_ON) :]
            at += 1
        yield entry


def _next_entry(lines: list[str], start: int, prompt: str) -> tuple[int, str] | None:
    """The next line that was typed, and where the line after it is: one with this prompt, or else with any."""
    numbered = list(enumerate(lines))[start:]
    for at, each in numbered:
        if each.startswith(prompt) or each == ">" or each.startswith("> "):
            before = prompt if each.startswith(prompt) else ">"
            return at + 1, each[len(before) :].removeprefix(" ")
    for at, each in numbered if not prompt.endswith(">") else ():
        like = _LIKE_A_PROMPT.fullmatch(each)
        if like is not None:
            return at + 1, like["entry"] or ""
    return None


def read_page(text: str) -> Iterator[tuple[Block, tuple[int, int], str]]:
    """Do all that a page says, in a new folder: its blocks, where they stand, and what comes of each."""
    reader = Reader()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("COLUMNS", str(COLUMNS))
        surroundings.setenv("NO_COLOR", "1")
        for each in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            surroundings.setenv(each, str(Path(folder, "home")))
        for block, span in blocks(text):
            yield block, span, reader.read(block)


# ------------------------------------------------------------------------------------------------------------- tests


@pytest.mark.parametrize(
    "page",
    [pytest.param(each, marks=pytest.mark.thorough if each.stem in LONG else (), id=each.stem) for each in PAGES],
)
def test_what_a_guide_shows_is_what_comes(page: Path) -> None:
    for block, _, came in read_page(page.read_text(encoding="utf-8")):
        differs = difflib.unified_diff(
            block.body.splitlines(), came.splitlines(), "the page", "what comes", lineterm=""
        )
        assert block.body == came, "\n".join((f"{page.name}, line {block.line}:", *differs))


def test_the_players_guide_lists_every_command_and_setting() -> None:
    text = (DOCS / "playing.md").read_text(encoding="utf-8")
    for table in TABLES:
        assert f"\n{table}\n" in text


# ----------------------------------------------------------------------------------------------------------- writing


def write_again(page: Path) -> None:
    """Write the outputs and the tables of a page again."""
    text = page.read_text(encoding="utf-8")
    pieces, end = [], 0
    for _, (start, stop), came in read_page(text):
        pieces += [text[end:start], came]
        end = stop
    text = "".join((*pieces, text[end:]))
    for rows in TABLES:
        head = rows.partition("\n")[0]
        old = re.search(rf"^{re.escape(head)}\n(?:\|.*\n)+", text, re.MULTILINE)
        text = text if old is None else text[: old.start()] + rows + text[old.end() :]
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for each in PAGES:
        write_again(each)
