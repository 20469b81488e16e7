"""Parsing of printed labels of rows and columns: the values that each label matches."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from fractions import Fraction

from enfilade.core import ir
from enfilade.values.types import Bool, CodeOf, Listed, Num, Type, Word

EMPTY = ("•", "·", "", "—", "–")
_MARKS = "†‡*§¶°⁽⁾¹²³"
# The maximum number of digits in a number.
_DIGITS = r"[0-9]{1,18}"
_NUMBER = rf"[+-]?{_DIGITS}(?:\.{_DIGITS})?"
_PLAIN = rf"{_DIGITS}(?:\.{_DIGITS})?"
_SINGLE = re.compile(_NUMBER)
_CLOSED = re.compile(rf"({_NUMBER})\s*(?:\.\.+|…|\bto\b)\s*({_NUMBER})|({_PLAIN})\s*-\s*({_PLAIN})")
_FROM = re.compile(rf"({_NUMBER})\s*(?:\+|\.\.+|or more|or higher)")
_UP_TO = re.compile(rf"(?:\.\.+\s*|up to\s+|<=\s*|≤\s*)({_NUMBER})|({_NUMBER})\s*(?:or less|or lower|or fewer)")
_RATIO = re.compile(rf"({_PLAIN})\s*:\s*({_PLAIN})(\+?)")
_FRACTION = re.compile(rf"([+-]?{_DIGITS})\s*/\s*({_DIGITS})(\+?)")
_ODDS = re.compile(rf"({_PLAIN})\s*-\s*({_PLAIN})(\+?)")
_VULGAR = re.compile(rf"({_DIGITS})?([¼-¾⅐-⅞])")
_CAPTION = re.compile(r"""([0-9+.,:/<=≤-]+)["'′″]?(?:\s+[^\W\d].*)?""", re.DOTALL)


def without_vulgar_fractions(text: str) -> str:
    """A text with numbers for printed fractions.

    Examples:
        >>> without_vulgar_fractions("1½:1"), without_vulgar_fractions("½"), without_vulgar_fractions("⅔")
        ('1.5:1', '0.5', '2/3')
    """
    return _VULGAR.sub(_plain_number, text)


def _plain_number(match: re.Match[str]) -> str:
    number = int(match[1] or 0) + Fraction(unicodedata.normalize("NFKC", match[2]).replace("⁄", "/"))
    return str(float(number)) if 8 % number.denominator == 0 else str(number)


def index_of(text: str, labels: Sequence[str]) -> int | None:
    """The index of a label: an exact match, or else the only label that matches without its caption.

    Examples:
        >>> index_of("10", ["3", '10" long'])
        1
    """
    if text in labels:
        return labels.index(text)
    bare = [number for number, label in enumerate(labels) if without_caption(label) == text]
    return bare[0] if len(bare) == 1 else None


def without_caption(label: str) -> str:
    """A label without its caption.

    Examples:
        >>> without_caption('10" long'), without_caption("7"), without_caption("woods")
        ('10', '7', 'woods')
    """
    found = _CAPTION.fullmatch(label)
    return found[1] if found else label


def numbers_of(text: str, mode: str, die: ir.Die | None) -> ir.Match | None:
    """The numbers that a label matches.

    Args:
        text: As printed: ``7``, ``3..5``, ``3-5``, ``6,7``, ``45+``, ``2:1``, ``3" close``.
        mode: The lookup mode of the axis; in a threshold, ``3-1`` means odds.
        die: The die whose printed faces the label names, if the axis says so.

    Returns:
        The bands, or ``None`` if the label is not a number or a range.

    Examples:
        >>> numbers_of("45+", "contains", None)
        Match(bands=(Band(low=45, high=None),), words=())
        >>> numbers_of("1:2", "below", None).bands[0].low
        Fraction(1, 2)
    """
    text = without_vulgar_fractions(text.strip().rstrip(_MARKS).strip())
    bands = []
    for piece in re.split(r"\s*,\s*", text):
        band = _band(piece, mode)
        if band is None:
            caption = _CAPTION.fullmatch(piece)
            band = _band(caption[1], mode) if caption and caption[1] != piece else None
        if band is None:
            return None
        bands.append(_as_printed(band, die))
    return ir.Match(tuple(bands))


def _band(text: str, mode: str) -> ir.Band | None:
    if found := _RATIO.fullmatch(text) or (_ODDS.fullmatch(text) if mode != "contains" else None):
        if Fraction(found[2]) == 0:
            return None
        ratio = _exact(Fraction(found[1]) / Fraction(found[2]))
        return ir.Band(ratio, None if found[3] else ratio)
    if (found := _FRACTION.fullmatch(text)) and Fraction(found[2]) != 0:
        fraction = _exact(Fraction(found[1]) / Fraction(found[2]))
        return ir.Band(fraction, None if found[3] else fraction)
    if _SINGLE.fullmatch(text):
        return ir.Band(_exact(Fraction(text)), _exact(Fraction(text)))
    if found := _CLOSED.fullmatch(text):
        low, high = found[1] or found[3], found[2] or found[4]
        return ir.Band(_exact(Fraction(low)), _exact(Fraction(high)))
    if found := _FROM.fullmatch(text):
        return ir.Band(_exact(Fraction(found[1])), None)
    if found := _UP_TO.fullmatch(text):
        return ir.Band(None, _exact(Fraction(found[1] or found[2])))
    return None


def _exact(number: Fraction) -> int | Fraction:
    return number.numerator if number.denominator == 1 else number


def _as_printed(band: ir.Band, die: ir.Die | None) -> ir.Band:
    """Translate a band of printed faces to a band of their values."""
    if die is None:
        return band
    low, high = (_counts(die, end) for end in (band.low, band.high))
    return ir.Band(low, high)


def _counts(die: ir.Die, printed: int | Fraction | None) -> int | Fraction | None:
    face = die.face(printed)
    return printed if face is None else face.value


def words_of_label(text: str, words: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words that a label matches, in any case, in quotes or not, with blanks for ``_``.

    Examples:
        >>> words_of_label("Mounted Cavalry", ("infantry", "mounted_cavalry"))
        ('mounted_cavalry',)
    """
    exact = [word for word in words if word == text]
    if exact:
        return tuple(exact)
    by_spelling = {_spelling(word): word for word in words}
    found = []
    for piece in re.split(r"\s*[,/]\s*|\s+or\s+", text.rstrip(_MARKS)):
        word = by_spelling.get(_spelling(piece))
        if word is None:
            return None
        found.append(word)
    return tuple(found)


def _words_between(text: str, order: tuple[str, ...]) -> tuple[str, ...] | None:
    """The words of a band of words in order: ``regular..veteran``, ``regular+``."""
    first, dots, last = text.partition("..") if ".." in text else (text.removesuffix("+"), "+" * text.endswith("+"), "")
    ends = [words_of_label(end, order) if end.strip() else () for end in (first, last)]
    if not dots or not order or None in ends or not any(ends):
        return None
    low = order.index(ends[0][0]) if ends[0] else 0
    high = order.index(ends[1][0]) if ends[1] else len(order) - 1
    return order[low : high + 1]


def _spelling(text: str) -> str:
    return re.sub(r"[\s_]+", "_", text.strip().strip('"')).casefold()


_OR = re.compile(r"(?<=\d)\s+or\s+(?=\d)")
"""`5 or 6`, as some books print two values."""


def match_label(text: str, type_: Type, mode: str, die: ir.Die | None) -> ir.Match | None:
    """The values that a label matches on an axis of some type; ``None`` if it can't be read."""
    match type_:
        case Num():
            return numbers_of(_OR.sub(",", text), mode, die)
        case Word(words):
            found = words_of_label(text, words) or _words_between(text, type_.order)
            return None if found is None else ir.Match((), found)
        case CodeOf(codes):
            return ir.Match((), (text,)) if text in codes else None
        case Bool():
            found = words_of_label(text, ("yes", "no"))
            return None if found is None else ir.Match((), found)
    return None


def values_of(type_: Type) -> tuple[str, ...] | None:
    """All values of a small type as labels, for an axis without printed labels."""
    match type_:
        case Listed(values=values):
            return tuple(map(str, values))
        case Num(low, high, True) if low is not None and high is not None and high - low < 1000:
            return tuple(str(number) for number in range(int(low), int(high) + 1))
        case Word(words):
            return words
        case Bool():
            return ("yes", "no")
    return None
