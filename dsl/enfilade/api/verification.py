"""Verification of saved runs: what was changed, and whether the dice are those that were committed to.

A save is compared with its own checksums, with the rules by a replay of its log, with its committed dice, and with an
earlier save of the same run. Checksums can be made to fit again; a commitment or an earlier save of the other side can't.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias

from attrs import frozen

from enfilade.api.loading import load
from enfilade.api.prepared import PreparedRules
from enfilade.api.runs import replay_log
from enfilade.api.save_checksums import checksum, part_checksums, parts_of
from enfilade.api.saved_runs import damage_named, read_saved, read_start
from enfilade.core.answers import LogEntry, as_data
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.diagnostics.columns import visible
from enfilade.door import door, with_doors
from enfilade.engines.askers import GeneratorAsker
from enfilade.engines.committed_dice import CommittedDice
from enfilade.errors import AnswerError, EnfiladeError, InputError, LimitError
from enfilade.limits import one_call
from enfilade.source.finder import is_name
from enfilade.values.json_data import to_json

DiceProof: TypeAlias = Literal["proven", "committed", "not committed", "wrong"]
_LONGEST: Final = 300
_SETTINGS: Final = ("hash", "ruleset", "procedure", "event", "ask_all", "seed", "dice", "choices")
_WORDS: Final = {
    "hash": "the rules", "ruleset": "the name of the ruleset", "ask_all": "the setting ask_all",
    "dice": "the dice given in advance", "choices": "the choices given in advance", "seed": "the seed",
    "procedure": "the procedure", "event": "the event",
}  # fmt: skip


@with_doors
@frozen
class Change:
    """Something in a save that was changed, or does not fit.

    Attributes:
        kind: rules, start, fact, option, seed, dice, answer, order, length or checksum.
        name: What it is: the fact, the option, the roll, or the answer by its number.
        message: A sentence.
    """

    kind: str
    name: str
    message: str

    def to_json(self) -> dict[str, str]:
        """Return the change as plain data."""
        return {"kind": self.kind, "name": self.name, "message": self.message}


@with_doors
@frozen
class Verification:
    """The result of a verification.

    Attributes:
        changes: What was changed or does not fit.
        dice: ``proven``: the dice are those of the commitment; ``committed``: the secret is missing; ``wrong``: the
            commitment does not fit; ``not committed``: whoever rolled may have chosen them.
        commitment: The commitment in the save, to be compared with the one that the roller sent.
        number: The number of the other side in the save.
    """

    changes: tuple[Change, ...]
    dice: DiceProof
    commitment: str | None = None
    number: str | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing was changed, as far as this can be seen."""
        return not self.changes

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data."""
        return {
            "ok": self.ok, "changes": [each.to_json() for each in self.changes], "dice": self.dice,
            "commitment": self.commitment, "number": self.number,
        }  # fmt: skip

    def __str__(self) -> str:
        """Say what was changed, and what is known of the dice."""
        found = [each.message for each in self.changes] or ["No change was found."]
        commitment = _shown(self.commitment or "")
        told = {
            "proven": f"The dice match the commitment {commitment} and the other side's number {_shown(repr(self.number))}.",
            "committed": f"The dice are committed as {commitment}; check them with the secret.",
            "wrong": "The dice are not proven: the player who rolled may have chosen them.",
            "not committed": "The dice are not committed, so the person who wrote this save may have chosen them.",
        }
        return "\n".join([*found, told[self.dice]])


@door
def verify(
    saved: str, rules: PreparedRules | None = None, *, secret: str | None = None, commitment: str | None = None,
    number: str | None = None, earlier: str | None = None,
) -> Verification:  # fmt: skip
    """Find what was changed in a saved run, and check its committed dice.

    Args:
        saved: The result of ``Run.save``.
        rules: The ruleset; loaded by the name in the save if not given.
        secret: The secret of committed dice, after the roller has shown it. A save may include it.
        commitment: The commitment that the roller sent before the game.
        number: The number that the other side chose for this combat.
        earlier: A save of the same run that you kept: its start and its answers must be in this one.

    Raises:
        AnswerError: The text is not a saved run, or it names no ruleset.
        RulesetError: The ruleset can't be loaded.
        LimitError: The replay exceeds a limit of the ruleset.

    Examples:
        >>> import enfilade
        >>> run = enfilade.load("infantry_attacks").begin("direct_fire", fire_value=16).answer([1, 2])
        >>> verify(run.save().replace("[1, 2]", "[6, 6]")).changes[0].message
        'Answer 1 (fire_roll) was changed after the run was saved.'
    """
    data = read_saved(saved)
    used = load(_ruleset_named_in(saved)) if rules is None else rules
    with one_call(used.limits):
        return _verified(data, used, secret=secret, commitment=commitment, number=number, earlier=earlier)


def _ruleset_named_in(saved: str) -> str:
    """Return the name of the ruleset of a saved run. A path is no name: a save may not choose which files are read.

    Raises:
        AnswerError: The text is not a saved run, or it has no such name.
    """
    name = read_saved(saved).get("ruleset")
    if not isinstance(name, str) or not is_name(name):
        raise AnswerError("this saved run names no ruleset; give the ruleset that it was played with")
    return name


def _shown(text: str) -> str:
    """Return a text of a save for a message: without control characters, and not too long."""
    return visible(text, _LONGEST)


def _verified(
    data: Mapping[str, Any], used: PreparedRules, *, secret: str | None, commitment: str | None, number: str | None,
    earlier: str | None,
) -> Verification:  # fmt: skip
    """Verify a save with a ruleset."""
    with damage_named():
        changes = list(_against_checksums(data))
        if earlier is not None:
            changes += _against_earlier(data, read_saved(earlier))
    if data.get("hash") != used.digest:
        text = f"The rules were changed: the save was made with another version of {data.get('ruleset')}."
        changes = [Change("rules", "rules", text), *(each for each in changes if each.kind != "rules")]
    dice = _dice_of(data, used, changes, secret=secret, commitment=commitment, number=number)
    proof = _replayed(data, used, dice, changes)
    # Names in a save may be any text.
    found = tuple(dict.fromkeys(Change(each.kind, _shown(each.name), _shown(each.message)) for each in changes))
    return Verification(found, proof) if dice is None else Verification(found, proof, dice.commitment, dice.number)


# ----------------------------------------------------------------------------------------------------------- checksums


def _against_checksums(data: Mapping[str, Any]) -> Iterator[Change]:
    """Compare the parts of a save with their checksums."""
    known = data.get("checksums")
    found = part_checksums(data)
    changes: list[Change] = []
    if isinstance(known, Mapping):
        changes = list(_differences(known, found, data, "after the run was saved"))
    yield from changes
    if not changes and data.get("checksum") != checksum(data):
        yield Change("checksum", "checksum", "The checksum does not match: the save was changed.")


def _against_earlier(data: Mapping[str, Any], earlier: Mapping[str, Any]) -> Iterator[Change]:
    """Compare a save with an earlier one, which has fewer answers, and may lack the number and the secret."""
    now, then = (dict(each) for each in (data, earlier))
    if isinstance(now.get("seed"), dict) and isinstance(then.get("seed"), dict):
        later_known = {"secret", *(() if then["seed"].get("number") else ("number",))}
        for each in (now, then):
            each["seed"] = {name: value for name, value in each["seed"].items() if name not in later_known}
    log = then.get("log")
    if isinstance(log, list) and isinstance(now.get("log"), list):
        now["log"] = now["log"][: len(log)]
    yield from _differences(part_checksums(then), part_checksums(now), data, "since the earlier save")


def _differences(
    known: Mapping[str, Any], found: Mapping[str, str], data: Mapping[str, Any], when: str
) -> Iterator[Change]:
    """Name the parts whose checksums differ."""
    names = [
        name for name in (*known, *(each for each in found if each not in known)) if known.get(name) != found.get(name)
    ]
    answers = [name for name in names if name.startswith("answer ")]
    if answers and Counter(known.get(each) for each in answers) == Counter(found.get(each) for each in answers):
        numbers = ", ".join(each.removeprefix("answer ") for each in answers)
        yield Change("order", numbers, f"The answers {numbers} were put in another order {when}.")
        names = [each for each in names if each not in answers]
    parts = parts_of(data)
    for name in names:
        happened = "was added" if name not in known else "was taken out" if name not in found else "was changed"
        yield _change(name, parts.get(name), f"{happened} {when}", taken_out=name not in found)


def _change(name: str, value: Any, happened: str, *, taken_out: bool) -> Change:
    kind, _, rest = name.partition(" ")
    if name in _SETTINGS:
        plural = name in ("hash", "dice", "choices")
        text = happened.replace("was ", "were ", 1) if plural else happened
        kinds = {"hash": "rules", "seed": "seed"}
        return Change(kinds.get(name, "start"), name, f"{_WORDS[name].capitalize()} {text}.")
    if kind != "answer":
        return Change(kind, rest, f"The {kind} {rest} {happened}.")
    if taken_out:
        return Change("length", rest, f"Answer {rest} {happened}.")
    entry = value if isinstance(value, Mapping) else {}
    kinds = {"roll": "dice", "draw": "dice", "fact": "fact"}
    return Change(kinds.get(str(entry.get("kind")), "answer"), str(entry.get("name")),
                  f"Answer {rest} ({entry.get('name')}) {happened}.")  # fmt: skip


# ---------------------------------------------------------------------------------------------------------------- dice


def _dice_of(
    data: Mapping[str, Any], rules: PreparedRules, changes: list[Change], *, secret: str | None, commitment: str | None,
    number: str | None,
) -> CommittedDice | None:  # fmt: skip
    """Read the committed dice of a save, and note what does not fit."""
    if not isinstance(data.get("seed"), Mapping):
        if commitment is not None:
            changes.append(Change("seed", "commitment", "The save has no committed dice."))
        return None
    try:
        dice = CommittedDice.from_json({**data["seed"], "secret": None})
    except AnswerError as wrong:
        changes.append(Change("seed", "commitment", f"The committed dice can't be read: {wrong}."))
        return None
    if commitment is not None and commitment != dice.commitment:
        changes.append(Change("seed", "commitment", "The commitment differs from the commitment sent before the game."))
    if number is not None and number != dice.number:
        changes.append(
            Change("seed", "number", f"The other side's number is {dice.number!r} in the save, not {number!r}.")
        )
    if dice.rules != rules.digest:
        changes.append(Change("rules", "commitment", "The dice were committed for other rules."))
    known = secret or data["seed"].get("secret")
    if known is None:
        return dice
    try:
        return dice.with_secret(str(known))
    except AnswerError:
        changes.append(Change("seed", "secret", "The secret does not match the commitment."))
        return dice


class _Rolled:
    """An asker that rolls with committed dice and keeps what it rolled, in order."""

    def __init__(self, roller: GeneratorAsker) -> None:
        self.rolled: list[tuple[str, Any]] = []
        self._roller = roller

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        """Roll."""
        return self._kept(request.name, self._roller.roll(request))

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        """Draw."""
        return self._kept(request.name, self._roller.draw(request))

    def fact(self, request: FactRequest) -> Any:
        """Nothing to do: facts are not rolled."""

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        """Nothing to do: choices are not rolled."""
        return ()

    def forced(self, request: ChoiceRequest) -> None:
        """Nothing to do."""

    def _kept(self, name: str, faces: tuple[Any, ...]) -> tuple[Any, ...]:
        self.rolled.append((name, as_data(to_json(faces))))
        return faces


def _replayed(
    data: Mapping[str, Any], rules: PreparedRules, dice: CommittedDice | None, changes: list[Change]
) -> DiceProof:
    """Replay the log of a save, note what does not fit, and say what is known of the dice."""
    rolled = None
    with suppress(AnswerError):
        rolled = _Rolled(GeneratorAsker(dice.generator())) if dice is not None else None
    before = len(changes)
    try:
        with damage_named():
            start, log = read_start(rules, data)
            taken = replay_log(rules, start, log, rolled)
        changes += _unlike(log, taken, rolled)
    except LimitError:
        raise
    except EnfiladeError as wrong:
        changes += _misfits(wrong)
    if dice is None:
        return "not committed"
    if rolled is None and not any(each.name == "secret" for each in changes):
        return "committed"
    fits = rolled is not None and len(changes) == before and not any(each.kind in ("seed", "rules") for each in changes)
    return "proven" if fits else "wrong"


def _unlike(log: tuple[LogEntry, ...], taken: tuple[LogEntry, ...], rolled: _Rolled | None) -> Iterator[Change]:
    """Compare a log with what the rules take from it, and with the committed dice."""
    own = [entry for entry in log if entry.kind != "fact"]
    for entry, right in zip(own, taken, strict=False):
        if entry != right:
            text = f"The answer to {entry.name} is not the one that the rules require."
            yield Change("answer", entry.name, text)
    logged = [entry for entry in own if entry.kind in ("roll", "draw")]
    for entry, (name, faces) in zip(logged, rolled.rolled if rolled is not None else (), strict=False):
        if as_data(to_json(entry.value)) != faces:
            text = f"{name} shows {_listed(entry.value)}; the committed dice give {_listed(faces)}."
            yield Change("dice", name, text)


def _misfits(wrong: EnfiladeError) -> Iterator[Change]:
    if isinstance(wrong, InputError):
        yield from (Change("answer", fault.parameter, f"Not legal: {fault.message}.") for fault in wrong.errors)
    else:
        yield Change("order", "log", f"The log does not match the rules: {wrong}.")


def _listed(faces: Any) -> str:
    return " ".join(map(str, faces))
