"""Transcripts: writes the entries of a pipe or a script with their replies, and replays and compares transcripts.

A transcript contains each prompt with its entry, and the reply. It must not depend on colours, a pager, or the width of
a screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from attrs import define, field, frozen

from enfilade.language import Line, folded, plain
from enfilade.terminal import DONE, WRONG_USAGE
from enfilade_repl.definition_text import is_facts_alone
from enfilade_repl.session import Reply, Session

COLUMNS: Final = 80
_GOES_ON: Final = "... "
_NOTHING_LEFT: Final = "the script has no more entries to answer this question"
_PROMPT: Final = re.compile(r"[A-Za-z_]\w*> ?")

Write = Callable[[str], object]


def is_transcript(text: str) -> bool:
    """Whether a text is a transcript, rather than a script with only entries."""
    first = next((each for each in text.splitlines() if each.strip()), "")
    return _PROMPT.match(first) is not None


# ------------------------------------------------------------------------------------------------------------- entries


def entries_of(lines: Iterable[str], needs_more: Callable[[str], bool]) -> Iterator[str]:
    """Group lines into entries: a definition continues while lines are indented or are chart rows.

    Args:
        lines: The lines.
        needs_more: Whether an entry continues on the next line; called after the earlier entries have run.
    """
    entry: str | None = None
    for each in lines:
        text = each.rstrip("\r\n")
        if entry is not None:
            row = text.lstrip().startswith("|") or ("\t" in text and entry.startswith("chart "))
            if text.strip() and (text[0].isspace() or row):
                entry = f"{entry}\n{text}"
                continue
            yield entry
            entry = None
            if not text.strip():
                continue
        if needs_more(text) or is_facts_alone(text):
            entry = text
        else:
            yield text
    if entry is not None:
        yield entry


@define
class Player:
    """Plays entries in a session and writes the transcript.

    Attributes:
        session: The session.
        write: Takes the text.
        code: The highest exit code so far: 0, 1 or 2.
        ended: Whether an entry ended the session.
    """

    session: Session
    write: Write
    code: int = DONE
    ended: bool = field(default=False)

    def seeded(self) -> None:
        """Write the seed, so the transcript can be replayed."""
        self.enter(f"seed {self.session.state.seed}")

    def enter(self, entry: str) -> Reply:
        """Play one entry."""
        self.write(shown_entry(self.session.prompt, entry))
        reply = self.session.enter(entry)
        self.write(shown_reply(reply, self.session.columns))
        self.code = max(self.code, reply.code)
        self.ended = self.ended or reply.ends
        return reply

    def finish(self) -> int:
        """End the transcript; a question that is still open is an error.

        Returns:
            The exit code.
        """
        if self.session.state.asks and not self.ended:
            self.write(f"{plain([self.session.prompt]).rstrip()}\n{_NOTHING_LEFT}\n")
            self.code = WRONG_USAGE
        return self.code


def shown_entry(prompt: Line, entry: str) -> str:
    """A prompt and an entry, in the form of a transcript."""
    first, *more = entry.split("\n")
    before = plain([prompt]) + " " if prompt and prompt[-1][1].endswith(" ") else plain([prompt])
    return "".join(f"{each}".rstrip() + "\n" for each in (f"{before}{first}", *(_GOES_ON + each for each in more)))


def shown_reply(reply: Reply, columns: int) -> str:
    """The lines of a reply, wrapped to a width."""
    lines = [piece for each in reply.lines for piece in folded(each, columns)]
    return f"{plain(lines)}\n" if lines else ""


def play_lines(session: Session, lines: Iterable[str], write: Write, *, seeded: bool = True) -> int:
    """Play entries, and write the transcript.

    Args:
        session: The session.
        lines: The lines of a script.
        write: Takes the text.
        seeded: Whether the transcript begins with the seed, unless the first entry sets it.

    Returns:
        The exit code: 0 done, 1 if the rules refused or a check failed, 2 if an entry was wrong.
    """
    player = Player(session, write)
    session.chooses = False
    for number, entry in enumerate(entries_of(lines, session.needs_more)):
        if number == 0 and seeded and not entry.startswith("seed"):
            player.seeded()
        if not entry.strip() and not session.state.asks:
            continue
        player.enter(entry)
        if player.ended:
            break
    return player.finish()


# -------------------------------------------------------------------------------------------------------- played again


@frozen
class Difference:
    """The first difference between a transcript and its replay.

    Attributes:
        line: The line, counted from 1.
        expected: The text of the transcript.
        came: The text of the replay.
    """

    line: int
    expected: str
    came: str

    def __str__(self) -> str:
        """Return the difference as a message."""
        return f"line {self.line}: expected {self.expected!r}, but got {self.came!r}"


def replay(session: Session, text: str, write: Write) -> Difference | None:
    """Replay a transcript, and compare the replies.

    Args:
        session: A fresh session.
        text: The transcript.
        write: Receives the transcript of the replay.

    Returns:
        The first difference; ``None`` if there is none.
    """
    came: list[str] = []
    expected = text.splitlines()
    entries = _typed(session, expected)

    def take(part: str) -> None:
        came.append(part)
        write(part)

    player = Player(session, take)
    for entry in entries:
        player.enter(entry)
        if player.ended:
            break
    if expected and expected[-1] == _NOTHING_LEFT:
        player.finish()
    elif session.state.asks and not player.ended:
        take(plain([session.prompt]).rstrip() + "\n")
    return _difference(expected, "".join(came).splitlines())


def entries_in(session: Session, text: str) -> list[str]:
    """The entries of a transcript.

    Args:
        session: A fresh session, in which the entries are run.
        text: The transcript.
    """
    entries = []
    for entry in _typed(session, text.splitlines()):
        session.enter(entry)
        entries.append(entry)
    return entries


def _typed(session: Session, lines: list[str]) -> Iterator[str]:
    """Find each entry by the prompt that the session shows before it."""
    at = 0
    while at < len(lines):
        prompt = plain([session.prompt]).rstrip()
        is_last = session.state.asks and lines[at] == prompt and lines[at + 1 :] in ([], [_NOTHING_LEFT])
        if not lines[at].startswith(prompt) or is_last:
            at += 1
            continue
        entry = [lines[at][len(prompt) :].removeprefix(" ")]
        at += 1
        while at < len(lines) and (lines[at].startswith(_GOES_ON) or lines[at] == _GOES_ON.rstrip()):
            entry.append(lines[at][len(_GOES_ON) :])
            at += 1
        yield "\n".join(entry)


def _difference(expected: list[str], came: list[str]) -> Difference | None:
    for number in range(max(len(expected), len(came))):
        wanted = expected[number].rstrip() if number < len(expected) else ""
        found = came[number].rstrip() if number < len(came) else ""
        if wanted != found:
            return Difference(number + 1, wanted, found)
    return None
