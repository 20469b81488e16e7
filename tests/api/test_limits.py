"""Every field of ``Limits``: one below what a call takes, at it and one above; and how limits reach each call."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import fields
from tests.conftest import Clock

import enfilade
from enfilade import LimitError, Limits, Ruleset, RulesetError, Run
from enfilade.engines.odds.states.meter import duration
from enfilade.files import find_one
from enfilade.tools import check_file, format_text, reference_card, run_file_examples, run_ruleset_examples


def limits_with(name: str, value: Any) -> Limits:
    """The default limits with another value of one."""
    changed: dict[str, Any] = {name: value}
    return Limits(**changed)


@contextmanager
def raises_limit(name: str) -> Iterator[None]:
    """Expect that a limit is reached."""
    with pytest.raises(LimitError) as raised:
        yield
    assert raised.value.limit == name


HEAD: Final = "procedure main\n"
FACTS: Final = "facts\n  n 0..\n"
CHAIN: Final = "".join(f"procedure p{n}\n  1. call p{n + 1}\n" for n in range(8)) + "procedure p8\n  1. give x = 1\n"

TEXTS: Final = {
    "text": ("words a one of b".ljust(200), "too-large"),
    "names": ("".join(f"words w{n} one of a{n}, b{n}\n" for n in range(200)), "too-large"),
    "nesting": (f"define x = {'not ' * 18}1 is 1\n", "nesting-too-deep"),
    "cells": ("chart c\n  down d200\n" + "".join(f"| {n} |\n" for n in range(1, 201)), "chart-too-large"),
    "faces": (f"{HEAD}  1. roll 1d200 as x\n", "die-too-large"),
}
"""For each limit of texts a text that takes all of it, and the code of what is wrong with more."""

PLAYS: Final[dict[str, tuple[int, str, dict[str, Any]]]] = {
    "steps": (100, f"{HEAD}  1. repeat 50 times: let x = 1\n", {}),
    "depth": (10, f"{HEAD}  1. call p0\n{CHAIN}", {}),
    "dice": (20, f"{HEAD}  1. roll 20d6 as x\n", {"seed": 1}),
    "rerolls": (10, f"{HEAD}  1. roll d6 as x, explode on 6\n", {"dice": [6] * 9 + [1]}),
    "length": (50, f"{FACTS}{HEAD}  1. let l = (1..n)\n  2. give x = l\n", {"n": 50}),
    "bits": (100, f"{FACTS}{HEAD}  1. give x = n + 1\n", {"n": 2**99 - 1}),
}
"""For each limit of play how much a procedure takes of it, its text and its facts."""


SIZES: Final = {"text": 200, "names": 200, "nesting": 20, "cells": 200, "faces": 200}


def codes(text_or_path: str | Path, limits: Limits, **more: Any) -> list[str]:
    """The codes of what is wrong with a text."""
    return [each.code for each in enfilade.check(text_or_path, limits=limits, **more)]


@pytest.mark.parametrize("limit", TEXTS)
def test_a_text_that_takes_all_of_a_limit_checks_and_one_more_is_refused(limit: str) -> None:
    text, code = TEXTS[limit]
    found = [code in codes(text, limits_with(limit, SIZES[limit] + more)) for more in (-1, 0, 1)]
    assert found == [True, False, False]


@pytest.mark.parametrize("limit", PLAYS)
def test_a_play_that_takes_all_of_a_limit_ends_and_one_more_raises(limit: str) -> None:
    size, text, call = PLAYS[limit]
    rules = enfilade.load(text=text)
    with raises_limit(limit):
        rules.resolve("main", limits=limits_with(limit, size - 1), **call)
    for more in (0, 1):
        outcome = rules.resolve("main", limits=limits_with(limit, size + more), **call)
        assert (outcome.status, bool(outcome.explain().steps)) == ("resolved", True)


def test_modules_are_counted_and_so_is_how_deep_they_go(tmp_path: Path) -> None:
    for number in range(3):
        used = f'use "m{number + 1}.rules"\n' if number < 2 else ""
        (tmp_path / f"m{number}.rules").write_text(f"{used}words w{number} one of a{number}, b{number}\n")
    main = tmp_path / "m0.rules"

    for name, numbers in (("modules", (2, 3, 4)), ("module_depth", (1, 2, 3))):
        assert [codes(main, limits_with(name, number)) for number in numbers] == [["too-many-modules"], [], []]


def test_a_question_of_odds_takes_all_of_its_work_and_no_more() -> None:
    def asks(work: int) -> bool:
        # A ruleset remembers its work, so each question has its own.
        rules = enfilade.load(text=f"{HEAD}  1. roll d6 as x\n  2. give result = x\n")
        try:
            return rules.odds("main", limits=Limits(work=work)).result[6] > 0
        except LimitError as error:
            return error.limit != "work"

    enough = next(work for work in range(1_000) if asks(work))
    assert enough > 1
    assert [asks(enough + more) for more in (-1, 0, 1)] == [False, True, True]


ENDLESS: Final = f"{HEAD}  1. let x = 0\n  2. repeat until x is 1: let x = 0\n"


ROLLED: Final = (
    f"{HEAD}  1. roll d6 as a\n  2. let x = 0\n  3. repeat until x > 900000: let x = x + 1\n  4. give result = a + x\n"
)


@pytest.mark.parametrize(
    ("ask", "text", "limits", "reached"),
    [
        ("resolve", ENDLESS, Limits(steps=10**9, play_seconds=2), "play_seconds"),
        ("begin", ENDLESS, Limits(steps=10**9, play_seconds=2), "play_seconds"),
        ("odds", ENDLESS, Limits(steps=10**9, play_seconds=2, seconds=3), "seconds"),
        # Between two rolls, too.
        ("odds", ROLLED, Limits(seconds=2), "seconds"),
    ],
)
def test_time_ends_a_loop_where_no_step_limit_does(
    clock: Clock, ask: str, text: str, limits: Limits, reached: str
) -> None:
    rules = enfilade.load(text=text, limits=limits)
    clock.step = 0.1
    with raises_limit(reached):
        _ = getattr(rules, ask)("main").result


@pytest.mark.parametrize(
    "ask",
    [
        lambda rules: rules.matters("main", of="result", n=3),
        lambda rules: rules.sensitivity("main", of="result", n=3, by={"n": range(1, 1000)}),
        lambda rules: rules.grid("main", by={"n": range(1, 1000)}),
        lambda rules: rules.least("n", "main", of="result >= 900", chance="1/2", within=range(1, 1000)),
        lambda rules: rules.diff(enfilade.load(text=rules.sources[0].text.replace("size = 2", "size = 3"))),
        lambda rules: rules.sample("main", trials=10**9, n=3, kernel=False).of("result"),
        lambda rules: list(run_ruleset_examples(rules)),
    ],
    ids=["matters", "sensitivity", "grid", "least", "diff", "sample", "examples"],
)
def test_calls_that_ask_many_questions_have_the_time_of_one(clock: Clock, ask: Callable[[Ruleset], Any]) -> None:
    many = "\n".join(f"  +1  m{number}  n > {number % 9}" for number in range(300))
    chances = "\n".join(f'example main "{n}"\n  given n 3\n  chance of result is {n} = 1/3' for n in range(300))
    text = f"""\
facts
  n  0..1000
define size = 2
modifiers drm
{many}
procedure main
  1. roll 3d6 as dice
  2. give result = dice * size + drm
{chances}
"""
    rules = enfilade.load(text=text, limits=Limits.untrusted())
    clock.step = 0.01
    with suppress(LimitError):
        ask(rules)
    # A look takes a hundredth of a second; a question looks some times after its end.
    assert clock.now < 6


def test_the_memory_of_play_ends_what_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker of the suite may have freed memory at hand, so the growth that the system reports is made certain.
    growing = count(step=2**20)
    monkeypatch.setattr("enfilade.limits.memory_in_use", lambda: next(growing))
    rules = enfilade.load(
        text=f"{FACTS}{HEAD}  1. let l = (1..n)\n  2. repeat 2000 times: let l = (1..n)\n  3. give x = l\n"
    )
    with raises_limit("play_megabytes"):
        rules.resolve("main", n=900, limits=Limits(play_megabytes=1))


LONG: Final = "".join(f"define d{n} = {' + '.join(['1'] * 50)}\n" for n in range(100))


def test_time_that_runs_out_in_a_check_is_a_diagnostic_and_an_error_of_load_and_of_tools(clock: Clock) -> None:
    clock.step = 0.1
    limits = Limits(play_seconds=2)
    assert codes(LONG, limits) == ["check-too-long"]
    with pytest.raises(RulesetError, match="check was stopped"):
        enfilade.load(text=LONG, limits=limits)
    with enfilade.limited(limits), raises_limit("play_seconds"):
        format_text(LONG)


def test_a_card_of_untrusted_rules_is_made() -> None:
    assert "<html" in reference_card(enfilade.load("infantry_attacks", limits=Limits.untrusted(play_seconds=None)))


@pytest.mark.parametrize("limit", [each.name for each in fields(Limits) if each.name != "files"])
def test_a_limit_that_is_no_number_is_refused_by_its_name(limit: str) -> None:
    with pytest.raises(TypeError, match=f"^{limit} takes a number"):
        limits_with(limit, "many")
    with pytest.raises(ValueError, match=f"^{limit} must be"):
        limits_with(limit, -1)


def test_nesting_can_be_lowered_but_not_raised_and_untrusted_is_nowhere_more_generous_than_trusted() -> None:
    with pytest.raises(ValueError, match="nesting must be from 1 to 100, not 101"):
        Limits(nesting=101)
    trusted, untrusted = Limits.trusted().to_json(), Limits.untrusted().to_json()
    assert [name for name, most in trusted.items() if most is not None and untrusted[name] > most] == []


def test_the_embedding_page_has_every_limit_with_its_two_values() -> None:
    page = (Path(__file__).parents[2] / "docs/embedding.md").read_text()
    for each in fields(Limits):
        row = next(line for line in page.splitlines() if line.startswith(f"| `{each.name}` "))
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        values = getattr(Limits(), each.name), getattr(Limits.untrusted(), each.name)
        assert cells[2:4] == [_shown(value) for value in values], each.name


def _shown(value: Any) -> str:
    if value is None:
        return "none"
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:,}"


# -- how limits reach a call

RULES: Final = f"{FACTS}{HEAD}  1. let l = (1..n)\n  2. roll d6 as die\n  3. give result = count of l + die\n"
SHORT: Final = Limits(length=10)


def result_of(run: Run) -> Any:
    """The result of a run that waits for one die."""
    outcome = run.answer([1]).outcome
    assert outcome is not None
    return outcome.result


def test_a_ruleset_keeps_the_limits_of_its_load() -> None:
    rules = enfilade.load(text=RULES, limits=SHORT)
    assert rules.limits == SHORT
    for other in (
        rules.with_options(), rules.extended("define more = 1"), pickle.loads(pickle.dumps(rules)),
        Ruleset.from_json(rules.to_json(), limits=SHORT),
    ):  # fmt: skip
        assert other.limits == SHORT
    for call in (
        lambda: rules.resolve("main", n=11, dice=[1]),
        lambda: rules.begin("main", n=11),
        lambda: rules.odds("main", n=11).result,
        lambda: rules.sample("main", n=11, trials=2, seed=1).result,
        lambda: rules.grid("main", by={"n": [11]}),
        lambda: rules.prepare("main", n=11),
    ):
        with pytest.raises(LimitError, match="at most 10 elements"):
            call()


def test_limits_of_a_call_are_for_that_call() -> None:
    rules = enfilade.load(text=RULES, limits=SHORT)
    more = Limits(length=11)
    assert rules.resolve("main", n=11, dice=[1], limits=more).result == 12
    assert result_of(rules.begin("main", n=11, limits=more)) == 12
    assert rules.odds("main", n=11, limits=more).result[12] == enfilade.load(text=RULES).odds("main", n=1).result[2]
    assert rules.prepare("main", n=11, limits=more).outcomes[0] == 12
    assert rules.limits == SHORT


def test_a_resumed_run_has_the_limits_of_its_ruleset_or_its_own() -> None:
    saved = enfilade.load(text=RULES).begin("main", n=11).save()
    rules = enfilade.load(text=RULES, limits=SHORT)
    with pytest.raises(LimitError):
        rules.resume(saved)
    assert result_of(rules.resume(saved, limits=Limits())) == 12


def test_an_explanation_has_the_limits_of_its_play() -> None:
    outcome = enfilade.load(text=RULES).resolve("main", n=50, dice=[1], limits=Limits(length=50))
    assert "51" in str(outcome.explain())


def test_a_block_sets_the_limits_of_all_its_calls_and_then_restores_them() -> None:
    with enfilade.limited(Limits(text=10)):
        assert [found.code for found in enfilade.check(RULES)] == ["too-large"]
        with pytest.raises(enfilade.EnfiladeError):
            Ruleset.from_json({"texts": [["a", RULES]], "links": [], "options": {}})
    assert enfilade.check(RULES) == ()


@pytest.mark.parametrize("given", [None, 5, {"seconds": 2}])
def test_limits_of_a_wrong_type_are_refused_by_name(given: Any) -> None:
    rules = enfilade.load(text=RULES)
    other: Any = given or 0
    for call in (
        lambda: rules.with_limits(given),
        lambda: enfilade.load(text=RULES, limits=other),
        lambda: rules.odds("main", n=1, limits=other),
        lambda: rules.grid("main", by={"n": [1]}, limits=other),
    ):
        with pytest.raises(TypeError, match=r"^`?limits`? (takes|must be) an? (enfilade\.)?Limits( or None)?, not"):
            call()


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    """A file that uses the one beside it."""
    (tmp_path / "secret.rules").write_text("define secret = 1\n")
    main = tmp_path / "main.rules"
    main.write_text(f"use secret\n{HEAD}  1. give result = secret\n")
    return main


NO_FILES: Final = Limits.untrusted(play_seconds=None)


def test_untrusted_rules_use_only_shipped_modules_and_the_search_path(beside: Path) -> None:
    assert [codes(beside, limits) for limits in (Limits(), NO_FILES)] == [[], ["unknown-module"]]
    assert codes(beside, NO_FILES, search_path=[beside.parent]) == []
    with pytest.raises(RulesetError, match="no module `secret`"):
        enfilade.load(beside, limits=NO_FILES)
    source = find_one(str(beside))
    assert check_file(source) == ()
    with enfilade.limited(NO_FILES):
        assert [found.code for found in check_file(source)] == ["unknown-module"]
        assert [found.code for found in run_file_examples(source).errors] == ["unknown-module"]


def test_a_variant_of_untrusted_rules_uses_no_files_beside_them(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(beside.parent)
    beside.write_text(RULES)
    for rules in (enfilade.load(beside, limits=NO_FILES), enfilade.load(text=RULES, limits=NO_FILES)):
        for line in ("use secret", 'use "secret.rules"'):
            with pytest.raises(RulesetError, match="no module"):
                rules.extended(f"{line}\n")
        assert rules.with_limits(Limits()).extended("use secret\n").names("definition")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(119, "about 119 seconds"), (120, "about 2 minutes"), (7_200, "about 2 hours"), (86_400 * 2 - 1, "about 48 hours"),
     (86_400 * 365 * 2, "about 2 years"), (1e30, "more than a million years")],
)  # fmt: skip
def test_the_time_that_a_refusal_names_is_in_a_unit_of_which_there_are_several(seconds: float, words: str) -> None:
    assert duration(seconds) == words
