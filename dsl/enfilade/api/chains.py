"""Procedures one after the other, or again and again, as a procedure of the core.

A chain is added to a variant of the ruleset, so its odds are those of any procedure: each procedure finds the records as
the one before left them, and players, dice and questions work as usual.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from attrs import evolve, frozen

from enfilade.api.loaded_program import Loaded
from enfilade.check.context import Context
from enfilade.check.program import Checked
from enfilade.check.types.type_relations import common_output
from enfilade.check.used_facts import with_inputs
from enfilade.core import ir
from enfilade.core.inputs import declared_input
from enfilade.core.rewrite import replaced
from enfilade.errors import InputError, InputFault
from enfilade.values.types import Num, RecordOf, Type, takes_records

MOST_TURNS: Final = 100_000
_FIRST, _SECOND, _TURNS = "first played", "second played", "turns"


@frozen
class Chain:
    """A procedure that plays others.

    Attributes:
        procedure: The procedure.
        sometimes: Its outputs that some ways through it don't give.
    """

    procedure: ir.Procedure
    sometimes: frozenset[str] = frozenset()


def added_to(loaded: Loaded, chain: Chain) -> Loaded:
    """Add a chain to a ruleset."""
    context, name = _context_of(loaded), chain.procedure.name
    program = with_inputs(evolve(loaded.program, procedures={**loaded.program.procedures, name: chain.procedure}))
    known = evolve(
        context,
        procedures={**context.procedures, name: program.procedures[name]},
        outputs={**context.outputs, name: dict(chain.procedure.outputs)},
        sometimes_given={**context.sometimes_given, name: chain.sometimes},
    )
    old = loaded.checked
    checked = Checked(program, old.diagnostics, old.sources, known, old.declarations)
    return evolve(loaded, checked=checked, program=program)


def in_turn(
    loaded: Loaded,
    names: tuple[str, str],
    given: Mapping[str, object],
    carry: Mapping[str, ir.Expr],
    when: ir.Expr | None,
    anew: Mapping[str, str],
) -> Chain:
    """Make a procedure that plays one procedure after another.

    Args:
        loaded: The ruleset.
        names: The procedures.
        given: The facts that the caller gives.
        carry: For facts of the second procedure, and for fields of its records, expressions over the outputs of the
            first.
        when: A condition over the outputs of the first; if it is false, the second is not played.
        anew: For facts of both procedures that are given again for the second, their names as facts of the new procedure.

    Raises:
        InputError: The second procedure takes no fact that is carried, a record is given again, or both procedures have
            a fact of their own with one name and different types.
    """
    first, second = (loaded.program.procedures[name] for name in names)
    for target in carry:
        _check_target(loaded.program, second, target)
    name = f"{first.name}_then_{second.name}"
    again = {label: _given_again(loaded.program, second, fact, label) for fact, label in anew.items()}
    own = {**_own_facts((first,), given, ()), **_own_facts((first, second), given, (*carry, *anew)), **again}
    carried = {target: _of_call(e, first, _FIRST) for target, e in carry.items()}
    carried |= {fact: ir.Fact(f"{name}.{label}", type=again[label].type) for fact, label in anew.items()}
    fields = tuple(_set_field(loaded.program, name, own, target, e) for target, e in carried.items() if "." in target)
    facts = {target: e for target, e in carried.items() if "." not in target}
    last = (*fields, *_call(second, _SECOND, name, own, facts))
    if when is not None:
        last = (ir.Branch(_of_call(when, first, _FIRST), last, (), ir.NO_NOTE),)
    outputs = _joined(_context_of(loaded), first, second)
    surely = {*first.outputs} - _sometimes(loaded, first.name)
    if when is None:
        surely |= {*second.outputs} - _sometimes(loaded, second.name)
    body = (*_call(first, _FIRST, name, own, {}), *last)
    procedure = ir.Procedure(name, own, (), body, outputs, ir.NO_NOTE, helper=True)
    return Chain(procedure, frozenset(outputs) - surely)


def again(
    loaded: Loaded, procedure: str, given: Mapping[str, object], times: int | None, until: ir.Expr | None
) -> Chain:
    """Make a procedure that plays a procedure several times, or until a condition holds; it counts them as ``turns``.

    Args:
        loaded: The ruleset.
        procedure: The procedure.
        given: The facts that the caller gives.
        times: How many times at most.
        until: A condition over the outputs and the state after each time.
    """
    played = loaded.program.procedures[procedure]
    name = f"turns_of_{procedure}"
    own = _own_facts((played,), given, ())
    one_more = ir.Op("add", (ir.Local(_TURNS, type=Num(0, None)), ir.Const(1)), type=Num(1, None))
    body = (*_call(played, _FIRST, name, own, {}), ir.SetLocal(_TURNS, _TURNS, one_more, ir.NO_NOTE))
    stops = None if until is None else _of_call(until, played, _FIRST)
    limit = ir.Const(times) if times is not None else None
    steps = (
        ir.SetLocal(_TURNS, _TURNS, ir.Const(0), ir.NO_NOTE),
        ir.Repeat("turn", stops, limit, MOST_TURNS if limit is None else None, body),
        ir.Give(_TURNS, ir.Local(_TURNS, type=Num(1, None)), ir.NO_NOTE),
    )
    outputs = {**played.outputs, _TURNS: Num(1, times)}
    return Chain(ir.Procedure(name, own, (), steps, outputs, ir.NO_NOTE, helper=True), _sometimes(loaded, procedure))


# ------------------------------------------------------------------------------------------------------------- parts


def _call(
    called: ir.Procedure, local: str, chain: str, own: Mapping[str, ir.Input], carried: Mapping[str, ir.Expr]
) -> ir.Body:
    """A call that passes facts on, and gives all outputs."""
    args: dict[str, ir.Expr] = {
        name: ir.Fact(f"{chain}.{name}", type=fact.type) for name, fact in own.items() if name in called.facts
    }
    passed = {_name_in(called, name): value for name, value in (args | dict(carried)).items()}
    call = ir.CallProcedure(called.name, tuple(passed.items()), local, None, ir.NO_NOTE)
    return (call, *(ir.Give(name, _output(called, local, name), ir.NO_NOTE, told=False) for name in called.outputs))


def _output(called: ir.Procedure, local: str, name: str) -> ir.Expr:
    return ir.Part(ir.Local(local), name, type=called.outputs[name])


def _check_target(program: ir.Program, procedure: ir.Procedure, target: str) -> None:
    """Check that a procedure takes a fact, or a field of a fact that is a record."""
    fact, _, name = target.partition(".")
    types = {each.rpartition(".")[2]: declared_input(program, each).type for each in procedure.inputs}
    allowed = ", ".join(types) or "no facts"
    if fact not in types:
        text = f"{procedure.name} has no fact {fact}; its facts are {allowed}"
    elif not name:
        return
    elif not isinstance(type_ := types[fact], RecordOf):
        text = f"{fact} is not a record, so it has no field {name}"
    elif name not in (fields := program.records[type_.record].fields):
        allowed = ", ".join(fields)
        text = f"{fact} has no field {name}; its fields are {allowed}"
    else:
        return
    raise InputError([InputFault("carry", target, allowed, text)])


def _given_again(program: ir.Program, procedure: ir.Procedure, fact: str, label: str) -> ir.Input:
    """A fact that is given again for the second procedure.

    Raises:
        InputError: It is a record or a list of records, which the first procedure has left in some state.
    """
    declared = declared_input(program, _name_in(procedure, fact))
    if takes_records(declared.type):
        text = f"{fact} is given again, but {procedure.name} finds the records as they were left; use `carry` to change a field"
        raise InputError([InputFault(fact, None, "facts other than records", text)])
    return evolve(declared, name=label)


def _set_field(
    program: ir.Program, chain: str, own: Mapping[str, ir.Input], target: str, value: ir.Expr
) -> ir.Statement:
    name, _, field = target.partition(".")
    fact = ir.Fact(f"{chain}.{name}" if name in own else name)
    type_ = own[name].type if name in own else declared_input(program, name).type
    assert isinstance(type_, RecordOf)
    return ir.SetField(evolve(fact, type=type_), type_.record, field, value, ir.NO_NOTE)


def _of_call(e: ir.Expr, called: ir.Procedure, local: str) -> ir.Expr:
    """A question about the outcome of a procedure, as an expression after its call."""
    return replaced(
        e,
        lambda node: (
            _output(called, local, node.name) if isinstance(node, ir.Local) and node.name in called.outputs else None
        ),
    )


def _name_in(procedure: ir.Procedure, fact: str) -> str:
    """The name of a fact in the core: that of a procedure's own fact has the procedure before it."""
    return f"{procedure.name}.{fact}" if fact in procedure.facts else fact


def _own_facts(
    procedures: tuple[ir.Procedure, ...], given: Mapping[str, object], carried: Collection[str]
) -> dict[str, ir.Input]:
    """The procedures' own facts that the caller gives or must give, so they are passed on.

    Raises:
        InputError: Two procedures have facts of one name and of different types.
    """
    own: dict[str, ir.Input] = {}
    for procedure in procedures:
        for name, fact in procedure.facts.items():
            if name in carried or (fact.has_default and name not in given):
                continue
            if name in own and own[name].type != fact.type:
                text = (
                    f"{name} has different types in the two procedures; use `carry` to set {name} for {procedure.name}"
                )
                raise InputError([InputFault("carry", name, "an expression", text)])
            own[name] = fact
    return own


def _joined(ctx: Context, first: ir.Procedure, second: ir.Procedure) -> dict[str, Type]:
    """The outputs of both procedures.

    Raises:
        InputError: Outputs of one name can't be told apart.
    """
    joined = {**first.outputs, **second.outputs}
    for name in first.outputs.keys() & second.outputs.keys():
        both = common_output(ctx, first.outputs[name], second.outputs[name])
        if both is None:
            text = f"the output {name} has different types in {first.name} and {second.name}, so these procedures can't be chained"
            raise InputError([InputFault("procedure", second.name, "a procedure with other outputs", text)])
        joined[name] = both
    return joined


def _sometimes(loaded: Loaded, procedure: str) -> frozenset[str]:
    return _context_of(loaded).sometimes_given.get(procedure, frozenset())


def _context_of(loaded: Loaded) -> Context:
    context = loaded.checked.context
    assert context is not None
    return context
