"""What a caller gives becomes exact values, or one error that lists all that is wrong."""

import dataclasses
from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any, NamedTuple

import attrs
import pytest

import enfilade
from enfilade import InputError, InputFault, Ruleset
from enfilade.core.inputs import convert_facts, convert_options, external_names, facts_to_data
from enfilade.engines.fact_reader import FactReader
from enfilade.values.data import Ref, Roll, State
from enfilade.values.json_data import to_json
from enfilade.values.types import RecordOf

TEXT = """
option fog       "Fog of war"
option low_edge  one of stays, misses = stays

record unit
  kind       one of infantry, gun, wagon
  steps      0..4 = 2
  loaded_on  unit or none = none
  next_to    list of unit
  broken     yes/no

facts
  fire       1..
  shift      -3..3 = 0
  distance   number 0.. = 1
  season     one of summer, "late autumn" = summer
  night      yes/no
  terrain    set of clear, woods, town = clear
  ranges     list of 1.., at least 1 = [2]
  units      list of unit
  leader     unit or none = none
  target     unit

procedure shoot
  facts
    lives  0..9 = 1
  1. give a = fire + shift + distance + lives
  2. give b = season is summer and night and terrain has town and any of ranges >= 3
  3. give c = count of units where steps > 0
  4. give d = leader is none
  5. give e = target.steps
  6. give f = option fog

procedure other
  1. give a = fire
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


def convert(rules: Ruleset, **given: Any) -> tuple[dict[str, Any], State]:
    program = rules.program
    return convert_facts(program, program.procedures["shoot"].inputs, given)


def faults(rules: Ruleset, **given: Any) -> list[tuple[str, Any, str]]:
    with pytest.raises(InputError) as caught:
        convert(rules, **given)
    return [(fault.parameter, fault.value, fault.allowed) for fault in caught.value.errors]


# ------------------------------------------------------------------------------------------------------- numbers


class Anything:
    """Stands for what other libraries use as whole numbers."""

    def __index__(self) -> int:
        return 3


class Season(StrEnum):
    """A host's own words."""

    SUMMER = "summer"


@pytest.mark.parametrize(
    ("name", "given", "exact"),
    [
        ("distance", 7, 7), ("distance", Fraction(15, 2), Fraction(15, 2)), ("distance", Fraction(14, 2), 7),
        ("distance", Decimal("7.50"), Fraction(15, 2)), ("distance", "7.5", Fraction(15, 2)),
        ("distance", "15/2", Fraction(15, 2)), ("distance", " 7 ", 7), ("distance", "1e2", 100),
        ("distance", 0.1, Fraction(1, 10)), ("distance", 2.0, 2), ("distance", 1e300, 10**300), ("fire", Anything(), 3),
        ("night", True, True), ("night", False, False), ("night", "yes", True), ("night", "no", False),
        ("season", Season.SUMMER, "summer"),
        # A set of words keeps the order of its declaration, and one word is a set of one.
        ("terrain", {"town", "woods"}, ("woods", "town")), ("terrain", ["town", "woods", "town"], ("woods", "town")),
        ("terrain", ("woods", "town"), ("woods", "town")), ("terrain", "town", ("town",)),
        # A list is any sequence, and a number alone is a list of one.
        ("ranges", [1, 2], (1, 2)), ("ranges", (1, 2), (1, 2)), ("ranges", range(1, 3), (1, 2)),
        ("ranges", iter([1, 2]), (1, 2)), ("ranges", ["1", 2.0], (1, 2)), ("ranges", 3, (3,)), ("ranges", 3.0, (3,)),
        ("leader", None, None), ("leader", "none", None),
    ],
)  # fmt: skip
def test_a_value_is_exact_however_it_is_written(rules: Ruleset, name: str, given: Any, exact: Any) -> None:
    found = convert(rules, **{name: given})[0][name]
    assert (found, type(found)) == (exact, type(exact))


@pytest.mark.parametrize(
    "given",
    [
        True, None, "", "seven", "1/0", "0x10", "1_000", "7,5", "nan", "inf", float("nan"), float("inf"),
        Decimal("NaN"), Decimal("Infinity"), Decimal("1e999999"), "1e9999", "9" * 2000, 1 << 5000, [1], b"1", 1j,
    ],
)  # fmt: skip
def test_what_is_no_number_or_too_large_is_refused(rules: Ruleset, given: Any) -> None:
    (fault,) = faults(rules, distance=given)
    assert fault[0] == "distance"
    assert fault[2] == "number 0.."


def forever() -> Iterator[int]:
    """A list without an end, which is refused instead of read."""
    while True:
        yield 1


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        *(("fire", given, [("fire", given, "1..")]) for given in (0, -1, "1/2", 0.5)),
        *(("night", given, [("night", given, "yes or no")]) for given in (1, 0, "true", "Yes", None)),
        *(
            ("terrain", given, [("terrain", wrong, "any of clear, woods, town")])
            for given, wrong in (({"river"}, "river"), ("river", "river"), ([1], 1), (7, 7), ({"town": True}, {"town": True}))
        ),
        # What has no order or too few items is no such list; each wrong item is named by its number.
        *(("ranges", given, [("ranges", given, "list of 1.., at least 1")]) for given in list[Any]((True, "12", {1, 2}, {1: 2}, None, [], b"12"))),
        ("ranges", [1, 0, "x"], [("ranges[2]", 0, "1.."), ("ranges[3]", "x", "1..")]),
    ],
)  # fmt: skip
def test_what_is_no_such_value_is_named_with_what_is_allowed(
    rules: Ruleset, name: str, given: Any, expected: list[tuple[str, Any, str]]
) -> None:
    assert faults(rules, **{name: given}) == expected


def test_a_list_without_end_is_refused_instead_of_read(rules: Ruleset) -> None:
    assert [fault[0] for fault in faults(rules, ranges=forever())] == ["ranges"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"season": "sumer"}, "did you mean summer"),
        ({"nihgt": True}, "did you mean night"),
    ],
)
def test_an_unknown_word_or_fact_names_the_nearest(rules: Ruleset, given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        convert(rules, **given)


# ------------------------------------------------------------------------------------------------------- records


@attrs.frozen
class AttrsUnit:
    """A host's unit as an attrs object."""

    name: str
    kind: str
    steps: int = 2
    position: str = "0101"


@dataclasses.dataclass
class DataUnit:
    """A host's unit as a dataclass."""

    key: str
    kind: str
    steps: int = 2
    loaded_on: Any = None


class TupleUnit(NamedTuple):
    """A host's unit as a named tuple."""

    name: str
    kind: str


@pytest.mark.parametrize(
    "unit",
    [
        {"name": "gun", "kind": "gun"},
        {"key": "gun", "kind": "gun"},
        AttrsUnit("gun", "gun"),
        DataUnit("gun", "gun"),
        TupleUnit("gun", "gun"),
    ],
)
def test_a_record_is_a_mapping_or_an_object(rules: Ruleset, unit: Any) -> None:
    facts, state = convert(rules, units=[unit])
    ref = Ref("unit", "gun")
    assert facts["units"] == (ref,)
    fields = {"kind": "gun", "steps": 2, "loaded_on": None, "next_to": (), "broken": False}
    assert state.records[ref] == fields


GUN = AttrsUnit("gun", "gun")
WAGON = DataUnit("wagon", "wagon")


@pytest.mark.parametrize(
    ("given", "expected", "count"),
    [
        pytest.param(
            {"units": {"a": {"kind": "gun"}, "b": {"kind": "wagon"}}}, {"units": (Ref("unit", "a"), Ref("unit", "b"))}, 2,
            id="as a mapping from key to fields",
        ),
        pytest.param(
            {"units": [{"kind": "gun"}, {"kind": "gun"}], "target": {"kind": "wagon"}},
            {"units": (Ref("unit", "unit1"), Ref("unit", "unit2")), "target": Ref("unit", "target")}, 3,
            id="without a name",
        ),
        pytest.param(
            {"target": "gun", "leader": "gun", "units": [{"name": "gun", "kind": "gun"}]},
            {"target": Ref("unit", "gun"), "leader": Ref("unit", "gun"), "units": (Ref("unit", "gun"),)}, 1,
            id="by the name where it is given elsewhere",
        ),
        pytest.param(
            {"units": [GUN], "target": GUN}, {"units": (Ref("unit", "gun"),), "target": Ref("unit", "gun")}, 1,
            id="as the same object in two facts",
        ),
    ],
)  # fmt: skip
def test_records_are_given(rules: Ruleset, given: dict[str, Any], expected: dict[str, Any], count: int) -> None:
    facts, state = convert(rules, **given)
    assert {name: facts[name] for name in expected} == expected
    assert len(state.records) == count


@pytest.mark.parametrize(
    ("units", "field", "expected"),
    [
        ([{"name": 7, "kind": "gun", "loaded_on": 8}, {"name": 8, "kind": "wagon"}], "loaded_on", Ref("unit", "8")),
        ([DataUnit("gun", "gun", loaded_on=WAGON), WAGON], "loaded_on", Ref("unit", "wagon")),
        (
            {"a": {"kind": "gun", "next_to": ["b"]}, "b": {"kind": "gun", "next_to": ["a"]}},
            "next_to", (Ref("unit", "b"),),
        ),
    ],
    ids=["by a number", "by object", "as neighbours"],
)  # fmt: skip
def test_records_may_refer_to_each_other(rules: Ruleset, units: Any, field: str, expected: Any) -> None:
    facts, state = convert(rules, units=units)
    assert state.records[facts["units"][0]][field] == expected


@pytest.mark.parametrize(
    ("units", "parameter"),
    [
        ([{"name": "a", "kind": "tank"}], "units[a].kind"),
        ([{"name": "a", "kind": "gun", "steps": 5}], "units[a].steps"),
        ([{"name": "a"}], "units[a].kind"),
        ([{"kind": "gun", "stepz": 1}], "units[unit1].stepz"),
        ([{"name": "a", "kind": "gun", "loaded_on": "b"}], "units[a].loaded_on"),
        ([{"name": "a", "kind": "gun", "next_to": ["b"]}], "units[a].next_to[1]"),
        ([{"name": "a", "kind": "gun", "loaded_on": "a"}], "units[a].loaded_on"),
        (["a"], "units[1]"),
        ([7.5], "units[1]"),
        ([{"name": "", "kind": "gun"}], "units[1]"),
        ([{"name": "none", "kind": "gun"}], "units[1]"),
        ([{"name": "a\n", "kind": "gun"}], "units[1]"),
        ([{"name": "a", "kind": "gun"}, {"name": "a", "kind": "gun"}], "units[a]"),
        ({"a": {"name": "b", "kind": "gun"}}, "units"),
        ({"name": "a", "kind": "gun"}, "units"),
    ],
)
def test_what_is_wrong_with_a_record_is_named_by_its_place(rules: Ruleset, units: Any, parameter: str) -> None:
    assert parameter in [fault[0] for fault in faults(rules, units=units)]


def test_records_that_come_back_to_themselves_are_refused(rules: Ruleset) -> None:
    units = {"a": {"kind": "wagon", "loaded_on": "b"}, "b": {"kind": "wagon", "loaded_on": "a"}}
    assert faults(rules, units=units) == [("units[a].loaded_on", "b", "no circle")]


def test_facts_as_data_are_taken_again(rules: Ruleset) -> None:
    given = {
        "fire": 3, "distance": "15/2", "terrain": {"town"}, "target": "a", "lives": 4,
        "units": {"a": {"kind": "gun", "loaded_on": "b"}, "b": {"kind": "wagon", "next_to": ["a"]}},
    }  # fmt: skip
    facts, state = convert(rules, **given)
    data = facts_to_data(rules.program, facts, state)
    assert convert(rules, **{name.rpartition(".")[2]: value for name, value in data.items()}) == (facts, state)


# ------------------------------------------------------------------------------------------------- all at once


def test_all_faults_are_listed_in_the_order_of_declaration(rules: Ruleset) -> None:
    found = faults(rules, target={"kind": "tank"}, nihgt=True, lives=10, ranges=[0], fire=0, leader="nobody")
    assert [fault[0] for fault in found] == [
        "lives", "fire", "ranges[1]", "leader", "target.kind", "nihgt"
    ]  # fmt: skip


def test_a_name_that_is_no_text_is_refused_like_any_other(rules: Ruleset) -> None:
    with pytest.raises(InputError, match="there is no fact 3"):
        rules.resolve("shoot", given={3: 1})  # type: ignore[dict-item]


def test_a_fact_of_another_procedure_is_refused(rules: Ruleset) -> None:
    with pytest.raises(InputError, match="night is not used here; facts used: fire"):
        convert_facts(rules.program, rules.program.procedures["other"].inputs, {"fire": 1, "night": True})


def test_a_procedures_own_fact_goes_by_its_short_name_where_that_is_clear() -> None:
    assert external_names(("a.lives", "b.lives", "c.fire")) == {
        "a.lives": "a.lives", "b.lives": "b.lives", "fire": "c.fire"
    }  # fmt: skip


def test_options_have_their_defaults_and_say_what_is_wrong(rules: Ruleset) -> None:
    assert convert_options(rules.program, {"fog": "yes"}) == {"fog": True, "low_edge": "stays"}
    with pytest.raises(InputError) as caught:
        convert_options(rules.program, {"fogg": True, "low_edge": "moves"})
    assert [fault.parameter for fault in caught.value.errors] == ["fogg", "low_edge"]


def test_a_fault_is_about_a_parameter_whole_or_in_part() -> None:
    assert InputFault("units[gun].steps", 9, "0..3", "").is_about("steps")
    assert InputFault("ranges[2]", 9, "0..3", "").is_about("ranges")
    assert not InputFault("units[gun].steps", 9, "0..3", "").is_about("gun")


# --------------------------------------------------------------------------------------------------- generated validation

PLAIN: list[dict[str, Any]] = [
    {},
    {"fire": 3, "night": True, "terrain": {"town", "woods"}, "ranges": [1, 2], "season": "late autumn"},
    {"fire": 3, "shift": -3, "lives": 9, "distance": 4},
    {"units": [{"name": "a", "kind": "gun", "steps": 0, "broken": True}, {"name": "b", "kind": "wagon"}]},
    {"units": [{"name": "a", "kind": "gun", "loaded_on": "b"}, {"key": "b", "kind": "wagon", "loaded_on": None}]},
    {"units": []},
    {"target": {"kind": "gun"}},
    {"target": {"name": "a", "kind": "gun"}, "units": [{"name": "b", "kind": "gun", "loaded_on": "a"}]},
]
UNUSUAL: list[dict[str, Any]] = [
    {"fire": True},
    {"fire": 0},
    {"fire": "3"},
    {"fire": 1 << 70},
    {"night": 1},
    {"terrain": {"river"}},
    {"terrain": [["town"]]},
    {"ranges": []},
    {"ranges": [0]},
    {"nothing": 1},
    {"units": [{"kind": "gun"}]},
    {"units": [{"name": "a", "kind": "gun", "loaded_on": "b"}]},
    {"units": [{"name": "a", "kind": "gun", "loaded_on": "a"}]},
    {"units": [{"name": "a", "kind": "gun"}, {"name": "a", "kind": "gun"}]},
    {"units": [{"name": "none", "kind": "gun"}]},
    {"target": "a", "units": [{"name": "a", "kind": "gun"}]},
    {"target": {"name": "a", "kind": "gun"}, "units": [{"name": "a", "kind": "gun"}]},
    {"leader": None},
]


@pytest.mark.parametrize("given", PLAIN)
def test_facts_in_canonical_form_are_accepted_by_the_generated_validation(
    rules: Ruleset, given: dict[str, Any]
) -> None:
    reader = FactReader(rules.program, rules.program.procedures["shoot"].inputs)
    assert reader.accept(dict(given)) == convert(rules, **given)
    assert reader.read(given) == reader.read(given) == convert(rules, **given)


@pytest.mark.parametrize("given", UNUSUAL)
def test_unusual_facts_are_left_to_the_conversion(rules: Ruleset, given: dict[str, Any]) -> None:
    assert FactReader(rules.program, rules.program.procedures["shoot"].inputs).accept(dict(given)) is None


# ------------------------------------------------------------------------------------------ what may be absent

ABSENT = """
words arm one of foot, horse
facts
  lives     0..3 or none
  distance  number 0.. or none = none
  kind      arm or none = foot
procedure p
  1. give a = lives is none
  2. give b = none when lives is none otherwise lives - 1
  3. give c = list of (none when each is 0 otherwise each) over [0, 2]
  4. give d = distance is not none and distance > 1
  5. give e = kind is not none and kind is horse
procedure careless
  1. give a = lives - 1
"""


@pytest.fixture(scope="module")
def absent() -> Ruleset:
    return enfilade.load(text=ABSENT)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        *(
            (
                {"lives": none, "distance": none, "kind": none},
                {"a": True, "b": None, "c": (None, 2), "d": False, "e": False},
            )
            for none in (None, "none")
        ),
        (
            {"lives": 3, "distance": "1.5", "kind": "horse"},
            {"a": False, "b": 2, "c": (None, 2), "d": True, "e": True},
        ),
    ],
)
def test_a_number_or_a_word_may_be_absent_or_there(
    absent: Ruleset, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    assert dict(absent.resolve("p", **given).outputs) == expected


def test_what_may_be_absent_is_absent_unless_it_is_given_or_has_a_default(absent: Ruleset) -> None:
    inputs = {each.name: (each.required, each.default) for each in absent.procedure("p").inputs}
    assert inputs == {"lives": (False, None), "distance": (False, None), "kind": (False, "foot")}
    assert absent.procedure("p").json_schema()["properties"]["lives"]["anyOf"] == [
        {"type": "integer", "minimum": 0, "maximum": 3}, {"type": "null"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "allowed"),
    [
        ({"lives": 4}, "0..3 or none"),
        ({"distance": -1}, "number 0.. or none"),
        ({"kind": "camel"}, "foot, horse or none"),
    ],
)
def test_what_is_neither_there_nor_absent_is_a_mistake(absent: Ruleset, given: dict[str, Any], allowed: str) -> None:
    with pytest.raises(InputError) as caught:
        absent.resolve("p", **given)
    assert [(fault.value, fault.allowed) for fault in caught.value.errors] == [(*given.values(), allowed)]


def test_to_calculate_with_what_is_absent_is_an_error_of_the_rules(absent: Ruleset) -> None:
    with pytest.raises(enfilade.RuleError, match="none"):
        absent.resolve("careless")


# --------------------------------------------------------------------------------------------- names for records

NAMES = """
record enemy
  kind  one of foot, horse = foot
facts
  mover   enemy or none = none
  zoc_by  list of enemy
procedure p
  1. give others = zoc_by where enemy is not mover
"""


def test_names_alone_are_records_where_nothing_must_be_said_of_them() -> None:
    rules = enfilade.load(text=NAMES)
    outcome = rules.resolve("p", mover="hussars", zoc_by=["hussars", "lancers"])
    assert list(outcome.outputs["others"]) == ["lancers"]
    assert outcome.state["enemy"]["hussars"]["kind"] == "foot"


@pytest.mark.parametrize(
    ("given", "parameter"),
    [
        # Where one is described, a name must be known; a name alone must be one.
        ({"mover": "hussar", "zoc_by": [{"name": "hussars", "kind": "horse"}]}, "mover"),
        ({"zoc_by": [""]}, "zoc_by[1]"),
        ({"zoc_by": ["none"]}, "zoc_by[1]"),
        ({"zoc_by": ["a\nb"]}, "zoc_by[1]"),
    ],
)
def test_what_is_no_name_of_a_record_is_refused(given: dict[str, Any], parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        enfilade.load(text=NAMES).resolve("p", **given)
    assert [fault.parameter for fault in caught.value.errors] == [parameter]


# -------------------------------------------------------------------------------------------------- plain data

UNIT = RecordOf("unit", optional=True)


@pytest.mark.parametrize(
    ("value", "data"),
    [
        (Fraction(15, 2), "15/2"),
        (10**30, 10**30),
        (True, True),
        ("a", "a"),
        (("a", "b"), ["a", "b"]),
        (None, None),
        (Ref("unit", "gun"), "gun"),
        ((Ref("unit", "gun"), None), ["gun", None]),
        ({Ref("unit", "gun"): Fraction(1, 2)}, {"gun": "1/2"}),
        ({1: True}, {"1": True}),
        ({True: 1}, {"yes": 1}),
        (Roll((0, 3), (10, 3)), {"faces": [0, 3], "values": [10, 3], "total": 13}),
    ],
)
def test_values_as_data(value: Any, data: Any) -> None:
    assert to_json(value) == data
