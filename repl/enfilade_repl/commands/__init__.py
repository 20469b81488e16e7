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
    Command("use", "RULESET", "Play", "use a shipped ruleset, a file or a folder", author.use,
            ("use infantry_attacks", "use my_game.rules"), completes="rulesets"),
    Command("games", "", "Play", "list the rulesets that you can use", author.games, while_asking=True, aliases=("rulesets",)),
    Command("procedures", "", "Play", "list what you can play in this game", author.procedures, while_asking=True, aliases=("events",)),
    Command("facts", "[PROCEDURE]", "Play", "list the facts that you can give", author.facts, ("facts", "facts direct_fire"), while_asking=True,
            completes="procedures"),
    Command("play", "PROCEDURE [facts] [on DICE]", "Play", "play a procedure; you can leave out the word `play`", play.play_named,
            ("play direct_fire fire_value 16, terrain town", "direct_fire", "direct_fire fire_value 16 on 4 3"),
            completes="procedures", aliases=("resolve",)),
    Command("roll", "PROCEDURE [facts]", "Play", "play a procedure and roll all its dice at once, or just roll some dice", play.roll,
            ("roll direct_fire fire_value 16", "roll 2d6 + 1"), while_asking=True, completes="procedures"),
    Command("again", "[facts]", "Play", "play the last combat again with new dice, and with any facts that you change",
            play.play_again, ("again", "again terrain woods"), completes="facts"),
    Command("table", "", "Play", "show the pieces on the table", table.show_pieces, while_asking=True, aliases=("pieces", "units")),
    Command("apply", "", "Play", "update the pieces on the table after the last combat", table.apply),
    Command("drop", "PIECE", "Play", "take a piece off the table", table.drop, ("drop gun",), completes="pieces"),
    Command("option", "[NAME [VALUE]]", "Play", "show the options of the ruleset, or set one", author.option,
            ("option flanking_fire on",), completes="options", aliases=("options",)),
    # -- dice
    Command("all", "", "Dice", "when asked for a roll: roll these dice and all later ones", play.roll_all, while_asking=True),
    Command("worth", "[of QUESTION]", "Dice", "when asked for a choice: compare the odds of each option", compare.worth,
            ("worth", "worth of steps_left of gun"), while_asking=True),
    Command("cancel", "", "Dice", "stop the combat that is being played", play.cancel, while_asking=True),
    Command("reroll", "", "Dice", "replace the last combat: play it again with new dice", play.reroll, while_asking=True),
    Command("seed", "[SEED]", "Dice", "show or set the seed of the dice", play.seed, ("seed 7",), while_asking=True),
    Command("luck", "", "Dice", "show how lucky the dice of this session were", play.show_luck,
            while_asking=True),
    # -- why
    Command("why", "[short] [all] [not [MODIFIER]]", "Why", "explain the last combat; `short` is one line, `all` every step, `not` the modifiers that did not apply",
            why.why, ("why", "why short", "why not hill", "why not"), while_asking=True, completes="modifiers"),
    Command("odds", "[PROCEDURE facts] [of QUESTION] [by FACT VALUES] [given CONDITION] [best PLAYER aim QUESTION] [policy CHOICE: EXPRESSION]", "Why",
            "show exact chances for the last combat, a question, each value of a fact, several combats, or dice", odds.odds,
            ("odds", "odds of M or worse", "odds by fire_value 1..45 of M or worse", "odds by low_edge by night of M or worse",
             "odds direct_fire fire_value 11",
             "odds best owner aim steps_left of gun", "odds of count of effects step_loss plus fire_value 30",
             "odds direct_fire fire_value 16 then direct_fire when M or worse",
             "odds until M or worse for 6 turns",
             "odds lowest 2 of 4d10"), while_asking=True, completes="questions", aliases=("chance", "chances")),
    Command("sample", "[TRIALS] [PROCEDURE facts] [of QUESTION] [given CONDITION] [random PLAYER]", "Why",
            "estimate odds from many random plays, if exact odds take too long", odds.sample,
            ("sample 20000 of M or worse",), while_asking=True, completes="questions"),
    Command("grid", "by FACT VALUES [by FACT VALUES] [of QUESTION]", "Why", "show a chance for each value of one or two facts", odds.grid,
            ("grid by fire_value 1..45 by night of M or worse",), while_asking=True, completes="questions"),
    Command("plot", "by FACT VALUES [of QUESTION]", "Why", "plot a chance or a mean over the values of a fact",
            odds.plot, ("plot by fire_value 1..45 of M or worse",), while_asking=True, completes="questions"),
    Command("what", "if FACTS", "Why", "play the last combat with other facts and the same dice, and compare the odds", compare.what_if,
            ("what if terrain woods", "what if gun.steps 1"), while_asking=True, completes="facts", aliases=("whatif",)),
    Command("least", "FACT CHANCE of CONDITION [within VALUES]", "Why", "find the lowest value of a fact at which a condition has a given chance",
            odds.least, ("least fire_value 50% of M or worse",), while_asking=True, completes="facts"),
    Command("compare", "FACTS [with FACTS] [of QUESTION]", "Why", "compare two changes to the last combat",
            compare.compare, ("compare terrain town with terrain hill", "compare low_edge stays with low_edge no_effect"), while_asking=True, completes="facts"),
    Command("matters", "[of QUESTION]", "Why", "show the odds with and without each modifier", odds.matters, ("matters of M or worse",),
            while_asking=True, completes="questions"),
    Command("sensitivity", "of QUESTION [by FACT VALUES]", "Why", "show which fact, field or option can change a chance the most",
            odds.sensitivity, ("sensitivity of M or worse",), while_asking=True, completes="questions"),
    Command("chart", "[NAME]", "Why", "print a chart and mark the cells that were read last", why.chart, ("chart direct_fire_table",),
            while_asking=True, completes="charts"),
    Command("charts", "", "Why", "list the charts", why.charts, while_asking=True),
    Command("modifiers", "[CHART]", "Why", "print the modifiers, with their amounts and citations", why.modifiers,
            ("modifiers",), while_asking=True, completes="charts", aliases=("mods", "drms")),
    Command("results", "[CHART]", "Why", "print the meanings of the result codes", why.results, ("results",), while_asking=True,
            completes="charts", aliases=("codes",)),
    Command("card", "", "Why", "print the reference card: charts, modifiers, results, assumptions", why.card, while_asking=True, aliases=("assumptions",)),
    Command("outputs", "", "Why", "show every output of the last combat", why.outputs),
    Command("rule", "[CITATION]", "Why", "list the citations, or show every line of the rules with one citation", why.rule, ("rule 16.3",),
            while_asking=True, completes="cites"),
    # -- author
    Command("load", "FILE", "Author", "use a rules file and watch it: each save is checked, and the last combat is replayed",
            author.use, ("load my_game.rules",), completes="files"),
    Command("reload", "", "Author", "read the file again now, and replay the last combat with the same dice", author.reload),
    Command("check", "", "Author", "show the checker's warnings", author.check, while_asking=True),
    Command("test", "", "Author", "run the examples of the ruleset", author.test),
    Command("diff", "[RULESET] [of QUESTION]", "Author",
            "compare the ruleset with another: the changes in the rules, and the largest changes in the odds; without a name, show the changes made by your definitions",
            author.diff, ("diff house_rules.rules", "diff house_rules.rules of M or worse"), while_asking=True,
            completes="rulesets", touches_files=True),
    Command("definitions", "", "Author", "show the definitions made at the prompt", author.definitions, while_asking=True),
    Command("forget", "NAME", "Author", "delete a definition made at the prompt", author.forget, ("forget procedure scatter",)),
    # -- session
    Command("undo", "", "Session", "undo the last answer; between combats, undo the last command that changed something", play.undo,
            while_asking=True, aliases=("back",)),
    Command("redo", "", "Session", "redo the last undone command", play.redo),
    Command("log", "[NUMBER]", "Session", "list the combats of this session, or explain one", files.log, while_asking=True, aliases=("history",)),
    Command("save", "FILE", "Session", "save the session; or only your definitions, if the file ends in .rules", files.save,
            ("save friday", "save scatter.rules"), completes="files", touches_files=True, while_asking=True),
    Command("open", "[FILE]", "Session", "continue a saved session; without a file, list the saved sessions", _open,
            ("open", "open last", "open friday"), completes="sessions", touches_files=True, aliases=("sessions",)),
    Command("record", "FILE.rules", "Session", "write the combats of this session as examples to a rules file", files.record,
            ("record played.rules",), completes="files", touches_files=True, while_asking=True),
    Command("share", "[markdown] [FILE]", "Session", "print the last combat as text for a forum or an e-mail", files.share,
            ("share", "share markdown"), completes="files", touches_files=True, while_asking=True, aliases=("export",)),
    Command("set", "[NAME VALUE]", "Session", "show the settings, or change one", help.change_setting, ("set keys vi",), while_asking=True,
            completes="settings"),
    Command("help", "[NAME]", "Session", "show this list, or explain a command, a name or a result code", _help,
            ("help odds", "help direct_fire", "help M1"), while_asking=True, completes="names", aliases=("describe", "explain")),
    Command("quit", "", "Session", "leave; Ctrl-D does the same", files.leave, while_asking=True, aliases=("exit", "bye", "q")),
)  # fmt: skip


def find_command(name: str) -> Command | None:
    """Look up a command by name or alias; ``?`` is help."""
    return find(COMMANDS, name)
