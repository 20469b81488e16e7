"""Conditions that can never hold, and situations in which none holds."""

from enfilade.check.types.satisfiability import find_unmet, is_never_true
from enfilade.core import ir
from enfilade.values.types import Bool, Num, Type, Word

FEW, NIGHT, ARM = ir.Fact("few"), ir.Fact("night"), ir.Fact("arm")
TYPES: dict[str, Type] = {"few": Num(0, 2), "night": Bool(), "arm": Word(("foot", "horse"))}


def op(name: str, *args: ir.Expr) -> ir.Op:
    return ir.Op(name, args)


def test_never_is_certain_and_possible_may_be_too_kind() -> None:
    opaque = ir.Over("any", "each", ir.Fact("units"), ir.Local("each"))
    assert is_never_true([opaque, ir.Not(opaque)], TYPES)
    assert not is_never_true([opaque], TYPES)
    assert not is_never_true([op("is", FEW, ir.Fact("many"))], TYPES)


def test_two_things_that_are_compared_with_each_other_are_taken_to_be_either() -> None:
    assert not is_never_true([op("<", FEW, ir.Fact("many")), op("<", ir.Fact("many"), FEW)], TYPES)


def test_too_many_situations_are_not_tried() -> None:
    facts = [ir.Fact(f"f{n}") for n in range(20)]
    assert not is_never_true([*facts, ir.Not(facts[0])], {})


def test_a_situation_in_which_nothing_holds_is_told_where_there_is_one() -> None:
    foot, horse = (op("is", ARM, ir.Const(word)) for word in ("foot", "horse"))
    assert find_unmet([foot, horse], TYPES) is None
    assert find_unmet([foot], TYPES) == [("arm", "horse")]
    assert find_unmet([foot, NIGHT], TYPES) == [("arm", "horse"), ("night", False)]
    assert find_unmet([op("<", FEW, ir.Const(1)), op(">=", FEW, ir.Const(1))], TYPES) is None


def test_no_situation_is_told_that_may_not_be_real() -> None:
    assert find_unmet([ir.Field(ir.Local("unit"), "steps")], TYPES) is None
