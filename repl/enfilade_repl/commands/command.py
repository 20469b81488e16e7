"""One command of the prompt, as data: its name, its help, and the function that runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import field, frozen

from enfilade.language import Line
from enfilade_repl.session import Session

Run: TypeAlias = Callable[["Session", str], Iterable[Line]]


@frozen
class Command:
    """One command.

    Attributes:
        name: As it is typed.
        shape: What follows it.
        group: Under which heading help lists it.
        help: One line.
        run: What it does, given the session and what follows the name.
        more: Examples, one for each line.
        while_asking: Whether it can be given instead of an answer.
        completes: What can follow it: rulesets, files, charts, procedures, pieces, facts, modifiers, cites, options,
            settings, names, questions, or nothing.
        aliases: Other words for it.
        touches_files: Whether it writes or opens files: it is then never done for another's session.
    """

    name: str
    shape: str
    group: str
    help: str
    run: Run = field(eq=False, repr=False)
    more: tuple[str, ...] = ()
    while_asking: bool = False
    completes: str = ""
    aliases: tuple[str, ...] = ()
    touches_files: bool = False

    @property
    def title(self) -> str:
        """The name in the list of commands."""
        return "what if" if self.name == "what" else self.name

    @property
    def usage(self) -> str:
        """The command with its arguments."""
        return f"{self.name} {self.shape}".strip()


def find(commands: Iterable[Command], name: str) -> Command | None:
    """Find a command by its name or an alias; ``?`` is help.

    Args:
        commands: The table of commands.
        name: What was typed.
    """
    name = "help" if name == "?" else name
    return next((each for each in commands if name in (each.name, *each.aliases)), None)
