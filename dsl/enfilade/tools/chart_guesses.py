"""Heuristics for pasted charts: guesses whether labels are dice, thresholds, odds or words, and how severe codes are.

An author has to confirm each guess, so each comes with its reason in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from attrs import evolve, frozen

from enfilade.syntax import tree as t

# A number with more digits is a word.
_NUMBER = re.compile(r"[+-]?\d{1,9}\Z")
_BAND = re.compile(r"([+-]?\d{1,9})\s*(?:-|\.\.|to)\s*([+-]?\d{1,9})\Z")
_ODDS = re.compile(
    r"(\d{1,9})\s*(?::|-|to)\s*(\d{1,9})(\s*(?:\+|or (?:more|higher|better|greater)|and (?:up|over)))?\Z"
)
_OR_LESS = re.compile(r"(?<=\d)\s+or\s+(?:less|lower|worse)\Z", re.IGNORECASE)
_MORE = re.compile(
    r"(?:[≥>]=?\s*)?([+-]?\d{1,9})\s*(?:\+|or more|or higher|and up|& up|and over|or over)\Z|[≥]\s*([+-]?\d{1,9})\Z"
)
_LESS = re.compile(
    r"\.\.\s*([+-]?\d{1,9})\Z|[≤]\s*([+-]?\d{1,9})\Z|([+-]?\d{1,9})\s*(?:or less|or lower|or fewer|and below|or under)\Z"
)

# A printed label that is valid syntax as it is.
_PLAIN = re.compile(r"(?:-?\d+|\d+-\d+|-?\d+\.\.-?\d+|-?\d+\+|\.\.-?\d+)(?:, ?(?:-?\d+|\d+-\d+))*\Z")

# The dice by the lowest and highest number, for labels without gaps.
DICE: Final = {
    (1, 6): "d6", (2, 12): "2d6", (3, 18): "3d6", (4, 24): "4d6", (1, 10): "d10", (2, 20): "2d10", (1, 20): "d20",
    (1, 12): "d12", (1, 8): "d8", (1, 4): "d4", (1, 3): "d3", (2, 8): "2d4", (1, 100): "d100",
}  # fmt: skip


_TEN_FROM_0: Final = t.Die(t.Ident("ten"), (t.FaceItem(None, "0..9", False, None),), t.NO_TAIL)
_TEN_WITH_0_AS_10: Final = t.Die(
    t.Ident("ten"), (t.FaceItem(None, "1..9", False, None), t.FaceItem(None, "0", False, 10)), t.NO_TAIL
)


@frozen
class Span:
    """The interval of numbers that a label covers; ``None`` means no bound."""

    low: int | None
    high: int | None


@frozen
class Guess:
    """A guess about an axis.

    Attributes:
        kind: dice, numbers, thresholds, odds or words.
        labels: The labels in the syntax of the language.
        spans: The numbers of each label, for numbers, thresholds and dice.
        dice: The dice, such as ``2d6`` or the name of a custom die.
        die: The declaration of the custom die, if there is one.
        why: The reason for the guess.
        rewritten: The labels whose syntax differs from print, each as printed and as rewritten.
    """

    kind: str
    labels: tuple[str, ...]
    spans: tuple[tuple[Span, ...], ...] = ()
    dice: str | None = None
    die: t.Die | None = None
    why: str = ""
    rewritten: tuple[tuple[str, str], ...] = ()

    @property
    def low(self) -> int | None:
        """The lowest number of all labels; ``None`` if a label has no lower bound."""
        lows = [span.low for spans in self.spans for span in spans]
        return None if None in lows else min((low for low in lows if low is not None), default=None)

    @property
    def high(self) -> int | None:
        """The highest number of all labels; ``None`` if a label has no upper bound."""
        highs = [span.high for spans in self.spans for span in spans]
        return None if None in highs else max((high for high in highs if high is not None), default=None)


def guess_axis(labels: Sequence[str]) -> Guess:
    """Guess the kind of an axis from its labels; dice are left to ``guess_dice``.

    Examples:
        >>> guess_axis(["1", "4", "7", "11+"]).kind, guess_axis(["1-2", "1-1", "3-1"]).labels
        ('thresholds', ('1:2', '1:1', '3:1'))
    """
    odds = _guess_odds(labels)
    if odds is not None:
        return odds
    spans = [_spans(label) for label in labels]
    if not all(spans):
        return Guess("words", tuple(labels), why="the labels are words")
    normal = tuple(
        label if _PLAIN.match(label) else ",".join(map(_text, each)) for label, each in zip(labels, spans, strict=True)
    )
    why = "the labels are consecutive"
    guess = Guess("numbers", normal, tuple(spans), why=why, rewritten=_rewritten(labels, normal))
    if _has_no_gaps(guess):
        return guess
    return evolve(guess, kind="thresholds", why="the labels skip numbers")


def _rewritten(labels: Sequence[str], normal: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((before, after) for before, after in zip(labels, normal, strict=True) if before != after)


def _guess_odds(labels: Sequence[str]) -> Guess | None:
    # `1:2 or less` is what happens below the lowest odds, which the edge of the chart says.
    labels = (_OR_LESS.sub("", labels[0]), *labels[1:]) if labels else ()
    pairs = [_ODDS.match(label) for label in labels]
    found = [(int(pair[1]), int(pair[2])) for pair in pairs if pair is not None]
    # Only the last label may be open: `6:1+` is the same as `6:1` there.
    if len(found) < len(labels) or not all(b for _, b in found) or any(pair and pair[3] for pair in pairs[:-1]):
        return None
    colons = all(":" in label for label in labels)
    # `2-1` can't be an interval, so all labels are odds.
    if not colons and not any(a > b for a, b in found):
        return None
    normal = tuple(f"{a}:{b}" for a, b in found)
    return Guess("odds", normal, why="the labels are odds", rewritten=_rewritten(labels, normal))


def _spans(label: str) -> tuple[Span, ...]:
    """The intervals of a label; empty if the label is not a number."""
    whole = _span(label)
    if whole is not None:
        return (whole,)
    pieces = [_span(piece.strip()) for piece in re.split(r"[,/&]", label)]
    return tuple(piece for piece in pieces if piece is not None) if all(pieces) else ()


def _span(text: str) -> Span | None:
    if _NUMBER.match(text):
        return Span(int(text), int(text))
    if (found := _BAND.match(text)) and int(found[1]) <= int(found[2]):
        return Span(int(found[1]), int(found[2]))
    if found := _MORE.match(text):
        return Span(int(found[1] or found[2]), None)
    if found := _LESS.match(text):
        return Span(None, int(found[1] or found[2] or found[3]))
    return None


def _text(span: Span) -> str:
    if span.high is None:
        return f"{span.low}+"
    if span.low is None:
        return f"..{span.high}"
    return str(span.low) if span.low == span.high else f"{span.low}..{span.high}"


def _has_no_gaps(guess: Guess) -> bool:
    """Whether the labels cover every number between the lowest and the highest exactly once."""
    spans = [span for each in guess.spans for span in each]
    closed = sorted((span.low, span.high) for span in spans if span.low is not None and span.high is not None)
    steps = [after[0] - before[1] for before, after in pairwise(closed)]
    top = max((high for _, high in closed), default=None)
    bottom = min((low for low, _ in closed), default=None)
    ends = [span.low - top for span in spans if span.high is None and span.low is not None and top is not None]
    ends += [bottom - span.high for span in spans if span.low is None and span.high is not None and bottom is not None]
    return len(guess.spans) > 1 and all(step == 1 for step in steps + ends)


# -------------------------------------------------------------------------------------------------------- dice


def guess_dice(labels: Sequence[str], corner: str = "") -> Guess | None:
    """Guess the dice of a chart from its labels; ``None`` if the labels can't be totals of known dice.

    Args:
        labels: The labels.
        corner: What stands above them, if it speaks of dice: the labels may then have gaps and overlaps, for the check
            to name.

    Examples:
        >>> guess_dice([str(number) for number in range(2, 13)]).dice
        '2d6'
        >>> guess_dice(["0-3", "4-6", "7-9"]).dice
        'ten'
    """
    printed = _ten_as_zero(labels) or _hundred_as_zeros(labels)
    if printed is not None:
        return printed
    guess = guess_axis(labels)
    named = _NAMED_DICE.search(corner)
    if corner and (named is not None or guess.kind == "thresholds"):
        return _dice_of_corner(guess, named[0].casefold() if named else "")
    if guess.kind != "numbers":
        return None
    low, high = guess.low, guess.high
    if (low, high) == (0, 9):
        return evolve(guess, kind="dice", dice="ten", die=_TEN_FROM_0, why="the labels are 0 to 9")
    if low is None or high is None:
        return _dice_covering(guess)
    dice = DICE.get((low, high))
    return None if dice is None else evolve(guess, kind="dice", dice=dice, why=f"the labels are {low} to {high}")


_NAMED_DICE: Final = re.compile(r"\b\d*d\d+\b|\bd%|\bpercent\w*", re.IGNORECASE)
_D66: Final = t.Die(
    t.Ident("d6_and_d6"), tuple(t.FaceItem(None, f"{n}1..{n}6", False, None) for n in range(1, 7)), t.NO_TAIL
)


def _dice_of_corner(guess: Guess, named: str) -> Guess | None:
    """The dice that stand in the corner, or those with the lowest and highest number of the labels."""
    if guess.kind not in ("numbers", "thresholds"):
        return None
    if named == "d66":
        return evolve(guess, kind="dice", dice="d6_and_d6", die=_D66, why="the corner says d66")
    if named:
        dice = "d100" if not named[-1].isdigit() else named.removeprefix("1") if named.startswith("1d") else named
        return evolve(guess, kind="dice", dice=dice, why=f"the corner says {named}")
    is_banded = any(span.low != span.high for spans in guess.spans for span in spans)
    found = DICE.get((guess.low, guess.high)) if guess.low is not None and guess.high is not None else None
    return (
        None
        if found is None or not is_banded
        else evolve(guess, kind="dice", dice=found, why=f"the labels are {guess.low} to {guess.high}")
    )


def _hundred_as_zeros(labels: Sequence[str]) -> Guess | None:
    """A d100 whose 00 counts as a hundred, or as 0: its labels end with `81-00`, or are `00-19` to `80-99`."""
    if not labels or not all(re.fullmatch(r"\d\d(?:\s*-\s*\d\d)?", label) for label in labels):
        return None
    last = re.fullmatch(r"(?:(\d\d)\s*-\s*)?00", labels[-1])
    faces: tuple[t.FaceItem, ...]
    spans = [_spans(label) for label in (labels[:-1] if last else labels)]
    if last is not None and len(labels) > 1:
        spans.append((Span(100 if last[1] is None else int(last[1]), 100),))
        faces = (t.FaceItem(None, "1..99", False, None), t.FaceItem(None, "0", False, 100))
        why = "the labels begin at 01 and end at 00"
    elif last is None and labels[0][:2] == "00" and spans[-1] and spans[-1][0].high == 99:
        faces, why = (t.FaceItem(None, "0..99", False, None),), "the labels are 00 to 99"
    else:
        return None
    if not all(spans):
        return None
    plain = tuple(label if label.endswith("00") else re.sub(r"\b0(?=\d)", "", label) for label in labels)
    die = t.Die(t.Ident("percent"), faces, t.NO_TAIL)
    return Guess("dice", plain, tuple(spans), "percent", die, why, _rewritten(labels, plain))


def _ten_as_zero(labels: Sequence[str]) -> Guess | None:
    """A d10 whose 0 counts as ten: its labels end with ``0`` or ``9-0``."""
    spans = [span for label in labels[:-1] for span in _spans(label)]
    last = re.fullmatch(r"(?:(\d)\s*-\s*)?0", labels[-1]) if labels else None
    if last is None or not spans or spans[0].low != 1:
        return None
    low = 10 if last[1] is None else int(last[1])
    guess = Guess("dice", tuple(labels), (*(_spans(label) for label in labels[:-1]), (Span(low, 10),)))
    die = _TEN_WITH_0_AS_10
    return evolve(guess, dice="ten", die=die, why="the labels begin at 1 and end at 0") if _has_no_gaps(guess) else None


def _dice_covering(guess: Guess) -> Guess | None:
    """Dice for labels without a bound, such as ``9+``: the first in ``DICE`` that cover all labels."""
    bounds = [bound for spans in guess.spans for span in spans for bound in (span.low, span.high) if bound is not None]
    for (low, high), dice in DICE.items():
        within = low <= min(bounds) and max(bounds) <= high
        if within and guess.low in (None, low) and guess.high in (None, high):
            return evolve(guess, kind="dice", dice=dice, why="the totals of the dice cover all labels")
    return None


# ---------------------------------------------------------------------------------------------------- severity


def guess_severity(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Guess the severity of codes, mild to severe: by their average column, and by the numbers in them.

    Args:
        rows: The cells, row by row.

    Returns:
        The codes.

    Examples:
        >>> guess_severity([["-", "M", "2X"], ["M", "X", "2X"]])
        ('-', 'M', 'X', '2X')
    """
    places: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for column, code in enumerate(row):
            # A chart with a single column is ordered by row instead.
            places.setdefault(_letters(code), []).append(column if len(row) > 1 else number)
    rank = {letters: sum(columns) / len(columns) for letters, columns in places.items()}
    codes = dict.fromkeys(code for row in rows for code in row)
    return tuple(sorted(codes, key=lambda code: (not _is_nothing(code), rank[_letters(code)], _number(code), code)))


def _letters(code: str) -> str:
    return re.sub(r"\d", "", code)


def _number(code: str) -> int:
    digits = re.search(r"\d{1,9}", code)
    return int(digits[0]) if digits else -1


def _is_nothing(code: str) -> bool:
    return code in ("-", "•", "--", "NE", "ne", "0", "No effect", "no effect")
