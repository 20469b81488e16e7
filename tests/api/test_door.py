"""Every public function passes the door, and whatever is passed to it, what comes back is an answer or an error of ours."""

import inspect
import io
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest

import enfilade
from enfilade import EnfiladeError, Limits
from enfilade.door import bounded, is_public, read_argument, require_between
from enfilade.editor import Workspace, analyse
from enfilade.errors import ArgumentError, LimitError
from enfilade.files import SourceFile
from enfilade.language import EntryReader
from enfilade.service import Service
from enfilade.tools import read_ledger
from enfilade.types import Num

PACKAGES: Final = ("", ".editor", ".files", ".language", ".service", ".tools")
# What these do lies outside: they read until their stream ends, or write to the terminal.
OUTSIDE: Final = ("serve_lines", "Service.handle_text")
# A text that names a unit which neither hits nor checks twice.
UNIT: Final = {"name": "rifles", "kind": "infantry", "steps": 2}
WRONG: Final[dict[str, Any]] = {
    "nothing": None, "a number": 5, "a fraction": 2.5, "no number": float("nan"), "a large number": 10**14, "a huge number": 10**400,
    "a negative number": -7, "a text": "two", "an empty text": "", "control characters": "\x1b[2J\0", "bytes": b"two",
    "a list": [1], "an empty list": [], "a mapping": {"x": 1}, "a mapping of lists": {1: [2]}, "a set": {1, 2},
    "a function": lambda *values: 5, "an object": object(), "a deep list": [[[[[[[[1]]]]]]]],
}  # fmt: skip
SOME: Final = ("a number", "an object")


def public() -> dict[str, tuple[type | None, Callable[..., Any]]]:
    """Every public function and method: its class, if it is a method, and itself."""
    found: dict[str, tuple[type | None, Callable[..., Any]]] = {}
    for package in (import_module(f"enfilade{each}") for each in PACKAGES):
        for name in package.__all__:
            each = getattr(package, name)
            if inspect.isclass(each) and not issubclass(each, BaseException) and each.__module__.startswith("enfilade"):
                for base in each.__mro__:
                    if base.__module__.startswith("enfilade") and not getattr(base, "_is_protocol", False):
                        found |= {f"{base.__name__}.{key}": (each, method) for key, method in methods(base)}
            elif inspect.isfunction(each) or hasattr(each, "__wrapped__"):
                found[each.__name__] = (None, each)
    return found


def methods(kind: type) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public methods that a class defines."""
    for name, method in vars(kind).items():
        inside = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
        if inspect.isfunction(inside) and not name.startswith("_"):
            yield name, getattr(kind, name) if inside is not method else inside


PUBLIC: Final = public()
# Limits can't read their own arguments at the door, which needs them.
WITHOUT: Final = ("limited", "Limits.trusted", "Limits.untrusted", "Limits.to_json", "Limits.with_patience")


def test_every_public_function_passes_the_door() -> None:
    passing = [name for name, (_, function) in PUBLIC.items() if is_public(function)]
    errors = ("InputFault.", "RulePlace.", "Cause.", "CutOff.")
    without = [name for name in PUBLIC if name not in passing and name not in WITHOUT and not name.startswith(errors)]
    assert without == []
    assert len(passing) > 250


@cache
def samples() -> dict[type, Any]:
    """An object of each public class that has methods."""
    rules = enfilade.load("infantry_attacks")
    facts: dict[str, Any] = {"fire_value": 45, "units": [UNIT]}
    play = partial(rules.resolve, "direct_fire", given=facts)
    shot = play(dice=[6, 5], choices=["rifles"])
    odds = rules.odds("direct_fire", fire_value=16)
    run = rules.begin("direct_fire", given=facts)
    sample = rules.sample("direct_fire", trials=20, seed=1, fire_value=16, kernel=False)
    source = SourceFile.from_text("facts\n  night  yes/no\ndefine dark = night\n")
    analysis = analyse(source.text)
    ledger_file = SourceFile.from_text("# A document\n\n1 no mechanic\n", "a.ledger")
    found = [
        rules, shot, odds, odds.result, run, sample, sample.of("result"), source, analysis, source.span(0, 1),
        shot.explain(), shot.explain().steps[0], shot.effects[0] if shot.effects else None, run.question,
        rules.grid("direct_fire", by={"fire_value": [11, 16]}),
        (matters := rules.matters("direct_fire", of="M or worse", fire_value=16)), matters.items[0],
        rules.sensitivity("direct_fire", of="M or worse", fire_value=16, by={"night": None}),
        rules.prepare("direct_fire", fire_value=16),
        rules.prepare_many("direct_fire", {"fire_value": [16, 30]}),
        rules.chart("direct_fire_table"), rules.procedure("direct_fire"), rules.inputs("direct_fire")["fire_value"],
        rules.diff(rules, situations=0), rules.least("fire_value", "direct_fire", chance="1/9", of="M or worse"),
        rules.compare("direct_fire", {"fire_value": 11}, {"fire_value": 16}), EntryReader(rules),
        Service(), enfilade.CommittedDice.commit(rules.digest, "a game"), Workspace(analysis, ()),
        read_ledger(ledger_file, (source,)),
    ]  # fmt: skip
    found[0] = rules.with_limits(Limits.untrusted(play_seconds=1, seconds=1))
    return {type(each): each for each in found if each is not None}


VALUES: Final[dict[str, Any]] = {
    "procedure": "direct_fire", "name": "direct_fire", "text": "night", "rules": None, "of": "result",
    "given": {"fire_value": 16}, "condition": "M or worse", "question": "M or worse", "chance": "1/9", "value": 16,
    "columns": {"fire_value": [16, 30]}, "by": {"fire_value": [11, 16]}, "a": {"fire_value": 11}, "b": {"fire_value": 16},
    "fact": "fire_value", "trials": 10, "changes": {"fire_value": 16}, "record": "unit", "fields": {"kind": "infantry"},
    "event": "nothing", "cite": "16.1", "offset": 4, "start": 0, "end": 3, "new": "dusk", "length": "short", "row": 0,
    "code": "M", "word": "town", "argument": "infantry_attacks", "number": 1, "seed": 1, "size": 2, "kind": "fact",
    "type_": Num(0, 9), "types": {"night": Num(0, 9)}, "holds": bool, "change": bool, "function": lambda *values: 0, "places": 2,
    "as_is": Fraction(1, 9), "path": Path("none.rules"), "names": ("unit",), "limit": "steps", "form": "text", "words": ("night",),
    "request": {"jsonrpc": "2.0", "id": 1, "method": "version"}, "title": "A title", "parts": None,
}  # fmt: skip
"""A value that most parameters of a name take."""


def arguments(function: Callable[..., Any]) -> dict[str, Any]:
    """Arguments for a call: of the right kind for most parameters."""
    by_name = {kind.__name__: each for kind, each in samples().items()}
    found = {}
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL) or parameter.name in ("self", "cls"):
            continue
        if parameter.default is parameter.empty:
            kind = str(parameter.annotation).removesuffix(" | None")
            found[parameter.name] = by_name.get(kind, VALUES.get(parameter.name))
    return found


def outcome(call: Callable[[], Any]) -> str:
    """What is wrong with the end of a call; empty if it has an answer or an error of ours that can be shown."""
    try:
        call()
    except EnfiladeError as error:
        text = str(error)
        return "" if text and text.replace("\n", "").isprintable() else f"shows {text!r}"
    except ImportError:
        # Arrays need NumPy, which is an extra.
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("which", ["some", pytest.param("all", marks=pytest.mark.thorough)])
def test_whatever_is_passed_the_end_is_an_answer_or_an_error_of_ours(which: str) -> None:
    raw, calls = [], 0
    for name, (kind, function) in PUBLIC.items():
        if (
            name in OUTSIDE
            or not is_public(function)
            or (kind is not None and kind not in samples() and "self" in parameters(function))
        ):
            continue
        instance = [samples()[kind]] if kind is not None and "self" in parameters(function) else []
        usual = arguments(function)
        for parameter in parameters(function):
            if parameter in ("self", "cls"):
                continue
            for words, wrong in WRONG.items():
                if which == "some" and words not in SOME:
                    continue
                calls += 1
                found = outcome(partial(called, function, instance, usual, parameter, wrong))
                if found:
                    raw.append(f"{name}({parameter}={words}): {found}")
    assert raw == [], f"{len(raw)} of {calls}"
    print(f"{len(PUBLIC)} functions, {calls} calls")


def parameters(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters that can be passed by name."""
    return [
        each.name for each in inspect.signature(function).parameters.values()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    ]  # fmt: skip


def called(function: Callable[..., Any], instance: list[Any], usual: dict[str, Any], name: str, value: Any) -> None:
    """Call a function with one argument in place of the usual one."""
    accepted = inspect.signature(function).parameters.values()
    by_place = [each.name for each in accepted if each.kind is each.POSITIONAL_ONLY]
    values = usual | {name: value}
    function(*instance, *[values.pop(each) for each in by_place if each in values], **values)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda rules: rules.odds("direct_fire", players="best"), "players takes a mapping or None, not 'best'"),
        (lambda rules: rules.odds("direct_fire", policy=7), "policy takes a mapping or a function or None, not int"),
        (lambda rules: rules.grid("direct_fire", by={"fire_value": 5}), r"by\['fire_value'\] takes a series or None, not int"),
        (lambda rules: rules.least("fire_value", "direct_fire", chance="1/2", of="M", within=5), "within takes"),
        (lambda rules: rules.odds("direct_fire", fire_value=9).then("direct_fire", carry=[1]), "carry takes a mapping"),
        (lambda rules: rules.diff("x"), "other takes a Ruleset, not 'x'"),
        (lambda rules: enfilade.mixture(rules.name.index("i")), "parts takes a mapping or a series of a tuple of anything and a Distribution each, not int"),
        (lambda rules: rules.sample("direct_fire", trials=5, workers="two"), "workers takes a whole number or None"),
        (lambda rules: rules.begin("direct_fire").answer_text(None), "text takes a str, not None"),
        (lambda rules: rules.begin("direct_fire").roll(lambda: 5), "seed takes a whole number or a str"),
    ],
)  # fmt: skip
def test_the_error_names_the_parameter_what_came_and_what_is_allowed(call: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        call(enfilade.load("infantry_attacks"))


@pytest.mark.parametrize(
    "call",
    [
        lambda rules: rules.resolve("direct_fire", fire_value=16, dice=count()),
        lambda rules: rules.resolve("direct_fire", fire_value=16, dice=[1, 2], choices=count()),
        lambda rules: rules.grid("direct_fire", by={"fire_value": count(1)}),
        lambda rules: rules.sensitivity("direct_fire", of="M", fire_value=16, by={"fire_value": count(1)}),
        lambda rules: rules.least("fire_value", "direct_fire", chance="1/2", of="M", within=count(1)),
        lambda rules: rules.prepare("direct_fire", fire_value=16, of=("result" for _ in count())),
        lambda rules: rules.prepare_many("direct_fire", {"fire_value": count(1)}),
        lambda rules: rules.diff(rules, of=("result" for _ in count())),
        lambda rules: enfilade.mixture((1, rules) for _ in count()),
        lambda rules: enfilade.load("infantry_attacks", search_path=(Path() for _ in count())),
        lambda rules: rules.odds("direct_fire", fire_value=16).result.map(lambda value: count()).marginal(0),
    ],
)  # fmt: skip
def test_a_series_without_an_end_has_one(call: Callable[[Any], Any]) -> None:
    rules = enfilade.load("infantry_attacks", limits=Limits.untrusted(length=500))
    with enfilade.limited(rules.limits), pytest.raises(EnfiladeError):
        call(rules)


def test_a_series_is_read_one_element_beyond_the_limit_at_most() -> None:
    endless = count()
    with pytest.raises(LimitError):
        list(bounded("dice", endless, 10))
    assert next(endless) == 11


def test_a_number_that_python_cannot_hold_is_an_error_of_ours() -> None:
    with pytest.raises(ArgumentError, match="trials must be 1 or more, not -3"):
        require_between("trials", -3, 1)
    assert read_argument("workers", 3, "int | None") == 3
    with pytest.raises(ArgumentError, match="size takes a whole number or a list of a whole number each, not float"):
        read_argument("size", 2.5, "Size")


def test_a_record_that_is_given_as_a_choice_is_answered_with_its_name() -> None:
    rules = enfilade.load("infantry_attacks")
    units = [UNIT, UNIT | {"name": "guns"}]
    with pytest.raises(enfilade.InputError, match="a record is chosen by its name: guns"):
        rules.resolve("direct_fire", fire_value=45, units=units, dice=[6, 5], choices=[{"name": "guns"}])


def test_words_have_no_other_sign() -> None:
    with pytest.raises(enfilade.OddsError, match="needs a number"):
        _ = -enfilade.load("infantry_attacks").odds("direct_fire", fire_value=16).result


def test_control_characters_of_a_caller_are_never_shown() -> None:
    rules, stream = enfilade.load("infantry_attacks"), io.StringIO()
    for value in ("\x1b[2J", "a\0b", "\x9b31m"):
        with pytest.raises(EnfiladeError) as error:
            rules.resolve("direct_fire", fire_value=value, dice=[1, 2])
        print(error.value, file=stream)
    assert not {char for char in stream.getvalue() if not char.isprintable()} - {"\n"}
    assert random.Random(1).random() < 1
