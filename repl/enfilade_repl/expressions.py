"""Expressions at the prompt: ``2d6 + 1``, ``lowest 2 of 4d10``, or any expression of the rules language.

An expression is compiled as a procedure of the ruleset in use, so it means the same as in a rule. Its dice are rolled
first; list functions of dice apply to the values of the dice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, NoReturn

from attrs import evolve, frozen

import enfilade
from enfilade import EnfiladeError, OddsError, RollQuestion, Ruleset, RulesetError
from enfilade.language import Line, Vocabulary, chance_text, line, number_text, value_text, vocabulary_of
from enfilade.types import Bool, ListOf, Num
from enfilade_repl.definitions import of_its_own
from enfilade_repl.entry import EntryError, types_of
from enfilade_repl.session import Session

NAME: Final = "typed_expression"
_NUMBERED: Final = r"\d*d\d+\b"
_LISTED: Final = re.compile(r"\b(?:of|where|over)\s+\(?\s*$")
_MOST: Final = 2_000
_BARE: Final = re.compile(r"[A-Za-z_]\w*")
_VALUES: Final = re.compile(r"\d[\d./]*(?:\s+[A-Za-z_]\w*(?!\w*\()|\s+\d|\s*,)")
_OPERATORS: Final = ("lowest", "highest", "first", "last", "count", "sum", "any", "all", "none", "item", "list", "not")


_CAPITAL_D: Final = re.compile(r"\b\d*D\d+\b")
_DICE: Final = r"(?P<dice>\d*d\d+)"
# What other dice tools write, and what the language of the rules writes.
_IDIOMS: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), form)
    for pattern, form in (
        (rf"{_DICE}\s*(?:keep\s+highest|keep|kh|k|highest|best)\s*(?P<n>\d+)", "highest {n} of {dice}"),
        (rf"{_DICE}\s*(?:keep\s+lowest|kl|lowest|worst)\s*(?P<n>\d+)", "lowest {n} of {dice}"),
        (rf"{_DICE}\s*(?:drop\s+(?:the\s+)?lowest|dl)\s*(?P<n>\d*)", "highest {rest} of {dice}"),
        (rf"{_DICE}\s*(?:drop\s+(?:the\s+)?highest|dh)\s*(?P<n>\d*)", "lowest {rest} of {dice}"),
        (rf"count\s+(?P<n>\d+)\+\s+(?:in|of|on)\s+{_DICE}", "count of {dice} where each >= {n}"),
    )
)
_INSTEAD: Final = (
    (re.compile(r"explod\w*\s+(\d*d\d+)|(\d*d\d+)\s*(?:!|explod\w*)", re.IGNORECASE), "a procedure can roll them: `roll 2d6, explode on 6`"),
    (re.compile(rf"{_DICE}\s+(?:vs|versus|against)\s+(?P<other>\d*d\d+)", re.IGNORECASE), "write `{dice} > {other}`"),
)  # fmt: skip


class UnknownWord(EntryError):
    """The entry begins with an unknown word: it is not a command, a name of the ruleset or an expression.

    Attributes:
        word: The word; empty if the entry begins with a number.
    """

    def __init__(self, word: str) -> None:
        super().__init__(f'there is no command "{word}"')
        self.word = word


@frozen
class Expression:
    """An expression that was compiled to a procedure.

    Attributes:
        text: The text as typed.
        rules: The ruleset extended by the procedure.
        rolls: Each roll of the procedure by name, with its dice as typed.
        summed: Whether its value is a list of numbers, so the sum is shown too.
    """

    text: str
    rules: Ruleset
    rolls: Mapping[str, str]
    summed: bool

    @property
    def of(self) -> str:
        """The output whose odds are shown."""
        return "total" if self.summed else "result"


def understood(session: Session, text: str) -> Expression:
    """Compile an expression to a procedure.

    Raises:
        RulesetError: The text is not a valid expression.
    """
    ruleset = session.state.ruleset
    base = ruleset.rules if ruleset is not None else of_its_own("")
    text = in_our_form(text)
    rolls, expression = _with_rolls(text, _dice_of(base))
    rules = base.extended(_procedure(rolls, expression), "typed")
    (result,) = rules.procedure(NAME).outputs
    summed = isinstance(found := result.domain, ListOf) and isinstance(found.of, Num)
    if summed:
        rules = base.extended(f"{_procedure(rolls, expression)}  give total = sum of ({expression})\n", "typed")
    return Expression(text, rules, rolls, summed)


def _is_yes_no(known: Vocabulary, text: str) -> bool:
    """Whether a text is the name of a fact that is yes or no."""
    named = (facts.get(text) for facts in known.facts.values())
    return any(each is not None and isinstance(each.domain, Bool) for each in named)


def in_our_form(text: str) -> str:
    """An expression of dice as other tools write it, in the language of the rules.

    Examples:
        >>> in_our_form("4d6kh3"), in_our_form("4d6 drop lowest"), in_our_form("count 5+ in 6d6")
        ('highest 3 of 4d6', 'highest 3 of 4d6', 'count of 6d6 where each >= 5')
    """
    text = _CAPITAL_D.sub(lambda found: found[0].casefold(), text)
    for pattern, form in _IDIOMS:
        found = pattern.fullmatch(text.strip())
        if found is not None:
            count = int(found["dice"].casefold().partition("d")[0] or 1)
            number = found["n"] or "1"
            return form.format(dice=found["dice"].casefold(), n=number, rest=max(count - int(number), 0))
    return text


def instead_of_dice(text: str) -> str:
    """What to write instead of dice that an expression can't have; empty if there are none."""
    for pattern, form in _INSTEAD:
        found = pattern.search(text)
        if found is not None:
            return form.format(**found.groupdict())
    return ""


def is_expression(session: Session, text: str) -> bool:
    """Whether a text is an expression that has something to work out: a number or a word alone has not."""
    ruleset = session.state.ruleset
    known = vocabulary_of(ruleset.rules) if ruleset is not None else None
    is_word = known is not None and (text in known.words - known.names or _is_yes_no(known, text))
    if len(text) > _MOST or "\n" in text or text.isdigit() or is_word:
        return False
    try:
        understood(session, text)
    except EnfiladeError:
        return False
    return True


def _dice_of(rules: Ruleset) -> str:
    """The regular expression that matches dice: ``2d6``, and the custom dice of the ruleset."""
    own = "|".join(map(re.escape, rules.names("die")))
    named = rf"|(?:\d+\s+)?(?:{own})\b" if own else ""
    return rf"\b(?:{_NUMBERED}{named})"


def _with_rolls(text: str, dice: str) -> tuple[dict[str, str], str]:
    """The rolls of an expression by name, and the expression with its dice replaced by these names."""
    rolls: dict[str, str] = {}

    def named(found: re.Match[str]) -> str:
        name = f"dice_{len(rolls) + 1}"
        rolls[name] = found[0]
        return f"{name}.values" if _LISTED.search(text[: found.start()]) else name

    return rolls, re.sub(dice, named, text)


def _procedure(rolls: dict[str, str], expression: str) -> str:
    steps = [f"  roll {dice} as {name}\n" for name, dice in rolls.items()]
    return f"procedure {NAME}\n{''.join(steps)}  give result = {expression}\n"


def evaluate(session: Session, text: str) -> Iterator[Line]:
    """Evaluate an expression: roll its dice, and show their odds beside the result.

    Raises:
        EntryError: The text is not a valid expression.
    """
    if len(text) > _MOST or "\n" in text:
        raise EntryError("this expression is too long")
    try:
        found = understood(session, text)
    except RulesetError as wrong:
        _complain(text, wrong)
    yield from _worked_out(session, found)


def _complain(text: str, wrong: RulesetError) -> NoReturn:
    """Raise an error; if the text is two adjacent words, assume a misspelt command or procedure."""
    if hint := instead_of_dice(text):
        raise EntryError(f"`{text}` is not an expression", hint)
    word = _BARE.match(text)
    side_by_side = re.match(r"\w+\s+[\w(\"-]", text) and not text.startswith(_OPERATORS)
    if word is not None and (side_by_side or word[0] == text or not wrong.diagnostics):
        raise UnknownWord(word[0])
    if word is not None and text[word.end() :].lstrip().startswith(","):
        raise UnknownWord(word[0])
    if _VALUES.match(text):
        raise UnknownWord("")
    raise EntryError(wrong.diagnostics[0].message, "; ".join(wrong.diagnostics[0].helps))


def _worked_out(session: Session, found: Expression) -> Iterator[Line]:
    table = session.state
    known = table.resolutions[-1].given if table.resolutions else {}
    types = types_of(found.rules, NAME)
    given = {name: value for name, value in known.items() if name in types}
    run = found.rules.begin(NAME, given=given, seed=table.dice_of(table.throw))
    while isinstance(run.question, RollQuestion):
        run = run.roll()
    if run.outcome is None:
        assert run.question is not None
        raise EntryError(
            f"{run.question.key} has no value yet",
            "play a procedure first; expressions use the facts of the last combat",
        )
    outcome = run.outcome
    for rolled in outcome.dice:
        yield line(("dice", f"{found.rolls[rolled.name.rstrip('+')]}: "), " ".join(map(value_text, rolled.answers)))
    total = f", total {value_text(outcome.outputs['total'])}" if found.summed else ""
    yield line(("result", value_text(outcome.result)), total)
    if outcome.dice:
        session.state = evolve(table, throw=table.throw + 1)
        yield from _beside(session, found, outcome.outputs[found.of])


_BESIDE: Final = 1


def _beside(session: Session, found: Expression, value: object) -> Iterator[Line]:
    """The mean, and the chance of this result or more."""
    if not isinstance(value, int) or isinstance(value, bool):
        return
    try:
        odds = found.rules.odds(NAME, limits=found.rules.limits.with_patience(_BESIDE), progress=session.progress).of(
            found.of
        )
        least = odds.at_least(value)
        beside = chance_text(least, odds.shown_weight(int(least * odds.total)))
        yield line(("hint", f"mean {number_text(odds.mean)}; {value} or more: {beside}"))
    except (OddsError, enfilade.LimitError):
        return
