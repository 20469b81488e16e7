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
        name: The name that players type.
        shape: The syntax of its arguments.
        group: Its heading in the list of commands.
        help: One line.
        run: The function of the session and the argument text.
        more: Examples, one for each line.
        while_asking: Whether it is available while a question is open.
        completes: The kind of argument: rulesets, files, charts, procedures, pieces, facts, modifiers, cites, options,
            settings, names, questions, or nothing.
        aliases: Its other names.
        touches_files: Whether it writes or opens files; the replay of a journal skips such commands.
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
        name: The typed name.
    """
    name = "help" if name == "?" else name.lower()
    return next((each for each in commands if name in (each.name, each.title, *each.aliases)), None)
