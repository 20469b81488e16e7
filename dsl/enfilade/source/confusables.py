"""Letters that only look like ASCII ones, and characters that no text may hold.

For reading a scanned or pasted chart as it was meant, with a finding for every letter that was changed. It
must not word diagnostics, and it must never change the length of a text: places found in the folded text hold
in the original.

A text is cut into protected ranges (comments and labels, where every letter is free) and the rest. In the
rest each look-alike becomes the ASCII character that it looks like. Symbols that resemble no ASCII character
are left for the parser, because `×`, `•` and `†` are printed in charts on purpose.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen


@frozen
class LookAlike:
    """A character that was read as another one.

    Attributes:
        offset: Its place in the text, in characters.
        found: The character that stands there.
        meant: The ASCII character that it was read as.

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
        """The Unicode name, empty where the character has none."""
        return unicodedata.name(self.found, "")


# Each pair lists characters and, place by place, what they look like in upright type.
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

# A class of all the look-alikes is a hundred times slower than this one and a look into the table.
_NOT_ASCII: Final = re.compile(r"[^\x00-\x7f]")

# A row or a comment is recognised by bars and blanks, so these count as what they look like before anything
# else does.
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
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # controls, except tab and line ends
    "\u00ad\u034f\u180e\u200b-\u200d\u2060-\u2064\ufeff\ufff9-\ufffb"  # no width
    "\u061c\u200e\u200f\u202a-\u202e\u2065-\u206f"  # a change of direction
    "\u2028\u2029"  # ends of lines that editors don't agree about
    "\u115f\u1160\u3164\uffa0"  # letters that show nothing
    "\U000e0000-\U000e007f"  # invisible tags
    "\ud800-\udfff"  # surrogates without a partner
    "]"
)


def fold(text: str, protected: Sequence[tuple[int, int]]) -> tuple[str, tuple[LookAlike, ...]]:
    """Read look-alike characters as the ASCII ones that they look like.

    Args:
        text: The text as it was typed or pasted.
        protected: Ranges to leave alone, in order and apart, as `protected_ranges` gives them.

    Returns:
        A text of exactly the same length, and what was changed, in order.

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
    """Find the comments and the labels of a text, where every letter is free.

    A label stands between two `"` on one line. A comment is `--` with white space, or an end of the line, on
    both sides. In a chart row quotes mean nothing, and only what follows the last bar can be a comment. Smart
    quotes open no label: they are findings themselves.

    Args:
        text: The text as it was typed or pasted.

    Returns:
        The ranges with their quotes and dashes, in order and apart.

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
    """Find the characters that no text may hold, not even in a comment.

    These are control characters other than tab and line ends, characters without width, marks that change the
    direction of writing, and lone surrogates: what a reader sees would differ from what is run.

    Args:
        text: The text as it was typed or pasted.

    Returns:
        The place and the character of each, in order.

    Examples:
        >>> forbidden("night\\x00")
        [(5, '\\x00')]
    """
    return [(match.start(), match[0]) for match in _FORBIDDEN.finditer(text)]
