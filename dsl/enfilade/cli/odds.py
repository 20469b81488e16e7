"""``enfilade odds``, ``least``, ``grid``, ``compare`` and ``matters``: exact chances as text, JSON or CSV."""

from __future__ import annotations

import csv
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from enfilade import (
    Decision,
    Distribution,
    EnfiladeError,
    InputError,
    LimitError,
    NeedsPolicy,
    Odds,
    OddsLimits,
    RefusedOdds,
    Ruleset,
    UsageError,
)
from enfilade.cli.resolve import failed, given_file, point_to, read_seed
from enfilade.files import load_ruleset
from enfilade.language import number_text, read_facts, read_known_answers, read_options, read_values, value_text
from enfilade.terminal import FAILED, ProgressLine, complain, write_json

_MOST_DECISIONS: Final = 12


def run_odds(args: Namespace) -> int:
    """Print the odds of one or more situations."""
    return _ending(args, _odds)


def run_least(args: Namespace) -> int:
    """Print the least value of a fact that gives a condition the wanted chance."""
    return _ending(args, _least)


def run_grid(args: Namespace) -> int:
    """Print the odds for every combination of several values of facts."""
    return _ending(args, _grid)


def run_compare(args: Namespace) -> int:
    """Print the odds of two situations side by side."""
    return _ending(args, _compare)


def run_matters(args: Namespace) -> int:
    """Print the effect of each modifier on the odds."""
    return _ending(args, _matters)


def _ending(args: Namespace, do: Callable[[Ruleset, Namespace, ProgressLine], int]) -> int:
    """Run a command on its ruleset, and report errors with an exit code."""
    try:
        rules = load_ruleset(args.ruleset)
        rules.procedure(args.procedure)
        _refuse_clashes(args)
        with ProgressLine() as ticker:
            return do(rules, args, ticker)
    except RefusedOdds as refused:
        return _refused(refused, args)
    except EnfiladeError as wrong:
        code = failed(wrong, as_json=args.json)
        if not args.json:
            _help(wrong, args)
        return code


def _refuse_clashes(args: Namespace) -> None:
    """Raise an error for options that exclude each other, in the terms of the command line."""
    if args.json and getattr(args, "csv", False):
        raise UsageError("--json and --csv don't go together; say one")
    if args.seconds is not None and args.seconds < 1:
        raise UsageError(f"--seconds is {args.seconds}; allowed is 1..")
    players = _players(args)
    if args.aim is None:
        wants = [f"--{way} {player}" for player, way in players.items() if way != "random"]
        wants += ["--range"] if getattr(args, "range", False) else []
        if wants:
            raise UsageError(f"{wants[0]} needs --aim QUESTION: what is to be as high as possible")


def _refused(refused: RefusedOdds, args: Namespace) -> int:
    if args.json:
        return failed(refused, as_json=True)
    cites = f" [{', '.join(refused.cites)}]" if refused.cites else ""
    by_chance = "with some dice or choices " if refused.by_chance else ""
    print(f"{by_chance}refused: {refused.refusal}{': ' if refused.reason else ''}{refused.reason}{cites}")
    return FAILED


def _help(wrong: EnfiladeError, args: Namespace) -> None:
    """Print a suggestion of what to type instead."""
    if isinstance(wrong, InputError) and any(fault.parameter == "within" for fault in wrong.errors):
        where = "--within VALUES" if hasattr(args, "within") else "--by FACT=VALUES"
        complain(f"name them: {where}, lists parted by `;`")
    elif isinstance(wrong, InputError) and all(fault.parameter != "question" for fault in wrong.errors):
        point_to(args, wrong)
    elif isinstance(wrong, NeedsPolicy):
        base = wrong.choice.partition("[")[0]
        options = ", ".join(dict.fromkeys(value_text(getattr(option, "key", option)) for option in wrong.options))
        complain(f"fix it with --choices {base}=...{f' ({options})' if options else ''}")
        if getattr(args, "sample", None) is None:
            complain(f"or let it be weighed: --best {wrong.player} --aim QUESTION")
        else:
            complain(f"or let it be even chances: --random {wrong.player}")
    elif isinstance(wrong, LimitError) and wrong.is_size and hasattr(args, "sample") and args.sample is None:
        complain("play it often instead: --sample 100000 --seed 1")


# ------------------------------------------------------------------------------------------------- what is asked


def _situation(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> dict[str, Any]:
    """The facts, dice, choices and strategies, as keyword arguments for the library."""
    return {
        "given": {
            **given_file(args.facts_file),
            **read_facts(rules, args.procedure, _facts_of(rules, args.procedure, args)),
        },
        "dice": read_known_answers(args.dice),
        "choices": read_known_answers(args.choices),
        "players": _players(args),
        "aim": args.aim,
        "options": read_options(rules, args.option or ()),
        "condition": tuple(args.given or ()),
        "limits": OddsLimits() if args.seconds is None else OddsLimits(seconds=args.seconds),
        "progress": ticker,
    }


def _players(args: Namespace) -> dict[str, str]:
    players: dict[str, str] = {}
    for way in ("best", "worst", "random"):
        for player in getattr(args, way) or ():
            if player in players:
                raise UsageError(f"{player} plays {players[player]} and {way}; say one")
            players[player] = way
    return players


def _by(rules: Ruleset, args: Namespace) -> dict[str, list[Any] | None]:
    inputs = rules.inputs(args.procedure)
    by: dict[str, list[Any] | None] = {}
    for word in args.by or ():
        fact, equals, values = word.partition("=")
        fact = fact.strip()
        if fact in by:
            raise UsageError(f"--by {fact} stands twice")
        type_ = inputs[fact].domain if fact in inputs else None
        by[fact] = list(read_values(rules, type_, values)) if equals else None
    return by


# ------------------------------------------------------------------------------------------------------ the commands


def _odds(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    questions = args.of or ["turns" if args.until is not None else "result"]
    if args.by:
        if len(questions) > 1 or args.sample is not None:
            raise UsageError("--by takes one question, and no sample")
        args.of = questions[0]
        return _grid(rules, args, ticker)
    asked = _asked(rules, args, ticker)
    if args.range:
        return _range(asked, args)
    if args.joint and len(questions) > 1:
        if args.plus:
            raise UsageError("--plus adds one number, so it takes no --joint")
        found: list[Distribution] = [asked.joint(*questions)]
    else:
        found = [_answer(asked, each) for each in questions]
        for more in args.plus or ():
            other = _another(rules, args, more, ticker)
            found = [one + _answer(other, each) for one, each in zip(found, questions, strict=True)]
    decisions = asked.decisions if args.aim is not None and args.sample is None else ()
    if args.json:
        write_json(found[0].to_json() if len(found) == 1 else [each.to_json() for each in found])
    elif args.csv:
        _write_rows([(*(("of",) if len(found) > 1 else ()), "outcome", "weight", "total", "chance")])
        for each in found:
            _write_rows((each.of, *row) if len(found) > 1 else row for row in each.rows())
    else:
        print("\n\n".join([*(_drawn(each) for each in found), *_decided(decisions, args.aim)]))
    return 0


def _asked(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> Any:
    """The object that answers questions: exact odds or a sample."""
    call = _situation(rules, args, ticker)
    if args.sample is None:
        for name, value in (("--seed", args.seed), ("--workers", args.workers)):
            if value is not None:
                raise UsageError(f"{name} is for --sample")
        conditions = call.pop("condition")
        odds = _with_others(rules, rules.odds(args.procedure, **call), args)
        for condition in conditions:
            odds = odds.given(condition)
        return odds
    for option, value in (
        ("--plus", args.plus),
        ("--then", args.then),
        ("--turns", args.turns),
        ("--until", args.until),
    ):
        if value is not None:
            raise UsageError(f"{option} needs exact odds, and no --sample")
    ticker.of = "runs"
    return rules.sample(args.procedure, trials=args.sample, seed=read_seed(args.seed), workers=args.workers, **call)


def _answer(asked: Any, question: str) -> Distribution:
    found: Distribution = asked.result if question == "result" else asked.of(question)
    return found


def _another(rules: Ruleset, args: Namespace, facts: str, ticker: ProgressLine) -> Any:
    """The odds of the combat that ``--plus`` adds."""
    words = shlex.split(facts)
    changed = set(map(_fact_of, words))
    kept = [word for word in args.facts if _fact_of(word) not in changed]
    return _asked(rules, Namespace(**{**vars(args), "facts": [*kept, *words]}), ticker)


def _fact_of(word: str) -> str:
    """The fact that a word of the command line gives: `target` for `target.steps=2`."""
    return word.partition("=")[0].partition(".")[0]


def _with_others(rules: Ruleset, odds: Odds, args: Namespace) -> Odds:
    """The odds with the procedures that are played next, and again and again."""
    following = args.then or []
    for option, value in (("--when", args.when), ("--carry", args.carry)):
        if value is not None and len(following) != 1:
            raise UsageError(f"{option} goes with one --then")
    carry = dict(_carried(word) for word in args.carry or ())
    for name in following:
        more = read_facts(rules, name, _facts_of(rules, name, args))
        odds = odds.then(name, when=args.when, carry=carry, given=more)
    if args.at_most is not None and args.until is None:
        raise UsageError("--at-most goes with --until; --turns N plays it N times")
    if args.turns is not None and args.until is not None:
        raise UsageError("--turns and --until don't go together; write --until CONDITION --at-most N")
    if args.until is not None:
        return odds.until(args.until, at_most=args.at_most)
    return odds if args.turns is None else odds.turns(args.turns)


def _carried(word: str) -> tuple[str, str]:
    fact, equals, expression = word.partition("=")
    if not equals:
        raise UsageError(f"--carry {word}: write FACT=EXPRESSION, such as hits=kills")
    return fact.strip(), expression


def _facts_of(rules: Ruleset, procedure: str, args: Namespace) -> list[str]:
    """The facts on the command line that a procedure takes, and those that no procedure takes."""
    others = getattr(args, "then", None) or ()
    known = {name: set(rules.inputs(name)) for name in (args.procedure, *others)}
    every = set[str]().union(*known.values())
    names = [(word, _fact_of(word)) for word in args.facts]
    return [
        word for word, name in names if name in known[procedure] or (procedure == args.procedure and name not in every)
    ]


def _range(odds: Odds, args: Namespace) -> int:
    if args.sample is not None:
        raise UsageError("--range needs exact odds, and no --sample")
    found = odds.range()
    if args.json:
        write_json({"aim": found.aim, "worst": str(found.worst), "best": str(found.best)})
    else:
        print(f"{found.aim}\nworst  {number_text(found.worst)}\nbest   {number_text(found.best)}")
    return 0


def _least(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    within = None
    if args.within is not None:
        inputs = rules.inputs(args.procedure)
        type_ = inputs[args.fact].domain if args.fact in inputs else None
        within = list(read_values(rules, type_, args.within))
    call = _situation(rules, args, ticker)
    found = rules.least(args.fact, args.procedure, chance=args.chance, of=args.of, within=within, **call)
    if args.json:
        write_json(found.to_json())
    else:
        print(found)
    return 0 if found.reached else FAILED


def _grid(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    by = _by(rules, args)
    if not by:
        raise UsageError("say what is varied: --by fire_value=1..45")
    call = _situation(rules, args, ticker)
    if args.workers is not None and args.workers < 1:
        raise UsageError(f"--workers is {args.workers}; allowed is 1..")
    found = rules.grid(args.procedure, by=by, of=args.of or "result", workers=args.workers, parts=ticker.part, **call)
    if args.json:
        write_json(found.to_json())
    elif args.csv:
        _write_rows(found.rows())
    else:
        print(found.text(_columns(), plain=_is_plain()))
    return 0


def _compare(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    other = None
    if args.other is not None or args.other_option:
        other = rules if args.other is None else load_ruleset(args.other)
        other = other.with_options(**read_options(other, args.other_option or ()))
    call = _situation(rules, args, ticker)
    theirs = rules if other is None else other
    if not call["options"]:
        del call["options"]
    a = read_facts(rules, args.procedure, args.a or ())
    b = read_facts(theirs, args.procedure, args.b or ())
    found = rules.compare(args.procedure, a, b, other=other, of=args.of or "result", **call)
    if args.json:
        write_json(found.to_json())
    elif args.csv:
        _write_rows([("of", "outcome", "weight", "total", "chance")])
        for name, odds in zip(found.names, (found.a, found.b), strict=True):
            _write_rows((name, *row) for row in odds.rows())
    else:
        print(found)
    return 0


def _matters(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    found = rules.matters(args.procedure, of=args.of, **_situation(rules, args, ticker))
    if args.json:
        write_json(found.to_json())
    else:
        print(found)
    return 0


# --------------------------------------------------------------------------------------------------------- for people


def _drawn(odds: Distribution) -> str:
    return odds.text(_columns(), plain=_is_plain())


def _columns() -> int:
    return shutil.get_terminal_size((80, 24)).columns


def _is_plain() -> bool:
    """Whether the encoding of the output lacks the characters that bars are drawn with."""
    try:
        "▏█".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _decided(decisions: Sequence[Decision], aim: str) -> Iterator[str]:
    if decisions:
        yield f"choices, each way with what may be expected of {aim}"
    for decision in decisions[:_MOST_DECISIONS]:
        known = ", ".join(f"{name} {value_text(value)}" for name, value in decision.known)
        lines = [f"{decision.name} ({decision.player}){f' after {known}' if known else ''}"]
        for option, value in decision.options:
            mark = "  chosen" if option == decision.chosen else ""
            lines.append(f"  {value_text(option)}: {_valued(value)}{mark}")
        yield "\n".join(lines)
    if len(decisions) > _MOST_DECISIONS:
        yield f"and {len(decisions) - _MOST_DECISIONS} more choices"


def _valued(value: Any) -> str:
    return number_text(Fraction(value)) if isinstance(value, (int, Fraction)) else value_text(value)


def _write_rows(rows: Iterable[tuple[Any, ...]]) -> None:
    csv.writer(sys.stdout, lineterminator="\n").writerows(rows)
