"""The commands `help` and `set`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final

from enfilade import ChoiceQuestion, DrawQuestion, FactQuestion, InputField, Output, RollQuestion, Ruleset
from enfilade.language import (
    Line,
    as_outcome,
    cited,
    in_columns,
    legal_text,
    line,
    lines_of,
    nearest,
    only_beginning,
    output_text,
    page_for,
    value_text,
    value_titles,
    vocabulary_of,
)
from enfilade.tools import code_lines, event_lines, procedure_lines, record_lines, reference_lines, ruleset_lines
from enfilade_repl.commands import why
from enfilade_repl.commands.command import Command, find
from enfilade_repl.entry import EntryError
from enfilade_repl.pieces import piece_line
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS, UnknownSetting
from enfilade_repl.state import PendingRun


def help_on(session: Session, text: str, commands: Sequence[Command]) -> Iterator[Line]:
    """Show help on the open question, a command or a name of the ruleset; or list the commands."""
    name = text.strip()
    pending = session.state.pending
    form = session.state.form
    if not name and form is not None:
        field = session.ruleset.rules.records[form.kind].fields[form.missing[0][1]]
        yield line(("label", "Allowed: "), f"{field.domain.allowed}.")
        yield line(("hint", "Type `undo` or `cancel` to stop describing this record."))
        return
    if not name and pending is not None:
        yield from _help_at(pending)
        return
    if not name:
        yield from _overview(commands)
        return
    if name == "commands":
        yield from _every(commands)
        return
    if name in _TOPICS:
        yield from (line(each) for each in _TOPICS[name])
        return
    command = find(commands, name)
    known = list(_about(session, name)) or list(_printed(session, name)) or list(_cited(session, name))
    if command is None and not known:
        name = only_beginning(name, _names(session, commands)) or name
        command, known = find(commands, name), list(_about(session, name))
    if command is not None:
        yield line(("title", command.usage))
        yield line(f"  {command.help}")
        for each in command.more:
            yield line(("hint", "  "), ("code", each))
    elif not known:
        _complain(session, name, commands)
    yield from known


_FACTS_AND_WORDS: Final = (
    "A fact is its name and its value; a name may be left out if one meaning remains: `16 town at 3 hexes`.",
    "The words at, in, with, the, a, an, of, is, vs and against may stand before a fact.",
    '`guard vs uhlans` gives the first two sides; a new piece needs quotes: `vs "Old Guard"`.',
)
_TOPICS: Final = {
    "dice": (
        "`roll 2d6` rolls dice, and `2d6 + 1` evaluates an expression and shows its odds; `odds 2d6` shows all of them.",
        "`highest 2 of 3d6` and `lowest 1 of 2d20` keep dice; `count of 6d6 where each >= 5` counts them.",
        "In a combat, the dice stand at the end of the line, after `on`: `PROCEDURE FACTS on 4 3`. A total will do: `on 7`.",
    ),
    "keys": (
        "Tab completes, Up and Down go through what was typed, Ctrl-R searches it, Right takes the suggestion.",
        "Enter ends an entry; a definition goes on until an empty line. Ctrl-C stops what runs, Ctrl-D leaves.",
    ),
    **dict.fromkeys(("vs", "versus", "against", "at", "with", "in"), _FACTS_AND_WORDS),
}


def _cited(session: Session, name: str) -> Iterator[Line]:
    """What the rules say at a place of the rulebook: `help 7.5`."""
    ruleset = session.state.ruleset
    cites = set() if ruleset is None else {cite for each in ruleset.rules.symbols for cite in each.cites}
    if name.strip("[]") in cites:
        yield from why.rule(session, name.strip("[]"))


def _help_at(pending: PendingRun) -> Iterator[Line]:
    """What may be answered to the open question, and the commands that work there."""
    question = pending.question
    if isinstance(question, FactQuestion) and question.input.label:
        yield line(("name", question.name), f"  {question.input.label}", cited(question.cites))
    if isinstance(question, FactQuestion) and question.input.assumed:
        yield line(("hint", f"  Assumed: {question.input.assumed}."))
    yield line(("label", "Allowed: "), f"{legal_text(question)}.")
    if isinstance(question, FactQuestion):
        titles = value_titles(pending.ruleset.rules, pending.run.procedure, question.name)
        yield from in_columns([[("", " "), ("name", value), ("", title)] for value, title in titles.items()])
    here = "`all` rolls all remaining dice" if isinstance(question, (RollQuestion, DrawQuestion)) else ""
    here = "`worth` compares the options" if isinstance(question, ChoiceQuestion) else here
    ways = ["`undo` takes back the last answer", "`cancel` stops the combat", here, "`odds` and `why` work here, too"]
    yield line(("hint", f"{'; '.join(filter(None, ways))}."))


def _every(commands: Sequence[Command]) -> Iterator[Line]:
    """Each command with its meaning."""
    for group in dict.fromkeys(command.group for command in commands):
        yield line(("title", group))
        rows = [[("", " "), ("name", each.title), ("", each.help)] for each in commands if each.group == group]
        yield from in_columns(rows, 1)


def _words(command: Command) -> str:
    """The words with which a command begins: `odds`, `what if`."""
    return "".join(takewhile(lambda char: char.islower() or char == " ", command.title)).strip()


def _overview(commands: Sequence[Command]) -> Iterator[Line]:
    """The names of the commands, in groups, and what else can be typed."""
    groups = dict.fromkeys(command.group for command in commands)
    names = {group: ", ".join(_words(each) for each in commands if each.group == group) for group in groups}
    yield from in_columns([[("title", group), ("name", listed)] for group, listed in names.items()], 1)
    yield line(("title", "Besides"))
    rows = [
        [
            ("", " "),
            ("name", "PROCEDURE"),
            ("", "to play a procedure, type its name; if you add facts, you are asked fewer questions"),
        ],
        [
            ("", " "),
            ("name", "KIND NAME: fields"),
            ("", "put a piece on the table: unit gun: kind artillery, steps 2"),
        ],
        [("", " "), ("name", "2d6 + 1"), ("", "evaluate an expression and show its odds")],
        [("", " "), ("name", "procedure ..."), ("", "define something; an empty line ends the definition")],
    ]
    yield from in_columns(rows, 1)
    yield line(
        (
            "hint",
            "Type `help commands` for the meaning of each command, or `help NAME` for a command, procedure, fact, chart, modifier, option or result code.",
        )
    )


def _about(session: Session, name: str) -> Iterator[Line]:
    """Describe everything that has this name in the ruleset."""
    ruleset = session.state.ruleset
    if name in session.state.pieces:
        yield piece_line(session.state.pieces[name])
    if ruleset is None:
        return
    rules = ruleset.rules
    if name in (rules.name, ruleset.name):
        yield from _text(ruleset_lines(rules))
    if name in rules.names("procedure"):
        yield from _text(procedure_lines(rules.procedure(name)))
    yield from _text(each for event in rules.events if event.name == name for each in event_lines(event))
    if name in rules.records:
        yield from _text(each for each in record_lines(rules, [name]) if each)
    if name in rules.charts:
        yield line(("label", "chart "), ("name", name))
        yield from why.chart(session, name)
    for field in (*_inputs(session), *rules.option_fields):
        if field.name == name:
            default = "required" if field.required else f"= {value_text(as_outcome(field.default))}"
            yield line(("name", name), f"  {field.domain.allowed}  {default}  {field.label or ''}", cited(field.cites))
            if field.assumed:
                yield line(("hint", f"  Assumed: {field.assumed}."))
    if name in rules.names("modifiers"):
        yield from reference_lines(rules, ("modifiers",), block=name)
    yield from _noted(rules, name)
    yield from code_lines(rules, name)
    yield from _valued(session, name)
    yield from _given(session, name)
    yield from lines_of(page_for(name) or "")


def _valued(session: Session, word: str) -> Iterator[Line]:
    """The facts, fields and options that can have a word as their value."""
    words = vocabulary_of(session.ruleset.rules)
    groups = (*words.facts.values(), *words.fields.values(), {**words.options})
    named = {each.name: each for group in groups for each in group.values()}
    for each in named.values():
        if word in {value for value, _ in each.domain.offers() if not value.isdigit()} - {"yes", "no", "none"}:
            yield line(("name", word), ("hint", " is a value of "), ("name", each.name), f"  {each.text}")


def _given(session: Session, word: str) -> Iterator[Line]:
    """The outputs with a name or label: the procedures that give them, and their value in the last combat."""
    procedures = session.ruleset.rules.procedures
    found = [(each.name, out) for each in procedures for out in each.outputs if _is_called(out, word)]
    for output in dict.fromkeys(out.name for _, out in found):
        label = next((f"  {out.label}" for _, out in found if out.name == output and out.label), "")
        names = ", ".join(procedure for procedure, out in found if out.name == output)
        yield line(("name", output), ("hint", " is an output of "), names, label)
        done = session.state.resolutions[-1] if session.state.resolutions else None
        if done is not None and done.ruleset.name == session.ruleset.name and output in done.outcome.outputs:
            value = output_text(done.outcome.outputs[output])
            yield line(("hint", "  In the last combat: "), ("result", value))


def _is_called(output: Output, word: str) -> bool:
    return word.casefold() in (output.name, (output.label or "").casefold())


def _printed(session: Session, word: str) -> Iterator[Line]:
    """The charts that print a word as the label of a row or of a column, or in a cell."""
    rules = None if session.state.ruleset is None else session.state.ruleset.rules
    for name in () if rules is None else rules.charts:
        table = session.ruleset.rules.chart(name)
        if word in table.rows:
            cells = table.cells[table.rows.index(word)]
            read = f": {value_text(cells[0])}" if len(cells) == 1 else ""
            yield line(("name", word), ("hint", " is a row of the chart "), ("name", name), read)
        if word in table.columns:
            yield line(("name", word), ("hint", " is a column of the chart "), ("name", name))
        if any(word in row for page in table.pages for row in page.cells):
            yield line(("name", word), ("hint", " is a result in the chart "), ("name", name))


def _inputs(session: Session) -> Iterable[InputField]:
    rules = session.ruleset.rules
    inputs = [*(each.inputs for each in rules.procedures), *(each.inputs for each in rules.events)]
    found = {field.name: field for fields in inputs for field in fields}
    return found.values()


def _noted(rules: Ruleset, name: str) -> Iterator[Line]:
    """The lines in the rules that declare a modifier, effect or definition."""
    for symbol in rules.symbols:
        if symbol.name == name and symbol.kind in ("modifier", "effect", "definition"):
            kind = f"modifier of {symbol.owner}" if symbol.owner else symbol.kind
            yield line(("label", f"{kind} "), ("name", name), f"  {symbol.label or ''}", cited(symbol.cites))
            yield from (line(("source", f"  {text}")) for text in [symbol.text] if text)


def _text(lines: Iterable[str]) -> Iterator[Line]:
    for each in lines:
        yield from lines_of(each, "title" if each and not each.startswith(" ") else "") or ((),)


def _names(session: Session, commands: Sequence[Command]) -> list[str]:
    names = [command.name for command in commands]
    if session.state.ruleset is not None:
        rules = session.state.ruleset.rules
        names += rules.names(*_HELPED)
        names += vocabulary_of(rules).words
        names += [output.name for each in rules.procedures for output in each.outputs]
    return names


_NUMBER: Final = re.compile(r"[-+]?\d+")
_HELPED: Final = (
    "procedure",
    "event",
    "fact",
    "field",
    "chart",
    "option",
    "record",
    "modifiers",
    "modifier",
    "effect",
    "definition",
)


def _complain(session: Session, name: str, commands: Sequence[Command]) -> None:
    if _NUMBER.fullmatch(name):
        raise EntryError(f"{name} is only a number", "`why` explains the numbers of the last combat")
    close = nearest(name, _names(session, commands))
    raise EntryError(f'there is no "{name}"', f"did you mean `{close}`?" if close else "`help` lists the commands")


def change_setting(session: Session, text: str) -> Iterator[Line]:
    """Show the settings, or change one; the terminal keeps them in a file."""
    name, _, value = text.strip().partition(" ")
    if not name:
        rows = [
            [
                ("name", each.name),
                ("code", session.settings[each.name]),
                ("hint", ", ".join(each.values)),
                ("", each.help),
            ]
            for each in SETTINGS
        ]
        yield from in_columns(rows)
        return
    try:
        session.settings = session.settings.with_value(name, value.strip())
    except UnknownSetting as wrong:
        raise EntryError(str(wrong), wrong.hint) from None
    yield line(("name", name), " ", ("code", session.settings[name]))
