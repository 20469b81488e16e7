"""Note recognition: finds what codes mean, die roll modifiers and column shifts in the text around a pasted chart.

Only lines in one of the usual printed forms are found. An author has to confirm each one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from attrs import frozen

_MAX_LABEL: Final = 60
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4}
# `M  Morale check`, `DR = Defender retreats`: several may stand in one line, with wide blanks between them.
_MEANING = re.compile(r"([^\s:=]+)\s*(?:[:=]|\s[-–—]\s|\s)\s*([^\W\d_].*)\Z")
_SENTENCE = re.compile(
    r"(?<=[^\W\d_])\.(?:\s+|\Z)|;\s*|\n(?-i:(?![a-z]))|,\s*(?=[+−–-]\d+\s+(?!to\b|from\b|drm\b)[a-z])", re.IGNORECASE
)
_HEADING = re.compile(r"(?:drm|drms|(?:die roll |column )?(?:modifiers?|shifts?)|terrain)\s*:\s*", re.IGNORECASE)
_WORDED: Final = r"(?P<label>.*?[^\W_])\s*[,:]?\s+"
_ROLL: Final = re.compile(
    rf"(?P<before>[+−–-]\d{{1,9}})(?:\s+drm)?\s*[:,]?\s+(?P<what>\D.*)\Z"
    rf"|{_WORDED}(?:add\s+)?(?P<after>[+−–-]?\d{{1,9}})(?:\s+drm|\s+(?:to|from)\s+(?:the\s+)?(?:die|dice|roll)(?:\s+roll)?)?\Z",
    re.IGNORECASE,
)
_SHIFT: Final = re.compile(
    rf"{_WORDED}(?:shifts?\s+)?(?P<number>\d|one|two|three|four)\s*(?:columns?\s+)?(?:shifts?\s+)?(?:to\s+the\s+)?"
    r"(?P<way>left|right|l|r)\Z",
    re.IGNORECASE,
)


@frozen
class Note:
    """A modifier in the text around a chart.

    Attributes:
        kind: roll for a die roll modifier, shift for a column shift.
        amount: The number to add; for a shift, positive moves right.
        label: The case in which it applies, as printed.
    """

    kind: str
    amount: int
    label: str


def meanings_of(codes: Iterable[str], lines: Sequence[str]) -> dict[str, str]:
    """Find what codes mean in the lines around a chart.

    Examples:
        >>> meanings_of(["AE", "DR"], ["AE Attacker eliminated   DR = Defender retreats"])
        {'AE': 'Attacker eliminated', 'DR': 'Defender retreats'}
    """
    found: dict[str, str] = {}
    known = {code for code in codes if any(map(str.isalpha, code))}
    for part in (part for line in lines for part in re.split(r"\s{2,}|\t|;", line)):
        meant = _MEANING.match(part.strip())
        if meant is not None and meant[1] in known and len(meant[2]) <= _MAX_LABEL:
            found.setdefault(meant[1], meant[2].strip(" ."))
    return found


def notes_of(lines: Sequence[str]) -> Iterator[Note]:
    """Find the modifiers in the lines around a chart.

    Examples:
        >>> [each.amount for each in notes_of(["+1  Radar", "Smoke: -2", "Woods or town, shift one column left."])]
        [1, -2, -1]
    """
    for sentence in _SENTENCE.split("\n".join(lines)):
        text = _HEADING.sub("", " ".join(sentence.split()), count=1)
        if shift := _SHIFT.fullmatch(text):
            number = shift["number"].lower()
            amount = _NUMBERS.get(number) or int(number)
            yield from _note("shift", -amount if shift["way"][0] in "lL" else amount, shift["label"])
        elif (roll := _ROLL.fullmatch(text)) and (roll["before"] or not roll["after"][0].isdigit()):
            amount = int(re.sub("[−–]", "-", roll["before"] or roll["after"]))
            yield from _note("roll", amount, roll["what"] or roll["label"])


def _note(kind: str, amount: int, label: str) -> Iterator[Note]:
    words = re.sub(r"\s+shifts?\Z", "", label.strip(" ,:."))
    if amount and len(words) <= _MAX_LABEL and re.search(r"[^\W\d_]{2}", words) and not re.search(r"[+−]\d", words):
        yield Note(kind, amount, words)
