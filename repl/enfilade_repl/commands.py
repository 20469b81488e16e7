"""The commands of the prompt as data: name, shape, help, and what they do.

Help, completion and the player's guide are made from this table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import field, frozen

from enfilade.language import Line
from enfilade_repl import authoring, chances, contrasting, helping, keeping, moves, placing, reasons

if TYPE_CHECKING:
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
        """What help lists it by."""
        return "what if" if self.name == "what" else self.name

    @property
    def usage(self) -> str:
        """The command with what follows it."""
        return f"{self.name} {self.shape}".strip()


COMMANDS: Final = (
    # -- play
    Command("use", "RULESET", "Play", "take a ruleset: a shipped name, a file, or a folder", authoring.use,
            ("use infantry_attacks", "use my_game.rules"), completes="rulesets"),
    Command("play", "PROCEDURE [facts] [on DICE]", "Play", "play a procedure; its name alone does the same", moves.play_named,
            ("play direct_fire fire_value 16, terrain town", "direct_fire", "direct_fire fire_value 16 on 4 3"),
            completes="procedures"),
    Command("roll", "PROCEDURE [facts]", "Play", "play a procedure with all dice rolled at once; or roll dice", moves.roll,
            ("roll direct_fire fire_value 16", "roll 2d6 + 1"), completes="procedures"),
    Command("again", "[facts]", "Play", "play the last one again: new dice, and other facts where some are given",
            moves.play_again, ("again", "again terrain woods"), completes="facts"),
    Command("table", "", "Play", "show the pieces on the table", placing.show_pieces, while_asking=True, aliases=("pieces",)),
    Command("apply", "", "Play", "put on the table what the last one changed", placing.apply),
    Command("drop", "PIECE", "Play", "take a piece off the table", placing.drop, ("drop gun",), completes="pieces"),
    Command("option", "[NAME [VALUE]]", "Play", "show the options of the ruleset, or set one", authoring.option,
            ("option flanking_fire on",), completes="options"),
    # -- dice
    Command("all", "", "Dice", "at a roll: roll this and all that follow", moves.roll_all, while_asking=True),
    Command("worth", "[of QUESTION]", "Dice", "at a choice: what each way to choose comes to", contrasting.worth,
            ("worth", "worth of steps_left of gun"), while_asking=True),
    Command("cancel", "", "Dice", "give up what is being played", moves.cancel, while_asking=True),
    Command("reroll", "", "Dice", "play the last one again with new dice, in its place", moves.reroll),
    Command("seed", "[SEED]", "Dice", "show what the dice come from, or set it", moves.seed, ("seed 7",), while_asking=True),
    Command("luck", "", "Dice", "the dice of this session: rolled, expected, and how unusual that is", moves.show_luck,
            while_asking=True),
    # -- why
    Command("why", "[not [MODIFIER]]", "Why", "explain the last one, or why a modifier did not count", reasons.why,
            ("why", "why not hill", "why not"), while_asking=True, completes="modifiers"),
    Command("odds", "[PROCEDURE facts] [of QUESTION] [by FACT VALUES] [given CONDITION] [best PLAYER aim QUESTION]", "Why",
            "exact chances: of the last one, of a question, over the values of a fact, of dice", chances.odds,
            ("odds", "odds of M or worse", "odds by fire_value 1..45 of M or worse", "odds direct_fire fire_value 11",
             "odds best owner aim steps_left of gun", "odds lowest 2 of 4d10"), while_asking=True, completes="questions"),
    Command("sample", "[TRIALS] [PROCEDURE facts] [of QUESTION] [given CONDITION] [random PLAYER]", "Why",
            "play it many times and count, where exact odds are too large", chances.sample,
            ("sample 20000 of M or worse",), while_asking=True, completes="questions"),
    Command("plot", "by FACT VALUES [of QUESTION]", "Why", "a chance, or the mean of a number, plotted over the values of a fact",
            chances.plot, ("plot by fire_value 1..45 of M or worse",), while_asking=True, completes="questions"),
    Command("what", "if FACTS", "Why", "the last one with other facts: the same dice, and the odds beside", contrasting.what_if,
            ("what if terrain woods", "what if gun.steps 1"), while_asking=True, completes="facts"),
    Command("least", "FACT CHANCE of CONDITION [within VALUES]", "Why", "the least value of a fact with which something has a chance",
            chances.least, ("least fire_value 50% of M or worse",), while_asking=True, completes="facts"),
    Command("compare", "FACTS [with FACTS] [of QUESTION]", "Why", "two changes of the last one beside each other",
            contrasting.compare, ("compare terrain town with terrain hill",), while_asking=True, completes="facts"),
    Command("matters", "[of QUESTION]", "Why", "what each modifier would change", chances.matters, ("matters of M or worse",),
            while_asking=True, completes="questions"),
    Command("chart", "[NAME]", "Why", "print a chart, with what was read last marked", reasons.chart, ("chart direct_fire_table",),
            while_asking=True, completes="charts"),
    Command("charts", "", "Why", "list the charts", reasons.charts, while_asking=True),
    Command("rule", "[CITATION]", "Why", "every line of the rules that cites a paragraph", reasons.rule, ("rule 16.3",),
            while_asking=True, completes="cites"),
    # -- author
    Command("load", "FILE", "Author", "take a rules file and watch it: what is saved is checked and tried at once",
            authoring.use, ("load my_game.rules",), completes="files"),
    Command("reload", "", "Author", "read the file again now, and play the last one again with the same dice", authoring.reload),
    Command("check", "", "Author", "what the checker warns of", authoring.check, while_asking=True),
    Command("test", "", "Author", "run the examples of the ruleset", authoring.test),
    Command("definitions", "", "Author", "show what was defined at the prompt", authoring.definitions, while_asking=True),
    Command("forget", "NAME", "Author", "take back what was defined at the prompt", authoring.forget, ("forget procedure scatter",)),
    # -- session
    Command("undo", "", "Session", "take back the last answer, or else the last entry that changed something", moves.undo,
            while_asking=True),
    Command("redo", "", "Session", "do again what was undone", moves.redo),
    Command("log", "[NUMBER]", "Session", "what was resolved, or one of it with its reasons", keeping.log, while_asking=True),
    Command("save", "FILE", "Session", "save the session; what was defined, if the file ends in .rules", keeping.save,
            ("save friday", "save scatter.rules"), completes="files", touches_files=True, while_asking=True),
    Command("open", "[FILE]", "Session", "go on with a session; without a file, list those that are kept", keeping.open_session,
            ("open", "open last", "open friday"), completes="sessions", touches_files=True),
    Command("record", "FILE.rules", "Session", "write what was resolved as examples to a rules file", keeping.record,
            ("record played.rules",), completes="files", touches_files=True, while_asking=True),
    Command("share", "[markdown] [FILE]", "Session", "the last one as text to paste in a forum or an e-mail", keeping.share,
            ("share", "share markdown"), completes="files", touches_files=True, while_asking=True),
    Command("set", "[NAME VALUE]", "Session", "show the settings, or change one", helping.change_setting, ("set keys vi",), while_asking=True,
            completes="settings"),
    Command("help", "[NAME]", "Session", "this list, or all about a command or a name of the ruleset", helping.help_on,
            ("help odds", "help direct_fire"), while_asking=True, completes="names"),
    Command("quit", "", "Session", "leave; Ctrl-D does the same", keeping.leave, while_asking=True, aliases=("exit",)),
)  # fmt: skip

_BY_NAME: Final = {name: command for command in COMMANDS for name in (command.name, *command.aliases)}


def find_command(name: str) -> Command | None:
    """The command of a name; `?` is help."""
    return _BY_NAME.get("help" if name == "?" else name)


def groups() -> Iterator[tuple[str, tuple[Command, ...]]]:
    """The commands under their headings."""
    for group in dict.fromkeys(command.group for command in COMMANDS):
        yield group, tuple(command for command in COMMANDS if command.group == group)
