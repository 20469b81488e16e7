"""No public object can be changed: a walk through all public attributes and items tries every change on each object it meets.

Left out are names that begin with `_`; exceptions, because Python itself writes to them, but not what they carry; and
`Service`, `Found` and `ProgressLine`, which are no results: they serve, collect and print.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from copy import deepcopy
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import Any, Final

import pytest
from tests.api.skirmish import TEXT

import enfilade
from enfilade import language, service, tools
from enfilade.files import find_one
from enfilade.language import EntryReader, tokens

RULES: Final = enfilade.load("infantry_attacks")
UNITS: Final = [{"name": name, "kind": "infantry", "steps": 2} for name in ("guard", "rifles")]
BOMBARDMENT: Final = enfilade.load("bombardment")
SHOT: Final = RULES.resolve("direct_fire", fire_value=45, units=UNITS, dice=[6, 5], choices=["guard", "rifles"])
BEST: Final = {"players": {"owner": "best"}, "aim": "steps_left of guard"}
BEGUN: Final = RULES.begin("direct_fire", fire_value=45, units=UNITS)
DICE: Final = enfilade.CommittedDice.commit(RULES.digest, "Friday")
MAPS: Final = """enfilade 1.1
words part one of hull, mast
record ship
  boxes  map of part to 0..9 = 2
  crew   list of 1..6
facts
  target  ship
  ships   list of ship
deck cup of 2 x red, blue
effect hit "is hit" (ship, parts list of part)
  ship.boxes becomes ship.boxes
procedure main
  1. draw 1 from cup as hand
     hit on target with parts [hull, mast]
  2. give result = target.boxes
     give hand
     give crew = [target.crew, target.crew]
"""
SHIP: Final = {"name": "victory", "crew": [1, 2]}
"""A ruleset whose outcome has maps, lists and cards in each place where they can be."""

INTERNAL: Final = {"loaded", "program", "query_reader", "totals", "rules", "engine"}
"""Attributes for our other modules, which the architecture test keeps from hosts; ``ruleset`` is walked by itself."""
PLAIN: Final = (str, int, float, bytes, type(None), type, Enum)


def failed(call: Callable[[], Any]) -> Any:
    """The error of a call."""
    with pytest.raises(enfilade.EnfiladeError) as raised:
        call()
    return raised.value


def too_long() -> Any:
    """A run that is too long."""
    rules = enfilade.load(text="procedure main\n  1. let x = 1\n  2. repeat 5000000 times: let x = x + 1\n")
    return rules.resolve("main", limits=enfilade.Limits(steps=100))


def fire(**given: Any) -> dict[str, Any]:
    """The parameters of a fire on two units."""
    return {"procedure": "direct_fire", "fire_value": 45, "units": UNITS, **given}


def policy_choice() -> Any:
    """What a policy is given."""
    seen: list[Any] = []

    def choose(choice: Any) -> Any:
        seen.append(choice)
        return choice.options[0]

    RULES.odds(**fire(policy={"combat_losses": choose})).of("steps_left of guard")
    return tuple(seen[:2])


def reactions() -> Any:
    """The reactions to an event: one run that starts, and one that does not."""
    contact: dict[str, Any] = {"bv": 4, "target_type": "cavalry", "target": {"morale": 2, "cs": 3}, "mover": "hussars"}
    return tuple(
        BOMBARDMENT.notify("unit_moved_into_contact", **contact, zoc_by=zoc)
        for zoc in (["hussars"], ["hussars", "lancers"])
    )


OBJECTS: Final[dict[str, Callable[[], Any]]] = {
    "outcome": lambda: SHOT,
    "outcome with maps": lambda: enfilade.load(text=MAPS).resolve("main", target=SHIP, ships=[SHIP], dice=["red"]),
    "outcome from JSON": lambda: enfilade.Outcome.from_json(SHOT.to_json()),
    "outcome that is refused": lambda: BOMBARDMENT.resolve("bombardment", bv=4, distance=1, already_fired=True),
    "explanation": SHOT.explain,
    "run": lambda: BEGUN,
    "run at a choice": lambda: BEGUN.answer([6, 5]),
    "run at its end": lambda: RULES.begin("direct_fire", fire_value=16).answer([1, 2]),
    "run with maps": lambda: enfilade.load(text=MAPS).begin("main", target=SHIP, ships=[SHIP]),
    "run that is resumed": lambda: RULES.resume(BEGUN.save()),
    "run without facts": lambda: RULES.begin("direct_fire", ask_all=True),
    "questions": lambda: (BEGUN.question, BEGUN.answer([6, 5]).question, RULES.begin("direct_fire").question),
    "reactions": reactions,
    "odds": lambda: RULES.odds(**fire(**BEST)),
    "odds of a condition": lambda: RULES.odds("direct_fire", fire_value=11).given("roll <= 6"),
    "distribution": lambda: RULES.odds("direct_fire", fire_value=11).result,
    "distribution that is cut off": lambda: (
        enfilade.load(text="procedure main\n  1. roll d6 as die, explode on 6\n  2. give result = die\n")
        .odds("main")
        .result
    ),
    "joint distribution": lambda: RULES.odds("direct_fire", fire_value=11).joint("result", "roll"),
    "distribution of maps": lambda: RULES.odds(**fire(**BEST)).of("steps_left"),
    "decisions": lambda: RULES.odds(**fire(**BEST)).decisions,
    "range": lambda: RULES.odds(**fire()).range("steps_left of guard"),
    "combined distributions": lambda: enfilade.combine(
        lambda one, other: (one, other),
        RULES.odds("direct_fire", fire_value=11).of("roll"),
        RULES.odds("direct_fire", fire_value=4).of("roll"),
    ),
    "grid": lambda: RULES.grid("direct_fire", by={"fire_value": [1, 11], "night": None}, of="M or worse"),
    "comparison": lambda: RULES.compare("direct_fire", fire_value=11, a={"terrain": "town"}, b={}, of="M or worse"),
    "matters": lambda: enfilade.load(text=TEXT).matters("shoot", of="X", fire=10),
    "sensitivity": lambda: enfilade.load(text=TEXT).sensitivity("shoot", of="X", by={"fire": [1, 10]}, fire=10),
    "difference": lambda: RULES.diff(RULES.with_options(low_edge="no_effect"), situations=40),
    "least": lambda: RULES.least("fire_value", "direct_fire", chance="1/2", of="M or worse"),
    "sample": lambda: RULES.sample("direct_fire", fire_value=11, trials=20, seed=1),
    "sampled distribution": lambda: RULES.sample("direct_fire", fire_value=11, trials=20, seed=1).result,
    "prepared roll": lambda: RULES.prepare("direct_fire", of=["result", "roll"], fire_value=11),
    "prepared rolls": lambda: RULES.prepare_many("direct_fire", {"fire_value": [1, 11]}),
    "chart": lambda: RULES.chart("direct_fire_table"),
    "chart with headers": lambda: enfilade.load("fire_combat").chart("artillery_strength"),
    "ruleset": lambda: RULES,
    "ruleset with options": lambda: RULES.with_options(flanking_fire=True),
    "descriptions": lambda: (RULES.procedures, RULES.events, RULES.option_fields, RULES.symbols, RULES.records),
    "descriptions of events and refusals": lambda: (BOMBARDMENT.procedures, BOMBARDMENT.events),
    "choice of a policy": policy_choice,
    "citations": lambda: (RULES.citations, RULES.citing("16.1")),
    "diagnostics": lambda: enfilade.check("define x = y\nchart c\n  down d2\n  | \u041c | r |\n"),
    "limits": enfilade.Limits.untrusted,
    "place": lambda: failed(too_long).place,
    "faults": lambda: failed(lambda: RULES.resolve("direct_fire")).errors,
    "causes": lambda: (
        failed(
            lambda: (
                enfilade.load(text="procedure main\n  1. roll 40d6 as dice\n  2. give result = dice.values\n")
                .odds("main", limits=enfilade.Limits(work=10_000))
                .result
            )
        ).causes
    ),
    "committed dice": lambda: DICE,
    "verification": lambda: enfilade.verify(BEGUN.save().replace('"fire_value": 45', '"fire_value": 44'), RULES),
    "schemas": lambda: enfilade.SCHEMAS,
    "tables of codes and methods": lambda: (language.CODES, service.METHODS),
    "words": lambda: (language.vocabulary_of(RULES), language.KEYWORDS, language.DECLARATIONS),
    "tokens": lambda: (tokens("option fog [9.1]"), EntryReader(RULES)),
    "tests": lambda: tools.run_file_examples(find_one("bombardment"), coverage=True),
    "format": lambda: tools.format_source(find_one("bombardment")),
    "source": lambda: find_one("bombardment"),
}


@cache
def made(name: str) -> Any:
    """One of the objects, made once."""
    return OBJECTS[name]()


# -- the walk -----------------------------------------------------------------------------------------------------


def parts(whole: Any) -> Iterator[tuple[str, Any, Callable[[], Any]]]:
    """Each public object within an object, with its path and a function that reads it again."""
    waiting: list[tuple[str, Any, Callable[[], Any]]] = [("", whole, lambda: whole)]
    seen: dict[int, Any] = {}
    while waiting:
        path, part, again = waiting.pop()
        if isinstance(part, PLAIN) or id(part) in seen or path.count(".") > 6:
            continue
        seen[id(part)] = part
        yield path, part, again
        for name, get in _inner(part):
            try:
                value = get()
            except (enfilade.EnfiladeError, AttributeError, ImportError):
                continue
            if not callable(value) or is_ours(value):
                waiting.append((f"{path}.{name}", value, get))


def is_ours(part: Any) -> bool:
    """Whether an object is of a class of ours, and not itself a class or a function."""
    return type(part).__module__.startswith("enfilade") and not isinstance(part, type)


def _inner(part: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    if isinstance(part, Mapping):
        yield from ((str(key), lambda key=key: part[key]) for key in list(part))
    elif isinstance(part, (Sequence, Set)):
        yield from ((str(at), lambda item=item: item) for at, item in enumerate(part))
    if is_ours(part):
        yield from ((name, lambda name=name: getattr(part, name)) for name in public_names(part))


def public_names(part: Any) -> list[str]:
    """The public attributes of an object of ours, methods included."""
    names = {*dir(type(part)), *getattr(part, "__dict__", ())}
    return sorted(name for name in names if not name.startswith("_") and name not in INTERNAL)


# -- the changes --------------------------------------------------------------------------------------------------


def changes(part: Any, again: Callable[[], Any]) -> Iterator[str]:
    """What of a part can be changed. A fresh copy for each reader may be."""
    if again() is not part:
        return
    for what, change in (*_item_changes(part), *_attribute_changes(part)):
        with suppress(TypeError, AttributeError, NotImplementedError):
            # A container that misses an element takes one that is there.
            with suppress(LookupError, ValueError):
                change(part)
            yield what
    if getattr(getattr(part, "flags", None), "writeable", False):
        yield "array"


Changes = list[tuple[str, Callable[[Any], Any]]]


def _item_changes(part: Any) -> Changes:
    """Each way in which Python changes items: none of them may work, so an empty container may not take one either."""
    if isinstance(part, str):
        return []
    key: Any = next(iter(part), "new") if isinstance(part, (Mapping, Set)) else 0
    found: Changes = [
        ("[...] =", lambda part: part.__setitem__(key, None)),
        ("del [...]", lambda part: part.__delitem__(key)),
        ("|=", lambda part: part.__ior__({})),
        ("+=", lambda part: part.__iadd__(part)),
        ("*=", lambda part: part.__imul__(1)),
    ]
    found += [(f"{name}()", _call(name, *given)) for name, given in MUTATORS.items()]
    return found if isinstance(part, (Mapping, Sequence, Set)) else []


def _call(name: str, *given: Any) -> Callable[[Any], Any]:
    return lambda part: getattr(part, name)(*given)


MUTATORS: Final[dict[str, tuple[Any, ...]]] = {
    "append": (None,), "extend": ((),), "insert": (0, None), "remove": (None,), "sort": (), "reverse": (), "add": (None,), "discard": (None,),
    "update": ({},), "setdefault": ("new", None), "pop": (), "popitem": (), "clear": (),
}  # fmt: skip


def _attribute_changes(part: Any) -> Changes:
    if not is_ours(part):
        return []
    names = [*public_names(part), "new_attribute"]
    found: Changes = [(f"{name} =", _call("__setattr__", name, None)) for name in names]
    return found + [(f"del {name}", _call("__delattr__", name)) for name in names]


@pytest.mark.parametrize("name", OBJECTS)
def test_no_attribute_or_item_of_a_public_object_can_be_changed(name: str) -> None:
    found = {f"{name}{path} ({change})" for path, part, again in parts(made(name)) for change in changes(part, again)}
    assert found == set()


# -- plain data ---------------------------------------------------------------------------------------------------


def test_changed_plain_data_change_nothing_in_the_object_that_gave_them() -> None:
    with_json = [name for name in OBJECTS if hasattr(made(name), "to_json")]
    assert len(with_json) >= 20
    for name in with_json:
        before = json.dumps(made(name).to_json())
        spoil(made(name).to_json())
        assert json.dumps(made(name).to_json()) == before, name


def spoil(data: Any) -> None:
    """Change every list and map in plain data, as far as that is possible."""
    if isinstance(data, (list, dict)):
        for each in list(data.values() if isinstance(data, dict) else data):
            spoil(each)
        with suppress(TypeError):
            data.clear()


GIVEN: Final[dict[str, Any]] = {
    "target": {"name": "victory", "crew": [1, 2], "boxes": {"hull": 1, "mast": 1}},
    "ships": [],
}


def test_facts_that_the_host_changes_after_a_call_change_no_run_outcome_or_odds() -> None:
    rules, given = enfilade.load(text=MAPS), deepcopy(GIVEN)
    outcome, run = rules.resolve("main", given=given, dice=["red"]), rules.begin("main", given=given)
    odds = rules.odds("main", given=given)
    saved, told = run.save(), outcome.to_json()
    spoil(given)
    assert (run.save(), outcome.to_json()) == (saved, told)
    assert odds.of("result") == rules.odds("main", given=deepcopy(GIVEN)).of("result")


# -- the walk itself ----------------------------------------------------------------------------------------------


class Loose:
    """An object that takes any attribute."""

    __module__ = "enfilade.loose"

    def __init__(self) -> None:
        self.kept = [1]

    @property
    def copied(self) -> list[int]:
        """A fresh list for each reader."""
        return list(self.kept)


def test_the_walk_finds_a_list_an_attribute_and_an_item_that_can_be_changed() -> None:
    found = {f"{path} {change}" for path, part, again in parts((Loose(),)) for change in changes(part, again)}
    assert {".0 kept =", ".0 new_attribute =", ".0 del kept"} <= found
    assert {".0.kept append()", ".0.kept [...] ="} & found or ".0 kept =" in found
    assert not [each for each in found if each.startswith(".0.copied")]


@pytest.mark.parametrize(
    ("part", "can_change"),
    [
        *((part, True) for part in ([1], {"a": 1}, {1}, bytearray(b"a"))),
        *((part, False) for part in ((1,), frozenset({1}), MappingProxyType({"a": 1}), range(3), b"a")),
    ],
    ids=lambda part: type(part).__name__,
)
def test_each_kind_of_container_that_can_be_changed_is_found(part: Any, can_change: bool) -> None:
    assert bool([*changes(part, lambda: part)]) is can_change


def test_values_of_steps_are_copied_by_pickle() -> None:
    steps = SHOT.explain().steps
    assert pickle.loads(pickle.dumps(steps)) == steps


def test_every_public_class_of_results_is_met() -> None:
    met = {type(part).__name__ for name in OBJECTS for _, part, _ in parts(made(name))}
    public = [getattr(module, name) for module in (enfilade, tools, language) for name in module.__all__]
    classes = {each.__name__ for each in public if isinstance(each, type) and not issubclass(each, (Exception, Enum))}
    assert classes - met - NOT_MET == set()


NOT_MET: Final = {
    "Ledger", "Scaffold", "ChartLayout", "Look",  # made of texts alone
    "PreparedRules",  # what a ruleset is built on; it is walked as a ruleset
}  # fmt: skip
