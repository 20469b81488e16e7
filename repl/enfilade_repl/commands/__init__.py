"""The command table of the prompt: the source of help, completion and the player's guide.

To add a command, write a function of the session and the argument text in a file of this folder, and add a
line to this table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from enfilade.language import Line
from enfilade_repl.commands import author, compare, files, help, odds, play, table, why
from enfilade_repl.commands.command import Command, find
from enfilade_repl.session import Session


def _help(session: Session, text: str) -> Iterable[Line]:
    return help.help_on(session, text, COMMANDS)


def _open(session: Session, text: str) -> Iterable[Line]:
    return files.open_session(session, text, COMMANDS)


COMMANDS: Final[tuple[Command, ...]] = (
    # -- play
    Command("use", "RULESET", "Play", "take a ruleset: a shipped name, a file, or a folder", author.use,
            ("use infantry_attacks", "use my_game.rules"), completes="rulesets"),
    Command("play", "PROCEDURE [facts] [on DICE]", "Play", "play a procedure; its name alone does the same", play.play_named,
            ("play direct_fire fire_value 16, terrain town", "direct_fire", "direct_fire fire_value 16 on 4 3"),
            completes="procedures"),
    Command("roll", "PROCEDURE [facts]", "Play", "play a procedure with all dice rolled at once; or roll dice", play.roll,
            ("roll direct_fire fire_value 16", "roll 2d6 + 1"), completes="procedures"),
    Command("again", "[facts]", "Play", "play the last one again: new dice, and other facts where some are given",
            play.play_again, ("again", "again terrain woods"), completes="facts"),
    Command("table", "", "Play", "show the pieces on the table", table.show_pieces, while_asking=True, aliases=("pieces",)),
    Command("apply", "", "Play", "put on the table what the last one changed", table.apply),
    Command("drop", "PIECE", "Play", "take a piece off the table", table.drop, ("drop gun",), completes="pieces"),
    Command("option", "[NAME [VALUE]]", "Play", "show the options of the ruleset, or set one", author.option,
            ("option flanking_fire on",), completes="options"),
    # -- dice
    Command("all", "", "Dice", "at a roll: roll this and all that follow", play.roll_all, while_asking=True),
    Command("worth", "[of QUESTION]", "Dice", "at a choice: what each way to choose comes to", compare.worth,
            ("worth", "worth of steps_left of gun"), while_asking=True),
    Command("cancel", "", "Dice", "give up what is being played", play.cancel, while_asking=True),
    Command("reroll", "", "Dice", "play the last one again with new dice, in its place", play.reroll),
    Command("seed", "[SEED]", "Dice", "show what the dice come from, or set it", play.seed, ("seed 7",), while_asking=True),
    Command("luck", "", "Dice", "the dice of this session: rolled, expected, and how unusual that is", play.show_luck,
            while_asking=True),
    # -- why
    Command("why", "[not [MODIFIER]]", "Why", "explain the last one, or why a modifier did not count", why.why,
            ("why", "why not hill", "why not"), while_asking=True, completes="modifiers"),
    Command("odds", "[PROCEDURE facts] [of QUESTION] [by FACT VALUES] [given CONDITION] [best PLAYER aim QUESTION]", "Why",
            "exact chances: of the last one, of a question, over the values of a fact, of several combats, of dice", odds.odds,
            ("odds", "odds of M or worse", "odds by fire_value 1..45 of M or worse", "odds direct_fire fire_value 11",
             "odds best owner aim steps_left of gun", "odds of count of effects step_loss plus fire_value 30",
             "odds direct_fire fire_value 16 then direct_fire when M or worse",
             "odds until M or worse for 6 turns",
             "odds lowest 2 of 4d10"), while_asking=True, completes="questions"),
    Command("sample", "[TRIALS] [PROCEDURE facts] [of QUESTION] [given CONDITION] [random PLAYER]", "Why",
            "play it many times and count, where exact odds are too large", odds.sample,
            ("sample 20000 of M or worse",), while_asking=True, completes="questions"),
    Command("plot", "by FACT VALUES [of QUESTION]", "Why", "a chance, or the mean of a number, plotted over the values of a fact",
            odds.plot, ("plot by fire_value 1..45 of M or worse",), while_asking=True, completes="questions"),
    Command("what", "if FACTS", "Why", "the last one with other facts: the same dice, and the odds beside", compare.what_if,
            ("what if terrain woods", "what if gun.steps 1"), while_asking=True, completes="facts"),
    Command("least", "FACT CHANCE of CONDITION [within VALUES]", "Why", "the least value of a fact with which something has a chance",
            odds.least, ("least fire_value 50% of M or worse",), while_asking=True, completes="facts"),
    Command("compare", "FACTS [with FACTS] [of QUESTION]", "Why", "two changes of the last one beside each other",
            compare.compare, ("compare terrain town with terrain hill",), while_asking=True, completes="facts"),
    Command("matters", "[of QUESTION]", "Why", "what each modifier would change", odds.matters, ("matters of M or worse",),
            while_asking=True, completes="questions"),
    Command("chart", "[NAME]", "Why", "print a chart, with what was read last marked", why.chart, ("chart direct_fire_table",),
            while_asking=True, completes="charts"),
    Command("charts", "", "Why", "list the charts", why.charts, while_asking=True),
    Command("rule", "[CITATION]", "Why", "every line of the rules that cites a paragraph", why.rule, ("rule 16.3",),
            while_asking=True, completes="cites"),
    # -- author
    Command("load", "FILE", "Author", "take a rules file and watch it: what is saved is checked and tried at once",
            author.use, ("load my_game.rules",), completes="files"),
    Command("reload", "", "Author", "read the file again now, and play the last one again with the same dice", author.reload),
    Command("check", "", "Author", "what the checker warns of", author.check, while_asking=True),
    Command("test", "", "Author", "run the examples of the ruleset", author.test),
    Command("definitions", "", "Author", "show what was defined at the prompt", author.definitions, while_asking=True),
    Command("forget", "NAME", "Author", "take back what was defined at the prompt", author.forget, ("forget procedure scatter",)),
    # -- session
    Command("undo", "", "Session", "take back the last answer, or else the last entry that changed something", play.undo,
            while_asking=True),
    Command("redo", "", "Session", "do again what was undone", play.redo),
    Command("log", "[NUMBER]", "Session", "what was resolved, or one of it with its reasons", files.log, while_asking=True),
    Command("save", "FILE", "Session", "save the session; what was defined, if the file ends in .rules", files.save,
            ("save friday", "save scatter.rules"), completes="files", touches_files=True, while_asking=True),
    Command("open", "[FILE]", "Session", "go on with a session; without a file, list those that are kept", _open,
            ("open", "open last", "open friday"), completes="sessions", touches_files=True),
    Command("record", "FILE.rules", "Session", "write what was resolved as examples to a rules file", files.record,
            ("record played.rules",), completes="files", touches_files=True, while_asking=True),
    Command("share", "[markdown] [FILE]", "Session", "the last one as text to paste in a forum or an e-mail", files.share,
            ("share", "share markdown"), completes="files", touches_files=True, while_asking=True),
    Command("set", "[NAME VALUE]", "Session", "show the settings, or change one", help.change_setting, ("set keys vi",), while_asking=True,
            completes="settings"),
    Command("help", "[NAME]", "Session", "this list, or all about a command or a name of the ruleset", _help,
            ("help odds", "help direct_fire"), while_asking=True, completes="names"),
    Command("quit", "", "Session", "leave; Ctrl-D does the same", files.leave, while_asking=True, aliases=("exit",)),
)  # fmt: skip


def find_command(name: str) -> Command | None:
    """Look up a command by name or alias; ``?`` is help."""
    return find(COMMANDS, name)
