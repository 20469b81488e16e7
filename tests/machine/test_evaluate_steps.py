"""The reference evaluator, step by step: facts, dice, choices, results, state, calls, refusals and limits."""

from fractions import Fraction
from typing import Any

import pytest
from attrs import define

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.core.evaluate import Machine
from enfilade.core.events import Event, Observer
from enfilade.core.inputs import convert_facts, convert_options
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.core.run import Refused
from enfilade.core.values import Ref
from enfilade.engines.askers import ScriptAsker
from enfilade.errors import InputError, LimitError, MissingAnswer, RuleError
from enfilade.limits import DEFAULT_LIMITS, Limits
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

HEAD = """
players owner, foe
record unit
  kind      one of infantry, gun, wagon = infantry
  steps     0..4 = 3
  broken    yes/no
  on_wagon  unit or none = none
  found_by  one of nobody, red, blue = nobody
facts
  units  list of unit
effect hit "loses steps" (unit, amount 1..2) [7.1]
  unit.steps becomes unit.steps - amount     [7.2]
effect rout "routs" (unit)
  unit.broken becomes yes
effect seen_by (unit, who one of red or blue)
  unit.found_by becomes who
"""
UNITS = {"a": {}, "b": {"kind": "gun"}, "c": {"kind": "wagon", "steps": 1}}


class Asking(ScriptAsker):
    """Answers from dice, choices and facts, and notes what it was asked in order."""

    def __init__(self, dice: Any = None, choices: Any = None, facts: dict[str, Any] | None = None) -> None:
        super().__init__(dice, choices)
        self.asked: list[str] = []
        self.known = facts or {}

    def fact(self, request: FactRequest) -> Any:
        self.asked.append(request.input.name)
        return self.known[request.input.name] if request.input.name in self.known else super().fact(request)

    def roll(self, request: RollRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().roll(request)

    def draw(self, request: DrawRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().draw(request)

    def choose(self, request: ChoiceRequest) -> tuple[Any, ...]:
        self.asked.append(request.name)
        return super().choose(request)

    def forced(self, request: ChoiceRequest) -> None:
        self.asked.append(f"{request.name} forced")


@define
class Run:
    """A run that has ended."""

    outputs: dict[str, Any]
    machine: Machine
    asked: list[str]

    @property
    def effects(self) -> list[tuple[str, dict[str, Any]]]:
        """The effects, with records by their keys."""
        return [(e.effect, {name: plain(arg) for name, arg in e.args.items()}) for e in self.machine.effects]

    def field(self, key: str, name: str) -> Any:
        """A field of a record at the end."""
        return next(fields[name] for ref, fields in self.machine.state.records.items() if ref.key == key)


def plain(value: Any) -> Any:
    """A value with records by their keys."""
    if isinstance(value, Ref):
        return value.key
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return {plain(k): plain(v) for k, v in value.items()} if isinstance(value, dict) else value


def program(text: str) -> ir.Program:
    checked = check_source(SourceFile("test.rules", text), Folders())
    assert checked.program is not None, checked.diagnostics
    return checked.program


def run(
    text: str, *, dice: Any = None, choices: Any = None, asked: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None, limits: Limits = DEFAULT_LIMITS, observer: Observer | None = None,
    procedure: str = "p", **facts: Any,
) -> Run:  # fmt: skip
    """Run a procedure of a text; *asked* are facts that are not given and are asked for."""
    rules = program(text)
    given, state = convert_facts(rules, rules.procedures[procedure].inputs, facts)
    asker = Asking(dice, choices, asked)
    machine = Machine(rules, convert_options(rules, options or {}), given, state, asker, observer, limits)
    outputs = machine.run(procedure)
    asker.check_finished()
    return Run({name: plain(value) for name, value in outputs.items()}, machine, asker.asked)


def value(expression: str, head: str = "", **facts: Any) -> Any:
    """The value of an expression."""
    return run(f"{head}\nprocedure p\n  1. give x = {expression}\n", **facts).outputs["x"]


# -- facts are demanded when they are first needed, and only then

FACTS = """
facts
  a      0..
  b      0..
  night  yes/no required
  c      0.. = 7
"""


def demanded(steps: str, **asked: Any) -> list[str]:
    return run(f"{FACTS}procedure p\n{steps}", asked=asked).asked


def test_a_fact_is_asked_for_once_and_one_with_a_default_never() -> None:
    assert demanded("  1. give x = a + a + c\n  2. give y = a\n", a=1) == ["a"]


@pytest.mark.parametrize(
    ("expression", "asked"),
    [
        ("night and a is 1", {"night": False}),
        ("night and a is 1", {"night": True, "a": 1}),
        ("night or a is 1", {"night": True}),
        ("night or a is 1", {"night": False, "a": 1}),
        ("a is 1 or b is 2 or night", {"a": 0, "b": 2}),
        ("a is 1 and b is 2 and night", {"a": 1, "b": 0}),
        ("not night or a is 2", {"night": False}),
        ("any of [a, b] is 1", {"a": 1, "b": 5}),
    ],
)
def test_a_condition_asks_for_no_more_than_decides_it(expression: str, asked: dict[str, Any]) -> None:
    assert demanded(f"  1. give x = {expression}\n", **asked) == list(asked)


def test_only_the_case_that_counts_asks_for_its_facts() -> None:
    assert demanded("  1. give x = a when night otherwise b\n", night=True, a=1) == ["night", "a"]
    assert demanded("  1. give x = a when night otherwise b\n", night=False, b=1) == ["night", "b"]
    assert demanded("  1. when night: give x = a\n", night=False) == ["night"]


def test_facts_are_asked_for_in_the_order_of_the_steps_and_modifiers_in_that_of_the_file() -> None:
    text = (
        FACTS
        + """
modifiers m
  +1  first   b is 1
  +1  second  night and a is 1
  +1  third   a is 1
procedure p
  1. roll d6 as die
  2. give x = m + die
"""
    )
    assert run(text, dice=[3], asked={"b": 1, "night": False, "a": 1}).asked == ["die", "b", "night", "a"]


def test_a_fact_that_nobody_gives_is_missing_by_its_name() -> None:
    with pytest.raises(MissingAnswer, match="a is missing") as caught:
        run(f"{FACTS}procedure p\n  1. give x = a\n")
    assert (caught.value.kind, caught.value.name) == ("fact", "a")


def test_facts_that_are_given_are_checked_together_before_anything_runs() -> None:
    with pytest.raises(InputError) as caught:
        run(f"{FACTS}procedure p\n  1. roll d6 as die\n  2. give x = a + b + c\n", a=-1, b="many", c=Fraction(1, 2))
    assert [error.parameter for error in caught.value.errors] == ["a", "b", "c"]


# -- dice


def test_a_roll_keeps_faces_values_total_and_natural() -> None:
    text = """
die bones faces 1..9, 0 as 10
procedure p
  1. roll 3 bones as roll_of_three
  2. give faces = roll_of_three.faces
  3. give values = roll_of_three.values
  4. give total = roll_of_three
  5. give natural = roll_of_three.natural
  6. give even = roll_of_three is even
  7. give doubles = roll_of_three is doubles
"""
    assert run(text, dice=[0, 3, 0]).outputs == {
        "faces": [0, 3, 0], "values": [10, 3, 10], "total": 23, "natural": 10, "even": False, "doubles": False,
    }  # fmt: skip


def test_symbols_are_counted_and_not_added() -> None:
    text = """
die fight faces 3 x blank, 2 x hit, crit
procedure p
  1. roll 4 fight as blows
  2. give hits = count of blows.values where each is hit or crit
  3. give all = blows.values
"""
    assert run(text, dice=["hit", "blank", "crit", "hit"]).outputs["hits"] == 3


@pytest.mark.parametrize(
    ("rule", "dice", "values"),
    [
        ("", [6, 2], [6, 2]),
        ("explode on 6", [6, 2, 3], [6, 2, 3]),
        ("explode on 6", [6, 6, 6, 1, 2], [6, 6, 6, 1, 2]),
        ("explode on 6 at most 1 times", [6, 6, 6, 1], [6, 6, 6, 1]),
        ("explode on 6 at most 2 times", [6, 1, 6, 6], [6, 1, 6, 6]),
        ("explode on 5 or more", [5, 6, 1, 2], [5, 6, 1, 2]),
        ("reroll 1 once", [1, 5, 1], [1, 5]),
        ("reroll 1", [1, 5, 1, 1, 4], [4, 5]),
        ("reroll 1 at most 2 times", [1, 1, 1, 4, 1], [1, 4]),
        ("reroll 1..2 once", [5, 2, 6], [5, 6]),
        ("reroll 1 once, explode on 6", [1, 5, 6, 2], [6, 5, 2]),
        ("explode on 6, reroll 1 once", [6, 3, 1, 4], [6, 3, 4]),
    ],
)
def test_dice_are_rolled_again_beside_or_instead_in_their_places(rule: str, dice: list[int], values: list[int]) -> None:
    rest = f", {rule}" if rule else ""
    text = f"procedure p\n  1. roll 2d6 as x{rest}\n  2. give values = x.values\n  3. give natural = x.natural\n"
    assert run(text, dice=dice).outputs == {"values": values, "natural": values[0]}


def test_dice_of_different_kinds_keep_their_places_when_one_is_rolled_again() -> None:
    text = "procedure p\n  1. roll d4 + d10 as x, reroll 1\n  2. give values = x.values\n"
    assert run(text, dice=[1, 7, 3]).outputs["values"] == [3, 7]


def test_an_explosion_without_a_bound_ends_at_the_limit_and_is_never_cut_short() -> None:
    text = "procedure p\n  1. roll d6 as x, explode on 6\n  2. give total = x\n"
    with pytest.raises(LimitError) as caught:
        run(text, dice=[6] * 20, limits=Limits(rerolls=10))
    assert caught.value.limit == "rerolls"
    assert run(text, dice=[6] * 9 + [1], limits=Limits(rerolls=10)).outputs["total"] == 55


def test_no_dice_are_no_question() -> None:
    text = "facts\n  n  0..\nprocedure p\n  1. roll n d6 as x\n  2. give total = x\n  3. give natural = x.natural\n"
    ended = run(text, n=0)
    assert (ended.outputs, ended.asked) == ({"total": 0, "natural": 0}, [])


@pytest.mark.parametrize("dice", [[7], [0], [1, 2], ["six"], [True]])
def test_what_the_dice_can_not_show_is_refused(dice: list[Any]) -> None:
    with pytest.raises(InputError):
        run("procedure p\n  1. roll d6 as x\n", dice=dice)


# -- cards


CARDS = """
deck chits of 2 x red, blue
facts
  n  -2..9 = 1
"""


def test_cards_are_drawn_without_replacement_and_come_back_with_a_reshuffle() -> None:
    text = (
        CARDS
        + """
procedure p
  1. draw 2 from chits as hand
  2. give left = cards left in chits
  3. draw n from chits as more
  4. reshuffle chits
  5. give again = count of cards left in chits
"""
    )
    assert run(text, dice=["red", "blue", "red"]).outputs == {"left": ["red"], "again": 3}
    with pytest.raises(InputError, match="blue is no longer in chits"):
        run(text, dice=["red", "blue", "blue"])


@pytest.mark.parametrize("n", [-1, 4])
def test_more_cards_than_there_are_or_fewer_than_none_are_an_error_of_the_rules(n: int) -> None:
    with pytest.raises(RuleError):
        run(f"{CARDS}procedure p\n  1. draw n from chits as hand\n", dice=["red"] * 4, n=n)


# -- choices


def test_a_choice_with_one_legal_answer_is_taken_and_noted_and_not_asked() -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among units where kind is gun\n  2. give who = one\n"
    ended = run(text, units=UNITS)
    assert (ended.outputs["who"], ended.asked) == ("b", ["one forced"])


def test_among_nothing_there_is_nothing_to_choose() -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among units, if any\n  2. give none_there = one is none\n"
    ended = run(text, units=[])
    assert (ended.outputs, ended.asked) == ({"none_there": True}, [])
    with pytest.raises(RuleError, match="owner has nothing to choose from"):
        run(HEAD + "procedure p\n  1. owner chooses one among units\n", units=[])


def test_several_are_chosen_and_different_ones() -> None:
    text = HEAD + "procedure p\n  1. owner chooses 2 two among units\n  2. give who = two\n"
    assert run(text, units=UNITS, choices=["c", "a"]).outputs["who"] == ["c", "a"]
    with pytest.raises(InputError, match="a was chosen more times"):
        run(text, units=UNITS, choices=["a", "a"])
    forced = run(text, units={"a": {}})
    assert (forced.outputs["who"], forced.asked) == (["a"], ["two forced"])


@pytest.mark.parametrize("choices", [[[2, 1]], [2, 1], {"one": [2, 1]}, {"one": [[2, 1]]}])
def test_a_list_among_lists_is_chosen_whole_or_piece_by_piece(choices: Any) -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among [[1, 2], [2, 1]]\n  2. give who = one\n"
    assert run(text, choices=choices).outputs["who"] == [2, 1]


@pytest.mark.parametrize("choices", [[[2, 2]], [[2]], [[2, 1, 1]], [2, 2], ["2, 1"]])
def test_a_list_that_is_not_there_is_no_choice(choices: Any) -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among [[1, 2], [2, 1]]\n  2. give who = one\n"
    with pytest.raises(InputError, match=r"choose from \(1, 2\), \(2, 1\)"):
        run(text, choices=choices)


def test_what_stands_twice_in_a_list_can_be_chosen_once() -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among units followed by units\n  2. give who = one\n"
    assert run(text, units={"a": {}}).asked == ["one forced"]


def test_a_choice_that_is_not_legal_is_refused() -> None:
    text = HEAD + "procedure p\n  1. owner chooses one among units where kind is not gun\n"
    with pytest.raises(InputError, match="b can't be chosen"):
        run(text, units=UNITS, choices=["b"])


def test_none_from_a_choice_is_an_error_of_the_rules_wherever_a_value_is_needed() -> None:
    for use in (
        "n + 1",
        "sum of [n, 1]",
        "highest of [n, 1]",
        "[n, 1] sorted",
        "n rounded down",
        "n > 2",
        "first (n) of [1]",
    ):
        with pytest.raises(RuleError, match="none"):
            run(
                f"players owner\nprocedure p\n  1. owner chooses n among [1, 2] where each > 3, if any\n  2. give x = {use}\n"
            )
    for step in ("repeat n times: stop", "roll n d6 as x", "draw n from c as x", "owner chooses n x among [1, 2]"):
        with pytest.raises(RuleError, match="none"):
            run("players owner\ndeck c of a, b\nprocedure p\n  1. owner chooses n among [1, 2] where each > 3, if any\n"
                f"  2. {step}\n")  # fmt: skip


# -- places of what is repeated


def test_what_is_repeated_has_its_place_in_its_name() -> None:
    text = (
        HEAD
        + """
procedure test
  facts
    n  1..
  1. roll d6 as die
procedure p
  1. for each unit in units
       roll d6 as morale
       repeat 2 times: roll d6 as again
  2. for each n in [5, 6]
       roll d6 as numbered
  3. repeat until 1 is 1
       roll d6 as once
  4. call test with n 1 as call_it
  5. call test with n 1
  6. together
       roll d6 as left_one
       for each unit in units: roll d6 as right_one
"""
    )
    assert run(text, units={"a": {}, "b": {}}, dice=[1] * 14).asked == [
        "morale[a]", "again[a][1]", "again[a][2]", "morale[b]", "again[b][1]", "again[b][2]", "numbered[1]",
        "numbered[2]", "once[1]", "die[call_it]", "die[test]", "left_one", "right_one[a]", "right_one[b]",
    ]  # fmt: skip


# -- effects and state


def test_the_next_line_sees_what_an_effect_changed() -> None:
    text = (
        HEAD
        + """
procedure p
  1. for each unit in units where steps > 2
       hit with amount 1
       give left = unit.steps
  2. give total = sum of steps over units
"""
    )
    ended = run(text, units=UNITS)
    assert ended.outputs == {"left": 2, "total": 5}
    assert ended.effects == [("hit", {"unit": "a", "amount": 1}), ("hit", {"unit": "b", "amount": 1})]


def test_a_field_outside_of_its_range_is_an_error_of_the_rules_with_the_line_s_citations() -> None:
    text = HEAD + "procedure p\n  1. for each unit in units: hit with amount 2\n"
    with pytest.raises(RuleError, match="steps of c would become -1") as caught:
        run(text, units=UNITS)
    assert caught.value.cites == ("7.2",)


def test_an_argument_outside_of_its_range_is_an_error_with_the_citations_of_the_line_that_performs() -> None:
    text = HEAD + "procedure p\n  1. for each unit in units\n       hit with amount 3  [9.9]\n"
    with pytest.raises(RuleError, match="amount of hit is 3") as caught:
        run(text, units=UNITS)
    assert caught.value.cites == ("9.9",)


def test_references_are_followed_and_none_has_no_fields() -> None:
    text = (
        HEAD
        + """
procedure p
  1. give carried = list of unit over (units where on_wagon is not none)
  2. give steps   = sum of on_wagon.steps over (units where on_wagon is not none)
  3. give all     = sum of on_wagon.steps over units
"""
    )
    with pytest.raises(RuleError, match="none has no steps"):
        run(text, units={"a": {"on_wagon": "c"}, "c": {"steps": 4}})
    text = text.replace("  3. give all     = sum of on_wagon.steps over units\n", "")
    assert run(text, units={"a": {"on_wagon": "c"}, "c": {"steps": 4}}).outputs == {"carried": ["a"], "steps": 4}


def test_effects_that_go_back_to_themselves_end_when_nothing_is_left_or_at_the_limit() -> None:
    text = (
        HEAD
        + """
effect sink (unit)
  unit.broken becomes yes
  for each load in units where on_wagon is unit and not broken
    sink on load
procedure p
  1. sink on (item 1 of units)
  2. give sunk = count of effects sink
"""
    )
    ended = run(text, units={"c": {}, "b": {"on_wagon": "c"}, "a": {"on_wagon": "b"}})
    assert ended.outputs["sunk"] == 3
    endless = text.replace(" and not broken", "")
    with pytest.raises(InputError, match="refers back to itself"):
        run(endless, units={"c": {"on_wagon": "b"}, "b": {"on_wagon": "c"}})


# -- together


def joined(*parts: str, **units: Any) -> Run:
    body = "".join(f"       {part}\n" for part in parts)
    return run(f"{HEAD}procedure p\n  1. together\n{body}  2. give after = sum of steps over units\n", units=units)


def test_parts_that_happen_together_begin_with_the_same_state_and_their_changes_add_up() -> None:
    both = joined(
        "for each unit in units where steps is 3: hit with amount 1",
        "for each unit in units where steps is 3: hit with amount 2",
        a={},
    )
    assert both.field("a", "steps") == 0
    assert both.outputs["after"] == 0


def test_two_settings_of_one_field_conflict_unless_they_are_the_same() -> None:
    same = joined("for each unit in units: rout", "for each unit in units: rout", a={})
    assert same.field("a", "broken") is True
    one = joined("for each unit in units: seen_by with who red", "for each unit in units: rout", a={})
    assert (one.field("a", "found_by"), one.field("a", "broken")) == ("red", True)
    with pytest.raises(RuleError, match="set twice"):
        joined("for each unit in units: seen_by with who red", "for each unit in units: seen_by with who blue", a={})


def test_what_the_parts_come_to_is_held_to_the_field_s_range() -> None:
    with pytest.raises(RuleError, match="would become -1"):
        joined(*["for each unit in units: hit with amount 2"] * 2, a={})


def test_a_part_that_stops_ends_the_procedure_when_all_parts_have_happened() -> None:
    text = (
        HEAD
        + """
procedure p
  1. together
       for each unit in units: hit with amount 1
       stop
       for each unit in units: hit with amount 1
  2. give after = 1
"""
    )
    ended = run(text, units={"a": {}})
    assert (ended.outputs, ended.field("a", "steps")) == ({}, 1)


def test_two_parts_can_not_draw_from_one_deck() -> None:
    text = "deck c of 3 x red\nprocedure p\n  1. together\n       draw 1 from c as x\n       draw 1 from c as y\n"
    with pytest.raises(RuleError, match="both draw from c"):
        run(text, dice=["red", "red"])


# -- loops and stop


def test_repeat_until_is_tested_after_each_round_and_its_bound_is_an_error() -> None:
    text = "procedure p\n  1. let n = 0\n  2. repeat until n is 3, limit 5 times\n       n becomes n + 1\n  3. give n\n"
    assert run(text).outputs == {"n": 3}
    with pytest.raises(LimitError) as caught:
        run(text.replace("until n is 3", "until n is 9"))
    assert caught.value.limit == "rounds"


def test_repeat_some_times_may_be_none() -> None:
    text = "facts\n  k  -1..\nprocedure p\n  1. let n = 0\n  2. repeat k times: n becomes n + 1\n  3. give n\n"
    assert [run(text, k=k).outputs["n"] for k in (-1, 0, 3)] == [0, 0, 3]


def test_stop_ends_the_procedure_from_within_loops_and_effects_and_only_that_procedure() -> None:
    text = (
        HEAD
        + """
effect halt
  stop
procedure inner
  1. for each unit in units
       give seen = unit
       when unit.kind is gun: halt
  2. give ended = yes
procedure p
  1. call inner as it
  2. give seen = it.seen
  3. give on = 1
"""
    )
    assert run(text, units=UNITS).outputs == {"seen": "b", "on": 1}


def test_a_procedure_that_stops_in_an_effect_goes_no_deeper_for_it() -> None:
    text = (
        HEAD
        + """
effect halt
  stop
procedure inner
  1. halt
procedure p
  1. repeat 100 times: call inner
  2. give done = yes
"""
    )
    assert run(text).outputs == {"done": True}


# -- calls and refusals


CALL = (
    HEAD
    + """
procedure weak
  facts
    limit  0..
  1. refuse too_weak "nobody is left" when limit is 0  [3.4]
  2. give answer = limit * 2
procedure p
  1. for each unit in units where steps > 1: hit with amount 1
  2. call weak with limit (count of units) as it
       if refused: {then}
  3. give answer = it.answer
"""
)


def test_a_call_gives_facts_and_gets_outputs() -> None:
    assert run(CALL.replace("{then}", "stop"), units=UNITS).outputs == {"answer": 6}


def test_a_callee_that_refuses_leaves_nothing_behind() -> None:
    text = (
        HEAD
        + """
procedure inner
  1. for each unit in units: hit with amount 1
  2. refuse always "always" when yes
procedure p
  1. call inner
       if refused: give refused = yes
  2. give losses = count of effects hit
  3. give steps = sum of steps over units
"""
    )
    assert run(text, units={"a": {}}).outputs == {"refused": True, "losses": 0, "steps": 3}


def test_without_if_refused_the_whole_procedure_refuses_with_the_slug_and_the_note() -> None:
    with pytest.raises(Refused) as caught:
        run(CALL.replace("\n       if refused: {then}", ""), units=[])
    assert (caught.value.slug, caught.value.note.label, caught.value.note.cites) == (
        "too_weak",
        "nobody is left",
        ("3.4",),
    )


def test_the_outputs_of_what_was_refused_or_not_given_are_none() -> None:
    assert run(CALL.replace("{then}", "give other = 1"), units=[]).outputs["other"] == 1
    text = "facts\n  n  0..\nprocedure q\n  1. when n is 1: give y = 2\nprocedure p\n  1. call q as it\n  2. give x = it.y\n"
    assert run(text, n=1).outputs == {"x": 2}
    assert run(text, n=2).outputs == {"x": None}
    with pytest.raises(RuleError, match="a value is needed, but this expression is none"):
        run(text.replace("= it.y", "= it.y + 1"), n=2)


def test_facts_that_a_call_gives_hold_in_the_call_only() -> None:
    text = """
facts
  a  0..
define twice = a * 2
procedure q
  1. give y = twice
procedure p
  1. call q with a 10 as ten
  2. give inner = ten.y
  3. give outer = twice
"""
    assert run(text, a=1).outputs == {"inner": 20, "outer": 2}


def test_a_procedure_that_calls_itself_does_not_pass_its_own_facts_on() -> None:
    text = """
procedure q
  facts
    n      0..
    extra  0.. = 0
  1. when n > 0
       call q with n n - 1 as inner
       give sum_of_all = inner.sum_of_all + extra + n
     otherwise
       give sum_of_all = extra
procedure p
  1. call q with n 2, extra 100 as it
  2. give x = it.sum_of_all
"""
    assert run(text).outputs == {"x": 103}


def test_a_refusal_before_anything_asks_nothing() -> None:
    text = 'facts\n  a  0..\nprocedure p\n  1. refuse no "no" when a is 0\n  2. roll d6 as x\n'
    rules = program(text)
    asker = Asking([1])
    with pytest.raises(Refused):
        Machine(rules, {}, {"a": 0}, convert_facts(rules, ("a",), {})[1], asker).run("p")
    assert asker.asked == []


# -- results


RESULTS = (
    HEAD
    + """
chart t
  down  d6
  | d6  | Result |
  |  1  |   -    |
  |  2  |   X    |
  |  3  |   2X   |
  |  4  |   M1   |
  |  5  |   A1D2 |
  |  6  |   M    |
effect note (unit, what 0..)
results of t for each unit
  -              "none"
  #X, X is 1X    "losses"
    once: owner assigns (highest of # over readers) hit with amount 1 among readers where # >= nth and steps > 1 as losses
    each reader: note with what #
  M1             "one, literally"
    each reader: note with what 41
  M#, M is M0    "morale"
    each reader: note with what #
  A#aD#d         "both"
    each reader: note with what 10 * #a + #d
  then #X
    each reader where kind is gun: note with what 99
procedure p
  1. roll d6 as one
  2. read t with one for each unit as shots
  3. apply shots
  4. give notes = list of what over effects note
"""
)


def notes(face: int, choices: Any = None, **units: Any) -> Any:
    return run(RESULTS, dice=[face], choices=choices, units=units or {"a": {}}).outputs["notes"]


def test_a_pattern_matches_digits_and_says_how_the_bare_code_reads() -> None:
    assert [notes(face) for face in (1, 2, 3, 6)] == [[], [1], [2], [0]]


def test_a_literal_code_goes_before_a_pattern_wherever_it_stands() -> None:
    assert notes(4) == [41]


def test_several_numbers_go_by_their_letters() -> None:
    assert notes(5) == [12]


def test_then_goes_on_after_the_entries_between() -> None:
    assert notes(2, ["b"], a={}, b={"kind": "gun"}) == [1, 1, 99]


def test_losses_are_assigned_one_by_one_each_among_those_who_can_take_it() -> None:
    ended = run(RESULTS, dice=[3], choices=["a"], units={"a": {"steps": 2}, "b": {"steps": 3}})
    # The second can fall on b only, for a has one step left.
    assert ended.asked == ["one", "losses[1]", "losses[2] forced"]
    assert (ended.field("a", "steps"), ended.field("b", "steps")) == (1, 2)


def test_what_nobody_can_take_is_lost() -> None:
    ended = run(RESULTS, dice=[3], units={"a": {"steps": 2}})
    assert [name for name, _ in ended.effects] == ["hit", "note"]
    assert ended.field("a", "steps") == 1


def test_each_reader_reads_for_itself_and_results_run_by_entry_and_then_by_reader() -> None:
    text = (
        HEAD
        + """
chart t
  down    d6
  across  steps_of
  shift off right  stays
  | d6  | 1  | 2..4 |
  | 1-3 | -  |  X   |
  | 4-6 | M1 |  2X  |
define steps_of = 1
effect note (unit, what 0..)
modifiers m shift columns of t
  for each unit
    +1  strong  steps > 1
results of t for each unit
  #X, X is 1X  "losses"
    each reader: note with what #
    once: note on (item 1 of readers) with what (sum of # over readers)
  M#           "morale"
    each reader where not broken: note with what 10 * #
  -            "none"
procedure p
  1. roll d6 as one
  2. read t with one for each unit as shots
  3. apply shots
"""
    )
    units = {"a": {"steps": 1}, "b": {"steps": 2}, "c": {"steps": 4}, "d": {"steps": 1, "broken": True}}
    ended = run(text, dice=[5], units=units)
    assert [(e["unit"], e["what"]) for _, e in ended.effects] == [("b", 2), ("c", 2), ("b", 4), ("a", 10)]


def test_a_read_that_is_not_applied_changes_nothing() -> None:
    ended = run(RESULTS.replace("  3. apply shots\n", ""), dice=[3], units={"a": {}})
    assert (ended.effects, ended.field("a", "steps")) == ([], 3)


def test_one_reading_may_be_applied_to_several() -> None:
    text = RESULTS.replace("for each unit as shots", "as shots").replace("apply shots", "apply shots to units")
    assert run(text, dice=[4], units={"a": {}, "b": {}}).outputs["notes"] == [41, 41]


# -- limits


def limited(text: str, limits: Limits, **kwargs: Any) -> str:
    with pytest.raises(LimitError) as caught:
        run(text, limits=limits, **kwargs)
    return caught.value.limit


def test_each_limit_has_its_own_error() -> None:
    assert limited("procedure p\n  1. repeat until 1 is 2: let x = 1\n", Limits(steps=100)) == "steps"
    assert limited("procedure p\n  1. give x = count of (1..60)\n", Limits(steps=50)) == "steps"
    assert limited("procedure p\n  1. call p\n", Limits(depth=10)) == "depth"
    assert limited("procedure p\n  1. roll 11d6 as x\n", Limits(dice=10)) == "dice"
    assert limited("procedure p\n  1. roll 6d6 as x, explode on 6\n", Limits(dice=10), dice=[6] * 20) == "dice"
    assert limited("procedure p\n  1. give x = count of (1..200000)\n", DEFAULT_LIMITS) == "length"
    doubling = "procedure p\n  1. let x = 3\n  2. repeat 20 times: x becomes x * x\n  3. give x\n"
    assert limited(doubling, DEFAULT_LIMITS) == "bits"


@pytest.mark.parametrize(
    "line",
    [
        "define d{n} = d{m} + d{m}\n",
        "modifiers d{n}\n  +(d{m})  one  d{m} >= 0\n",
        "chart d{n}\n  down  0.. of d{m} + d{m}\n  cells numbers\n  | n | x |\n  | 0+ | 1 |\n",
    ],
)
def test_what_uses_the_one_below_twice_ends_at_the_limit(line: str) -> None:
    text = "facts\n  d0  0..\n" + "".join(line.format(n=n, m=n - 1) for n in range(1, 19))
    assert limited(f"{text}procedure p\n  1. give x = d18 + 0\n", Limits(steps=100), d0=0) == "steps"


def test_a_limit_is_reached_at_its_number_and_not_before() -> None:
    text = (
        "procedure q\n  facts\n    n  0..\n  1. when n > 1: call q with n n - 1\nprocedure p\n  1. call q with n {}\n"
    )
    assert run(text.replace("{}", "9"), limits=Limits(depth=10)).outputs == {}
    assert limited(text.replace("{}", "10"), Limits(depth=10)) == "depth"
    assert run("procedure p\n  1. roll 10d6 as x\n", limits=Limits(dice=10), dice=[1] * 10).outputs == {}


def test_rules_that_stand_too_deep_for_us_end_at_a_limit_too() -> None:
    nest = "".join(f"  {'  ' * n}when a is a\n" for n in range(14))
    text = f"facts\n  a  0..\nprocedure p\n{nest}  {'  ' * 14}call p\n"
    assert limited(text, Limits(depth=10_000), a=1) == "depth"


# -- who listens


def test_an_observer_changes_nothing_and_hears_everything_in_order() -> None:
    heard: list[Event] = []
    quiet = run(RESULTS, dice=[2], units={"a": {}})
    loud = run(RESULTS, dice=[2], units={"a": {}}, observer=heard.append)
    assert quiet.outputs == loud.outputs
    assert [type(event).__name__ for event in heard][:4] == ["Rolled", "ReadChart", "Computed", "ResultApplied"]
    assert "Did" in [type(event).__name__ for event in heard]
