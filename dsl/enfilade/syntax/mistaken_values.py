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
from enfilade.syntax.unexpected import KEYWORDS, WORDS, Unexpected

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
    return _fault(unexpected, "the number of dice must come before the die", help_, unexpected.start - len(die[0]))


def _times_dice(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll 2 x d6``, ``roll d6*2``."""
    line = unexpected.before + unexpected.after
    found = re.search(r"\broll\s+(?:(\d+) *[xX*] *(d\d+)|(d\d+) *[xX*] *(\d+))\b", line)
    if found is None or found.end() < len(unexpected.before):
        return None
    count, die = found[1] or found[4], found[2] or found[3]
    at = unexpected.start - len(unexpected.before) + found.start() + len("roll ")
    help_ = f"write `{count}{die}`; multiply a roll where you use it"
    return SyntaxFault("syntax", "the number of dice must come directly before the die", at, unexpected.end, help_)


def _number_with_dice(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll 2d6 + 1 as x``: a roll has dice only."""
    line = unexpected.before + unexpected.after
    found = re.search(r"\broll\s+(\d*d\d+) *([+-]) *(\d+)\s+as\s+(\w+)", line)
    if found is None:
        return None
    at = unexpected.start - len(unexpected.before)
    help_ = f"write `roll {found[1]} as {found[4]}`, and `{found[4]} {found[2]} {found[3]}` where you use the roll"
    return SyntaxFault("syntax", "a roll can't add a number to its dice", at + found.start(1), at + found.end(3),
                       help_)  # fmt: skip


def _unit_after_number(unexpected: Unexpected) -> SyntaxFault | None:
    """``steps 2 steps``: a number stands alone."""
    number = re.search(r"(?<![\w.])((?:\d+)?\.\.\d*|\d+(?:\.\d+)?) +$", unexpected.before)
    if number is None or not re.fullmatch(_NAME, unexpected.word) or unexpected.word in KEYWORDS:
        return None
    if nearest(unexpected.word, {word for name in unexpected.expected for word in WORDS.get(name, ())}) is not None:
        return None
    return _fault(unexpected, f"`{unexpected.word}` is not expected after a number", f"write only `{number[1]}`")


def _word_with_blank(unexpected: Unexpected) -> SyntaxFault | None:
    """``one of light infantry, heavy``; ``one of low and high``."""
    listed = re.search(rf"\b(?:one|set) of (?:.*[,<])? *({_NAME}) +$", unexpected.before)
    if listed is None or not re.fullmatch(_NAME, unexpected.word):
        return None
    if unexpected.word == "and":
        return _fault(unexpected, f"`{unexpected.word}` is not expected between words", "write a comma")
    words = f"{listed[1]} {unexpected.word}"
    help_ = f'write `"{words}"`, or `{listed[1]}, {unexpected.word}` for two words'
    return _fault(unexpected, "a word with a blank needs quotes", help_, unexpected.start - len(listed[1]) - 1)


def _counted_cards(unexpected: Unexpected) -> SyntaxFault | None:
    """``cards 2 x red`` below a deck."""
    count = re.search(r"^\s*cards +(\d+) +$", unexpected.before)
    if count is None or unexpected.declaration != "deck" or unexpected.word.lower() != "x":
        return None
    deck = re.match(r"deck\s+(\w+)", unexpected.text[unexpected.origin :])
    name = deck[1] if deck else "NAME"
    cards = _COMMENT.sub("", unexpected.after).strip()
    help_ = f"write `deck {name} of {count[1]} {cards}`, or `card ...` for each"
    return _fault(unexpected, "`cards` needs the fields of the cards, not their number", help_)


def _bare_modifier(unexpected: Unexpected) -> SyntaxFault | None:
    """``+1``, or ``+1 night``: a modifier has a name and a condition."""
    line = re.fullmatch(rf"\s*([+-]?(?:\d+|\([^()]*\)))(?: +({_NAME}))?", _COMMENT.sub("", unexpected.before).rstrip())
    if line is None or not unexpected.ends_line or unexpected.declaration != "modifiers":
        return None
    amount, name = line[1], line[2]
    message = "this modifier has no condition" if name else "this modifier has no name and no condition"
    help_ = f"write `{amount} {name or 'NAME'} CONDITION`, or `{amount} {name or 'NAME'} yes` if it always applies"
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
        f"for a chart without dice, write `{chart}({roll if found[2] else 'VALUE'})`"
    )
    return SyntaxFault("syntax", "reading a chart needs a separate step", start, at + found.end(), help_)


def _deck_to_draw_from(unexpected: Unexpected) -> SyntaxFault | None:
    """``draw from chits``, ``draw 1 card from chits``."""
    if re.search(r"\bdraw +from +$", unexpected.before):
        return _fault(unexpected, "the number of cards is missing", f"write `draw 1 from {unexpected.word} as NAME`")
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
    return SyntaxFault("syntax", "`:` is possible only before a single step on the same line", at, at + 1,
                       "delete the `:`, because the steps are on the lines below")  # fmt: skip


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
    return SyntaxFault("syntax", f"`{match[1]}` needs a list", start, unexpected.start + rest.end(),
                       f"write `{match[1]} of [{match[2]}{rest[1]}]`")  # fmt: skip


def _word_for_default(unexpected: Unexpected) -> SyntaxFault | None:
    """``raking yes/no, default no`` among the facts."""
    found = re.match(r",?\s*(?:by +)?(?:defaults?(?: +to| +is)?|normally|usually)[ :=]+(\S+)", unexpected.after)
    if found is None or "EQUAL" not in unexpected.expected:
        return None
    end = unexpected.start + found.end()
    return SyntaxFault("syntax", "a default needs `=`", unexpected.start, end, f"write `= {found[1]}`")


def _comma_before_rounding(unexpected: Unexpected) -> SyntaxFault | None:
    """``guns / 10, rounded up``."""
    found = re.match(r",\s*(?:round(?:ed|ing)?) +(up|down|to nearest)", unexpected.after)
    if found is None:
        return None
    end = unexpected.start + found.end()
    return SyntaxFault("syntax", "rounding needs no comma", unexpected.start, end, f"write `rounded {found[1]}`")


def _columns_before_chart(unexpected: Unexpected) -> SyntaxFault | None:
    """``across range, columns 0..3, 4..8``: the header row has the columns."""
    axis = re.fullmatch(rf"\s*((across|down) +{_NAME})[ ,]+(columns?|rows?|bands?)[ :]+", unexpected.before)
    if axis is None or unexpected.declaration != "chart":
        return None
    start = unexpected.start - len(unexpected.before) + axis.end(1)
    where = "the header row of the chart" if axis[2] == "across" else "the first cell of each row"
    return SyntaxFault("syntax", f"the `{axis[2]}` line can't list {axis[3].removesuffix('s')}s", start, unexpected.end,
                       f"write `{axis[1]}`, and the ranges in {where}, such as `| 0-3 |`")  # fmt: skip


def _modifier_with_blank(unexpected: Unexpected) -> SyntaxFault | None:
    """``-1 green crew  crew is green``: the name is one word, and the condition follows it."""
    line = re.fullmatch(rf"\s*([+-]?\d+) +({_NAME}) +({_NAME}) +", unexpected.before)
    if line is None or unexpected.declaration != "modifiers" or unexpected.word in KEYWORDS:
        return None
    name = f"{line[2]}_{line[3]}"
    start = unexpected.start - len(unexpected.before) + line.start(2)
    return SyntaxFault("syntax", "the name of a modifier can't contain a blank", start, start + line.end(3) - line.start(2),
                       f"write `{line[1]} {name} CONDITION`")  # fmt: skip


def _goal_of_modifiers(unexpected: Unexpected) -> SyntaxFault | None:
    """``modifiers drm modify the roll``."""
    if unexpected.declaration != "modifiers" or "PURPOSE" not in unexpected.expected:
        return None
    if re.match(r"\s*(add|shift)", unexpected.after) or not re.match(r"\s*modifiers\b", unexpected.before):
        return None
    return _fault(unexpected, f"`{unexpected.word}` is not expected here",
                  "write `add to ROLL` for die roll modifiers, `shift columns of CHART` for column shifts")  # fmt: skip


def _field_without_type(unexpected: Unexpected) -> SyntaxFault | None:
    """``name`` alone among the facts or in a record."""
    line = re.fullmatch(rf"\s*({_NAME})", _COMMENT.sub("", unexpected.before).rstrip())
    if line is None or not unexpected.ends_line or unexpected.declaration not in ("facts", "record"):
        return None
    name, start = line[1], unexpected.start - len(unexpected.before) + line.start(1)
    help_ = f"write its values, such as `{name} 0..`, `{name} yes/no` or `{name} one of small, large`"
    if name == "name" and unexpected.declaration == "record":
        help_ = "delete this line, because every record has a name"
    return SyntaxFault("unfinished-line", f"`{name}` has no type", start, start + len(name), help_)


def _words_without_one_of(unexpected: Unexpected) -> SyntaxFault | None:
    """``cover clear, light, heavy`` among the facts."""
    line = re.fullmatch(rf"\s*({_NAME}) +({_NAME}) *", unexpected.before)
    words = re.match(rf"(?:, *| or +)({_NAME}(?:(?: *,(?: *or)? *| +or +){_NAME})*)", unexpected.after)
    if line is None or words is None or unexpected.declaration not in ("facts", "record"):
        return None
    listed = ", ".join([line[2], *re.split(r" *,(?: *or)? *| +or +", words[1])])
    start = unexpected.start - len(unexpected.before) + line.start(2)
    return SyntaxFault("syntax", "a list of words needs `one of`", start, unexpected.start + words.end(),
                       f"write `{line[1]} one of {listed}`", f"one of {listed}")  # fmt: skip


def _roll_without_name(unexpected: Unexpected) -> SyntaxFault | None:
    """``roll 2d6``."""
    roll = re.search(r"\broll +(\w+)$", _COMMENT.sub("", unexpected.before).rstrip())
    if roll is None or not unexpected.ends_line:
        return None
    start = unexpected.start - len(unexpected.before) + roll.start()
    return SyntaxFault("unfinished-line", "this roll has no name", start, start + len(roll[0]),
                       f"write `roll {roll[1]} as NAME`")  # fmt: skip


def _record_of_effect(unexpected: Unexpected) -> SyntaxFault | None:
    """``effect wound on figure``."""
    head = re.match(rf"effect +{_NAME}(?: +\"[^\"]*\")? *$", unexpected.before)
    record = re.match(rf"(?:on|of|for|to) +({_NAME})", unexpected.after)
    if head is None or record is None:
        return None
    return SyntaxFault("syntax", "the record of an effect must be in brackets", unexpected.start,
                       unexpected.start + record.end(), f"write `{head[0].rstrip()} ({record[1]})`")  # fmt: skip


def _bonus_with_if(unexpected: Unexpected) -> SyntaxFault | None:
    """``skill + 1 if charging``."""
    bonus = re.search(r"([+-]) *(\w+) +$", unexpected.before)
    condition = re.match(r"if +(.*\S)", _COMMENT.sub("", unexpected.after))
    if bonus is None or condition is None or " else " in condition[1]:
        return None
    start = unexpected.start - len(unexpected.before) + bonus.start(2)
    return SyntaxFault("syntax", "a value with a condition needs `when` and `otherwise`", start,
                       unexpected.start + condition.end(),
                       f"write `{bonus[1]} ({bonus[2]} when {condition[1]} otherwise 0)`")  # fmt: skip


def _if_then(unexpected: Unexpected) -> SyntaxFault | None:
    """``if attack > defence then``, with the steps on the lines below it."""
    word, at = unexpected.first_word
    line = _COMMENT.sub("", unexpected.text[at : unexpected.start] + unexpected.after).rstrip()
    condition = re.fullmatch(r"if +(.*\S)[ ,]+then:?", line)
    if condition is None:
        return None
    return SyntaxFault("syntax", f"`{word}` is not used here", at, at + len(line), f"write `when {condition[1]}`")


_WHERE: Final = rf"({_NAME}(?:\.{_NAME})?)"
_AMOUNT: Final = r"(\S+(?: \S+)??)"
# A change of a field in words: its form, the field, the amount and the sign.
_CHANGES: Final[tuple[tuple[re.Pattern[str], str, str, str], ...]] = tuple(
    (re.compile(form), where, amount, sign)
    for form, where, amount, sign in (
        (rf"(?:reduce|decrease|lower|drop) +{_WHERE} +by +{_AMOUNT}", "{0}", "{1}", "-"),
        (rf"(?:increase|raise) +{_WHERE} +by +{_AMOUNT}", "{0}", "{1}", "+"),
        (rf"add +{_AMOUNT} +to +{_WHERE}", "{1}", "{0}", "+"),
        (rf"(?:subtract|deduct|remove|take) +{_AMOUNT} +(?:from|off) +{_WHERE}", "{1}", "{0}", "-"),
        (rf"(?:lose|loses) +(\S+) +({_NAME}) +(?:on|of|from) +({_NAME})", "{2}.{1}", "{0}", "-"),
        (rf"{_WHERE} +(?:loses|drops|falls|decreases)(?: +by)? +{_AMOUNT}", "{0}", "{1}", "-"),
        (rf"{_WHERE} +(?:gains|rises|grows|increases)(?: +by)? +{_AMOUNT}", "{0}", "{1}", "+"),
    )
)


def _change_in_words(unexpected: Unexpected) -> SyntaxFault | None:
    """``reduce target.hull by 2``, ``target.hull loses 2``."""
    if unexpected.declaration not in ("procedure", "effect", "results", "event", "on", "helper"):
        return None
    at = unexpected.first_word[1]
    line = _COMMENT.sub("", unexpected.text[at : unexpected.start] + unexpected.after).rstrip()
    for form, where, amount, sign in _CHANGES:
        found = form.fullmatch(line)
        if found is not None:
            field = where.format(*found.groups())
            help_ = f"write `{field} becomes {field} {sign} {amount.format(*found.groups())}`"
            return SyntaxFault("syntax", "only `becomes` can change a field", at, at + len(line), help_)
    return None


LOOKS: Final[tuple[Callable[[Unexpected], SyntaxFault | None], ...]] = (
    _count_after_die, _times_dice, _number_with_dice, _counted_cards, _word_with_blank, _deck_to_draw_from,
    _unit_after_number, _bare_modifier, _chart_read_in_place, _colon_before_block,
    _index, _two_arguments, _word_for_default, _comma_before_rounding, _columns_before_chart, _modifier_with_blank,
    _goal_of_modifiers, _change_in_words, _field_without_type, _words_without_one_of, _roll_without_name, _record_of_effect,
    _bonus_with_if, _if_then,
)  # fmt: skip
