"""Wrong types of arguments are a TypeError that names the parameter; damaged data an InputError that names the place."""

import json
import pickle
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any, Final

import pytest

import enfilade

RULES: Final = enfilade.load("infantry_attacks")
UNIT: Final = {"name": "rifles", "kind": "infantry", "steps": 2}
SHOT: Final = RULES.resolve("direct_fire", fire_value=45, units=[UNIT], dice=[6, 5], choices=["rifles"])
DATA: Final = json.loads(json.dumps(SHOT.to_json()))
# One step of each kind, for all of a kind are read alike.
SHORT: Final = DATA | {"explanation": [*{step["kind"]: step for step in DATA["explanation"]}.values()]}
GONE: Final = object()

WRONG: Final[dict[str, tuple[str, Callable[[], Any]]]] = {
    "check of nothing": ("text_or_path", lambda: enfilade.check(None)),  # type: ignore[arg-type]
    "check of bytes": ("text_or_path", lambda: enfilade.check(b"facts")),  # type: ignore[arg-type]
    "a search path that is one path": ("search_path", lambda: enfilade.check("facts", search_path="rules")),
    "load of a number as a text": ("text", lambda: enfilade.load(text=5)),  # type: ignore[arg-type]
    "load of a number": ("name_or_path", lambda: enfilade.load(5)),  # type: ignore[arg-type]
    "resolve of a list": ("procedure", lambda: RULES.resolve(["x"])),  # type: ignore[arg-type]
    "facts as a list": ("given", lambda: RULES.resolve("direct_fire", given=[5])),  # type: ignore[arg-type]
    "a list as a seed": ("seed", lambda: RULES.resolve("direct_fire", fire_value=3, seed=[])),  # type: ignore[arg-type]
    "begin of a list": ("procedure", lambda: RULES.begin(["x"])),  # type: ignore[arg-type]
    "odds of a number": ("procedure", lambda: RULES.odds(5)),  # type: ignore[arg-type]
    "an event that is a number": ("event", lambda: RULES.notify(5)),  # type: ignore[arg-type]
    "a chart that is a list": ("name", lambda: RULES.chart(["x"])),  # type: ignore[arg-type]
    "inputs of a list": ("name", lambda: RULES.inputs([])),  # type: ignore[arg-type]
    "a question that is a number": ("of", lambda: RULES.prepare("direct_fire", of=5, fire_value=3)),  # type: ignore[arg-type]
    "a schema that is a number": ("name", lambda: enfilade.published_schema(5)),  # type: ignore[arg-type]
    "a citation that is a number": ("cite", lambda: RULES.citing(5)),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("parameter", "call"), WRONG.values(), ids=WRONG)
def test_a_wrong_type_is_a_type_error_that_names_the_parameter(parameter: str, call: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match=f"^{parameter} takes "):
        call()


def _places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield place
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield from _places(part, (*place, name))


def _damaged(place: tuple[Any, ...], value: Any) -> Any:
    if not place:
        return value
    whole = inner = deepcopy(SHORT)
    for name in place[:-1]:
        inner = inner[name]
    if value is GONE:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return whole


DAMAGE: Final = {
    "gone": GONE, "null": None, "a number": 5, "a text": "x", "a list": [1], "an empty list": [],
    "a map": {"a": 1}, "an empty map": {},
}  # fmt: skip


@pytest.mark.parametrize("value", DAMAGE.values(), ids=DAMAGE)
def test_damaged_data_give_an_outcome_or_an_input_error(value: Any) -> None:
    named = []
    for place in _places(SHORT):
        try:
            enfilade.Outcome.from_json(_damaged(place, None if value is GONE and not place else value))
        except enfilade.InputError as error:
            named.append(error.errors[0].parameter)
    assert named
    assert all(name.startswith("outcome") for name in named)


def test_the_error_names_the_place_in_the_data() -> None:
    with pytest.raises(enfilade.InputError, match=r"^outcome.dice\[0\].faces is damaged: it needs a list$"):
        enfilade.Outcome.from_json(_damaged(("dice", 0, "faces"), 5))
    with pytest.raises(enfilade.InputError, match=r"^outcome.status is damaged: it needs a value$"):
        enfilade.Outcome.from_json({})


def _maps(value: Any) -> Iterator[Mapping[Any, Any]]:
    if isinstance(value, Mapping):
        yield value
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple) else ()
    for part in inner:
        yield from _maps(part)


CHANGES: Final[dict[str, Callable[[Any], Any]]] = {
    "an item set": lambda found: found.__setitem__("x", 1), "an update": lambda found: found.update(x=1),
    "a default": lambda found: found.setdefault("x", 1), "clear": lambda found: found.clear(),
    "pop": lambda found: found.pop("x", None), "popitem": lambda found: found.popitem(),
    "a union in place": lambda found: found.__ior__({"x": 1}),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
@pytest.mark.parametrize("outcome", [SHOT, enfilade.Outcome.from_json(DATA)], ids=["played", "read"])
def test_no_map_of_an_outcome_can_be_changed(outcome: enfilade.Outcome, change: Callable[[Any], Any]) -> None:
    before = outcome.to_json()
    maps = [*_maps((outcome.outputs, outcome.state, outcome.decks, *(each.args for each in outcome.effects)))]
    assert len(maps) > 8
    for found in maps:
        with pytest.raises((TypeError, AttributeError)):
            change(found)
    assert outcome.to_json() == before


def test_maps_of_an_outcome_are_copied_pickled_and_written_as_json() -> None:
    steps = SHOT.outputs["steps_left"]
    assert deepcopy(steps) == pickle.loads(pickle.dumps(steps)) == json.loads(json.dumps(steps)) == {"rifles": 0}
