"""What is typed as facts is read as an example's `given` is, with fewer commas."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import enfilade
from enfilade.language import EntryReader, read_answers, typed_field
from enfilade_repl.entry import EntryError
from enfilade_repl.state import Piece

RULES = enfilade.load("infantry_attacks")
INPUTS = RULES.inputs("direct_fire")
READER = EntryReader(RULES, {"gun": Piece("unit", "gun", {"kind": "artillery", "steps": 2})})
GUN = {"name": "gun", "kind": "artillery", "steps": 2}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", {}),
        ("fire_value 16, terrain town", {"fire_value": 16, "terrain": ["town"]}),
        ("terrain town,fire_value=16", {"terrain": ["town"], "fire_value": 16}),
        ("fire_value 16 terrain town night", {"fire_value": 16, "terrain": ["town"], "night": True}),
        ("ranges 1 2 not night fire_value 3", {"ranges": [1, 2], "night": False, "fire_value": 3}),
        (
            "terrain town woods units gun mg1 (kind mg)",
            {"terrain": ["town", "woods"], "units": [GUN, {"name": "mg1", "kind": "mg"}]},
        ),
        ("night y", {"night": True}),
        ("fire_value: 16", {"fire_value": 16}),
        (
            "3, terrain town, woods, ranges 1, 2, night",
            {"fire_value": 3, "terrain": ["town", "woods"], "ranges": [1, 2], "night": True},
        ),
        ("terrain town and woods", {"terrain": ["town", "woods"]}),
        ("night, not flanking", {"night": True, "flanking": False}),
        ("night no", {"night": False}),
        ("units gun", {"units": [GUN]}),
        ("unit gun, unit mg1 (kind mg, dug_in)", {"units": [GUN, {"name": "mg1", "kind": "mg", "dug_in": True}]}),
        ("units gun, mg1 (kind mg)", {"units": [GUN, {"name": "mg1", "kind": "mg"}]}),
        ("units [gun, mg1 (kind mg)], night", {"units": [GUN, {"name": "mg1", "kind": "mg"}], "night": True}),
        ("unit gun (steps 1)", {"units": [GUN | {"steps": 1}]}),
        ("units nothing", {"units": []}),
        ("units nothing fire_value 16", {"units": [], "fire_value": 16}),
        ("units none night", {"units": [], "night": True}),
        ("terrain nothing not night", {"terrain": [], "night": False}),
        ("units=gun,mg1(kind mg) night", {"units": [GUN, {"name": "mg1", "kind": "mg"}], "night": True}),
        ("2 town", {"fire_value": 2, "terrain": ["town"]}),
        ("16 at 3 hexes", {"fire_value": 16, "ranges": [3]}),
        ("3 hexes 16", {"ranges": [3], "fire_value": 16}),
        ("TOWN Night with 4+4+8", {"terrain": ["town"], "night": True, "fire_value": 16}),
        ("16 town", {"fire_value": 16, "terrain": ["town"]}),
        ("town woods, 16, night", {"fire_value": 16, "terrain": ["town", "woods"], "night": True}),
        ("ranges 1, 2 town 16", {"ranges": [1, 2], "terrain": ["town"], "fire_value": 16}),
        ("night town 16 gun", {"night": True, "terrain": ["town"], "fire_value": 16, "units": [GUN]}),
        ("16 fire_value gun", {"fire_value": 16, "units": [GUN]}),
        (
            '16 units "Old Guard" (kind infantry)',
            {"fire_value": 16, "units": [{"name": "Old Guard", "kind": "infantry"}]},
        ),
        ("unit gun steps 1", {"units": [GUN | {"steps": 1}]}),
        ("1 company units gun", {"companies": 1, "units": [GUN]}),
    ],
)
def test_facts_are_read_in_any_order(text: str, facts: dict[str, Any]) -> None:
    assert READER.facts(INPUTS, text) == facts


@pytest.mark.parametrize(
    "text", ["kind infantry, steps 3", "infantry 3 steps", "3 steps infantry", "infantry 3", "3 steps, kind infantry"]
)
def test_fields_are_read_with_or_without_their_names(text: str) -> None:
    assert READER.fields("unit", text) == {"kind": "infantry", "steps": 3}


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("terain town", "there is no fact terain", "did you mean terrain?"),
        ("fire_value", "fire_value needs a value", ""),
        ("night, night", "night has two values", ""),
        ("fire_value 1, fire_value 2", "fire_value has two values", ""),
        ("unit gun (steps 1", "`)` is missing in `unit gun (steps 1`", ""),
        ("unit gun steps 1)", "`)` has no opening bracket in `unit gun steps 1)`", ""),
        ('terrain "town', 'a quote is not closed in `terrain "town`', ""),
        ("unit gun (stepps 1)", "a unit has no stepps", "did you mean steps?"),
        ("units gun, ) 3", "`)` has no opening bracket in `units gun, ) 3`", ""),
        ("unit gun (steps 1, steps 2)", "steps has two values", ""),
        ("fire_value 16 terain town", "there is no fact terain", "did you mean terrain?"),
        ("17/2", "there is no fact 17/2", "the names are "),
        ("fire_value many", "fire_value is many, which is not a number", "allowed: 1 or more"),
        ("range 3 16", "`range 3 16` may mean ranges [3, 16] or ranges [3], fire_value 16", "write one of them"),
        ("16 range 1 company", "there is no fact company", "did you mean companies or "),
        ("units HQ mg dug in", "there is no piece HQ", "describe it here, `HQ (kind ...)`"),
        ("16 vs HQ", "there is no piece HQ", "type `unit HQ: ...` first, or quote the name of a new unit"),
        ("units 3", "units is 3", "allowed: unit"),
        ("16 twon", "there is no fact twon", "did you mean town?"),
    ],
)
def test_what_can_not_be_read_is_said_with_what_to_type(text: str, message: str, hint: str) -> None:
    with pytest.raises(EntryError) as caught:
        READER.facts(INPUTS, text)
    assert str(caught.value) == message
    assert caught.value.hint.startswith(hint)


def test_a_record_that_stands_alone_goes_by_the_name_of_its_fact() -> None:
    rules = enfilade.load("franco_prussian")
    reader = EntryReader(rules, {})
    inputs = rules.inputs("volley")
    assert reader.facts(inputs, "target (mr 7, stands 3)")["target"] == {"name": "target", "mr": 7, "stands": 3}
    assert reader.facts(inputs, "target guard (mr 7, stands 3)")["target"]["name"] == "guard"
    assert reader.facts(inputs, "distance 5.5, gun none") == {"distance": "5.5", "gun": None}


def test_a_piece_of_another_kind_is_refused() -> None:
    rules = enfilade.load("franco_prussian")
    reader = EntryReader(rules, {"hussars": Piece("side", "hussars", {})})
    with pytest.raises(EntryError, match="hussars is a side, and target takes a unit"):
        reader.facts(rules.inputs("volley"), "target hussars")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x (on 1) on 2 3 choosing a", ("x (on 1)", [2, 3], ["a"])),
        ("16 on 4 3 at night", ("16, at night", [4, 3], None)),
        ("on 7, town", ("town", [7], None)),
        ("16 ON a 7", ("16", [7], None)),
        ("16 on 4 and 3 town", ("16, town", [4, 3], None)),
        ("16 on 4+3", ("16", [4, 3], None)),
        ("16 on hill, on 4 3", ("16 on hill", [4, 3], None)),
        ("16 night on", ("16 night on", None, None)),
    ],
)
def test_dice_end_where_facts_begin(text: str, parts: Any) -> None:
    assert READER.split(text) == parts


def test_a_word_on_a_die_is_one_of_the_dice() -> None:
    reader = EntryReader(enfilade.load("bombardment"))
    assert reader.split("bv 6 on 3 morale strength cavalry") == ("bv 6, cavalry", [3, "morale", "strength"], None)


@pytest.mark.parametrize("record", [{"name": "gun", "kind": "mg", "dug_in": True, "loaded_on": None, "steps": 3}])
def test_what_is_shown_of_a_record_is_read_again(record: dict[str, Any]) -> None:
    shown = typed_field("units", [record])
    assert READER.facts(INPUTS, shown)["units"][0] == record


def test_what_is_wrong_has_its_place() -> None:
    for text, part in (
        ("night, terain town", "terain"),
        ("unit gun (steps 1, stepps 2)", "stepps"),
        ("night, 17/2", "17/2"),
    ):
        with pytest.raises(EntryError) as caught:
            READER.facts(INPUTS, text)
        span = caught.value.span
        assert span is not None
        assert text[span.start : span.end] == part


WORDS = ("fire_value", "terrain", "town", "night", "unit", "units", "gun", "not", "and", "none", "16", "1/2", "-", "=", ":",
         ",", "(", ")", "[", "]", "{", '"', "x1", "steps", "5.5", "--", "\n", "砲")  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.sampled_from(["", " "]))
def test_any_text_is_read_or_refused_with_a_reason(words: list[str], between: str) -> None:
    text = between.join(words)
    with suppress(EntryError):
        READER.facts(INPUTS, text)
    with suppress(EntryError):
        READER.value(INPUTS["units"].domain, text, "units")
    with suppress(EntryError):
        READER.split(text)
    with suppress(EntryError):
        read_answers(text)


def test_long_entries_are_read() -> None:
    assert READER.facts(INPUTS, "fire_value 1 ranges " + "1 " * 3_000)["ranges"] == [1] * 3_000
    with pytest.raises(EntryError):
        READER.facts(INPUTS, "night " + "not " * 3_000)
