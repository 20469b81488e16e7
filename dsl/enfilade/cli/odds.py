"""``enfilade odds``, ``least``, ``grid``, ``compare``, ``matters`` and ``sensitivity``: exact chances as text, JSON or CSV."""

from __future__ import annotations

import csv
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from enfilade import (
    Decision,
    Distribution,
    EnfiladeError,
    InputError,
    LimitError,
    NeedsPolicy,
    Odds,
    RefusedOdds,
    Ruleset,
    UsageError,
)
from enfilade.cli.resolve import failed, given_file, point_to, read_seed
from enfilade.files import load_ruleset
from enfilade.language import (
    more_patience,
    number_text,
    read_changes,
    read_facts,
    read_known_answers,
    read_options,
    read_patience,
    read_policies,
    read_values,
    value_text,
)
from enfilade.terminal import FAILED, ProgressLine, complain, write_json
from enfilade.tools import csv_cell


class _HasFractions(Protocol):
    def in_lowest_terms(self: T) -> T: ...


T = TypeVar("T", bound=_HasFractions)

_MOST_DECISIONS: Final = 12
_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<style>body {{ font-family: sans-serif }} td, th {{ padding: 0.2em 0.6em; text-align: right }}</style>
{table}
</html>"""


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


def run_sensitivity(args: Namespace) -> int:
    """Print what moves the odds most, over its range."""
    return _ending(args, _sensitivity)


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
    forms = [f"--{name}" for name in ("json", "csv", "html", "vega") if getattr(args, name, False)]
    if len(forms) > 1:
        raise UsageError(f"{forms[0]} and {forms[1]} can't be combined; give only one")
    players = _players(args)
    if args.aim is None:
        wants = [f"--{way} {player}" for player, way in players.items() if way != "random"]
        wants += [f"--{way.replace('_', '-')}" for way in ("range", "show_policy") if getattr(args, way, False)]
        if wants:
            raise UsageError(f"{wants[0]} needs --aim QUESTION: the goal of the choices")


def _refused(refused: RefusedOdds, args: Namespace) -> int:
    if args.json:
        return failed(refused, as_json=True)
    cites = f" [{', '.join(refused.cites)}]" if refused.cites else ""
    by_chance = " for some dice or choices" if refused.by_chance else ""
    print(f"refused{by_chance}: {refused.refusal}{': ' if refused.reason else ''}{refused.reason}{cites}")
    return FAILED


def _help(wrong: EnfiladeError, args: Namespace) -> None:
    """Print a suggestion of what to type instead."""
    if isinstance(wrong, InputError) and any(fault.parameter == "within" for fault in wrong.errors):
        where = "--within VALUES" if hasattr(args, "within") else "--by FACT=VALUES"
        complain(f"write {where}, with `;` between values that are lists")
    elif isinstance(wrong, InputError) and all(fault.parameter not in ("question", "policy") for fault in wrong.errors):
        point_to(args, wrong)
    elif isinstance(wrong, NeedsPolicy):
        base = wrong.choice.partition("[")[0]
        options = ", ".join(dict.fromkeys(value_text(getattr(option, "key", option)) for option in wrong.options))
        complain(f"fix the choice with --choices {base}=...{f' ({options})' if options else ''}")
        if getattr(args, "sample", None) is None:
            complain(f"or let the player choose for an aim: --best {wrong.player} --aim QUESTION")
        else:
            complain(f"or let the player choose at random: --random {wrong.player}")
    elif isinstance(wrong, LimitError):
        if wrong.limit == "rounds" and wrong.place is None and getattr(args, "until", None) is not None:
            complain("limit the turns: --at-most 20")
        seconds = more_patience(wrong)
        if seconds:
            complain(f"allow more time: --patience {seconds}s")
        if wrong.can_sample and hasattr(args, "sample") and args.sample is None:
            complain("estimate the odds instead: --sample 100000 --seed 1")


# ------------------------------------------------------------------------------------------------- what is asked


def _situation(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> dict[str, Any]:
    """The facts, dice, choices and strategies, as keyword arguments for the library."""
    return {
        "given": {
            **given_file(args.facts_file),
            **read_facts(rules, args.procedure, _facts_of(rules, args.procedure, args, _following(args))),
        },
        "dice": read_known_answers(args.dice),
        "choices": read_known_answers(args.choices),
        "players": _players(args),
        "policy": read_policies(args.policy),
        "aim": args.aim,
        "options": read_options(rules, args.option or ()),
        "condition": tuple(args.given or ()),
        "limits": None if args.patience is None else rules.limits.with_patience(read_patience(args.patience)),
        "progress": ticker,
    }


def _players(args: Namespace) -> dict[str, str]:
    players: dict[str, str] = {}
    for way in ("best", "worst", "random"):
        for player in getattr(args, way) or ():
            if player in players:
                raise UsageError(f"{player} can't be both {players[player]} and {way}")
            players[player] = way
    return players


def _by(rules: Ruleset, args: Namespace, call: dict[str, Any]) -> dict[str, list[Any] | None]:
    types = rules.variables(args.procedure, **call)
    by: dict[str, list[Any] | None] = {}
    for word in args.by or ():
        name, equals, values = word.partition("=")
        name = name.strip()
        if name in by:
            raise UsageError(f"--by {name} stands twice")
        by[name] = list(read_values(rules, types.get(name), values)) if equals else None
    return by


# ------------------------------------------------------------------------------------------------------ the commands


def _odds(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    if args.by:
        if len(args.of or ()) > 1 or args.sample is not None:
            raise UsageError("--by takes one question and can't be combined with --sample")
        args.of = args.of[0] if args.of else None
        return _grid(rules, args, ticker)
    asked = _asked(rules, args, ticker)
    if args.range:
        return _range(asked, args)
    if args.show_policy:
        return _show_policy(asked, args)
    questions = args.of or [_default_question(asked.procedure, asked.output_names, args)]
    if args.joint and len(questions) > 1:
        if args.plus:
            raise UsageError("--plus adds up the answers to one question; leave out --joint")
        found: list[Distribution] = [asked.joint(*questions)]
    else:
        found = [_answer(asked, each) for each in questions]
        for more in args.plus or ():
            other = _another(rules, args, more, ticker)
            found = [one + _answer(other, each) for one, each in zip(found, questions, strict=True)]
    found = [_in_terms(each, args) for each in found]
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


def _default_question(procedure: str, outputs: Sequence[str], args: Namespace) -> str:
    """The question if the command line has none: the result, or the aim, or the only output.

    Raises:
        UsageError: None of them is there.
    """
    if getattr(args, "until", None) is not None:
        return "turns"
    if "result" in outputs:
        return "result"
    if args.aim is not None:
        return str(args.aim)
    if len(outputs) == 1:
        return outputs[0]
    choices = (
        f"name the output: {' or '.join(f'--of {name}' for name in outputs)}"
        if outputs
        else "or ask for a condition: --of CONDITION"
    )
    raise UsageError(f"{procedure} gives no result; {choices}")


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
            raise UsageError(f"{option} needs exact odds; leave out --sample")
    ticker.of = "runs"
    return rules.sample(args.procedure, trials=args.sample, seed=read_seed(args.seed), workers=args.workers, **call)


def _answer(asked: Any, question: str) -> Distribution:
    found: Distribution = asked.result if question == "result" else asked.of(question)
    return found


def _another(rules: Ruleset, args: Namespace, facts: str, ticker: ProgressLine) -> Any:
    """The odds of the combat that ``--plus`` adds."""
    changed = _changed(args.facts, _words("--plus", facts))
    return _asked(rules, Namespace(**{**vars(args), "facts": changed}), ticker)


def _changed(facts: Sequence[str], words: Sequence[str]) -> list[str]:
    """The facts on the command line, with those that are given again in place of the first ones."""
    again = set(map(_fact_of, words))
    return [*(word for word in facts if _fact_of(word) not in again), *words]


def _words(option: str, text: str) -> list[str]:
    """The words within one argument.

    Raises:
        UsageError: A quotation mark has no partner.
    """
    try:
        return shlex.split(text)
    except ValueError:
        raise UsageError(f"{option} {text}: a quotation mark has no partner") from None


def _fact_of(word: str) -> str:
    """The fact that a word of the command line gives: `target` for `target.steps=2`."""
    return word.partition("=")[0].partition(".")[0]


def _with_others(rules: Ruleset, odds: Odds, args: Namespace) -> Odds:
    """The odds with the procedures that are played next, and again and again."""
    following = _following(args)
    for option, value in (("--when", args.when), ("--carry", args.carry)):
        if value is not None and len(following) != 1:
            raise UsageError(f"{option} needs exactly one --then")
    carry = dict(_carried(word) for word in args.carry or ())
    for name, own in following:
        more = read_facts(rules, name, _changed(_facts_of(rules, name, args, following), own))
        odds = odds.then(name, when=args.when, carry=carry, given=more)
    if args.at_most is not None and args.until is None:
        raise UsageError("--at-most needs --until; to play N times, use --turns N")
    if args.turns is not None and args.until is not None:
        raise UsageError("--turns and --until can't be combined; write --until CONDITION --at-most N")
    if args.until is not None:
        return odds.until(args.until, at_most=args.at_most)
    return odds if args.turns is None else odds.turns(args.turns)


def _following(args: Namespace) -> list[tuple[str, list[str]]]:
    """The procedures that are played next, each with the facts that hold for it alone.

    Raises:
        UsageError: An argument names no procedure.
    """
    found = []
    for text in getattr(args, "then", None) or ():
        words = _words("--then", text)
        if not words:
            raise UsageError("--then needs the name of a procedure")
        found.append((words[0], words[1:]))
    return found


def _carried(word: str) -> tuple[str, str]:
    fact, equals, expression = word.partition("=")
    if not equals:
        raise UsageError(f"--carry {word}: write FACT=EXPRESSION, such as hits=kills")
    return fact.strip(), expression


def _facts_of(rules: Ruleset, procedure: str, args: Namespace, following: Sequence[tuple[str, list[str]]]) -> list[str]:
    """The facts on the command line that a procedure takes, and those that no procedure takes."""
    others = (name for name, _ in following)
    known = {name: set(rules.inputs(name)) for name in (args.procedure, *others)}
    every = set[str]().union(*known.values())
    names = [(word, _fact_of(word)) for word in args.facts]
    return [
        word for word, name in names if name in known[procedure] or (procedure == args.procedure and name not in every)
    ]


def _range(odds: Odds, args: Namespace) -> int:
    if args.sample is not None:
        raise UsageError("--range needs exact odds; leave out --sample")
    found = odds.range()
    if args.json:
        write_json({"aim": found.aim, "worst": str(found.worst), "best": str(found.best)})
    else:
        print(f"{found.aim}\nworst  {number_text(found.worst)}\nbest   {number_text(found.best)}")
    return 0


def _show_policy(odds: Odds, args: Namespace) -> int:
    if args.sample is not None:
        raise UsageError("--show-policy needs exact odds; leave out --sample")
    policies = odds.policy()
    if args.json:
        write_json(policies)
    else:
        print("\n".join(f"{choice}: {policy}" for choice, policy in policies.items()) or "no choice matters")
    return 0


def _least(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    call = _situation(rules, args, ticker)
    within = None
    if args.within is not None:
        types = rules.variables(args.procedure, **call)
        within = list(read_values(rules, types.get(args.fact), args.within))
    found = rules.least(args.fact, args.procedure, chance=args.chance, of=args.of, within=within, **call)
    found = _in_terms(found, args)
    if args.json:
        write_json(found.to_json())
    else:
        print(found)
    return 0 if found.reached else FAILED


def _grid(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    call = _situation(rules, args, ticker)
    by = _by(rules, args, call)
    if not by:
        raise UsageError("name what to vary: --by fire_value=1..45")
    if args.workers is not None and args.workers < 1:
        raise UsageError(f"--workers is {args.workers}; allowed: 1..")
    outputs = [each.name for each in rules.procedure(args.procedure).outputs]
    of = args.of or _default_question(args.procedure, outputs, args)
    found = rules.grid(args.procedure, by=by, of=of, workers=args.workers, parts=ticker.part, **call)
    found = _in_terms(found, args)
    if args.json:
        write_json(found.to_json())
    elif args.csv:
        _write_rows(found.rows())
    elif getattr(args, "vega", False):
        write_json(found.vega_lite())
    elif getattr(args, "html", False):
        print(_PAGE.format(table=found.html()))
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
    sides = ((rules, args.a), (theirs, args.b))
    a, b = (
        read_changes(each, args.procedure, each.variables(args.procedure, **call), words or ()) for each, words in sides
    )
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
    found = _in_terms(rules.matters(args.procedure, of=args.of, **_situation(rules, args, ticker)), args)
    if args.json:
        write_json(found.to_json())
    else:
        print(found)
    return 0


def _sensitivity(rules: Ruleset, args: Namespace, ticker: ProgressLine) -> int:
    call = _situation(rules, args, ticker)
    by = _by(rules, args, call)
    found = _in_terms(rules.sensitivity(args.procedure, of=args.of, by=by, parts=ticker.part, **call), args)
    if args.json:
        write_json(found.to_json())
    else:
        print(found)
    return 0


# --------------------------------------------------------------------------------------------------------- for people


def _in_terms(found: T, args: Namespace) -> T:
    """An answer that shows its fractions in lowest terms, if that is asked for."""
    return found.in_lowest_terms() if args.fractions else found


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
    every, decisions = len(decisions), [decision for decision in decisions if decision.matters]
    if decisions:
        yield f"choices, with the expected value of each option for {aim}"
    for decision in decisions[:_MOST_DECISIONS]:
        known = ", ".join(f"{name} {value_text(value)}" for name, value in decision.known)
        lines = [f"{decision.name} ({decision.player}){f' after {known}' if known else ''}"]
        for (option, value), mark in zip(decision.options, decision.marks, strict=True):
            lines.append(f"  {value_text(option)}: {_valued(value)}{mark and f'  {mark}'}")
        yield "\n".join(lines)
    if len(decisions) > _MOST_DECISIONS:
        yield f"and {len(decisions) - _MOST_DECISIONS} more choices"
    if every > len(decisions):
        count = every - len(decisions)
        yield f"in {count} {'choices' if count > 1 else 'choice'}, all options have the same value"


def _valued(value: Any) -> str:
    return number_text(Fraction(value)) if isinstance(value, (int, Fraction)) else value_text(value)


def _write_rows(rows: Iterable[tuple[Any, ...]]) -> None:
    cells = ([csv_cell(each) if isinstance(each, str) else each for each in row] for row in rows)
    csv.writer(sys.stdout, lineterminator="\n").writerows(cells)
