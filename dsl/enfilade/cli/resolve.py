"""``enfilade resolve``: plays a procedure once and prints the outcome."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from attrs import evolve

from enfilade import (
    CommittedDice,
    DrawQuestion,
    EnfiladeError,
    InputError,
    MissingAnswer,
    NotStarted,
    Outcome,
    RollQuestion,
    Ruleset,
    RulesetError,
    Run,
    Severity,
    Started,
    UsageError,
    error_to_json,
)
from enfilade.cli.committed_files import committed_dice, write_new
from enfilade.cli.diagnostics import print_diagnostics
from enfilade.files import load_ruleset
from enfilade.language import faces_of_total, output_text, read_facts, read_json, read_known_answers, read_options
from enfilade.terminal import FAILED, WRONG_USAGE, can_ask, complain, reason, write_json


def run_resolve(args: Namespace) -> int:
    """Play a procedure and print its outcome."""
    try:
        rules = load_ruleset(args.ruleset)
        if args.procedure is None:
            names = ", ".join([*(each.name for each in rules.procedures), *(each.name for each in rules.events)])
            raise UsageError(
                f"name a procedure: {names}" if names else "there is nothing to play: the ruleset has no procedure"
            )
        if args.procedure in rules.names("event") and args.procedure not in rules.names("procedure"):
            return _told(rules, args)
        outcome = _played(rules, args)
    except EnfiladeError as wrong:
        code = failed(wrong, as_json=args.json)
        if isinstance(wrong, InputError) and not args.json:
            point_to(args, wrong)
        return code
    return _shown(outcome, args)


def _shown(outcome: Outcome, args: Namespace) -> int:
    """Print the outcome, and return the exit code."""
    if args.json:
        write_json(outcome.to_json())
    elif args.why == "short":
        print(outcome.sentence())
    elif outcome.refusal is not None:
        print("\n".join(_refused(outcome, why=args.why)))
    else:
        print("\n".join(_lines(outcome, why=args.why)))
    return FAILED if outcome.refusal is not None else 0


def _played(rules: Ruleset, args: Namespace) -> Outcome:
    given = {**given_file(args.facts_file), **read_facts(rules, args.procedure, args.facts)}
    dice, choices = read_known_answers(args.dice), read_known_answers(args.choices)
    options = read_options(rules, args.option or ())
    seed = _seed_of(args)
    if isinstance(dice, list) and len(dice) == 1:
        first = rules.begin(args.procedure, given=given, choices=choices, seed=seed, options=options).question
        dice = faces_of_total(first, dice)
    if args.save is None and (args.json or not can_ask()):
        return rules.resolve(args.procedure, given=given, dice=dice, choices=choices, seed=seed, options=options)
    run = rules.begin(args.procedure, given=given, dice=dice, choices=choices, seed=seed, options=options)
    run = _to_its_end(run, args, rolls=dice is None or seed is not None)
    if args.save is not None:
        write_new(args.save, run.save() + "\n")
    assert run.outcome is not None
    return run.outcome


def _seed_of(args: Namespace) -> int | str | CommittedDice | None:
    """The seed or the committed dice of the command line."""
    if args.committed is None:
        if args.number is not None:
            raise UsageError("--number can be given only with --committed")
        return read_seed(args.seed)
    if args.seed is not None or args.dice is not None:
        raise UsageError("--committed can't be combined with --seed or --dice")
    if args.number is None:
        raise UsageError("--number is missing: the number or words that the other side chose for this combat")
    return committed_dice(args.committed).with_number(args.number)


def _told(rules: Ruleset, args: Namespace) -> int:
    """Notify the rules of an event, and play the procedures that it starts."""
    given = {**given_file(args.facts_file), **read_facts(rules, args.procedure, args.facts)}
    if args.save is not None:
        raise UsageError("--save needs a procedure, not an event, which may start several procedures")
    options, seed = read_options(rules, args.option or ()), _seed_of(args)
    dice, choices = read_known_answers(args.dice), read_known_answers(args.choices)
    ended: list[Started | NotStarted] = []
    for reaction in rules.notify(args.procedure, given=given, options=options, seed=seed):
        if isinstance(reaction, Started):
            run = reaction.run.restarted(dice=dice, choices=choices)
            reaction = evolve(reaction, run=_to_its_end(run, args, rolls=dice is None or seed is not None))
        ended.append(reaction)
    if args.json:
        write_json([reaction.to_json() for reaction in ended])
        return 0
    codes = [0]
    for reaction in ended:
        cites = f" [{', '.join(reaction.cites)}]" if reaction.cites else ""
        if isinstance(reaction, NotStarted):
            print(f"nothing starts: {reaction.reason}{': ' if reaction.message else ''}{reaction.message}{cites}")
        elif reaction.run.outcome is not None:
            print(f"starts {reaction.procedure}{cites}")
            codes.append(_shown(reaction.run.outcome, args))
    if not ended:
        print("nothing starts")
    return max(codes)


def _to_its_end(run: Run, args: Namespace, *, rolls: bool) -> Run:
    if can_ask() and not args.json:
        from enfilade.cli.interactive import play_out

        return play_out(run, rolls=rolls)
    while (question := run.question) is not None:
        if not rolls or not isinstance(question, (RollQuestion, DrawQuestion)):
            raise UsageError(f"{question.key} is missing ({question.text})")
        run = run.roll()
    return run


def point_to(args: Namespace, wrong: InputError) -> None:
    """Print a suggestion if an input is missing or an option was given as a fact."""
    if isinstance(wrong, MissingAnswer) and wrong.kind != "fact":
        return
    if any(fault.value is None for fault in wrong.errors):
        complain(f"to list all facts: enfilade describe {args.ruleset} {args.procedure}")
    for fault in wrong.errors:
        if fault.is_option:
            complain(f"set this option with --option {fault.parameter}")


def read_seed(text: str | None) -> int | str | None:
    """Parse a seed; a whole number becomes an integer, so it gives the same dice as in a program."""
    return int(text) if text is not None and re.fullmatch(r"-?\d{1,1000}", text) else text


def given_file(argument: str | None) -> Mapping[str, Any]:
    """Read facts by name from a JSON file or from standard input."""
    if argument is None:
        return {}
    try:
        text = sys.stdin.read() if argument == "-" else Path(argument).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as wrong:
        raise UsageError(f"{argument} is not UTF-8") from wrong
    except OSError as wrong:
        raise UsageError(f"{argument} can't be read: {reason(wrong)}") from wrong
    data = read_json(text, argument)
    if not isinstance(data, dict):
        raise UsageError(f"{argument} does not contain a JSON object with facts by name")
    return data


def failed(wrong: EnfiladeError, *, as_json: bool) -> int:
    """Print why there is no outcome, and return the exit code; what was typed wrong is left to the entry point."""
    if isinstance(wrong, UsageError):
        raise wrong
    if as_json:
        write_json(error_to_json(wrong))
    elif isinstance(wrong, InputError):
        for fault in wrong.errors:
            complain(fault.message)
    elif isinstance(wrong, RulesetError) and wrong.diagnostics:
        print_diagnostics((d for d in wrong.diagnostics if d.severity is Severity.ERROR), sys.stderr)
        complain("the ruleset has errors")
    else:
        complain(str(wrong))
    return WRONG_USAGE if isinstance(wrong, InputError) or _is_unfound(wrong) else FAILED


def _is_unfound(wrong: EnfiladeError) -> bool:
    return isinstance(wrong, RulesetError) and not wrong.diagnostics


# ------------------------------------------------------------------------------------------------- for people


def _refused(outcome: Outcome, *, why: Literal["usual", "all"] | None) -> Iterator[str]:
    if why == "all":
        yield outcome.explain().text("all")
        return
    yield from outcome.explain().situation() if why else ()
    cites = f" [{', '.join(outcome.cites)}]" if outcome.cites else ""
    yield f"refused: {outcome.refusal}{': ' if outcome.message else ''}{outcome.message}{cites}"


def _lines(outcome: Outcome, *, why: Literal["usual", "all"] | None) -> Iterator[str]:
    if why:
        # The explanation already includes the outputs and effects as steps.
        yield outcome.explain().text(why)
    else:
        yield from _ending(outcome)
    for thrown in outcome.dice:
        yield f"dice    {thrown.name}: {output_text(thrown.answers)}"
    for choice in outcome.choices:
        yield f"choice  {choice.name}: {output_text(choice.chosen)}"


def _ending(outcome: Outcome) -> Iterator[str]:
    width = max((len(name) for name in outcome.outputs), default=0)
    for name, value in outcome.outputs.items():
        yield f"{name:<{width}}  {output_text(value)}"
    if outcome.effects:
        yield "effects"
        for effect in outcome.effects:
            yield "  " + " ".join([effect.effect, *(f"{name} {output_text(arg)}" for name, arg in effect.args.items())])
