"""The table of commands and their arguments, from which the argument parser is built.

A command's own module is imported when it runs.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from enfilade import Limits, __version__, limited


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
_UNTRUSTED: Final = (
    "for rules that you don't trust: limit each call to 2 seconds and 256 MB, and let the rules use no other files"
)
_RULESET = Argument("ruleset", "a shipped ruleset, a file, or a folder with one main file", "rules")
_PATHS = Argument("paths", "rulesets: names, files or folders", "rules", {"nargs": "*", "default": ["."]})
_LENGTHS: Final = ("short", "usual", "all")
_JSON = Argument("--json", "print JSON", "", _FLAG)
_FACTS = Argument("facts", "name=value: a word, a number, a list with commas, or JSON; `night` alone means yes; set a field of a "
                  "record with units.gun.steps=2", "", {"nargs": "*", "default": [], "metavar": "name=value"})  # fmt: skip
_FACTS_FILE = Argument("--facts", "facts by name, as JSON", "files", {"metavar": "FILE", "dest": "facts_file"})
_OPTION = Argument("--option", "set an option", "", {"action": "append", "metavar": "NAME[=VALUE]"})
_PROCEDURE = Argument("procedure", "the procedure to play", "procedures")
_OF = Argument("--of", "the question: an output, or any condition or value that may follow `expect` in an example, such as `M or worse` or "
               "`steps_left of gun`; by default, the first of these that exists: the output `result`, the aim, the only output", "", {"metavar": "QUESTION"})  # fmt: skip
_CSV = Argument("--csv", "print CSV for a spreadsheet, with weights and totals as whole numbers", "", _FLAG)
_SITUATION: Final = (
    _FACTS_FILE,
    Argument("--given", "count only the cases in which this condition is true; this option may be repeated", "", {"action": "append", "metavar": "CONDITION"}),
    Argument("--dice", "the dice already rolled, in the order of the rolls", "", {"action": "append", "metavar": "FACES"}),
    Argument("--choices", "the option to choose: losses=gun; or several options with commas, in order of preference", "",
             {"action": "append", "metavar": "CHOICES"}),
    Argument("--best", "a player whose choices make the value of --aim as high as possible", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--worst", "a player whose choices make the value of --aim as low as possible", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--random", "a player who chooses at random", "", {"action": "append", "metavar": "PLAYER"}),
    Argument("--policy", "an expression of the rules that makes a choice: 'pushes: first_sixes is 0'; the expression gives one option, or "
             "several in order of preference; this option may be repeated", "", {"action": "append", "metavar": "CHOICE:EXPRESSION"}),
    Argument("--aim", "the goal of --best and --worst: a condition or a number", "", {"metavar": "QUESTION"}),
    _OPTION,
    Argument("--patience", "the time limit for one answer, of which a grid has many: 60s, 5m; 10s by default", "", {"metavar": "TIME"}),
)  # fmt: skip
_BY = Argument("--by", "what to vary (a fact, a field, an option, a definition, a choice or a player), and the values to try: "
               "fire_value=1..45, target.steps=1..4, owner=best,worst; a name without values means all its values; this option may be repeated", "", {"action": "append", "metavar": "FACT=VALUES"})  # fmt: skip
_FRACTIONS = Argument("--fractions", "show fractions in lowest terms: 1/9 instead of 4/36", "", _FLAG)
_WORKERS = Argument("--workers", "the number of processes that compute the answer", "", {"metavar": "N", "type": int})
_DICE_SEED = Argument("--seed", "the seed of the dice: the same seed rolls the same dice", "", {"metavar": "SEED"})
_COLUMNS = Argument("--columns", "the line width; 80 by default", "", {"metavar": "N", "type": int})

COMMANDS: Final = (
    Command("repl", "start a session: play, ask for odds and explanations, work on a ruleset; without a terminal, commands are read "
            "from standard input", "enfilade_repl.main.run_repl", (
        Argument("ruleset", "the ruleset to start with", "rules", {"nargs": "?"}),
        _DICE_SEED, _COLUMNS,
    ), "example: enfilade repl infantry_attacks"),
    Command("play", "run a script of commands; if the script is a transcript, compare the output with the recorded text", "enfilade_repl.main.run_play", (
        Argument("script", "the file; `-` reads standard input", "files"),
        _DICE_SEED, _COLUMNS,
    ), "example: enfilade play friday.txt"),
    Command("check", "check rulesets for errors", "check.run_check", (
        _PATHS,
        Argument("--format", "the output format", "", {"choices": ("text", "json", "github"), "default": "text"}),
        Argument("--json", "the same as --format json", "", {"action": "store_const", "dest": "format", "const": "json"}),
        Argument("--strict", "fail on warnings too", "", _FLAG),
    )),
    Command("test", "run the examples of rulesets", "examples.run_test", (
        _PATHS,
        Argument("--coverage", "list the rules that no example reaches", "", _FLAG),
        _JSON,
    )),
    Command("fmt", "format rules files", "format.run_fmt", (
        Argument("paths", "files or folders to rewrite in place; with `-`, format standard input and print the result", "rules", _PATHS.settings),
        Argument("--check", "write nothing; fail if a file would change", "", _FLAG),
        Argument("--diff", "write nothing; show the changes", "", _FLAG),
        Argument("--fix", "replace look-alike characters with the ASCII letters that were meant", "", _FLAG),
        Argument("--upgrade", "replace forms that older versions of the language had", "", _FLAG),
    )),
    Command("resolve", "play a procedure once", "resolve.run_resolve", (
        _RULESET,
        Argument("procedure", "the procedure to play, or an event to report", "procedures", {"nargs": "?"}),
        _FACTS,
        _FACTS_FILE,
        Argument("--dice", "the faces as printed, in the order of the rolls: 4,3; or by roll: fire_roll=4,3; by default dice are "
                 "rolled at random", "", {"action": "append", "metavar": "FACES"}),
        Argument("--choices", "the choices made, in order; or by name: losses=gun", "",
                 {"action": "append", "metavar": "CHOICES"}),
        _OPTION,
        Argument("--seed", "the seed of the dice; anyone who knows it can compute the rolls", "", {"metavar": "SEED"}),
        Argument("--committed", "roll the committed dice in this file, which `enfilade commit` wrote", "files", {"metavar": "FILE"}),
        Argument("--number", "with --committed: the number or words that the other side chose for this combat", "", {"metavar": "TEXT"}),
        Argument("--save", "save the run to a new file, for `enfilade verify`", "files", {"metavar": "FILE"}),
        Argument("--why", "explain the outcome: short is one line, usual (the default) is what a player needs, all is every step", "",
                 {"nargs": "?", "choices": _LENGTHS, "const": "usual"}),
        _JSON,
    ), "example: enfilade resolve infantry_attacks direct_fire fire_value=16 terrain=town ranges=1 --dice 4,3 --why"),
    Command("commit", "commit to the dice of a game by mail or chat, so neither side can choose the rolls", "committed.run_commit", (
        _RULESET,
        Argument("file", "the new file for the secret; show it to nobody until the game is over", "files"),
        Argument("--game", "the name of the game", "", {"metavar": "NAME", "required": True}),
        _JSON,
    ), "example: enfilade commit infantry_attacks friday.dice --game 'Friday, by mail'"),
    Command("verify", "list the changes made to a saved run, and check its committed dice", "committed.run_verify", (
        Argument("save", "the file with the saved run", "files"),
        Argument("ruleset", "the ruleset of the saved run; by default, the ruleset named in the save", "rules", {"nargs": "?"}),
        Argument("--committed", "the file with the secret, sent after the game by the side that rolled", "files", {"metavar": "FILE"}),
        Argument("--commitment", "the commitment, sent before the game by the side that rolled", "", {"metavar": "HASH"}),
        Argument("--number", "the number or words that you chose for this combat", "", {"metavar": "TEXT"}),
        Argument("--earlier", "your copy of an earlier save of the same run", "files", {"metavar": "FILE"}),
        _JSON,
    ), "example: enfilade verify shot.json --committed friday.dice --number '27 pigeons'"),
    Command("odds", "compute the exact chance of every outcome", "odds.run_odds", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--of", f"{_OF.help}; this option may be repeated", "", {"action": "append", "metavar": "QUESTION"}),
        Argument("--joint", "answer all questions together, for the same dice", "", _FLAG),
        *_SITUATION,
        Argument("--range", "show the range of the aim: its lowest value if all players oppose it, and its highest if all pursue it", "", _FLAG),
        Argument("--show-policy", "print the best choices in the form that --policy takes", "", _FLAG),
        _BY,
        Argument("--plus", "add the answer for another, independent combat with these facts changed: 'fire_value=8 night'; this option "
                 "may be repeated", "", {"action": "append", "metavar": "FACTS"}),
        Argument("--then", "a procedure to play next, with the records as changed by the previous procedure, and facts for it alone: "
                 "'melee night'; this option may be repeated", "procedures", {"action": "append", "metavar": "PROCEDURE"}),
        Argument("--when", "play the --then procedure only if this condition is true after the first procedure", "", {"metavar": "CONDITION"}),
        Argument("--carry", "set a fact of the --then procedure from the outputs of the first procedure: hits=kills", "",
                 {"action": "append", "metavar": "FACT=EXPRESSION"}),
        Argument("--turns", "play N times; each turn begins with the records as changed by the previous turn", "",
                 {"metavar": "N", "type": int}),
        Argument("--until", "play again and again until this condition is true; without --of, show the odds of the number of turns", "",
                 {"metavar": "CONDITION"}),
        Argument("--at-most", "the largest number of turns for --until", "", {"metavar": "N", "type": int}),
        Argument("--sample", "simulate this many plays and count the outcomes, if exact odds take too long", "", {"metavar": "RUNS", "type": int}),
        Argument("--seed", "the same seed gives the same sample", "", {"metavar": "SEED"}),
        _FRACTIONS, _WORKERS, _JSON, _CSV,
    ), 'example: enfilade odds infantry_attacks direct_fire fire_value=11 --of "M or worse"'),
    Command("least", "find the lowest value of a fact at which a condition has a given chance", "odds.run_least", (
        _RULESET, _PROCEDURE,
        Argument("fact", "what to vary: a fact, a field, an option or a definition"),
        _FACTS,
        Argument("--chance", "the chance to reach: 1/2, 0.5 or a percentage", "", {"metavar": "CHANCE", "required": True}),
        Argument("--of", "a condition, written as after `chance of` in an example", "",
                 {"metavar": "CONDITION", "required": True}),
        Argument("--within", "the values to try, in order: 1..60, or a list", "", {"metavar": "VALUES"}),
        *_SITUATION, _FRACTIONS, _JSON,
    ), 'example: enfilade least infantry_attacks direct_fire fire_value --chance 50% --of "M or worse" terrain=town'),
    Command("grid", "show the chances for each value of a fact, a field or an option, or for the combinations of two", "odds.run_grid", (
        _RULESET, _PROCEDURE, _FACTS, _BY, _OF, *_SITUATION, _FRACTIONS, _WORKERS, _JSON, _CSV,
        Argument("--html", "print an HTML page: a table, or a heat map if two things vary", "", _FLAG),
        Argument("--vega", "print a plot as a Vega-Lite specification", "", _FLAG),
    ), 'example: enfilade grid infantry_attacks direct_fire --by fire_value=1..45 --by night --of "M or worse"'),
    Command("compare", "compare the chances of two situations or of two rulesets", "odds.run_compare", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--a", "what is different in the first situation: a fact, a field, an option, a definition, a choice or a player", "", {"action": "append", "metavar": "NAME=VALUE"}),
        Argument("--b", "what is different in the second situation", "", {"action": "append", "metavar": "NAME=VALUE"}),
        Argument("--other", "the ruleset of the second situation", "rules", {"metavar": "RULESET"}),
        Argument("--other-option", "an option of the second ruleset", "", {"action": "append", "metavar": "NAME[=VALUE]"}),
        _OF, *_SITUATION, _JSON, _CSV,
    ), "example: enfilade compare infantry_attacks direct_fire fire_value=11 --a terrain=town --b terrain=hill"),
    Command("diff", "show what changed between two rulesets: the rules, and the largest changes in the odds; the exit code is 0 if "
            "nothing changed, 1 if something changed, 2 if they can't be compared", "diff.run_diff", (
        Argument("old", "the old ruleset: a shipped ruleset, a file, or a folder with one main file", "rules"),
        Argument("new", "the new ruleset, which may be a variant; by default, the old ruleset with the options of --other-option", "rules", {"nargs": "?"}),
        Argument("--of", "the question; by default the result of each procedure, and its other outputs if the result does not change; this option "
                 "may be repeated", "", {"action": "append", "metavar": "QUESTION"}),
        Argument("--option", "set an option in both rulesets", "", {"action": "append", "metavar": "NAME[=VALUE]"}),
        Argument("--other-option", "set an option in the new ruleset", "", {"action": "append", "metavar": "NAME[=VALUE]"}),
        Argument("--situations", "how many situations are tried for each question; 400 by default; with 0, no odds are compared", "", {"metavar": "N", "type": int}),
        Argument("--seed", "the seed of the sample of situations; 1 by default", "", {"metavar": "SEED", "type": int, "default": 1}),
        Argument("--patience", "the time limit for the odds: 60s, 5m; 10s by default", "", {"metavar": "TIME"}),
        Argument("--format", "the output format; markdown is for a pull request", "", {"choices": ("text", "markdown", "json"), "default": "text"}),
        Argument("--json", "the same as --format json", "", {"action": "store_const", "dest": "format", "const": "json"}),
    ), "example: enfilade diff infantry_attacks house.rules --format markdown"),
    Command("matters", "show the odds with and without each modifier", "odds.run_matters", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--of", "the question: a condition or a number", "", {"metavar": "QUESTION", "required": True}),
        *_SITUATION, _FRACTIONS, _JSON,
    ), 'example: enfilade matters infantry_attacks direct_fire fire_value=11 terrain=town --of "M or worse"'),
    Command("sensitivity", "show which fact, field or option can change a chance the most", "odds.run_sensitivity", (
        _RULESET, _PROCEDURE, _FACTS,
        Argument("--of", "the question: a condition or a number", "", {"metavar": "QUESTION", "required": True}),
        _BY, *_SITUATION, _FRACTIONS, _JSON,
    ), 'example: enfilade sensitivity infantry_attacks direct_fire fire_value=11 --of "M or worse"'),
    Command("describe", "list what a ruleset offers: procedures, inputs, outputs", "describe.run_describe", (
        _RULESET,
        Argument("procedure", "one procedure; by default all", "procedures", {"nargs": "?"}),
        _JSON,
    )),
    Command("chart", "print a chart, a reference card of all charts, or a list of the charts", "chart.run_chart", (
        _RULESET,
        Argument("name", "the chart; without a chart, the formats html, pdf and markdown print a reference card of all charts, and "
                 "the other formats list them", "charts", {"nargs": "?"}),
        Argument("--format", "the output format; html and pdf make a card for printing: the charts with their modifiers, "
                 "results and assumptions", "",
                 {"choices": ("text", "markdown", "html", "pdf", "csv", "json"), "default": "text"}),
        Argument("--paper", "the page size for html and pdf; two a5 pages fit on a folded a4 sheet", "",
                 {"choices": ("a4", "letter", "a5")}),
        Argument("--json", "the same as --format json", "", {"action": "store_const", "dest": "format", "const": "json"}),
    ), "example: enfilade chart infantry_attacks --format pdf > card.pdf"),
    Command("ledger", "show the rule made from each line of a rulebook", "ledger.run_ledger", (
        _RULESET,
        Argument("--text", "show the document's text beside the ledger, and compare the two", "files",
                 {"metavar": "FILE"}),
        Argument("--start", "print a new ledger for this document, to fill in", "files", {"metavar": "FILE"}),
        _JSON,
    )),
    Command("new", "write a first ruleset to edit", "new.run_new", (
        Argument("name", "the name of the ruleset; the file is NAME.rules"),
        Argument("--from", "start from a pasted or scanned chart", "files", {"dest": "pasted", "metavar": "FILE"}),
        Argument("--force", "overwrite an existing file", "", _FLAG),
    )),
    Command("explain", "explain a diagnostic code", "explain.run_explain", (
        Argument("code", "the code in brackets after `error`; without it, list all codes", "codes", {"nargs": "?"}),
    )),
    Command("rpc", "answer JSON-RPC 2.0 requests, one on each line, for programs in any language", "rpc.run_rpc", (
        Argument("--describe", "print the methods as an OpenRPC document", "", _FLAG),
    ), "example: enfilade rpc < requests.jsonl"),
    Command("lsp", "run the language server for an editor, over standard input and output", "lsp.run_lsp", ()),
    Command("serve", "serve Enfilade's web page, and answer requests over HTTP and WebSocket", "serve.run_serve", (
        Argument("--host", "the address to listen on; with 0.0.0.0 other machines can connect", "",
                 {"metavar": "ADDRESS", "default": "127.0.0.1"}),
        Argument("--port", "the port; 0 chooses a free one", "", {"type": int, "default": 8040, "metavar": "NUMBER"}),
        Argument("--workers", "the number of processes that answer; by default one for each core", "",
                 {"type": int, "metavar": "NUMBER"}),
        Argument("--allow-host", "a further host name at which this server can be reached; this option may be repeated", "",
                 {"action": "append", "metavar": "NAME"}),
        Argument("--allow-origin", "another website that may send requests: https://table.example; this option may be repeated", "",
                 {"action": "append", "metavar": "ADDRESS"}),
        Argument("--open", "open the page in the browser", "", _FLAG),
    ), "example: enfilade serve --open"),
    Command("completion", "print a completion script for a shell", "completion.run_completion", (
        Argument("shell", "the shell", "", {"choices": ("bash", "zsh", "fish")}),
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
        description="Play, check and explain tabletop combat rules from one file. Without a command, a session starts.",
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
    args, rest = parser.parse_known_args(list(_with_lengths(argv)))
    many: str = getattr(args, "many", "")
    if rest and (not many or any(word.startswith("-") for word in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        given = getattr(args, many)
        setattr(args, many, rest if given is _PATHS.settings["default"] else [*given, *rest])
    return args


def _with_lengths(argv: Sequence[str]) -> Iterator[str]:
    """The arguments, with the usual length for a `--why` before a fact, which is no length."""
    for word, after in zip_longest(argv, argv[1:], fillvalue=""):
        yield "--why=usual" if word == "--why" and after not in _LENGTHS else word


def _refuse_ruleset(parser: argparse.ArgumentParser, argv: Sequence[str]) -> None:
    """If the first argument is a ruleset instead of a command, report what to type."""
    word = argv[0] if argv else ""
    if not word or word.startswith("-") or any(word == command.name for command in COMMANDS):
        return
    from enfilade.files import shipped_names

    if word in shipped_names() or word.endswith(".rules"):
        parser.error(f"{word} is a ruleset, not a command; `enfilade repl {word}` starts a session with it")


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
    parser.add_argument("--untrusted", help=_UNTRUSTED, **_FLAG)
    parser.set_defaults(run=partial(_run, command.runs))


def _run(place: str, args: argparse.Namespace) -> int:
    module, _, name = place.rpartition(".")
    full = module if "." in module else f"enfilade.cli.{module}"
    function: Callable[[argparse.Namespace], int] = getattr(importlib.import_module(full), name)
    if not getattr(args, "untrusted", False):
        return function(args)
    with limited(Limits.untrusted()):
        return function(args)


def _without_command(parser: argparse.ArgumentParser, args: argparse.Namespace) -> int:
    if args.version:
        print(f"enfilade {__version__}")
        return 0
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        return _run("enfilade_repl.main.run_repl", args)
    parser.print_help()
    return 0
