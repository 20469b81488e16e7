"""Pretty-printer of statements, procedures, results and examples. Used by ``unparse``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from enfilade.syntax import tree as t
from enfilade.syntax.unparse_charts import align_rows, indented
from enfilade.syntax.unparse_expressions import (
    join,
    unparse_code,
    unparse_dice,
    unparse_expr,
    unparse_exprs,
    unparse_number,
    unparse_tail,
    unparse_withs,
    unparse_word,
)


def _when(condition: t.Expr | None) -> str:
    return f"when {unparse_expr(condition)}" if condition is not None else ""


def _named(word: str, name: t.Ident | None) -> str:
    return f"{word} {name.name}" if name is not None else ""


def unparse_steps(steps: Iterable[t.Step]) -> list[str]:
    """Print steps, each with its block."""
    return [line for step in steps for line in _step(step)]


def _step(step: t.Step) -> list[str]:
    lines = unparse_statement(step.statement)
    if step.number is None:
        return lines
    number = f"{step.number}. "
    return [number + lines[0], *indented(lines[1:], " " * len(number))]


def _with_block(head: str, block: t.Block) -> list[str]:
    if block.inline:
        first, *rest = unparse_statement(block.steps[0].statement)
        return [f"{head}: {first}", *rest]
    return [join(head, unparse_tail(block.tail)), *indented(unparse_steps(block.steps))]


def unparse_statement(statement: t.Statement) -> list[str]:
    """Print a statement with its blocks."""
    match statement:
        case t.When():
            return _unparse_when(statement)
        case t.ForEach(name=name, over=over, block=block):
            return _with_block(f"for each {name.name} in {unparse_expr(over)}", block)
        case t.RepeatUntil(block=block):
            return _with_block(_repeat_head(statement), block)
        case t.RepeatTimes(times=times, block=block):
            return _with_block(f"repeat {unparse_expr(times)} times", block)
        case t.Together(block=block):
            return _with_block("together", block)
        case t.Call(procedure=name, args=args, name=result, if_refused=refused):
            head = join("call", name.name, unparse_withs(args), _named("as", result), unparse_tail(statement.tail))
            return [head, *(indented(_with_block("if refused", refused)) if refused is not None else ())]
        case t.Choose(if_any=if_any):
            return [join(_simple(statement), unparse_tail(statement.tail)) + (", if any" if if_any else "")]
        case _:
            return [join(_simple(statement), unparse_tail(statement.tail))]


def _repeat_head(loop: t.RepeatUntil) -> str:
    bound = f", limit {loop.limit} times" if loop.limit is not None else ""
    if loop.most is not None:
        bound = f", at most {unparse_expr(loop.most)} times"
    return f"repeat {'while' if loop.is_while else 'until'} {unparse_expr(loop.condition)}{bound}"


def _unparse_when(when: t.When) -> list[str]:
    lines = _with_block(f"when {unparse_expr(when.condition)}", when.block)
    match when.otherwise:
        case None:
            return lines
        case t.Block():
            return lines + _with_block("otherwise", when.otherwise)
        case t.When():
            first, *rest = _unparse_when(when.otherwise)
            return [*lines, f"otherwise {first}", *rest]
        case _:
            assert_never(when.otherwise)


_Simple = (
    t.Refuse | t.Must | t.Roll | t.Draw | t.Reshuffle | t.MoveCards | t.Let | t.Becomes | t.Read | t.Apply | t.Perform | t.Choose
    | t.ChooseWhether | t.ChooseWord | t.Assign | t.Leave | t.Stop | t.Give | t.GiveFields
)  # fmt: skip


def _simple(statement: _Simple) -> str:
    """Print a statement of one line, without its tail."""
    match statement:
        case t.Refuse(slug=name, condition=condition):
            return join("refuse", name.name, _when(condition))
        case t.Must(subject=target, targets=targets, condition=condition, entry=entry):
            of = f" of {unparse_expr(entry)}" if entry is not None else ""
            subject = ".".join(part.name for part in target)
            when = "" if condition is None else _when(condition)
            return join(f"{subject}{of} must be {' or '.join(map(unparse_expr, targets))}", when)
        case t.Roll(dice=dice, name=name, rules=rules, player=player):
            head = f"roll {unparse_dice(dice)} as {name.name}"
            return join(
                ", ".join([head, *map(_roll_rule, rules)]), f"by {unparse_expr(player)}" if player is not None else ""
            )
        case t.Draw(count=count, deck=deck, name=name, player=player):
            return join(
                f"draw {unparse_expr(count)} from {deck.name} as {name.name}",
                f"by {unparse_expr(player)}" if player is not None else "",
            )
        case t.MoveCards(act=act, cards=cards, deck=deck):
            return f"{act} {unparse_expr(cards)} {'from' if act == 'remove' else 'to'} {deck.name}"
        case t.Reshuffle(deck=deck):
            return f"reshuffle {deck.name}"
        case t.Let(name=name, value=value):
            return f"let {name.name} = {unparse_expr(value)}"
        case t.Becomes(target=target, value=value, entry=entry):
            of = f" of {unparse_expr(entry)}" if entry is not None else ""
            return f"{'.'.join(part.name for part in target)}{of} becomes {unparse_expr(value)}"
        case t.Read():
            return _read(statement)
        case t.Apply(reading=reading, readers=readers):
            return join("apply", unparse_expr(reading), f"to {unparse_expr(readers)}" if readers is not None else "")
        case t.Perform(effect=name, on=on, args=args):
            return join(name.name, f"on {unparse_expr(on)}" if on is not None else "", unparse_withs(args))
        case t.Choose(player=chooser, count=number, name=name, among=among, may=may):
            count_ = unparse_expr(number) if number is not None else ""
            return join(
                unparse_expr(chooser),
                "may choose" if may else "chooses",
                count_,
                name.name,
                "among",
                unparse_expr(among),
            )
        case t.ChooseWhether(player=chooser, name=name):
            return f"{unparse_expr(chooser)} chooses whether {name.name}"
        case t.ChooseWord(player=chooser, name=name, words=words, may=may):
            chooses = "may choose" if may else "chooses"
            return f"{unparse_expr(chooser)} {chooses} {name.name} from {', '.join(map(unparse_word, words))}"
        case t.Assign(player=chooser, count=count, effect=name, args=args, among=among, name=result):
            head = join(unparse_expr(chooser), "assigns", unparse_expr(count), name.name, unparse_withs(args))
            return join(head, "among", unparse_expr(among), _named("as", result))
        case t.Leave():
            return "leave"
        case t.Stop():
            return "stop"
        case t.Give(name=name, value=given):
            return join("give", name.name, f"= {unparse_expr(given)}" if given is not None else "")
        case t.GiveFields(of=of):
            return f"give fields of {unparse_expr(of)}"
        case _:
            assert_never(statement)


def _roll_rule(rule: t.RollRule) -> str:
    times = ""
    if rule.times is not None:
        once = rule.act == "reroll" and isinstance(rule.times, t.Number) and rule.times.value == 1
        times = "once" if once else f"at most {unparse_expr(rule.times)} times"
    line = join("explode on" if rule.act == "explode" else "reroll", unparse_expr(rule.target), times)
    return f"{line}, added to the die" if rule.adds else line


def _read(read: t.Read) -> str:
    chart = read.chart.name + (f"({unparse_exprs(read.args)})" if read.args else "")
    roll = f"with {unparse_expr(read.roll)}" if read.roll is not None else ""
    readers = unparse_expr(read.readers) if read.readers is not None else ""
    if read.each is not None:
        readers = join("for each", read.each.name, f"in {readers}" if readers else "")
    elif readers:
        readers = f"for {readers}"
    return join("read", chart, roll, readers, _named("as", read.name))


def unparse_results(results: t.Results) -> list[str]:
    """Print the results of a chart: what its codes do."""
    charts = " and ".join(chart.name for chart in (results.chart, *results.also))
    head = join("results of", charts, _named("for each", results.record), unparse_tail(results.tail))
    return [head, *indented(line for entry in results.entries for line in _entry(entry))]


def _entry(entry: t.Entry) -> list[str]:
    bare = ""
    if entry.bare is not None and entry.bare_is is not None:
        bare = f", {unparse_code(entry.bare)} is {unparse_code(entry.bare_is)}"
    codes = ", ".join(map(unparse_code, (entry.pattern, *entry.also)))
    head = join("then" if entry.then else "", codes + bare, unparse_tail(entry.tail))
    return [head, *indented(text for line in entry.lines for text in _entry_line(line))]


def _entry_line(line: t.EntryLine) -> list[str]:
    match line:
        case t.EachReader(where=where, block=block):
            return _with_block(join("each reader", f"where {unparse_expr(where)}" if where is not None else ""), block)
        case t.Once(block=block):
            return _with_block("once", block)
        case t.ThenCode(code=code):
            return [join("then", unparse_code(code), unparse_tail(line.tail))]
        case _:
            return unparse_statement(line)


def unparse_on_event(on: t.OnEvent) -> list[str]:
    """Print the procedures that an event starts."""
    return [join("on", on.event.name, unparse_tail(on.tail)), *indented(map(_event_line, on.lines))]


def _event_line(line: t.Unless | t.StartLine) -> str:
    if isinstance(line, t.Unless):
        return join("unless", unparse_expr(line.condition), line.slug.name, unparse_tail(line.tail))
    return join("start", line.procedure.name, unparse_withs(line.args), unparse_tail(line.tail))


def unparse_example(example: t.Example) -> list[str]:
    """Print an example with its lines."""
    name = example.procedure.name if example.procedure is not None else ""
    head = join("examples" if example.rows else "example", example.kind, name, f'"{example.label}"')
    rows = align_rows([[cell.text for cell in row.cells] for row in example.rows]) if example.rows else ()
    return [join(head, unparse_tail(example.tail)), *indented([*map(_example_line, example.lines), *rows])]


def _example_line(line: t.ExampleLine) -> str:
    match line:
        case t.Given(items=items):
            return f"given {_given(items)}"
        case t.ExOption(item=item):
            return f"option {_given((item,))}"
        case t.ExOn(faces=faces):
            return join("on", *map(unparse_code, faces))
        case t.Choosing(values=values):
            return f"choosing {', '.join(map(unparse_value, values))}"
        case t.Gives(code=code, items=items):
            listed = None if items is None else ", ".join(map(unparse_code, items))
            return f"gives {unparse_code(code)}" if listed is None else f"gives [{listed}]"
        case t.ExEffect(effect=effect, on=on, args=args):
            target = f"on {unparse_value(on)}" if on is not None else ""
            return join("effect", effect.name, target, f"with {_given(args)}" if args else "")
        case t.NoEffects():
            return "no effects"
        case t.Expect(condition=condition):
            return f"expect {unparse_expr(condition)}"
        case t.Refused(slug=slug):
            return f"refused {slug.name}"
        case t.ExpectInputError(parameter=parameter):
            return f"input error {parameter.name}"
        case t.Chance(of=of, is_=is_):
            return f"chance of {unparse_expr(of)} = {unparse_expr(is_)}"
        case t.Starts(procedure=procedure, reason=reason):
            return f"starts {procedure.name}" + (f", {reason.name}" if reason is not None else "")
        case _:
            assert_never(line)


def _given(items: Sequence[t.GivenItem]) -> str:
    return ", ".join(map(unparse_given_item, items))


def unparse_given_item(item: t.GivenItem) -> str:
    """Print a fact: ``fire_value 13``, or its name alone if it is yes."""
    return join(unparse_word(item.name), unparse_value(item.value) if item.value else "")


def unparse_value(value: t.Value) -> str:
    """Print a literal as it is written after ``given``."""
    scalar = value.scalar
    if value.kind == "list":
        return f"[{', '.join(map(unparse_value, value.items))}]"
    if value.kind == "record":
        return join(str(scalar or ""), f"({_given(value.fields)})")
    if isinstance(scalar, str):
        return f'"{scalar}"' if value.kind == "text" else scalar
    return unparse_number(scalar) if scalar is not None else "none"
