"""Confusables (homoglyphs): letters that only look like ASCII letters, and forbidden characters.

Scanned and pasted charts contain such letters. They are folded to ASCII, with a finding for each one; diagnostics are
worded elsewhere. Folding never changes the length of a text, so offsets in the folded text are valid in the original.

Comments and labels are protected ranges, in which every letter is allowed. In the rest of a text each look-alike
becomes the ASCII character that it looks like. Symbols that resemble no ASCII character are left for the parser,
because charts print `×`, `•` and `†` on purpose.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen


@frozen
class LookAlike:
    """A character that was replaced by the ASCII character that it looks like.

    Attributes:
        offset: Its position in the text, in characters.
        found: The character in the text.
        meant: The ASCII character that replaces it.

    Examples:
        >>> finding = LookAlike(0, "\\u041c", "M")
        >>> finding.code_point, finding.title
        ('U+041C', 'CYRILLIC CAPITAL LETTER EM')
    """

    offset: int
    found: str
    meant: str

    @property
    def code_point(self) -> str:
        """The code point, written as `U+041C`."""
        return f"U+{ord(self.found):04X}"

    @property
    def title(self) -> str:
        """The Unicode name, or ``""`` if the character has none."""
        return unicodedata.name(self.found, "")


# Each pair lists characters and, at the same positions, the ASCII characters that they look like in upright type.
_LETTERS: Final = (
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ"),  # Greek capitals
    ("αγικνορυχϲϳ", "ayikvopuxcj"),
    ("АВЕЅІЈКМНОРСТУХѴԚԜҮӀЗЬ", "ABESIJKMHOPCTYXVQWYI3b"),  # Cyrillic capitals
    ("аеосрхуіјѕһԁԛԝѵүкӏ", "aeocpxyijshdqwvykl"),
    ("ՕՏՍԼօհոսցզյ", "OSULohnugqj"),  # Armenian
    ("ⅠⅤⅩⅬⅭⅮⅯⅰⅴⅹⅼⅽⅾⅿ", "IVXLCDMivxlcdm"),  # Roman numerals of one letter
    ("ıɑɡ\u212a", "iagK"),
)
_SIGNS: Final = (
    ("“”„‟″〝〞ʺ", '"'),
    ("‘’‛′´ʹʼ", "'"),
    ("‐‑‒–—―−─˗﹘﹣", "-"),
    ("│┃∣ǀ¦", "|"),
    ("∕⁄", "/"),
    ("∶꞉։", ":"),
    ("∗﹡", "*"),
    ("‚", ","),
    ("\u037e", ";"),
    ("\u00a0\u1680\u202f\u205f\u2800\u3000", " "),
    ("".join(map(chr, range(0x2000, 0x200B))), " "),
)


def _mathematical_letters() -> Iterator[tuple[str, str]]:
    for code in range(0x1D400, 0x1D800):
        plain = unicodedata.normalize("NFKC", chr(code))
        if plain.isascii():
            yield chr(code), plain


def _table() -> dict[str, str]:
    table = dict(_mathematical_letters())
    table.update((chr(code), chr(code - 0xFEE0)) for code in range(0xFF01, 0xFF5F))
    for found, meant in _LETTERS:
        table.update(zip(found, meant, strict=True))
    for found, meant in _SIGNS:
        table.update(dict.fromkeys(found, meant))
    return table


LOOK_ALIKES: Final = _table()

# A character class of all look-alikes would be a hundred times slower than this one with a dictionary lookup.
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")

# Rows and comments are recognised by bars and blanks, so look-alikes of those are folded first.
_BARS_AND_BLANKS: Final = "".join(found for found, meant in LOOK_ALIKES.items() if meant in "| ")
_FRAME: Final = re.compile(f"[{re.escape(_BARS_AND_BLANKS)}]")
_PROTECTABLE: Final = re.compile(
    r"""(?P<row>(?<![^\r\n])[ \t]*\|[^\r\n]*)"""
    r"""|(?P<label>"[^"\r\n]*")"""
    r"""|(?P<comment>(?<!\S)--(?!\S)[^\r\n]*)"""
)
_COMMENT: Final = re.compile(r"(?<!\S)--(?!\S)")

_FORBIDDEN: Final = re.compile(
    "["
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters, except tabs and line ends
    "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb"  # zero-width characters
    "\u061c\u200e\u200f\u202a-\u202e\u2065-\u206f"  # bidirectional controls
    "\u2028\u2029"  # line separators that editors treat differently
    "\u115f\u1160\u3164\uffa0"  # blank letters
    "\U000e0000-\U000e007f"  # invisible tags
    "\ud800-\udfff"  # surrogates without a partner
    "]"
)


def fold(text: str, protected: Sequence[tuple[int, int]]) -> tuple[str, tuple[LookAlike, ...]]:
    """Replace look-alike characters by the ASCII characters that they look like.

    Args:
        text: The text as typed or pasted.
        protected: Ranges to leave unchanged, in order and disjoint, as `protected_ranges` returns them.

    Returns:
        A text of the same length, and the changes, in order.

    Examples:
        >>> folded, findings = fold("| 7 | \\u041c2 |", [])
        >>> folded, findings[0].code_point
        ('| 7 | M2 |', 'U+041C')
    """
    if text.isascii():
        return text, ()
    findings = tuple(_findings(text, protected))
    if not findings:
        return text, ()
    return "".join(_folded_pieces(text, findings)), findings


def _findings(text: str, protected: Sequence[tuple[int, int]]) -> Iterator[LookAlike]:
    starts = [start for start, _ in protected]
    for match in _NOT_ASCII.finditer(text):
        offset, meant = match.start(), LOOK_ALIKES.get(match[0])
        before = bisect_right(starts, offset)
        if meant and (before == 0 or offset >= protected[before - 1][1]):
            yield LookAlike(offset, match[0], meant)


def _folded_pieces(text: str, findings: Sequence[LookAlike]) -> Iterator[str]:
    done = 0
    for finding in findings:
        yield text[done : finding.offset]
        yield finding.meant
        done = finding.offset + 1
    yield text[done:]


def protected_ranges(text: str) -> list[tuple[int, int]]:
    """Find the comments and labels of a text, in which every letter is allowed.

    A label is the text between two `"` on one line. A comment starts with `--`, with white space or a line's end on
    both sides. In a chart row quotes have no meaning, and a comment can only follow the last bar. Smart quotes do
    not start a label: they are look-alikes themselves.

    Args:
        text: The text as it was typed or pasted.

    Returns:
        The ranges with their quotes and dashes, in order and disjoint.

    Examples:
        >>> protected_ranges('option fog "Fog" -- of war')
        [(11, 16), (17, 26)]
        >>> protected_ranges('| -- | "A" | -- no effect')
        [(13, 25)]
    """
    framed = text if text.isascii() else _FRAME.sub(lambda match: LOOK_ALIKES[match[0]], text)
    ranges = (_protected(match) for match in _PROTECTABLE.finditer(framed))
    return [found for found in ranges if found is not None]


def _protected(match: re.Match[str]) -> tuple[int, int] | None:
    if match.lastgroup != "row":
        return match.span()
    after_last_bar = match.string.rindex("|", match.start(), match.end()) + 1
    comment = _COMMENT.search(match.string, after_last_bar, match.end())
    return (comment.start(), match.end()) if comment else None


def forbidden(text: str) -> list[tuple[int, str]]:
    """Find the characters that are forbidden everywhere, even in comments.

    These are control characters other than tabs and line ends, zero-width characters, bidirectional controls and lone
    surrogates. With such characters, the text that a reader sees would differ from the text that the parser reads.

    Args:
        text: The text as it was typed or pasted.

    Returns:
        The offset and the character of each, in order.

    Examples:
        >>> forbidden("night\\x00")
        [(5, '\\x00')]
    """
    return [(match.start(), match[0]) for match in _FORBIDDEN.finditer(text)]
