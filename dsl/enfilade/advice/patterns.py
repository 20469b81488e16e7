"""What people write, from other languages and from print, and what the language has for it.

A row is a form, what to write instead, and why. The form is a regular expression for a part of a line's code, outside of
its quotes; ``<name>``, ``<path>``, ``<number>``, ``<operand>`` and ``<rest>`` in it are groups. What to write is a template
with these groups. ``<chart>`` and ``<record>`` in it stand for those of the text, ``<NAME>`` for the name that is
missing, or for one that the author chooses. A row with nothing to write only says what is wrong.

Every proposal is tried before it is shown (``trial``), so a row may be bold; rows are tried from top to bottom.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, Final, TypeAlias

from attrs import field, frozen

from enfilade.advice.lines import CodeLine
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.text import SourceFile

Template: TypeAlias = str | Callable[[re.Match[str]], str]

_GROUPS: Final = {
    "<name>": r"([A-Za-z_]\w*)", "<path>": r"([A-Za-z_]\w*(?:\.\w+)*)", "<number>": r"(\d+)",
    "<operand>": r"([\w.]+(?:\([^()]*\))?|\([^()]*\))", "<rest>": r"(\S(?:.*\S)?)",
}  # fmt: skip
_BLANK: Final = re.compile(r"\[(?:\\.|[^\]])*\]|\\.| ([*+?])?")
_DECLARED: Final = re.compile(r"^(chart|record)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_STEPS: Final = "procedure helper effect results event on"
_IN_STEPS: Final = frozenset(_STEPS.split())
_SLUG: Final = re.compile(r"\brefuse[ \t]+([a-z]\w*)")
_EFFECT: Final = re.compile(r"^effect\b[^(\n]*\([^,)\n]*(,[^)\n]*)\)", re.MULTILINE)
_PARAMETER: Final = re.compile(r", *([a-z]\w*)")
_MOST_NAMES: Final = 3
DECLARED_KINDS: Final = frozenset({
    "fact, definition or word", "record, fact or field", "chart", "deck", "die", "effect", "event", "option", "procedure",
    "record",
})  # fmt: skip
"""What a line can declare, as messages say that it is missing."""


NEW: Final = "<NAME>"


def missing_names(found: Sequence[Diagnostic]) -> Iterator[str]:
    """The names that are not declared."""
    about = (d.about for d in found if d.code == "unknown-name")
    return (each.names[0] for each in about if each is not None and each.missing in DECLARED_KINDS)


@frozen
class Known:
    """What a template may name of a text.

    Attributes:
        names: By placeholder, the names to try.
    """

    names: dict[str, Sequence[str]]

    @classmethod
    def of(cls, source: SourceFile, found: Sequence[Diagnostic]) -> Known:
        """Read the declared names from a text, and those that are missing from its diagnostics."""
        declared = _DECLARED.findall(source.text)
        return cls({
            "<chart>": [name for kind, name in declared if kind == "chart"][:_MOST_NAMES],
            "<record>": [name for kind, name in declared if kind == "record"][:_MOST_NAMES],
            "<param>": [*dict.fromkeys(_PARAMETER.findall(" ".join(_EFFECT.findall(source.text))))][:_MOST_NAMES] or ["PARAMETER"],
            "<slug>": [*dict.fromkeys(_SLUG.findall(source.text))][:_MOST_NAMES] or ["NAME"],
            NEW: [*[*dict.fromkeys(missing_names(found))][:_MOST_NAMES], "NAME"],
        })  # fmt: skip


@frozen
class Pattern:
    """A form that the language has not.

    Attributes:
        form: The form.
        instead: What to write instead of it; ``None`` if only the message can help.
        says: What is wrong, as a template.
        advice: What to do, in words, where nothing can be written.
        within: The keywords of the declarations in which it is tried; everywhere if there are none.
        codes: The codes of the diagnostics that may be about this form, besides those of the grammar.
        unnumbered: Whether the line must lose the number of its step.
        is_bold: Whether it is only shown if all is well with it; others may leave a name that was unknown before.
        is_meant: Whether it looks for what can be read, but means something else, where a value has the wrong type.
        is_only: Whether it is for its codes alone, not for mistakes of the grammar.
    """

    form: str
    instead: Template | None = None
    says: str = ""
    advice: str = ""
    within: frozenset[str] = field(default=frozenset(), kw_only=True)
    codes: frozenset[str] = field(default=frozenset(), kw_only=True)
    unnumbered: bool = field(default=False, kw_only=True)
    is_bold: bool = field(default=False, kw_only=True)
    is_meant: bool = field(default=False, kw_only=True)
    is_only: bool = field(default=False, kw_only=True)
    _compiled: re.Pattern[str] = field(init=False)

    @_compiled.default
    def _compile(self) -> re.Pattern[str]:
        form = self.form
        for name, group in _GROUPS.items():
            form = form.replace(name, group)
        # A blank stands for any number of them.
        return re.compile(
            _BLANK.sub(lambda found: f"[ \\t]{found[1] or '+'}" if found[0][0] == " " else found[0], form)
        )

    def _matches(self, code: str) -> Iterator[re.Match[str]]:
        """The places of the form, outside of quotes unless the form itself has some."""
        quoted = [] if '"' in self.form else [each.span() for each in re.finditer(r'"[^"]*"?', code)]
        for match in self._compiled.finditer(code):
            if not any(start <= match.start() < end for start, end in quoted):
                yield match

    @property
    def is_sign(self) -> bool:
        """Whether it is a part of a line, of which there may be several."""
        return not self.is_bold and not self.form.startswith("^") and self.instead is not None

    def fits(self, found: Diagnostic, line: CodeLine) -> bool:
        """Whether the form is looked for on a line that a diagnostic is about; steps have no head of a declaration."""
        is_step = self.within == _IN_STEPS and line.margin > 0
        return (
            not self.is_meant
            and ((found.is_plain and not self.is_only) or found.code in self.codes)
            and (not self.within or (line.keyword in self.within and (is_step or self.within != _IN_STEPS)))
        )

    def nearest(self, code: str, at: int) -> re.Match[str] | None:
        """The place of the form that is nearest to an offset."""
        return min(self._matches(code), key=lambda each: max(each.start() - at, at - each.end(), 0), default=None)

    def message(self, match: re.Match[str]) -> str:
        """What is wrong."""
        return match.expand(self.says) if self.says else f"`{match[0].strip()}` is not used here"

    def help(self, match: re.Match[str]) -> str:
        """What to do, where nothing can be written."""
        return match.expand(self.advice)

    def written(self, code: str, match: re.Match[str], known: Known) -> Iterator[tuple[str, str]]:
        """What is written instead of one match, and the code with all matches replaced; once for each name to try."""
        used = [name for name in known.names if isinstance(self.instead, str) and name in self.instead]
        for names in product(*(known.names[name] for name in used)):
            values = dict(zip(used, names, strict=True))
            shown = self._filled(match, values)
            parts, at = [], 0
            for each in self._matches(code):
                if each.start() >= at:
                    parts += [code[at : each.start()], self._filled(each, values)]
                    at = each.end()
            written = "".join([*parts, code[at:]]).rstrip()
            yield shown.strip() or written.strip(), written

    def _filled(self, match: re.Match[str], values: dict[str, str]) -> str:
        text = self.instead(match) if callable(self.instead) else match.expand(self.instead or "")
        for name, value in values.items():
            text = text.replace(name, value)
        return text


def _within(
    keywords: str, *rows: tuple[Any, ...], codes: str = "", is_bold: bool = False, is_only: bool = False
) -> tuple[Pattern, ...]:
    """Rows for some declarations, and for diagnostics with some codes."""
    within, about = frozenset(keywords.split()), frozenset(codes.split())
    return tuple(Pattern(*row, within=within, codes=about, is_bold=is_bold, is_only=is_only) for row in rows)


def _cards(match: re.Match[str]) -> str:
    """``red x 3, blue x 2`` as the cards of a deck."""
    return "\n".join(f"card {count} x {name}" for count, name in _counted(match[0]))


def _deck(match: re.Match[str]) -> str:
    return f"deck {match[1]} of " + ", ".join(f"{count} x {name}" for count, name in _counted(match[2]))


def _counted(text: str) -> Iterator[tuple[str, str]]:
    for each in text.split(","):
        number, name = re.search(r"\d+", each), re.search(r"[A-Za-wyzX]\w+|[A-Za-wyz]\b", each)
        yield number[0] if number else "1", name[0] if name else each.strip()


def _fraction(match: re.Match[str]) -> str:
    """A rounded percentage as the simplest fraction that dice have: ``16.67%`` is 1/6."""
    digits = len(match[1].partition(".")[2])
    given, step = Fraction(match[1]) / 100, Fraction(1, 10 ** (2 + digits))
    for denominator in (2, 3, 4, 6, 10, 8, 12, 20, 36, 216, 1296, 100, 1000):
        number = round(given * denominator)
        if abs(Fraction(number, denominator) - given) < step:
            return f"{number}/{denominator}"
    return str(given)


def _words(match: re.Match[str]) -> str:
    words = re.split(r"\s*(?:,\s*or\b|[|/,]|\bor\b)\s*", match[2])
    return f"{match[1]} one of {', '.join(words)}{match[3]}"


def _slugged(match: re.Match[str]) -> str:
    """A title as a name, and the title behind it."""
    title = match[1].split('"')[1]
    return f"ruleset {re.sub(r'[^a-z0-9]+', '_', title.lower()).strip('_')} {match[1]}"


def _conditional(match: re.Match[str]) -> str:
    """The function ``IF`` of spreadsheets, also of several."""
    return _without_if(match[0])


def _without_if(text: str) -> str:
    """A value in which ``IF(condition, value, other)`` is ``(value when condition otherwise other)``."""
    text = text.strip()
    if not (found := re.match(r"[Ii][Ii]?[Ff] *\(", text)) or not text.endswith(")"):
        return text
    parts, depth, at = [], 0, found.end()
    for place in range(at, len(text) - 1):
        depth += (text[place] == "(") - (text[place] == ")")
        if text[place] in ",;" and depth == 0:
            parts.append(text[at:place])
            at = place + 1
    parts.append(text[at:-1])
    if len(parts) != 3:
        return text
    condition = re.sub(r" *(?<![<>!=])=(?!=) *", " is ", parts[0].strip())
    return f"({_without_if(parts[1])} when {condition} otherwise {_without_if(parts[2])})"


def _ascending(match: re.Match[str]) -> str:
    """``A > B > C`` from the other end."""
    return match[1] + " < ".join(reversed(re.split(r" *> *", match[2])))


def _refusal(match: re.Match[str]) -> str:
    """A refusal with a name made of its text."""
    words = re.findall(r"[a-z]+", match[2].lower())[:4]
    return f'{match[1]} {"_".join(words)} "{match[2]}"{match[3]}'


def _default(match: re.Match[str]) -> str:
    return f"{match[1]} = {'yes' if match[2].lower() in ('on', 'true') else 'no'}"


def _titled(match: re.Match[str]) -> str:
    """A modifier without a name, named after its label."""
    name = "_".join(re.findall(r"[a-z]\w*", match[3].lower())) or "NAME"
    return f'{match[1]} {name} {match[2]} "{match[3]}"'


def _named(match: re.Match[str]) -> str:
    return f"{match[1]}_{match[2]} {match[3]}"


_COUNTED: Final = r"\d+ ?[xX×*]? ?[A-Za-z]\w*|[A-Za-z]\w* ?(?:[xX×*] ?)?\d+"

PATTERNS: Final[tuple[Pattern, ...]] = (
    # -- declarations
    *_within(
        "",
        (r'^ruleset ("[^"]+"(.*))$', _slugged, "a ruleset has a name before its title"),
        (r"^words <name> *[:=] *<rest>$", r"words \1 one of \2", "the words of a list follow `one of`"),
        (r"^(words \w+ +one of +)(\w+(?: *> *\w+)+)$", _ascending, "words in order stand from low to high"),
        (r'^(option <name>) ([A-Za-z][^"\[=]*[A-Za-z])((?: *\[.*)?)$', r'\1 "\3"\4', "a label needs quotes"),
        (r"\((\d+(?:\.\d+)*)\)$", r"[\1]", "a citation stands in square brackets"),
        (r"^(?:#|//|/\*|;)[#/*;]*\s*<rest>(?:\*/)?$", r"-- \1", "a comment begins with `--`"),
        (r"^(?:table|chart of|matrix)[ :]+<rest>$", r"chart \1", "a printed table is a `chart`"),
        (r"^(?:function|func|def|let|const|formula)[ :]+<rest>$", r"define \1", "a formula with a name is a `define`"),
        (r"^(?:class|type|struct|unit)[ :]+<rest>$", r"record \1", "a kind of piece is a `record`"),
        (r"^(?:test|case)[ :]+<rest>$", r"example \1", "a case with a known outcome is an `example`"),
        (r"^(?:import|include|require)[ :]+<rest>$", r"use \1", "a module is taken in with `use`"),
        (r"^(?:modifier|drm|drms)[ :]+<rest>$", r"modifiers \1", "a block of modifiers begins with `modifiers`"),
        (r"^((?:facts|record|chart|columns|modifiers|results|effect|procedure|helper|event|on|example|examples|deck|players)\b.*?) ?[:{]$",
         r"\1", "a declaration has no sign at the end of its first line"),
    ),
    *_within(
        "procedure helper effect chart define event deck record option",
        (r"^(procedure|helper|effect|chart|define|event|deck|record|option)\b(?! *\w) *", r"\1 <NAME> ", r"this \1 has no name"),
    ),
    *_within(
        "procedure helper",
        (r"^(?:takes|inputs?|given|needs|requires|uses|asks|parameters|params|args|arguments|variables)\b:?$", "facts", "the facts of a procedure stand below `facts`"),
        codes="unknown-name",
    ),
    *_within(
        "modifiers",
        (r"^modifiers\b.*$", None, "the heading doesn't say what the modifiers change", "write `add to roll of CHART` or `add to ROLL` for die roll modifiers, `shift columns of CHART` for column shifts"),
    ),
    *_within(
        "deck",
        (r"(\bof |, *)<number> (?:[X×*] ?)?(?!x\b)<name>", r"\1\2 x \3", "the number of a card is followed by `x`"),
        (r"(\bof |, *)([A-Za-z]\w*) ((?!x\b)[A-Za-z]\w*)(?=,|$)", r"\1\2 x \3", "the number of a card is followed by `x`"),
        (r"^card (\d+) (?!x\b)<name>(.*)$", r"card \1 x \2\3", "the number of a card is followed by `x`"),
        (r"^card <name> [xX×*] ?<number>(.*)$", r"card \2 x \1\3", "the number of a card stands before its name"),
        (r"^cards ((?:\d+ ?[xX×*]? ?[A-Za-z]\w*)(?:, *\d+ ?[xX×*]? ?[A-Za-z]\w*)*)$", lambda m: _cards(re.fullmatch(r"(.*)", m[1]) or m), "a card of a deck begins with `card`"),
        (rf"^(?:{_COUNTED})(?:, *(?:{_COUNTED}))*$", _cards, "a card of a deck begins with `card`"),
        (rf"^deck <name> *(?:=|:|of) *((?:{_COUNTED})(?:, *(?:{_COUNTED}))*)$", _deck, "the cards of a deck follow `of`"),
        codes="negative-dice unknown-name",
    ),
    *_within(
        "facts record option effect procedure define",
        (r"^<name> (\d+(?:\.\d+)?\.\.\d+\.\d+|\d+\.\d+\.\.\d*)", r"\1 number \2", "a range with fractions begins with `number`"),
        (r'(?<=\d)"(?=\s*(?:,|=|"|$))', "", "a number stands without its unit"),
        (r"\(([^()]*=[^()]*)\)", lambda m: re.sub(r" *= *", " ", m[0]), "a field and its value stand beside each other"),
        (r"\(<name> <name> (?=\d|yes|one|list)", r"(\1, \2 ", "a comma stands between parameters"),
        (r"\b(?:yes or no|yes,? ?no|yes\|no|true ?/ ?false|true or false|bool(?:ean)?)\b", "yes/no", "an answer is `yes/no`"),
        (r"(?<![\w.])<number> ?(?:-|to|–|\.\.\.) ?<number>\b", r"\1..\2", "a range needs two dots"),
        (r"^<name> *: *<rest>$", r"\1 \2", "a name and its type stand beside each other"),
        (r"^<name> *= *(\d+),? *(?:max(?:imum)?|up to|at most) *(\d+)$", r"\1 0..\3 = \2", "the type stands before the default"),
        (r"^<name> *,? *(?:max(?:imum)?|up to|at most) *(\d+)$", r"\1 0..\2", "the values of a number are a range"),
        (r"^<name> *= *(\d+)$", r"\1 0.. = \2", "the type stands before the default"),
        (r"^(option <name>(?: yes/no)?) *= *(on|off|true|false)$", lambda m: _default(re.fullmatch(r"(.*?) *= *(\w+)", m[0]) or m), "an option is `yes` or `no`"),
        (r"^<name> (?:one of )?((?!true\b|TRUE\b|True\b|on\b)[A-Za-z]\w*(?: *[|/] *[A-Za-z]\w*)+)( *(?:=|\"|\[).*|)$", _words, "the words of a fact follow `one of`"),
        (r"^<name> ([A-Za-z]\w*(?: *(?:,(?: *or\b)?|\bor\b) *[A-Za-z]\w*)+)( *(?:=|\"|\[).*|)$", _words, "the words of a fact follow `one of`"),
        (r",? *(?:by )?(?:defaults?(?: to| is)?|normally|usually)[ :=]+(\S+)$", r" = \1", "a default needs `=`"),
        (r"\b(list|set) (?!of\b)<name>", r"\1 of \2", r"`of` is missing"),
        (r"\b(?:int|integer|whole number)\b", "0..", "whole numbers are a range"),
        (r"\b(?:float|num|decimal)\b", "number", ""),
        (r"^<name>[ -]<name>(?= +(?:[\d(]|yes|one of|list|set|number)) +<rest>$", _named, "a name can't contain a blank"),
        (r"(?<=\d) +(?:inches|hexes|steps|points|men|[A-Za-z]+s)$", "", "a number stands without its unit"),
        codes="unknown-type unknown-name",
    ),
    *_within(
        "facts record words option",
        (r"(?<=[,<]) *<name> <name>(?= *[,<]|$)", r' "\1 \2"', "a word with a blank needs quotes"),
        (r"\b(one|set) of <name> <name>(?= *[,<]|$)", r'\1 of "\2 \3"', "a word with a blank needs quotes"),
        (r"\b(one|set) of <name> and <name>", r"\1 of \2, \3", "the words of a list have commas between them"),
        (r"^name$", None, "`name` has no type", "delete this line, because every record has a name"),
        (r'^(?!name$)<name>( *"[^"]*".*|)$', r"\1 yes/no\2", r"`\1` has no type"),
        (r"^<name>$", None, r"`\1` has no type", r"write its values, such as `\1 0..`, `\1 yes/no` or `\1 one of small, large`"),
    ),
    *_within(
        "effect",
        (r'^effect <name>( "[^"]*")? (?:on|of|for|to) <name>', r"effect \1\2 (\3)", "the record of an effect must be in brackets"),
    ),
    *_within(
        "define",
        (r'^define <name> ("[^"]*") *(\([^)]*\)) *= *<rest>$', r"define \1\3 = \4 \2", "a label must be at the end of its line"),
        (r'^define <rest> ("[^"]*") *= *<rest>$', r"define \1 = \3 \2", "a label must be at the end of its line"),
        (r"^define <name> *(?::|:=|is|as|->|=>) *<rest>$", r"define \1 = \2", "a definition needs `=`"),
        (r"^(?:otherwise|else|default) *[:=>-]+ *(\S+)$", r"\1  otherwise", "the value of a case stands before its condition"),
        (r"^(?!define\b)(?:when |if )?<rest> *(?::|->|=>|\bthen\b|=) *(\S+)$", r"\2  when \1", "the value of a case stands before its condition"),
    ),
    *_within(
        "chart columns",
        (r"^(across|down|inside) (\S+(?: \S+)*?),? (column|row|roll) <rest>$", r"\1 \2, \3 \4", "a comma stands before how the axis is read"),
        (r'^(header(?: "[^"]*")?) (\|.*\|) when <rest>$', r"\1 when \3 \2", "the condition of a header row stands before its bands"),
        (r"(?<=\w) ?: ?(?=[A-Za-z])", " / ", "a ratio is a division"),
        (r'refuse ("[^"]*")', r"refuse <slug> \1", "a refusal has a name before its text"),
        (r"^(across|down|inside) *[:=] *<rest>$", r"\1 \2", ""),
        (r"^(?:rows?|dice?) *[:=]? *(\d*d\d+.*)$", r"down \1", "the line `down` says what selects the row"),
        (r"^((across|down) <name>)[ ,]+(columns?|rows?|bands?)[ :]+.*$", None, r"the `\2` line can't list \4",
         r"write `\1`, and the ranges in the first row or column of the chart, such as `| 0-3 |`"),
        (r"^([^\s|][^|]*\|.*\|)$", r"| \1", "this row has no bar before its first cell"),
        (r"^(\|.*[^|])$", r"\1 |", "this row has no bar behind its last cell"),
        (r"^(?:columns?|cols?) *[:=]? *<name>$", r"across \1", "the line `across` says what selects the column"),
        (r"^(severity +)(\S+(?: *> *\S+)+)$", _ascending, "the codes of `severity` stand from mild to severe"),
        (r"^down (\d*d\d+) *\+ *<name>$", None, "`down` has the dice alone", r"write `down \1` here, and `modifiers \2 add to roll of CHART` in the heading of the modifiers"),
        codes="row-not-closed",
    ),
    *_within(
        "chart",
        (r"^page (\w+(?: *, *\w+)+)$", r'page "\1"', "the values of one page stand in one text"),
        codes="chart-shape",
    ),
    *_within(
        "modifiers",
        (r"^([+-]) +<number>(?= )", r"\1\2", "there is a blank between the amount and its sign"),
        (r"^(?:minus|less|subtract) <number>\b", r"-\1", r"an amount begins with `+` or `-`"),
        (r"^(?:plus|add) <number>\b", r"+\1", r"an amount begins with `+` or `-`"),
        (r"^<number>L\b", r"-\1", "one column to the left is `-1`"),
        (r"^<number>R\b", r"+\1", "one column to the right is `+1`"),
        (r"^(?:max|maximum|cap|at most|no more than) *[:=]? *\+?(-?\d+)$", r"net at most \1", "a cap is `net at most`"),
        (r"^(?:min|minimum|at least|no less than) *[:=]? *\+?(-?\d+)$", r"net at least \1", "a cap is `net at least`"),
        (r"^([+-]?\d+) <name> (?:if|when) <rest>$", r"\1 \2 \3", "the condition of a modifier stands alone"),
        (r"^([+-]?\d+) (?:if|when) <rest>$", r"\1 <NAME> \2", "a modifier has a name before its condition"),
        (r'^([+-]?\d+) ([\w.]+ (?:is|has|>=|<=|>|<) [^"]*[^"\s]) "([^"]*)"$', _titled, "a modifier has a name before its condition"),
        (r"^([+-]?\d+) ([\w.]+ (?:is|has|>=|<=|>|<) .*)$", r"\1 <NAME> \2", "a modifier has a name before its condition"),
        (r"^([+-])([A-Za-z][\w.]*) ([A-Za-z]\w*) +<rest>$", r"\1(\2) \3 \4", "an amount that is no number needs brackets"),
        (r"^net (?:within|between|from)? *([+-]?\d+) *(?:\.\.|to|and) *([+-]?\d+)$", "net at least \\1\nnet at most \\2", "each limit is a line of its own"),
        (r"^([+-]?\d+) +<name> <name>( +<rest>)$", r"\1 \2_\3\4", "the name of a modifier can't contain a blank"),
        (r"^([+-]?\d+) *[:=] *<rest>$", r"\1 \2", ""),
        (r"^<rest> *[:=] *([+-]\d+)$", r"\2 <NAME> \1", "a modifier begins with its amount"),
        (r"^([+-]?\d+)$", None, "this modifier has no name and no condition", r"write `\1 NAME CONDITION`, or `\1 NAME yes` if it always applies"),
        (r"\badd to(?: the)?(?: roll of)? <name>", r"add to roll of \1", "the heading says what the modifiers change"),
        (r"\bshift(?: the)?(?: columns?)?(?: of| on)? <name>", r"shift columns of \1", "the heading says what the modifiers change"),
        (r"^modifiers <name> add to <name>$", r"modifiers \1 add to roll of \2", "the heading says what the modifiers change"),
    ),
    *_within(
        "results",
        (r'^([^\s":,]+(?: +[^\s":,]+)+)( +"[^"]*".*)$', r'"\1"\2', "this code contains a blank"),
        (r'^([^\s":]+) *[:=-]+ *("[^"]*".*)$', r"\1 \2", "a code and its meaning stand beside each other"),
        (r"^then <rest> and <rest>$", "then \\1\nthen \\2", "each `then` is a line of its own"),
        (r'^([^\s":]+) +("[^"]*")[ :]+<rest>$', "\\1 \\2\n  \\3", "the steps of a code stand below it"),
        (r'^([^\s":,]+)[ :=-]+([^\s"][^"]*)$', r'\1 "\2"', "the meaning of a code needs quotes"),
        is_bold=True,
    ),
    *_within(
        "example examples",
        (r"^(?:roll|rolls|dice|die|rolled|on|throw)[ :=]+<rest>$", r"on \1", "the dice of an example follow `on`"),
        (r"^(?:expect(?: result)?|result|then|outcome|gives|returns?)[ :=]+(?:is )?([^\s=]+)$", r"gives \1", "the result of an example follows `gives`"),
        (r"^(?:result|then|outcome|gives|returns?|expect)[ :=]+<rest>$", r"expect \1", ""),
        (r"^(?:with|when|if|set|let|facts?|where)[ :]+<rest>$", r"given \1", "the facts of an example follow `given`"),
        (r"^(?:assert|check|expects)[ :]+<rest>$", r"expect \1", ""),
        (r"^expect <path> *(?:=+| ) *<rest>$", r"expect \1 is \2", "a comparison needs `is`"),
        (r"(?<=\w) *[:=]+ *(?=[\w\[\"(-])", " ", "a fact and its value stand beside each other"),
        (r"\b(\d+) (?:in|out of|of) (\d+)$", r"\1/\2", "a chance is a fraction"),
        (r"(?<![\w.])(\d+(?:\.\d+)?) ?%", _fraction, "a chance in an example is exact: a fraction"),
        (r"(?<![\w.])(0?\.\d+)$", lambda m: str(_fraction(re.fullmatch(r"(.*)", str(float(m[1]) * 100)) or m)), "a chance in an example is exact: a fraction"),
        (r"^(example|examples) <rest>$", r'\1 "\2"', "an example needs a label in quotes"),
    ),
    # -- steps
    *_within(
        _STEPS,
        (r"^<path> *(?:=|:=|<-|is now) *<rest>$", r"\1 becomes \2", "only `becomes` changes a value"),
        (r"^(?:set|change|let) <path> *(?:to|=|:=|becomes) *<rest>$", r"\1 becomes \2", "only `becomes` changes a value"),
        codes="unknown-name",
        is_bold=True,
    ),
    *_within(
        "modifiers",
        (r"^([+-]?\d+) +<name>$", r"\1 \2 \2", "this modifier has no condition"),
        (r"^([+-]?\d+) +<name>( *\[[^\]]*\]| *\"[^\"]*\")$", r"\1 \2 \2\3", "this modifier has no condition"),
        codes="type",
        is_bold=True,
    ),
    *_within(
        _STEPS,
        (r"^<path> *\+= *<rest>$", r"\1 becomes \1 + \2", "only `becomes` changes a value"),
        (r"^<path> *-= *<operand>$", r"\1 becomes \1 - \2", "only `becomes` changes a value"),
        (r"^<path> *-= *<rest>$", r"\1 becomes \1 - (\2)", "only `becomes` changes a value"),
        (r"^<path> *\+\+$", r"\1 becomes \1 + 1", "only `becomes` changes a value"),
        (r"^<path> *--$", r"\1 becomes \1 - 1", "only `becomes` changes a value"),
        (r"^<name> *(?:=|:=|<-) *<rest>$", r"let \1 = \2", "a new value begins with `let`"),
        (r"^(?:set|var|const|local|def|define) <name> *(?:to|=|:=) *<rest>$", r"let \1 = \2", "a new value begins with `let`"),
        (r"^(?:reduce|decrease|lower|drop) <path> by <rest>$", r"\1 becomes \1 - \2", "only `becomes` can change a field"),
        (r"^(?:increase|raise) <path> by <rest>$", r"\1 becomes \1 + \2", "only `becomes` can change a field"),
        (r"^add <rest> to <path>$", r"\2 becomes \2 + \1", "only `becomes` can change a field"),
        (r"^(?:subtract|deduct|remove|take) <rest> (?:from|off) <path>$", r"\2 becomes \2 - \1", "only `becomes` can change a field"),
        (r"^(?:lose|loses) (\S+) <name> (?:on|of|from) <name>$", r"\3.\2 becomes \3.\2 - \1", "only `becomes` can change a field"),
        (r"^<path> (?:loses|drops|falls|decreases)(?: by)? <rest>$", r"\1 becomes \1 - \2", "only `becomes` can change a field"),
        (r"^<path> (?:gains|rises|grows|increases)(?: by)? <rest>$", r"\1 becomes \1 + \2", "only `becomes` can change a field"),
        (r"^if (.*?),? then:?$", r"when \1", "a condition begins with `when`"),
        (r"^if (.*?)(?:,? then\b|:) *<rest>$", r"when \1: \2", "a condition begins with `when`"),
        (r"^(?:if|unless not) (?!refused)<rest>$", r"when \1", "a condition begins with `when`"),
        (r"^(?:else ?if|elif|elseif|elsif|otherwise if) (.*?):?$", r"otherwise when \1", "another condition begins with `otherwise when`"),
        (r"^else\b:? *", "otherwise ", "what happens else follows `otherwise`"),
        (r"^unless (.*?):?$", r"when not (\1)", "a condition begins with `when`"),
        (r"^(?:when|for each|repeat|otherwise)\b.*(:|\bthen|\bdo)$", lambda m: m[0][: m.start(1) - m.start()].rstrip(), "the line above a block has no sign at its end"),
        (r"^return <rest>$", r"give result = \1", "an output is given with `give`"),
        (r"^(?:print|show|display|output|say|report|log|write) <name>$", r"give \1", "a procedure shows its outputs: `give`"),
        (r"^(?:print|show|display|output|say|report|log|write) <rest>$", r"give <NAME> = \1", "a procedure shows its outputs: `give`"),
        (r"^give <name>,? *(?:as|to|is|:) *<rest>$", r"give \1 = \2", "an output needs `=`"),
        (r"^while <rest>$", r"repeat while \1", "a loop begins with `repeat`"),
        (r"^until <rest>$", r"repeat until \1", "a loop begins with `repeat`"),
        (r"^(?:loop|do) (\S+) times:?$", r"repeat \1 times", "a loop begins with `repeat`"),
        (r"\b(chooses \w+) from <rest>$", r"\1 among \2", "a list to choose from follows `among`"),
        (r"^<name>\.<name> becomes (.*)(?<![\w.])\2\b(.*)$", r"\1.\2 becomes \3\1.\2\4", "a field stands behind its record"),
        (r"^(refuse|must be) (.*\S) (\"[^\"]*\")$", r"\1 <slug> \3 when \2", ""),
        (r'^(refuse) "([^"]*)"(.*)$', _refusal, "a refusal has a name before its text"),
        (r"^<name> chooses among <rest>$", r"\1 chooses <NAME> among \2", "a choice needs a name"),
        (r"^(?:break|exit loop)$", "leave", "a loop ends with `leave`"),
        (r"^(?:exit|end|quit|halt)$", "stop", "a procedure ends with `stop`"),
        (r"^(?:pass|skip|continue|do nothing|none|no effect)$", "nothing", "a step that does nothing is `nothing`"),
        (r"^(?:for ?each|for|foreach|each|for all|for every) <name> (?:in|of|from|:) <rest?>:?$".replace("<rest?>", r"(\S(?:.*?\S)?)"), r"for each \1 in \2", "a loop over a list is `for each NAME in LIST`"),
        (r"^(?:for ?each|for|foreach|each) <name>:?$", r"for each <record> in \1", "a loop over a list is `for each NAME in LIST`"),
        (r"^for each <name>:?$", r"for each \1 in \1s", "a loop over a list is `for each NAME in LIST`"),
        (r"^for <name> *(?:=|from|in) *(\S+) *(?:to|\.\.|-|,) *(\S+?):?$", r"for each \1 in \2..\3", "a loop over numbers is `for each NAME in A..B`"),
        (r"^(?:look ?up|consult|check|cross[- ]index|use|read) <name> (?:on|in|against|with) (?:the )?<name>$", r"read \2 with \1 as <NAME>", "a chart is read with `read`"),
        (r"^(?:look ?up|consult|check|cross[- ]index|use|read) (?:the )?<name> (?:on|in|against|with|for|using) (?:the )?<name>$", r"read \1 with \2 as <NAME>", "a chart is read with `read`"),
        (r"^read <rest> (?:into|in|to|=|->) <name>$", r"read \1 as \2", "a reading has its name behind `as`"),
        (r"^(?:let )?<name> *(?:=|:=) *(?:roll|throw) +(\S.*)$", r"roll \2 as \1", "dice are rolled in a step of their own"),
        (r"^(?:let )?<name> *(?:=|:=) *read +(\S.*)$", r"read \2 as \1", "a chart is read in a step of its own"),
        (r"^(.*\W)read <name> with <name>(.*)$", "read \\2 with \\3 as reading\n\\1reading.code\\4", "reading a chart needs a separate step"),
        (r"^(.*\W)<name> with <name>(.*)$", "read \\2 with \\3 as reading\n\\1reading.code\\4", "reading a chart needs a separate step"),
        (r"^(.*\W)read <name>(.*)$", "read \\2 as reading\n\\1reading.code\\3", "reading a chart needs a separate step"),
        (r"^(.*\S) read <name> with <name>(.*)$", None, "reading a chart needs a separate step", r"write the step `read \2 with \3 as shot` above, and `shot.code` here"),
        (r"^(?:throw|cast|rolls|dice)\b:? *(?:a |an |the )?", "roll ", "dice are rolled with `roll`"),
        (r"^roll (?:a |an |the )", "roll ", ""),
        (r"^roll 1?(d\w+) (?:per|for each|for every) <path>", r"roll \2 \1", "the number of dice must come directly before the die"),
        (r"^roll (\d*d\d+),? (?:keep|keeping|kh|and keep) (?:the )?(?:best |highest )?<number>(?: (?:highest|best))? as <name>$", "roll \\1 as \\3_dice\nlet \\3 = sum of (highest \\2 of \\3_dice.values)", "dice are kept in a step of their own"),
        (r"^roll (\d*d\d+),? (?:drop|dropping|and drop) (?:the )?(?:lowest|worst)(?: die)? as <name>$", lambda m: f"roll {m[1]} as {m[2]}_dice\nlet {m[2]} = sum of (highest {max(int(m[1].partition('d')[0] or 1) - 1, 1)} of {m[2]}_dice.values)", "dice are kept in a step of their own"),
        (r"^roll (\S+) by <name> as <name>$", r"roll \1 as \3 by \2", "who rolls stands at the end"),
        (r"^roll <number> ?[xX*×] ?(d\d+)\b", r"roll \1\2", "the number of dice must come directly before the die"),
        (r"^roll (d\d+) ?[xX*×]? ?<number>\b", r"roll \2\1", "the number of dice must come before the die"),
        (r"^roll (\d*d\d+) ?([+-]) ?(?!\d*d\d+\b)<operand> as <name>$", "roll \\1 as \\4_dice\nlet \\4 = \\4_dice \\2 \\3", "a roll can't add a number to its dice"),
        (r"\b(reroll|explode on|on|reroll on) (\d+)s\b", r"\1 \2", "a face is a number alone"),
        (r"^roll (\d*d\d+) ?([+-]) ?<number> as <name>$", "roll \\1 as \\4_dice\nlet \\4 = \\4_dice \\2 \\3", "a roll can't add a number to its dice"),
        (r"^roll (\w+ ?[+*-] ?\w+) <name>( as \w+)$", r"roll (\1) \2\3", "a computed number of dice needs brackets"),
        (r"^roll (\w+ ?[+*-] ?\w+) <name>$", r"roll (\1) \2 as <NAME>", "a computed number of dice needs brackets, and the roll a name"),
        (r"^roll (\d*d\d+(?: ?\+ ?\d*d\d+)*) +(?:to|into|for|=|->|called|named) +<name>$", r"roll \1 as \2", "a roll has its name behind `as`"),
        (r"^roll (\d*d\d+(?: ?\+ ?\d*d\d+)*) +<name>$", r"roll \1 as \2", "a roll has its name behind `as`"),
        (r"^roll <rest>$", r"roll \1 as <NAME>", "this roll has no name"),
        (r"^draw (?:a |an )?(?:card|chit|counter)s? from <name>(?: as <name>)?$", lambda m: f"draw 1 from {m[1]} as {m[2] or '<NAME>'}", "the number of cards is missing"),
        (r"^draw from <name>$", r"draw 1 from \1 as <NAME>", "the number of cards is missing"),
        (r"^draw from <name> as <name>$", r"draw 1 from \1 as \2", "the number of cards is missing"),
        (r"^draw (\S+) (?:card|chit|counter)s? from <rest>$", r"draw \1 from \2", "the number of cards stands alone"),
        (r"^draw (\S+ from \S+)$", r"draw \1 as <NAME>", "this draw has no name"),
        (r"^(?:apply|carry out|execute) <name> (?:on|upon|against) <rest>$", r"apply \1 to \2", "results are applied `to` a list"),
        (r"^call <name>\(([^()]*)\)(.*)$", r"call \1 with \2\3", "what a procedure needs follows `with`"),
        (r"^call <name>\([^()]*\)(.*)$", r"call \1\2", "a procedure knows the facts of the game; only its own follow `with`"),
        (r"^(.* with) <operand>$", r"\1 <param> \2", "the parameter of a value stands before it"),
        (r"^<name> <name> by <rest>$", r"\1 on \2 with <param> \3", "a step that carries out an effect is `EFFECT on RECORD with PARAMETER VALUE`"),
        (r"^otherwise\b", None, "`otherwise` belongs to the `when` above it", "give it no number, and put it as deep as its `when`"),
        codes="unknown-name die-size",
    ),
    Pattern(
        r"^otherwise\b", "otherwise", "`otherwise` has no number of its own: it belongs to the `when` above it",
        within=_IN_STEPS, codes=frozenset({"unknown-name"}), unnumbered=True,
    ),
    *_within(
        _STEPS,
        (r"^(?:look ?up|consult|check|cross[- ]index|use|read) (?:the )?<name>$", r"read <chart> with \1 as <NAME>", "a chart is read with `read`"),
        (r"^(?:look ?up|consult|check|cross[- ]index|use|read) (?:the )?<name>$", r"read \1 as <NAME>", "a chart is read with `read`"),
        (r"^(\w+ assigns) <name> <operand>((?: with .*)? among .*)$", r"\1 \3 \2\4", "the number stands before the effect"),
        (r"^<name>\(([^()]*)\) on <name>$", r"for each <record> in \3: \1 on <record>", ""),
        (r"^<name> <name>( with .*)$", r"\1 on \2\3", "a step that carries out an effect is `EFFECT on RECORD`"),
        (r"^<name> <name>s$", r"\2 on \1", "a step that carries out an effect is `EFFECT on RECORD`"),
        (r"^<name>s? <name>$", r"\1 on \2", "a step that carries out an effect is `EFFECT on RECORD`"),
        (r"^<name> (?:to|at|against) <name>$", r"\1 on \2", "a step that carries out an effect is `EFFECT on RECORD`"),
        (r"^(?:do|perform|run|execute|play|resolve) <rest>$", r"call \1", "another procedure is played with `call`"),
        codes="unknown-name",
        is_bold=True,
    ),
    *_within(
        _STEPS,
        (r"^if refused\b.*$", None, "`if refused` belongs to a `call` above it", "put it below its `call`, indented further"),
        (r"^(?:go ?to|jump to|return to|repeat from)\b.*$", None, "there is no step that jumps to another", "put the steps to repeat below `repeat until CONDITION`, and those to skip below `when CONDITION`"),
        (r"^<name> (?!choose|assign)<name>s\b.*$", None, r"`\1 \2s` is no step", r'what happens on the map is an effect: declare `effect \2 "\2s"`, and write `\2` here'),
    ),
    *_within(
        "modifiers",
        (r"^modifiers <name>((?: \"[^\"]*\"| \[[^\]]*\])*) <rest>$", r"modifiers \1\2 add to roll of <chart>", "the heading says what the modifiers change"),
        is_bold=True,
    ),
    # -- what is read as something else
    *(
        Pattern(form, instead, "to count dice, say which ones", within=_IN_STEPS, is_bold=True, is_meant=True)
        for form, instead in (
            (r"^(let|give) <name> = count of (\w[\w.]*) (>=|<=|>|<|is) <rest>$", r"\1 \2 = count of \3 where each \4 \5"),
            (r"^(let|give) <name> = (?:count of )?<name> (>=|<=|>|<|is) <rest>$", r"\1 \2 = count of \3.values where each \4 \5"),
        )
    ),
    *_within("modifiers",
        (r"^([+-])1 +<name> +<path>(?: *\[[^\]]*\]| *\"[^\"]*\")*$", None, "this is a number, but a condition is needed",
         r"compare it: `\3 >= 1`; or, if each one counts, write `\1(\3) \2 \3 > 0`"),
        (r"^([+-])(\d+) +<name> +<path>(?: *\[[^\]]*\]| *\"[^\"]*\")*$", None, "this is a number, but a condition is needed",
         r"compare it: `\4 >= 1`; or, if each one counts, write `\1(\2 * \4) \3 \4 > 0`"),
        codes="type",
        is_only=True,
    ),
    *_within("modifiers",
        (r"^([+-]?\d+) +<name>(?: *\[[^\]]*\]| *\"[^\"]*\")*$", None, "this modifier has no condition", r"write `\1 \2 CONDITION`, or `\1 \2 yes` if it always applies"),
        codes="type",
    ),
    *_within(_STEPS,
        (r"^<name> on <name>(| with .*)$", r"for each <record> in \2: \1 on <record>\3", "an effect is on one record; for a list, repeat it for each"),
        codes="type",
    ),
    *_within("",
        (r"\b[Ii][Ii]?[Ff] ?\(.*\)", _conditional, "a value with a condition needs `when` and `otherwise`"),
        (r"\bmax\(([^(),]*), *(-?\d+)\)", r"(\1 but at least \2)", "this is written in words"),
        (r"\bmin\(([^(),]*), *(-?\d+)\)", r"(\1 but at most \2)", "this is written in words"),
        (r"\b(?:max|highest|larger of|greater of)\(([^()]*,[^()]*)\)", r"highest of [\1]", "this is written in words"),
        (r"\b(?:min|lowest|smaller of|lesser of)\(([^()]*,[^()]*)\)", r"lowest of [\1]", "this is written in words"),
        (r"\b(?:max|highest)\(([^(),]*)\)", r"highest of \1", "this is written in words"),
        (r"\b(?:min|lowest)\(([^(),]*)\)", r"lowest of \1", "this is written in words"),
        (r"\b(?:len|length|size|count)\(([^(),]*)\)", r"count of \1", "this is written in words"),
        (r"\bsum\(([^(),]*)\)", r"sum of \1", "this is written in words"),
        (r"\bsorted\(([^(),]*)\)", r"\1 sorted", "this is written in words"),
        (r"\b(?:half of|half the|half) <operand>", r"\1 / 2", "half of a value is `VALUE / 2`"),
        (r"\b(sum|highest|lowest|list|product) of <name>\.<name>", r"\1 of \3 over \2", "a value of each element stands before `over`"),
        (r"\b(sum|total|highest|lowest) <name> (?:of|in|among|over) <name>", lambda m: f"{m[1].replace('total', 'sum')} of {m[2]} over {m[3]}", "a value of each element stands before `over`"),
        (r"\babs\(([^()]*)\)", r"absolute(\1)", "this is written in words"),
        (r"\bround\(([^()]*)\)", r"(\1) rounded to nearest", "this is written in words"),
        (r"\b(?:floor|int|trunc)\(([^()]*)\)", r"(\1) rounded down", "this is written in words"),
        (r"\b(?:ceil|ceiling)\(([^()]*)\)", r"(\1) rounded up", "this is written in words"),
        codes="unknown-name",
    ),
    *_within(
        "die deck",
        (r"\b([A-Za-z]\w*) ?[xX×*] ?(\d+)\b", r"\2 x \1", "the number of copies comes first"),
        codes="not-constant negative-dice unknown-name mixed-faces",
    ),
    *_within(
        "replace",
        (r"^replace (?:modifier|step) <name>$", None, "the block of the modifier is missing", r"write `replace \1 in BLOCK`"),
    ),
    *_within("", (r'(?<=\d)"(?=\s|$|\))', "", "a number stands without its unit"), codes="missing-quote two-labels"),
    # -- values, anywhere
    *_within(
        "",
        (r"\b(?:the|an) (?=[A-Za-z])", "", "names have no article"),
        (r"<path>\[ *(\w+) *\](?= becomes)", r"\1 of \2", "an entry of a map is `MAP of KEY`"),
        (r"<path>\[ *([A-Za-z]\w*) *\]", r"(\1 of \2)", "an entry of a map is `MAP of KEY`"),
        (r"<operand> *// *<operand>", r"\1 / \2 rounded down", "`//` is not used here"),
        (r"(?:^|(?<=\s))(?:#|//|/\*|;)+ *<rest>$", r"-- \1", "a comment begins with `--`"),
        (r" ?\(?,? ?\b(?:round|rounding|rounds|rounded)(?: to)? (up|down)\b\)?", r" rounded \1", "a rounded value is `VALUE rounded down`, or `up`"),
        (r" ?\(?,? ?\b(?:round|rounding|rounded)(?: to)?(?: the)? nearest\b\)?", " rounded to nearest", "a rounded value is `VALUE rounded to nearest`"),
        (r" (?:fractions? (?:dropped|down)|FRD|rounddown)\b", " rounded down", ""),
        (r"(?<![\d.])(\d+(?:\.\d+)?) ?%(?! *\d)", r"\1 / 100", "a percentage is a fraction"),
        (r"(?<=[\w)]) *%(?= *[\w(])", " mod", "the rest of a division is `mod`"),
        (r"(?<!\S)(\S+) \1(?!\S)", r"\1", r"`\1` stands here twice"),
        (r"={2,3}", "is", ""),
        (r"!=|<>|≠|=/=", "is not", ""),
        (r"\s*&&?\s*", " and ", ""),
        (r"\s*\|\|?\s*", " or ", ""),
        (r"[!~](?=[\w(])", "not ", ""),
        (r"≥|=>", ">=", ""),
        (r"≤|=<", "<=", ""),
        (r" ?(?:×|·|\*\*|(?<=[\w)]) x(?= \w)) ?", " * ", ""),
        (r" ?÷ ?", " / ", ""),
        (r"\b(?:True|TRUE|true)\b", "yes", ""),
        (r"\b(?:False|FALSE|false)\b", "no", ""),
        (r"\b(?:null|nil|None|NULL|nothing|empty)\b", "none", ""),
        (r"\b(?:isn't|isnt|is n't)\b", "is not", ""),
        (r"\b(?:equals|equal to|equalled)\b", "is", ""),
        (r"(?<=[\w)]) +(?:=|are) +(?=[\w(\"])", " is ", "`=` assigns a value and can't compare two values"),
        (r"\bis (?:greater|more|higher|larger) than\b|\bexceeds\b", ">", ""),
        (r"\bis (?:less|lower|smaller|fewer) than\b", "<", ""),
        (r"(?<!but[ ])\b(?:is )?at least <operand>", r">= \1", ""),
        (r"(?<!but[ ])\b(?:is )?at most <operand>", r"<= \1", ""),
        (r"\bis between <operand> and <operand>", r"is \1..\2", ""),
        (r"\bis <number> ?(?:-|to) ?<number>\b", r"is \1..\2", "a range needs two dots"),
        (r"\band/or\b", "or", ""),
        (r"\bnumber of ", "count of ", ""),
        (r"\bis *(>=|<=|>|<)", r"\1", ""),
        (r"\b([A-Za-z][\w.]*) is ([\w.]+) or \1 (?:is )?([\w.]+)", r"\1 is \2 or \3", ""),
        (r"([A-Za-z_][\w.]*)\[ *0 *\]", r"(item 1 of \1)", "a number in brackets is a citation, not an index"),
        (r"([A-Za-z_][\w.]*)\[ *(\w+) *\]", r"(item \2 of \1)", "a number in brackets is a citation, not an index"),
        (r"([+-]) *(\w+) if <rest>$", r"\1 (\2 when \3 otherwise 0)", "a value with a condition needs `when` and `otherwise`"),
        (r"<operand> if <rest> else <operand>", r"(\1 when \2 otherwise \3)", ""),
        (r"<operand> \? <operand> *: *<operand>", r"\1 otherwise \3", ""),
        (r"½", "1/2", ""), (r"¼", "1/4", ""), (r"¾", "3/4", ""), (r"⅓", "1/3", ""), (r"⅔", "2/3", ""),
        (r"[;,.]+$", "", "a line has no sign at its end"),
        (r"(?<![\w,.])(\d+),(\d+)(?![\w,])", r"\1.\2", "a decimal has a point"),
        (r"'([^'\"]*)'|`([^`\"]*)`", lambda m: f'"{m[1] or m[2]}"', "a text needs double quotes"),
        (r"[$@](?=\w)", "", "a name can contain only letters, digits and `_`"),
        (r"\b[A-Za-z]\w*(?:-[A-Za-z]\w*)+\b", lambda m: m[0].replace("-", "_"), "a name can't contain `-`"),
        (r" *[{}]$", "", "a block is indented; it has no brackets"),
        (r"(?<=\d) +(?:inches|hexes|steps|points|men|[A-Za-z]+s)\b", "", "a number stands without its unit"),
        (r"\bone of <rest> and <name>", r"one of \1, \2", "the words of a list have commas between them"),
        (r"\b(is|not|or) (\d+[A-Za-z]\w*|-)(?= *[:,)]| *$| and\b| or\b)", r'\1 "\2"', "a code that is no name needs quotes"),
    ),
    *_within(
        "",
        (r"(\W|^)([A-Za-z0-9]+[A-Za-z+*]+[0-9]*|-)$", r'\1"\2"', "this needs quotes"),
        is_bold=True,
    ),
)  # fmt: skip
"""All patterns, in the order in which they are tried."""
