"""``enfilade commit`` and ``enfilade verify``: dice for games by mail or chat, and checks of saved runs."""

from __future__ import annotations

import json
from argparse import Namespace

from enfilade import AnswerError, CommittedDice, EnfiladeError, verify
from enfilade.cli.committed_files import committed_dice, text_of, write_new
from enfilade.cli.resolve import failed
from enfilade.files import load_ruleset
from enfilade.terminal import DONE, FAILED, WRONG_USAGE, complain, write_json


def run_commit(args: Namespace) -> int:
    """Draw a secret, write it to a new file, and print the commitment."""
    try:
        rules = load_ruleset(args.ruleset)
    except EnfiladeError as wrong:
        return failed(wrong, as_json=args.json)
    dice = CommittedDice.commit(rules.digest, args.game)
    write_new(args.file, json.dumps(dice.to_json(secret=True), indent=2) + "\n")
    if args.json:
        write_json(dice.to_json())
        return DONE
    print(f"commitment  {dice.commitment}")
    print(f"Send the commitment to the other side. Show {args.file} to nobody until the game is over.")
    return DONE


def run_verify(args: Namespace) -> int:
    """Check a saved run, and print what was changed."""
    saved = text_of(args.save)
    secret = committed_dice(args.committed).secret if args.committed is not None else None
    earlier = None if args.earlier is None else text_of(args.earlier)
    try:
        rules = None if args.ruleset is None else load_ruleset(args.ruleset)
        report = verify(
            saved, rules, secret=secret, commitment=args.commitment, number=args.number, earlier=earlier
        )  # fmt: skip
    except AnswerError as wrong:
        complain(f"{args.save}: {wrong}")
        return WRONG_USAGE
    except EnfiladeError as wrong:
        return failed(wrong, as_json=args.json)
    if args.json:
        write_json(report.to_json())
    else:
        print(report)
    return DONE if report.ok else FAILED
