"""Heuristics for values that are written as in a rulebook: a unit behind a number, a sum of dice, a chart read in place.

Like ``common_mistakes``, which tries these after its own: each check takes the unexpected token and returns a fault,
or ``None``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from enfilade.diagnostics.suggest import nearest
from enfilade.syntax.fault import SyntaxFault
from enfilade.syntax.indices import index_before
from enfilade.syntax.unexpected import WORDS, Unexpected

_NAME: Final = r"[A-Za-z]\w*"
_COMMENT: Final = re.compile(r"\s--(?:\s.*)?$")


def _fault(unexpected: Unexpected, message: str, help_: str, start: int | None = None) -> SyntaxFault:
    first = unexpected.start if start is None else start
    return SyntaxFault("syntax", message, first, unexpected.end, help_)


def _count_after_die(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll d6 2``: the number of dice comes first."""
    die = re.search(r"\b(d\d+)\s+$", unexpected.before)
    if die is None or not unexpected.word.isdigit():
        return None
    help_ = f"write `{unexpected.word}{die[1]}`; one die is `{die[1]}`"
    return _fault(unexpected, "the number of dice comes before the die", help_, unexpected.start - len(die[0]))


def _times_dice(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll 2 x d6``, ``roll d6*2``."""
    line = unexpected.before + unexpected.after
    found = re.search(r"\broll\s+(?:(\d+) *[xX*] *(d\d+)|(d\d+) *[xX*] *(\d+))\b", line)
    if found is None or found.end() < len(unexpected.before):
        return None
    count, die = found[1] or found[4], found[2] or found[3]
    at = unexpected.start - len(unexpected.before) + found.start() + len("roll ")
    help_ = f"write `{count}{die}`; to multiply a roll, do so where it is used"
    return SyntaxFault("syntax", "the number of dice stands directly before the die", at, unexpected.end, help_)


def _number_with_dice(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll 2d6 + 1 as x``: a roll has dice only."""
    line = unexpected.before + unexpected.after
    found = re.search(r"\broll\s+(\d*d\d+) *([+-]) *(\d+)\s+as\s+(\w+)", line)
    if found is None:
        return None
    at = unexpected.start - len(unexpected.before)
    help_ = f"write `roll {found[1]} as {found[4]}`, and `{found[4]} {found[2]} {found[3]}` where it is used"
    return SyntaxFault("syntax", "a roll has dice, and no number added to them", at + found.start(1), at + found.end(3),
                       help_)  # fmt: skip


def _unit_after_number(unexpected: Unexpected) -> SyntaxFault | None:
    """``steps 2 steps``: a number stands alone."""
    number = re.search(r"(?<![\w.])((?:\d+)?\.\.\d*|\d+(?:\.\d+)?) +$", unexpected.before)
    if number is None or not re.fullmatch(_NAME, unexpected.word) or unexpected.word in WORDS.values():
        return None
    if nearest(unexpected.word, {WORDS[name] for name in unexpected.expected if name in WORDS}) is not None:
        return None
    return _fault(unexpected, f"`{unexpected.word}` is not expected after a number", f"write `{number[1]}` alone")


def _word_with_blank(unexpected: Unexpected) -> SyntaxFault | None:
    """``one of light infantry, heavy``; ``one of low or high``."""
    listed = re.search(rf"\b(?:one|set) of (?:.*[,<])? *({_NAME}) +$", unexpected.before)
    if listed is None or not re.fullmatch(_NAME, unexpected.word):
        return None
    if unexpected.word in ("or", "and"):
        return _fault(unexpected, f"`{unexpected.word}` is not expected between words", "write a comma")
    words = f"{listed[1]} {unexpected.word}"
    help_ = f'write `"{words}"`, or `{listed[1]}, {unexpected.word}` for two words'
    return _fault(unexpected, "a word with a blank stands in quotes", help_, unexpected.start - len(listed[1]) - 1)


def _counted_cards(unexpected: Unexpected) -> SyntaxFault | None:
    """``cards 2 x red`` below a deck."""
    count = re.search(r"^\s*cards +(\d+) +$", unexpected.before)
    if count is None or unexpected.declaration != "deck" or unexpected.word.lower() != "x":
        return None
    deck = re.match(r"deck\s+(\w+)", unexpected.text[unexpected.origin :])
    name = deck[1] if deck else "NAME"
    cards = _COMMENT.sub("", unexpected.after).strip()
    help_ = f"write `deck {name} of {count[1]} {cards}`, or `card ...` for each"
    return _fault(unexpected, "`cards` lists the fields of the cards, not how many there are", help_)


def _bare_modifier(unexpected: Unexpected) -> SyntaxFault | None:
    """``+1``, or ``+1 night``: a modifier has a name and a condition."""
    line = re.fullmatch(rf"\s*([+-]?(?:\d+|\([^()]*\)))(?: +({_NAME}))?", _COMMENT.sub("", unexpected.before).rstrip())
    if line is None or not unexpected.ends_line or unexpected.declaration != "modifiers":
        return None
    amount, name = line[1], line[2]
    message = "this modifier has no condition" if name else "this modifier has no name and no condition"
    help_ = f"write `{amount} {name or 'NAME'} CONDITION`, or `{amount} {name or 'NAME'} yes` if it always counts"
    start = unexpected.start - len(unexpected.before) + line.start(1)
    return SyntaxFault("unfinished-line", message, start, start + len(line[0].lstrip()), help_)


def _chart_read_in_place(unexpected: Unexpected) -> SyntaxFault | None:
    """``loss on unit with amount read losses with die``: a reading is a step."""
    line = unexpected.before + unexpected.after
    found = re.search(rf"\bread +({_NAME})(?:\([^()]*\))?(?: +with +({_NAME}))?", line)
    if found is None and unexpected.word == "with":
        found = re.search(rf"[=(] *({_NAME})(?:\([^()]*\))? +with +({_NAME})", line)
    at = unexpected.start - len(unexpected.before)
    if found is None or unexpected.first_word[0] == "read" or at + found.end() < unexpected.start:
        return None
    if at + found.start() > unexpected.start:
        return None
    chart, roll = found[1], found[2] or "ROLL"
    start = at + found.start() + len(found[0]) - len(found[0].lstrip("=( "))
    help_ = (
        f"write the step `read {chart} with {roll} as shot` above, and `shot.code` here; "
        f"a chart without dice is read as `{chart}({roll if found[2] else 'VALUE'})`"
    )
    return SyntaxFault("syntax", "a chart is read in a step of its own", start, at + found.end(), help_)


def _deck_to_draw_from(unexpected: Unexpected) -> SyntaxFault | None:
    """``draw from chits``, ``draw 1 card from chits``."""
    if re.search(r"\bdraw +from +$", unexpected.before):
        return _fault(unexpected, "nothing says how many are drawn", f"write `draw 1 from {unexpected.word} as NAME`")
    count = re.search(r"\bdraw +(\w+) +$", unexpected.before)
    if count is None or unexpected.word not in ("card", "cards", "chit", "chits"):
        return None
    return _fault(unexpected, f"`{unexpected.word}` is not expected here", f"write `draw {count[1]} from ...`")


def _colon_before_block(unexpected: Unexpected) -> SyntaxFault | None:
    """``when a > 4:`` with a block below it."""
    line = _COMMENT.sub("", unexpected.before).rstrip()
    below = re.match(r"\s*\n([ ]*)\S", unexpected.text[unexpected.start :])
    if not unexpected.ends_line or not line.endswith(":") or below is None:
        return None
    if len(below[1]) <= len(line) - len(line.lstrip()):
        return None
    at = unexpected.start - len(unexpected.before) + len(line) - 1
    return SyntaxFault("syntax", "`:` is for one step in the same line", at, at + 1,
                       "take it out: the steps stand in the lines below")  # fmt: skip


def _index(unexpected: Unexpected) -> SyntaxFault | None:
    """``ranges[1] + 1``."""
    before = unexpected.before.rstrip()
    found = index_before(before)
    if found is None or unexpected.ends_line or unexpected.word[:1] in ':"[':
        return None
    end = unexpected.start - len(unexpected.before) + len(before)
    item = f"({found.item})" if unexpected.word == "." else found.item
    return SyntaxFault("syntax", found.message, end - len(found.brackets), end, f"write `{item}`")


def _two_arguments(unexpected: Unexpected) -> SyntaxFault | None:
    """``highest(a, b)``: the words take one list."""
    match = re.search(r"\b(highest|lowest)[ \t]*\(([^()]*)$", unexpected.before)
    rest = re.match(r"([^()]*)\)", unexpected.after)
    if match is None or rest is None or unexpected.word != ",":
        return None
    start = unexpected.start - len(unexpected.before) + match.start()
    return SyntaxFault("syntax", f"`{match[1]}` takes a list", start, unexpected.start + rest.end(),
                       f"write `{match[1]} of [{match[2]}{rest[1]}]`")  # fmt: skip


LOOKS: Final[tuple[Callable[[Unexpected], SyntaxFault | None], ...]] = (
    _count_after_die, _times_dice, _number_with_dice, _counted_cards, _word_with_blank, _deck_to_draw_from,
    _unit_after_number, _bare_modifier, _chart_read_in_place, _colon_before_block,
    _index, _two_arguments,
)  # fmt: skip
