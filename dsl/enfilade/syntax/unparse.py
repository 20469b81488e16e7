"""Pretty-printer: syntax tree to text, for programs that write rules.

``parse(unparse(tree)) == tree`` for every tree made by the parser. Comments and the author's own layout are not in
the tree and so are not in the text; ``tools/format`` keeps them.
"""

from __future__ import annotations

from typing import assert_never

from enfilade.syntax import tree as t
from enfilade.syntax.unparse_charts import (
    indented,
    unparse_chart,
    unparse_columns,
    unparse_mod_item,
    unparse_modifiers,
    unparse_place,
)
from enfilade.syntax.unparse_expressions import (
    join,
    unparse_code,
    unparse_expr,
    unparse_params,
    unparse_tail,
    unparse_type,
    unparse_word,
)
from enfilade.syntax.unparse_statements import (
    unparse_example,
    unparse_given_item,
    unparse_on_event,
    unparse_results,
    unparse_statement,
    unparse_steps,
)


def unparse(module: t.Module) -> str:
    """Write a file.

    Args:
        module: Its declarations.

    Returns:
        A text with one blank line around each declaration of several lines, and a line end at its end.
    """
    pieces: list[str] = []
    was_long = False
    for declaration in module.declarations:
        lines = unparse_declaration(declaration)
        is_long = len(lines) > 1
        if pieces and (is_long or was_long):
            pieces.append("")
        pieces += lines
        was_long = is_long
    return "".join(f"{line}\n" for line in pieces)


def unparse_declaration(declaration: t.Declaration) -> list[str]:
    """Write one declaration, as lines."""
    match declaration:
        case t.Language(version=version):
            return [f"enfilade {version}"]
        case t.RulesetHead(name=name, tail=tail, extends=extends, extends_path=extends_path):
            named = "" if extends is None else f'"{extends.name}"' if extends_path else extends.name
            base = f"extends {named}" if named else ""
            return [join("ruleset", name.name, unparse_tail(tail), base)]
        case t.Source(tail=tail):
            return [join("source", unparse_tail(tail))]
        case t.Players(names=names, tail=tail):
            return [join("players", ", ".join(name.name for name in names), unparse_tail(tail))]
        case t.OptionDecl(name=name, type=type_, default=default, tail=tail):
            type_text = unparse_type(type_) if type_ is not None else ""
            return [join("option", name.name, type_text, _default(default), unparse_tail(tail))]
        case t.Use(name=used, is_path=is_path, renamings=renamings):
            new_names = ", ".join(f"{each.new.name} for {each.old.name}" for each in renamings)
            return [join("use", f'"{used}"' if is_path else used, f"with {new_names}" if new_names else "")]
        case t.Words(name=name, type=type_, tail=tail):
            return [join("words", name.name, unparse_type(type_), unparse_tail(tail))]
        case t.Record(name=name, tail=tail, fields=fields):
            return [join("record", name.name, unparse_tail(tail)), *indented(map(_field, fields))]
        case t.Facts():
            return _facts(declaration)
        case t.Define():
            return _define(declaration)
        case t.Die(name=name, faces=faces, tail=tail):
            return [join("die", name.name, "faces", ", ".join(map(_face, faces)), unparse_tail(tail))]
        case t.Deck(name=name, lines=card_lines, tail=tail) if card_lines or declaration.fields:
            lines = [*map(_field, declaration.fields), *map(_cards, card_lines)]
            return [join("deck", name.name, unparse_tail(tail)), *indented(lines)]
        case t.Deck(name=name, cards=cards, tail=tail):
            return [join("deck", name.name, "of", ", ".join(map(_face, cards)), unparse_tail(tail))]
        case t.Chart():
            return unparse_chart(declaration)
        case t.Columns():
            return unparse_columns(declaration)
        case t.Modifiers():
            return unparse_modifiers(declaration)
        case t.Effect(name=name, params=params, steps=steps, tail=tail):
            head = join("effect", name.name, unparse_params(params), unparse_tail(tail))
            return [head, *indented(line for step in steps for line in unparse_statement(step.statement))]
        case t.Results():
            return unparse_results(declaration)
        case t.Procedure(name=name, facts=facts, steps=steps, tail=tail, helper=helper):
            own = indented(_facts(facts)) if facts is not None else []
            return [
                join("helper" if helper else "", "procedure", name.name, unparse_tail(tail)),
                *own,
                *indented(unparse_steps(steps)),
            ]
        case t.Event(name=name, tail=tail):
            return [join("event", name.name, unparse_tail(tail))]
        case t.OnEvent():
            return unparse_on_event(declaration)
        case t.Example():
            return unparse_example(declaration)
        case t.Replace() | t.ReplaceModifier() | t.ReplaceStep() | t.ReplaceCell() | t.AddTo():
            return _change(declaration)
        case t.RemovePart(name=part, step=number, block=block):
            what = part.name if part is not None else f"step {number}"
            return [f"remove {what} from {block.name}"]
        case t.Remove(kind=kind, name=name):
            return [_remove(kind, name)]
        case _:
            assert_never(declaration)


def _change(change: t.Replace | t.ReplaceModifier | t.ReplaceStep | t.ReplaceCell | t.AddTo) -> list[str]:
    match change:
        case t.Replace(declaration=inner):
            first, *rest = unparse_declaration(inner)
            return [f"replace {first}", *rest]
        case t.AddTo(declaration=inner):
            first, *rest = unparse_declaration(inner)
            return [f"add to {first}", *rest]
        case t.ReplaceModifier(name=name, block=block, lines=lines):
            new = [text for line in lines for text in unparse_mod_item(line)]
            return [f"replace {name.name} in {block.name}", *indented(new)]
        case t.ReplaceStep(number=number, procedure=procedure, steps=steps):
            return [f"replace step {number} in {procedure.name}", *indented(unparse_steps(steps))]
        case t.ReplaceCell(chart=chart, place=place, code=code, tail=tail):
            head = f"replace cell of {chart.name} {unparse_place(place)} with {unparse_code(code)}"
            return [join(head, unparse_tail(tail))]
        case _:
            assert_never(change)


def _remove(kind: str, name: t.Ident) -> str:
    if kind == "results":
        return f"remove results of {name.name}"
    return f'remove {kind} "{name.name}"' if kind == "example" else f"remove {kind} {unparse_word(name)}"


def _default(default: t.Expr | None) -> str:
    return f"= {unparse_expr(default)}" if default is not None else ""


def _facts(facts: t.Facts) -> list[str]:
    return [join("facts", unparse_tail(facts.tail)), *indented(map(_field, facts.fields))]


def _field(field: t.FieldDecl) -> str:
    required = "required" if field.required else ""
    return join(field.name.name, unparse_type(field.type), required, _default(field.default), unparse_tail(field.tail))


def _define(define: t.Define) -> list[str]:
    head = join("define", define.name.name, unparse_params(define.params))
    if not define.by_cases:
        return [join(head, f"= {unparse_expr(define.cases[0].value)}", unparse_tail(define.tail))]
    return [join(head, unparse_tail(define.tail)), *indented(map(_case, define.cases))]


def _case(case: t.Case) -> str:
    condition = f"when {unparse_expr(case.condition)}" if case.condition is not None else "otherwise"
    return join(unparse_expr(case.value), condition, unparse_tail(case.tail))


def _cards(line: t.CardProduct | t.CardLine) -> str:
    match line:
        case t.CardProduct(axes=axes):
            shown = [join("each", axis.name.name, _card_range(axis)) for axis in axes]
            return join("cards", ", ".join(shown), unparse_tail(line.tail))
        case t.CardLine(times=times, name=name, fields=fields):
            given = f"({', '.join(map(unparse_given_item, fields))})" if fields else ""
            return join("card", _copies(times), unparse_word(name), given, unparse_tail(line.tail))
        case _:
            assert_never(line)


def _card_range(axis: t.CardAxis) -> str:
    if axis.low is None and axis.high is None:
        return ""
    return f"{'' if axis.low is None else axis.low}..{'' if axis.high is None else axis.high}"


def _face(item: t.FaceItem) -> str:
    value = f"as {item.value}" if item.value is not None else ""
    return join(_copies(item.times), f'"{item.face}"' if item.quoted else item.face, value)


def _copies(times: t.Expr | None) -> str:
    return "" if times is None else f"{unparse_expr(times)} x"
