"""Programs made of nodes by hand, for what no text can say, or what the checker would not let pass."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from attrs import evolve
from tests.differential.programs import program

from enfilade.core import ir
from enfilade.values.types import Bool, ListOf, Num, RecordOf, Word, WordSet

NOTE: Final = ir.NO_NOTE
EMPTY: Final = program("facts\n  n  0..9\nprocedure p\n  1. give n\n")


def made(**declarations: Any) -> ir.Program:
    """A program of some declarations."""
    return evolve(EMPTY, **{"facts": {}, "procedures": {}, **declarations})


def fact(name: str, type_: Any, default: Any = None, has_default: bool = False) -> ir.Input:
    """A fact."""
    return ir.Input(name, type_, has_default, default, NOTE)


def facts(*inputs: ir.Input) -> dict[str, ir.Input]:
    """Facts by name."""
    return {each.name: each for each in inputs}


def procedure(name: str, *body: ir.Statement, inputs: tuple[str, ...] = ()) -> ir.Procedure:
    """A procedure."""
    return ir.Procedure(name, {}, inputs, body, {}, NOTE)


def procedures(*declared: ir.Procedure) -> Mapping[str, ir.Procedure]:
    """Procedures by name."""
    return {each.name: each for each in declared}


def give(name: str, value: ir.Expr) -> ir.Statement:
    """An output."""
    return ir.Give(name, value, NOTE)


def op(name: str, *args: ir.Expr | int) -> ir.Expr:
    """An operator; whole numbers stand for themselves."""
    return ir.Op(name, tuple(ir.Const(arg) if isinstance(arg, int) else arg for arg in args))


def late() -> ir.Program:
    """A procedure that refuses after a roll, an effect and a change; who calls it goes on, and nothing of it is left."""
    unit = RecordOf("unit")
    die = ir.Die("d3", 3, None)
    steps = ir.Field(ir.Fact("unit"), "steps")
    hit = ir.Effect("hit", (fact("unit", unit),), (
        ir.SetField(ir.Local("unit"), "unit", "steps", op("subtract", ir.Field(ir.Local("unit"), "steps"), 1), NOTE),
    ), NOTE)  # fmt: skip
    inner = procedure(
        "inner",
        ir.Perform("hit", (("unit", ir.Fact("unit")),), NOTE),
        ir.RollDice("die", "die", (ir.DiceGroup(ir.Const(1), "d3"),), (), None, NOTE),
        ir.Refuse("three", op("is", ir.Part(ir.Local("die"), "total"), 3), NOTE),
        give("n", ir.Fact("n")),
        inputs=("unit", "n"),
    )
    refused = (give("refused", ir.Const(True)), ir.Perform("hit", (("unit", ir.Fact("unit")),), NOTE))
    call = ir.CallProcedure("inner", (("n", op("add", ir.Fact("n"), 1)),), "first", refused, NOTE)
    outer = procedure(
        "outer",
        ir.Repeat("r", None, ir.Const(2), None, (call,)),
        ir.Branch(op("is", steps, 5), (ir.CallProcedure("inner", (), None, None, NOTE),), ()),
        give("steps", steps),
        give("n", ir.Fact("n")),
        inputs=("unit", "n"),
    )
    return made(
        facts=facts(fact("unit", unit), fact("n", Num(0, 3))),
        records={"unit": ir.RecordDecl("unit", facts(fact("steps", Num(0, 6))), NOTE)},
        effects={"hit": hit}, dice={"d3": die}, procedures=procedures(inner, outer),
    )  # fmt: skip


def stopping() -> ir.Program:
    """An effect that ends the procedure that performs it, within a loop and from another procedure."""
    effect = ir.Effect("end", (fact("n", Num(None, None)),), (
        ir.Branch(op(">", ir.Local("n"), 1), (ir.Stop(NOTE),), ()),
    ), NOTE)  # fmt: skip
    perform = ir.Perform("end", (("n", ir.Local("each")),), NOTE)
    inner = procedure("inner", ir.Loop("each", ir.Fact("xs"), (perform, give("last", ir.Local("each")))),
                      give("through", ir.Const(True)), inputs=("xs",))  # fmt: skip
    outer = procedure("outer", ir.CallProcedure("inner", (), "got", None, NOTE), give("got", ir.Local("got")),
                      give("so_far", ir.EffectsSoFar("end")), inputs=("xs",))  # fmt: skip
    return made(
        facts=facts(fact("xs", ListOf(Num(0, 3)))), effects={"end": effect}, procedures=procedures(inner, outer)
    )


def names() -> ir.Program:
    """Names that would be code if they got into the text."""
    evil = 'x\'] = 1; import os  # \n""" {evil} \\'
    words = (evil, "class", "None", "'", "\\")
    read = ir.Part(ir.Local(evil), "total")
    body = procedure(
        evil,
        ir.RollDice(evil, evil, (ir.DiceGroup(ir.Const(1), evil),), (), evil, NOTE),
        give(evil, read),
        give("class", ir.Fact(evil)),
        give("has", ir.Op("has", (ir.Fact("None"), ir.Const(evil)))),
        give("option", ir.Option(evil)),
        give("many", ir.Over("list", evil, ir.Fact("None"), ir.Op("is", (ir.Local(evil), ir.Const(evil))))),
        inputs=(evil, "None"),
    )
    return made(
        facts=facts(fact(evil, Word(words)), fact("None", WordSet(words), (evil,), True)),
        options={evil: ir.OptionDecl(evil, Bool(), False, NOTE)},
        dice={evil: ir.Die(evil, 2, (ir.Face(evil, 1), ir.Face("'", 2)))},
        procedures={evil: body},
    )


def nested() -> ir.Program:
    """Loops deeper in each other than Python takes, and sums too."""
    value: ir.Expr = ir.Fact("n")
    for number in range(25):
        value = ir.Over(
            "sum", f"v{number}", ir.Items((ir.Const(1), ir.Fact("n"))), op("add", value, ir.Local(f"v{number}"))
        )
    # Stopped early, for 2 to the power of 25 is too much to go through twice.
    body = (ir.Branch(op(">", ir.Fact("n"), 9), (give("far", value),), (give("near", ir.Fact("n")),)),)
    return made(facts=facts(fact("n", Num(0, 9))), procedures=procedures(procedure("deep", *body, inputs=("n",))))


def endless() -> ir.Program:
    """Procedures that never end."""
    one = op("add", ir.Local("n"), 1)
    count = (ir.SetLocal("n", "n", one, NOTE),)
    again = procedure(
        "endless", ir.SetLocal("n", "n", ir.Const(0), NOTE), ir.Repeat("r", ir.Const(False), None, None, count)
    )
    calls = procedure("endless_calls", ir.Repeat("r", ir.Const(False), None, None, (
        ir.CallProcedure("short", (), None, None, NOTE),
    )))  # fmt: skip
    long = op("range", 1, 9_000)
    lists = procedure("endless_list", give("n", ir.Over("count", "x", long, ir.Const(1))))
    return made(procedures=procedures(again, calls, lists, procedure("short", give("x", ir.Const(1)))))


def circling() -> ir.Program:
    """Results that lead to the same results."""
    text = """
facts
  n  0..3
chart c
  down  n
  | n    | Code |
  | 0..2 |  a   |
  |  3   |  b   |
results of c
  a  "again"
    read c as inner
    apply inner
  b  "done"
procedure circle
  1. read c as outer
  2. apply outer
  3. give n
"""
    return program(text)


def ratios() -> ir.Program:
    """Quotients looked up in every way, among bands with fractions for ends, gaps and open ends."""
    base = program(RATIOS)
    chart, third = base.charts["c"], Fraction(1, 3)
    bands = (
        (ir.Band(None, Fraction(-5, 2)),), (ir.Band(-1, third), ir.Band(5, 5)), (ir.Band(Fraction(2, 3), 1),),
        (ir.Band(Fraction(3, 2), Fraction(3, 2)),), (ir.Band(2, Fraction(9, 4)), ir.Band(7, None)),
    )  # fmt: skip
    closed = (bands[1], bands[3], bands[2], (ir.Band(2, Fraction(9, 4)),))
    edges = {f"column {side}": ir.Edge(f"column {side}", (ir.EdgeAction("gives", side),), NOTE)
             for side in ("below", "above", "between")}  # fmt: skip
    charts = {}
    for mode in ("contains", "below", "above"):
        for name, chosen in (("open", bands), ("closed", closed)):
            labels = tuple(f"{number}" for number in range(len(chosen)))
            header = ir.Header((*(ir.Match(each) for each in chosen[:-1]), None, ir.Match(chosen[-1])))
            for one, two in ("ab", "xy"):
                ratio = ir.Op("divide", (ir.Fact(one), ir.Fact(two)))
                across = ir.Axis(ratio, mode, (*labels, "last"), (header,))
                called = f"{mode} {name} {one}"
                charts[called] = evolve(chart, name=called, across=across, cells=((tuple("abcdefg"),),), edges=edges)
    looks = [give(name, ir.Look(name, ())) for name in charts]
    return evolve(
        base, charts=charts, procedures=procedures(procedure("look", *looks, inputs=("n", "a", "b", "x", "y")))
    )


RATIOS: Final = """
facts
  n  0..3
  a  ..40
  b  -2..
  x  0..9
  y  1..9
chart c
  down    n
  across  a / b, column at or below
  column below  stays
  |  n   | 1 |
  | 0..3 | x |
procedure p
  1. give c
"""


def doubling() -> ir.Program:
    """Definitions of which each needs the one below it twice: a billion steps in thirty lines."""
    definitions = {"d0": ir.Definition("d0", ("n",), op("add", ir.Local("n"), 1), Num(), NOTE)}
    for number in range(1, 31):
        below = ir.Define(f"d{number - 1}", (ir.Local("n"),))
        definitions[f"d{number}"] = ir.Definition(f"d{number}", ("n",), op("subtract", below, below), Num(), NOTE)
    top = procedure("double", give("n", ir.Define("d30", (ir.Fact("n"),))), inputs=("n",))
    return made(facts=facts(fact("n", Num(0, 9))), definitions=definitions, procedures=procedures(top))


def loose() -> ir.Program:
    """Locals of several types, and values of which nothing is known beforehand."""
    value = ir.Local("x")
    body = (
        ir.SetLocal("x", "x", ir.Fact("n"), NOTE),
        give("one", op("add", value, 1)),
        ir.SetLocal("x", "x", op("divide", value, 2), NOTE),
        give("two", op("round half even", value)),
        ir.Branch(ir.Fact("yes"), (ir.SetLocal("x", "x", ir.Const(None), NOTE),), ()),
        give("three", ir.If(op("is", value, ir.Const(None)), ir.Const("none"), op("multiply", value, value))),
        ir.Choose("c", "c", "owner", ir.Fact("xs"), None, True, NOTE),
        give("four", op("<", ir.Local("c"), 2)),
        give("five", ir.Op("code", (ir.Local("c"),))),
        give("six", ir.Over("highest", "e", ir.Fact("xs"), ir.Local("e"))),
    )
    whole = facts(fact("n", Num(0, 5)), fact("yes", Bool()), fact("xs", ListOf(Num(-2, 4))))
    inner = procedure("given", give("n", op("add", ir.Fact("n"), 1)), give("yes", ir.All((ir.Fact("yes"), ir.Const(True)))),
                      inputs=("n", "yes"))  # fmt: skip
    call = ir.CallProcedure(
        "given", (("n", op("divide", ir.Fact("n"), 3)), ("yes", op("is", ir.Fact("n"), 1))), "o", None, NOTE
    )
    outer = procedure(
        "calling", call, give("n", ir.Part(ir.Local("o"), "n")), give("all", ir.Local("o")), inputs=("n",)
    )
    return made(facts=whole, players=("owner",), procedures=procedures(
        procedure("loose", *body, inputs=("n", "yes", "xs")), inner, outer,
    ))  # fmt: skip


CORES: Final[dict[str, Callable[[], ir.Program]]] = {
    "circling": circling, "ratios": ratios, "late": late, "stopping": stopping, "names": names, "nested": nested, "endless": endless, "doubling": doubling,
    "loose": loose,
}  # fmt: skip
