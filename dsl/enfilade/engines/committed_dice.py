"""Committed dice for games by mail or chat: a commitment scheme, so neither side can choose its dice.

One side, the roller, draws a secret of 256 bits and shows its hash, the commitment. The other side answers with a number
of its own. The dice follow from both (HMAC-SHA-256 in counter mode): the roller can't change the secret any more, and the
other side doesn't know it. When the secret is shown after the game, everybody can check the dice.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Final

from attrs import evolve, field, frozen

from enfilade.door import with_doors
from enfilade.errors import AnswerError

FORMAT: Final = "enfilade-dice"
VERSION: Final = 1
_BYTES: Final = 32
_FIELDS: Final = ("game", "rules", "commitment", "number", "part")


@with_doors
@frozen
class CommittedDice:
    """Dice that neither side can choose; the roller creates them with ``commit``.

    Attributes:
        game: The name of the game, which both sides know.
        rules: The digest of the ruleset (``Ruleset.digest``).
        commitment: The hash of the secret, the game and the rules. The other side keeps it.
        number: The text that the other side has chosen for this combat.
        secret: The secret; ``None`` until the roller shows it.
        part: Which of several runs with the same number these dice are for; set by the library.

    Examples:
        >>> import enfilade
        >>> rules = enfilade.load("infantry_attacks")
        >>> dice = CommittedDice.commit(rules.digest, "Waterloo by mail")
        >>> run = rules.begin("direct_fire", fire_value=16, seed=dice.with_number("27 pigeons")).roll()
        >>> report = enfilade.verify(run.save(), secret=dice.secret, commitment=dice.commitment)
        >>> report.dice
        'proven'
    """

    game: str
    rules: str
    commitment: str
    number: str = ""
    secret: str | None = field(default=None, repr=False)
    part: str = ""

    @classmethod
    def commit(cls, rules: str, game: str) -> CommittedDice:
        """Draw a secret and commit to it.

        Args:
            rules: The digest of the ruleset.
            game: The name of the game.
        """
        secret = secrets.token_hex(_BYTES)
        return cls(game, rules, _commitment(secret, game, rules), secret=secret)

    def with_number(self, number: str) -> CommittedDice:
        """Return the dice for one combat.

        Args:
            number: The text that the other side has chosen after it knew the commitment and the combat. Each combat needs
                another one.
        """
        return evolve(self, number=str(number))

    def with_secret(self, secret: str) -> CommittedDice:
        """Return the dice with the secret that the roller has shown.

        Raises:
            AnswerError: The secret is not the one that was committed to.
        """
        if not hmac.compare_digest(_commitment(secret, self.game, self.rules), self.commitment):
            raise AnswerError(
                "the secret does not match the commitment: the secret, the game or the ruleset is different"
            )
        return evolve(self, secret=secret)

    def for_part(self, part: str) -> CommittedDice:
        """Return other dice with the same secret and number."""
        return evolve(self, part=f"{self.part} {part}".strip())

    def generator(self) -> Callable[[], float]:
        """Return a function that gives random numbers, as the ``random`` method of a generator does.

        Raises:
            AnswerError: The secret or the number is missing.
        """
        if self.secret is None:
            raise AnswerError("these dice are committed: only the side that has their secret can roll them")
        if not self.number:
            raise AnswerError("the other side's number is missing; set it with `with_number`")
        key = self.secret.encode()
        text = json.dumps([FORMAT, VERSION, self.game, self.rules, self.number, self.part]).encode()
        counter = count()

        def draw() -> float:
            block = hmac.digest(key, b"%s %d" % (text, next(counter)), "sha256")
            return (int.from_bytes(block[:7], "big") >> 3) / (1 << 53)

        return draw

    def to_json(self, *, secret: bool = False) -> dict[str, Any]:
        """Return the dice as plain data.

        Args:
            secret: Whether to include the secret.
        """
        data = {"format": FORMAT, "version": VERSION} | {name: getattr(self, name) for name in _FIELDS}
        return data | {"secret": self.secret} if secret else data

    @classmethod
    def from_json(cls, data: Any) -> CommittedDice:
        """Read the dice from plain data.

        Raises:
            AnswerError: The data are not committed dice, or their secret does not fit.
        """
        if not isinstance(data, Mapping) or (data.get("format"), data.get("version")) != (FORMAT, VERSION):
            raise AnswerError("this is not a file of committed dice")
        values = [str(data[name]) for name in _FIELDS if isinstance(data.get(name), str)]
        if len(values) < len(_FIELDS):
            raise AnswerError("this is not a file of committed dice: a part of it is missing")
        game, rules, commitment, number, part = values
        dice = cls(game, rules, commitment, number, None, part)
        secret = data.get("secret")
        return dice if secret is None else dice.with_secret(str(secret))


def _commitment(secret: str, game: str, rules: str) -> str:
    text = json.dumps([FORMAT, VERSION, game, rules, secret])
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
