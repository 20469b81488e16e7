"""The commands `help` and `set`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from enfilade import InputField, Ruleset
from enfilade.language import Line, as_outcome, cited, in_columns, legal_text, line, lines_of, nearest, value_text
from enfilade.tools import event_lines, procedure_lines, record_lines, ruleset_lines
from enfilade_repl.commands import why
from enfilade_repl.commands.command import Command, find
from enfilade_repl.entry import EntryError
from enfilade_repl.pieces import piece_line
from enfilade_repl.session import Session
from enfilade_repl.settings import SETTINGS, UnknownSetting


def help_on(session: Session, text: str, commands: Sequence[Command]) -> Iterator[Line]:
    """Show help on the open question, a command or a name of the ruleset; or list the commands."""
    name = text.strip()
    pending = session.state.pending
    if not name and pending is not None and session.state.form is None:
        yield line(("label", "legal: "), legal_text(pending.question))
        yield line(("hint", "undo takes back the last answer, cancel gives it up, all rolls the rest, worth weighs a choice, "
                    "odds and why may be asked here too"))  # fmt: skip
        return
    if not name:
        yield from _overview(commands)
        return
    command = find(commands, name)
    known = list(_about(session, name))
    if command is not None:
        yield line(("title", command.usage))
        yield line(f"  {command.help}")
        for each in command.more:
            yield line(("hint", "  "), ("code", each))
    elif not known:
        _complain(session, name, commands)
    yield from known


def _overview(commands: Sequence[Command]) -> Iterator[Line]:
    for group in dict.fromkeys(command.group for command in commands):
        yield line(("title", group))
        rows = [[("", " "), ("name", each.title), ("", each.help)] for each in commands if each.group == group]
        yield from in_columns(rows, 1)
    yield line(("title", "Besides"))
    rows = [
        [
            ("", " "),
            ("name", "PROCEDURE"),
            ("", "its name plays it and asks what it needs; with facts it asks no more than it must"),
        ],
        [
            ("", " "),
            ("name", "KIND NAME: fields"),
            ("", "puts a piece on the table: unit gun: kind artillery, steps 2"),
        ],
        [("", " "), ("name", "2d6 + 1"), ("", "any expression of the language, with odds")],
        [("", " "), ("name", "procedure ..."), ("", "any definition of the language; an empty line ends it")],
    ]
    yield from in_columns(rows, 1)
    yield line(("hint", "help NAME tells more of a command, a procedure, a fact, a chart, a modifier, an option"))


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
            yield line(("name", name), f"  {field.type}  {default}  {field.label or ''}", cited(field.cites))
            if field.assumed:
                yield line(("hint", f"  assumed: {field.assumed}"))
    yield from _noted(rules, name)


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


def _complain(session: Session, name: str, commands: Sequence[Command]) -> None:
    names = [command.name for command in commands]
    if session.state.ruleset is not None:
        rules = session.state.ruleset.rules
        names += [*rules.names("procedure", "event", "fact", "chart", "option", "record")]
    close = nearest(name, names)
    raise EntryError(f"nothing is called {name}", f"did you mean {close}?" if close else "help lists the commands")


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
