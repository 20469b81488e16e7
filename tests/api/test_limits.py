"""Every field of ``Limits``: one below what a call takes, at it and one above; and how limits reach each call."""

from __future__ import annotations

import pickle
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import fields

import enfilade
from enfilade import LimitError, Limits, Ruleset, RulesetError, Run
from enfilade.engines.odds.states.meter import duration
from enfilade.files import find_one
from enfilade.tools import check_file, format_text, reference_card, run_file_examples


def limits_with(name: str, value: Any) -> Limits:
    """The default limits with another value of one."""
    changed: dict[str, Any] = {name: value}
    return Limits(**changed)


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


@pytest.mark.parametrize("limit", TEXTS)
def test_a_text_that_takes_all_of_a_limit_checks_and_one_more_is_refused(limit: str) -> None:
    text, code = TEXTS[limit]
    found = [
        [each.code for each in enfilade.check(text, limits=limits_with(limit, SIZES[limit] + more))]
        for more in (-1, 0, 1)
    ]
    assert [code in codes for codes in found] == [True, False, False]


@pytest.mark.parametrize("limit", PLAYS)
@pytest.mark.parametrize("explained", [False, True])
def test_a_play_that_takes_all_of_a_limit_ends_and_one_more_raises(limit: str, explained: bool) -> None:
    size, text, call = PLAYS[limit]
    rules = enfilade.load(text=text)
    with pytest.raises(LimitError) as raised:
        rules.resolve("main", limits=limits_with(limit, size - 1), **call)
    assert raised.value.limit == limit
    for more in (0, 1):
        outcome = rules.resolve("main", limits=limits_with(limit, size + more), **call)
        assert outcome.status == "resolved"
        if explained:
            assert outcome.explain().steps


def test_modules_are_counted_and_so_is_how_deep_they_go(tmp_path: Path) -> None:
    for number in range(3):
        used = f'use "m{number + 1}.rules"\n' if number < 2 else ""
        (tmp_path / f"m{number}.rules").write_text(f"{used}words w{number} one of a{number}, b{number}\n")
    main = tmp_path / "m0.rules"

    def codes(name: str, number: int) -> list[str]:
        return [each.code for each in enfilade.check(main, limits=limits_with(name, number))]

    assert [codes("modules", number) for number in (2, 3, 4)] == [["too-many-modules"], [], []]
    assert [codes("module_depth", number) for number in (1, 2, 3)] == [["too-many-modules"], [], []]


def test_a_question_of_odds_takes_all_of_its_work_and_no_more() -> None:
    def asks(work: int) -> bool:
        # A ruleset remembers its work, so each question has its own.
        rules = enfilade.load(text=f"{HEAD}  1. roll d20 as x\n  2. give result = x\n")
        try:
            return rules.odds("main", limits=Limits(work=work)).result[20] > 0
        except LimitError as error:
            return error.limit != "work"

    enough = next(work for work in range(1_000) if asks(work))
    assert enough > 1
    assert [asks(enough + more) for more in (-1, 0, 1)] == [False, True, True]


ENDLESS: Final = f"{HEAD}  1. let x = 0\n  2. repeat until x is 1: let x = 0\n"


@pytest.mark.parametrize("entry", ["resolve", "begin", "odds"])
def test_the_time_of_play_ends_a_loop_where_no_step_limit_does(entry: str) -> None:
    rules = enfilade.load(text=ENDLESS, limits=Limits(steps=10**9, play_seconds=0.05))
    with pytest.raises(LimitError) as raised:
        getattr(rules, entry)("main")
    assert raised.value.limit == "play_seconds"


def test_the_time_of_a_question_ends_a_loop_between_two_rolls() -> None:
    text = f"{HEAD}  1. roll d6 as a\n  2. let x = 0\n  3. repeat until x > 900000: let x = x + 1\n  4. give result = a + x\n"
    odds = enfilade.load(text=text).odds("main", limits=Limits(seconds=0.02))
    with pytest.raises(LimitError) as raised:
        odds.result  # noqa: B018
    assert raised.value.limit == "seconds"


def test_the_memory_of_play_ends_what_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    # A worker of the suite may have freed memory at hand, so the growth that the system reports is made certain.
    growing = count(step=2**20)
    monkeypatch.setattr("enfilade.limits.memory_in_use", lambda: next(growing))
    rules = enfilade.load(
        text=f"{FACTS}{HEAD}  1. let l = (1..n)\n  2. repeat 2000 times: let l = (1..n)\n  3. give x = l\n"
    )
    with pytest.raises(LimitError) as raised:
        rules.resolve("main", n=900, limits=Limits(play_megabytes=1))
    assert raised.value.limit == "play_megabytes"


def test_time_that_runs_out_in_a_check_is_a_diagnostic_and_an_error_of_load() -> None:
    text = "".join(f"define d{n} = {' + '.join(['1'] * 50)}\n" for n in range(500))
    limits = Limits(play_seconds=0.01)
    assert [found.code for found in enfilade.check(text, limits=limits)] == ["check-too-long"]
    with pytest.raises(RulesetError, match="check was stopped"):
        enfilade.load(text=text, limits=limits)


@pytest.mark.parametrize("limit", [each.name for each in fields(Limits) if each.name != "files"])
def test_a_limit_that_is_no_number_is_refused_by_its_name(limit: str) -> None:
    with pytest.raises(TypeError, match=f"^{limit} takes a number"):
        limits_with(limit, "many")
    with pytest.raises(ValueError, match=f"^{limit} must be"):
        limits_with(limit, -1)


def test_nesting_can_be_lowered_but_not_raised() -> None:
    with pytest.raises(ValueError, match="nesting must be from 1 to 100, not 101"):
        Limits(nesting=101)


@pytest.mark.parametrize("limit", [each.name for each in fields(Limits)])
def test_untrusted_is_nowhere_more_generous_than_trusted(limit: str) -> None:
    trusted, untrusted = getattr(Limits.trusted(), limit), getattr(Limits.untrusted(), limit)
    assert trusted is None or untrusted <= trusted


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
        with pytest.raises(TypeError, match=r"^`limits` must be an enfilade.Limits, not"):
            call()


def test_untrusted_rules_use_only_shipped_modules_and_the_search_path(tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("define secret = 1\n")
    main = tmp_path / "main.rules"
    main.write_text(f"use secret\n{HEAD}  1. give result = secret\n")
    assert enfilade.check(main) == ()
    untrusted = Limits.untrusted()
    assert [found.code for found in enfilade.check(main, limits=untrusted)] == ["unknown-module"]
    assert enfilade.check(main, limits=untrusted, search_path=[tmp_path]) == ()
    with pytest.raises(RulesetError, match="no module `secret`"):
        enfilade.load(main, limits=untrusted)


def test_a_variant_of_untrusted_rules_uses_no_files_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.rules").write_text("define secret = 1\n")
    main = tmp_path / "main.rules"
    main.write_text(RULES)
    for rules in (
        enfilade.load(main, limits=Limits.untrusted()),
        enfilade.load(text=RULES, limits=Limits.untrusted()),
    ):
        for line in ("use secret", 'use "secret.rules"'):
            with pytest.raises(RulesetError, match="no module"):
                rules.extended(f"{line}\n")
        assert rules.with_limits(Limits()).extended("use secret\n").names("definition")


def test_tools_use_no_files_that_the_block_does_not_allow(tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text("define secret = 1\n")
    (tmp_path / "main.rules").write_text(f"use secret\n{HEAD}  1. give result = secret\n")
    source = find_one(str(tmp_path / "main.rules"))
    assert check_file(source) == ()
    with enfilade.limited(Limits.untrusted()):
        assert [found.code for found in check_file(source)] == ["unknown-module"]
        assert [found.code for found in run_file_examples(source).errors] == ["unknown-module"]


def test_tools_have_the_time_of_the_block() -> None:
    long = "".join(f"define d{n} = {' + '.join(['1'] * 50)}\n" for n in range(500))
    with enfilade.limited(Limits(play_seconds=0.01)), pytest.raises(LimitError):
        format_text(long)
    assert "<html" in reference_card(enfilade.load("infantry_attacks", limits=Limits.untrusted()))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(119, "about 119 seconds"), (120, "about 2 minutes"), (7_200, "about 2 hours"), (86_400 * 2 - 1, "about 48 hours"),
     (86_400 * 365 * 2, "about 2 years"), (1e30, "more than a million years")],
)  # fmt: skip
def test_the_time_that_a_refusal_names_is_in_a_unit_of_which_there_are_several(seconds: float, words: str) -> None:
    assert duration(seconds) == words
