"""The table of commands and their arguments, from which the argument parser is built.

A command's own module is imported when it runs.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from enfilade import __version__


class Argument(NamedTuple):
    """One argument of a command.

    Attributes:
        name: ``paths``, or with its dashes: ``--json``.
        help: One line.
        completes: What shells complete: rules, files, codes, or nothing.
        settings: Further keyword arguments for argparse.
    """

    name: str
    help: str
    completes: str = ""
    settings: dict[str, Any] = {}  # noqa: RUF012


class Command(NamedTuple):
    """One command.

    Attributes:
        name: The name that users type.
        help: One line.
        runs: The module and function, in ``enfilade.cli`` or with a full path.
        arguments: Its arguments, in the order of the help.
        more: The examples in its help.
    """

    name: str
    help: str
    runs: str
    arguments: tuple[Argument, ...]
    more: str = ""


_FLAG: Final = {"action": "store_true"}
_RULESET = Argument("ruleset", "a shipped ruleset, a file, or a folder with one main file", "rules")
_PATHS = Argument("paths", "rulesets: names, files or folders", "rules", {"nargs": "*", "default": ["."]})
_JSON = Argument("--json", "print JSON", "", _FLAG)
_FACTS = Argument("facts", "name=value: a word, a number, a list with commas, or JSON; `night` alone is yes; a field of a "
                  "record is units.gun.steps=2", "", {"nargs": "*", "default": [], "metavar": "name=value"})  # fmt: skip
_FACTS_FILE = Argument("--facts", "facts by name, as JSON", "files", {"metavar": "FILE", "dest": "facts_file"})
_OPTION = Argument("--option", "set an option", "", {"action": "append", "metavar": "NAME[=VALUE]"})
_PROCEDURE = Argument("procedure", "what is played", "procedures")
_OF = Argument("--of", "what is asked: an output, or any condition or value as after `expect` in an example: `M or worse`, "
               "`steps_left of gun`; the result, if not given", "", {"metavar": "QUESTION"})  # fmt: skip
_CSV = Argument("--csv", "print rows for a spreadsheet: weights and totals are whole numbers", "", _FLAG)
_SITUATION: Final = (
    _FACTS_FILE,
    Argument("--given", "on condition that this comes true; may be repeated", "", {"action": "append", "metavar": "CONDITION"}),
    Argument("--dice", "dice that are known already, in the order of the rolls", "", {"action": "append", "metavar": "FACES"}),
    Argument("--choices", "what is chosen, by choice: losses=gun; with commas, in order of preference", "",
             {"action": "append", "metavar": "CHOICES"}),
    Argument("--best", "a player who chooses for the best, in view of --aim", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--worst", "a player who chooses for the worst", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--random", "a player who chooses at random", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--aim", "what is to be as high as possible: a condition, or a number", "", {"metavar": "QUESTION"}),
    _OPTION,
    Argument("--seconds", "give up after so long", "", {"metavar": "SECONDS", "type": int}),
)  # fmt: skip
_BY = Argument("--by", "a fact that is varied, with its values: fire_value=1..45, terrain=town,woods; a name alone is all that "
               "it can be; may be repeated", "", {"action": "append", "metavar": "FACT=VALUES"})  # fmt: skip
_WORKERS = Argument("--workers", "how many processes work at it", "", {"metavar": "N", "type": int})
_DICE_SEED = Argument("--seed", "what the dice come from", "", {"metavar": "SEED"})
_COLUMNS = Argument("--columns", "how wide the lines are; 80 if not said", "", {"metavar": "N", "type": int})

COMMANDS: Final = (
    Command("repl", "open a session: play, ask for odds and reasons, work on a ruleset; without a terminal, entries are read "
            "from the input", "enfilade_repl.main.run_repl", (
        Argument("ruleset", "what to begin with", "rules", {"nargs": "?"}),
        _DICE_SEED, _COLUMNS,
    ), "example: enfilade repl infantry_attacks"),
    Command("play", "play a script of entries, or a transcript, which is held to its own text", "enfilade_repl.main.run_play", (
        Argument("script", "the file, or `-`", "files"),
        _DICE_SEED, _COLUMNS,
    ), "example: enfilade play friday.txt"),
    Command("check", "say what is wrong with rulesets", "check.run_check", (
        _PATHS,
        Argument("--format", "how to print it", "", {"choices": ("text", "json", "github"), "default": "text"}),
        Argument("--json", "the same as --format json", "", {"action": "store_const", "dest": "format", "const": "json"}),
        Argument("--strict", "let warnings fail the check too", "", _FLAG),
    )),
    Command("test", "run the examples of rulesets", "examples.run_test", (
        _PATHS,
        Argument("--coverage", "show what no example reaches", "", _FLAG),
        _JSON,
    )),
    Command("fmt", "lay out rules", "format.run_fmt", (
        Argument("paths", "files or folders, written in place; `-` reads the input and prints", "rules", _PATHS.settings),
        Argument("--check", "write nothing; fail where something would change", "", _FLAG),
        Argument("--diff", "write nothing; show what would change", "", _FLAG),
        Argument("--fix", "put in the letters that look-alikes are meant to be", "", _FLAG),
    )),
    Command("resolve", "play a procedure once", "resolve.run_resolve", (
        _RULESET,
        Argument("procedure", "what is played, or an event that the rules are told of", "procedures", {"nargs": "?"}),
        _FACTS,
        _FACTS_FILE,
        Argument("--dice", "faces as printed in the order of the rolls, 4,3; or by roll, fire_roll=4,3; without it, dice are "
                 "rolled", "", {"action": "append", "metavar": "FACES"}),
        Argument("--choices", "what is chosen, in the order asked; or by choice, losses=gun", "",
                 {"action": "append", "metavar": "CHOICES"}),
        _OPTION,
        Argument("--seed", "the same seed rolls the same dice", "", {"metavar": "SEED"}),
        Argument("--why", "explain every step", "", _FLAG),
        _JSON,
    ), "example: enfilade resolve infantry_attacks direct_fire fire_value=16 terrain=town ranges=1 --dice 4,3 --why"),
    Command("odds", "say the exact chances of all that can come", "odds.run_odds", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--of", f"{_OF.help}; may be repeated", "", {"action": "append", "metavar": "QUESTION"}),
        Argument("--joint", "ask all questions together, on the same dice", "", _FLAG),
        *_SITUATION,
        Argument("--range", "what the aim comes to when all players play against it, and when all play for it", "", _FLAG),
        _BY,
        Argument("--plus", "add the same of another, independent combat, with these facts changed: 'fire_value=8 night'; may be "
                 "repeated", "", {"action": "append", "metavar": "FACTS"}),
        Argument("--then", "another procedure that is played next, on the records as this one left them; may be repeated",
                 "procedures", {"action": "append", "metavar": "PROCEDURE"}),
        Argument("--when", "play the next procedure only if this is true after the first", "", {"metavar": "CONDITION"}),
        Argument("--carry", "a fact of the next procedure, worked out from the outputs of the first: hits=kills", "",
                 {"action": "append", "metavar": "FACT=EXPRESSION"}),
        Argument("--turns", "play it so many times, each time on the records as the last one left them", "",
                 {"metavar": "N", "type": int}),
        Argument("--until", "play it until this is true; the question is then how many turns that takes, if `--of` does not say another", "",
                 {"metavar": "CONDITION"}),
        Argument("--at-most", "the highest number of turns of --until", "", {"metavar": "N", "type": int}),
        Argument("--sample", "play so many times and count, where exact is too large", "", {"metavar": "RUNS", "type": int}),
        Argument("--seed", "the same seed gives the same sample", "", {"metavar": "SEED"}),
        _WORKERS, _JSON, _CSV,
    ), 'example: enfilade odds infantry_attacks direct_fire fire_value=11 --of "M or worse"'),
    Command("least", "find the least value of a fact with which something has a chance", "odds.run_least", (
        _RULESET, _PROCEDURE,
        Argument("fact", "the fact that is varied"),
        _FACTS,
        Argument("--chance", "the chance that is wanted: 1/2, 0.5, or in percent", "", {"metavar": "CHANCE", "required": True}),
        Argument("--of", "of what: a condition as after `chance of` in an example", "",
                 {"metavar": "CONDITION", "required": True}),
        Argument("--within", "the values to try, in their order: 1..60, or a list", "", {"metavar": "VALUES"}),
        *_SITUATION, _JSON,
    ), 'example: enfilade least infantry_attacks direct_fire fire_value --chance 50% --of "M or worse" terrain=town'),
    Command("grid", "say the chances for many values of a fact, or of two", "odds.run_grid", (
        _RULESET, _PROCEDURE, _FACTS, _BY, _OF, *_SITUATION, _WORKERS, _JSON, _CSV,
    ), 'example: enfilade grid infantry_attacks direct_fire --by fire_value=1..45 --by night --of "M or worse"'),
    Command("compare", "set the chances of two situations, or of two rulesets, beside each other", "odds.run_compare", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--a", "a fact of the first only", "", {"action": "append", "metavar": "NAME=VALUE"}),
        Argument("--b", "a fact of the second only", "", {"action": "append", "metavar": "NAME=VALUE"}),
        Argument("--other", "the ruleset of the second", "rules", {"metavar": "RULESET"}),
        Argument("--other-option", "an option of the second", "", {"action": "append", "metavar": "NAME[=VALUE]"}),
        _OF, *_SITUATION, _JSON, _CSV,
    ), "example: enfilade compare infantry_attacks direct_fire fire_value=11 --a terrain=town --b terrain=hill"),
    Command("matters", "say what each modifier would change if it applied, and if not", "odds.run_matters", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--of", "of what: a condition, or a number", "", {"metavar": "QUESTION", "required": True}),
        *_SITUATION, _JSON,
    ), 'example: enfilade matters infantry_attacks direct_fire fire_value=11 terrain=town --of "M or worse"'),
    Command("describe", "say what a ruleset offers: procedures, inputs, outputs", "describe.run_describe", (
        _RULESET,
        Argument("procedure", "one procedure; without it, all", "procedures", {"nargs": "?"}),
        _JSON,
    )),
    Command("chart", "print a chart, a reference card of all charts, or a list of them", "chart.run_chart", (
        _RULESET,
        Argument("name", "the chart; without it, html and markdown print a reference card of all the charts, and the "
                 "other formats list them", "charts", {"nargs": "?"}),
        Argument("--format", "how to print it; html is one page to print: the charts with their modifiers, results and "
                 "assumptions", "", {"choices": ("text", "markdown", "html", "csv", "json"), "default": "text"}),
        Argument("--json", "the same as --format json", "", {"action": "store_const", "dest": "format", "const": "json"}),
    ), "example: enfilade chart infantry_attacks --format html > card.html"),
    Command("ledger", "account for every line of the document that a ruleset was made from", "ledger.run_ledger", (
        _RULESET,
        Argument("--text", "show the document's text beside it, and hold it against the ledger", "files",
                 {"metavar": "FILE"}),
        Argument("--start", "print a ledger to begin with, for this document", "files", {"metavar": "FILE"}),
        _JSON,
    )),
    Command("new", "write a first ruleset to edit", "new.run_new", (
        Argument("name", "its name; the file is NAME.rules"),
        Argument("--from", "begin from a pasted or scanned chart", "files", {"dest": "pasted", "metavar": "FILE"}),
        Argument("--force", "write over a file that is there", "", _FLAG),
    )),
    Command("explain", "explain a diagnostic", "explain.run_explain", (
        Argument("code", "as it stands in brackets after `error`; without it, list them all", "codes", {"nargs": "?"}),
    )),
    Command("completion", "print a script that completes commands in a shell", "completion.run_completion", (
        Argument("shell", "which shell", "", {"choices": ("bash", "zsh", "fish")}),
    )),
)  # fmt: skip


def build_parser(only: str | None = None, completers: Mapping[str, Any] | None = None) -> argparse.ArgumentParser:
    """Build the parser of the command line.

    Args:
        only: The typed command. If it exists, the parser includes only this command, which is faster.
        completers: The shell completion for each value of ``Argument.completes``, in the form that shtab takes.
    """
    parser = argparse.ArgumentParser(
        "enfilade",
        description="Tabletop combat rules from one text: play, check, explain. Without a command, a session opens.",
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.set_defaults(run=partial(_without_command, parser))
    subparsers = parser.add_subparsers(title="commands", metavar="COMMAND")
    for command in [each for each in COMMANDS if each.name == only] or COMMANDS:
        _add_command(subparsers, command, completers or {})
    return parser


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """Parse arguments; unlike argparse alone, accept facts and paths both before and after options."""
    _refuse_ruleset(parser, argv)
    args, rest = parser.parse_known_args(argv)
    many: str = getattr(args, "many", "")
    if rest and (not many or any(word.startswith("-") for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        given = getattr(args, many)
        setattr(args, many, rest if given is _PATHS.settings["default"] else [*given, *rest])
    return args


def _refuse_ruleset(parser: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """If the first argument is a ruleset instead of a command, report what to type."""
    word = argv[0] if argv else ""
    if not word or word.startswith("-") or any(word == command.name for command in COMMANDS):
        return
    from enfilade.files import shipped_names

    if word in shipped_names() or word.endswith(".rules"):
        parser.error(f"{word} is a ruleset, and no command; `enfilade repl {word}` opens a session with it")


def _add_command(subparsers: Any, command: Command, completers: Mapping[str, Any]) -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser(
        command.name, help=command.help, description=command.help, epilog=command.more, formatter_class=raw
    )
    for argument in command.arguments:
        action = parser.add_argument(argument.name, help=argument.help, **argument.settings)
        if argument.completes in completers:
            action.complete = completers[argument.completes]
        if argument.settings.get("nargs") == "*":
            parser.set_defaults(many=argument.name)
    parser.set_defaults(run=partial(_run, command.runs))


def _run(place: str, args: argparse.Namespace) -> int:
    module, _, name = place.rpartition(".")
    full = module if "." in module else f"enfilade.cli.{module}"
    function: Callable[[argparse.Namespace], int] = getattr(importlib.import_module(full), name)
    return function(args)


def _without_command(parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    if args.version:
        print(f"enfilade {__version__}")
        return 0
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _run("enfilade_repl.main.run_repl", args)
    parser.print_help()
    return 0
