"""The protocol says what the API says, refuses what is wrong, and never raises."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import pytest
from tests.conftest import Clock
from tests.fuzz.seeds import GAMES
from tests.repl.answers import some_value
from tests.service.conftest import Asked
from tests.service.requests import answer_in, as_requests, by_the_api, request, rulesets, situations

import enfilade
from enfilade import Limits
from enfilade.service import METHODS, Service, openrpc
from enfilade.values.json_data import to_json

GAME: Final = "infantry_attacks"
FIRE: Final = {"ruleset": GAME, "procedure": "direct_fire"}
SHOT: Final = {**FIRE, "facts": {"fire_value": 16}}
OF: Final = "M or worse"
ADDED: Final = {
    "text": "facts\n  strength 1..6\n\nprocedure main\n  1. roll d6 as die\n  2. give result = die + strength\n"
}
QUICK: Final = ("infantry_attacks", "bombardment", "dba_combat", "risk")


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in QUICK else pytest.mark.thorough) for each in rulesets()]
)
def test_requests_are_answered_as_the_api_answers(name: str) -> None:
    named = rulesets()[name]
    rules = enfilade.load(named) if isinstance(named, str) else enfilade.load(text=named["text"])
    service = Service(Limits(seconds=None, megabytes=None, work=20_000))
    for procedure, facts, seed in situations(rules, random.Random(name), 6):
        wanted = by_the_api(rules, procedure, facts, seed)
        found = [answer_in(service.handle(each)) for each in as_requests(named, procedure, facts, seed)]
        assert json.dumps(found) == json.dumps(wanted)


def test_a_run_travels_as_its_save(result: Asked) -> None:
    run = result("begin", **SHOT)
    assert (run["question"]["kind"], run["outcome"]) == ("roll", None)
    # Another process answers: nothing is kept.
    done = Asked()("answer", ruleset=GAME, save=run["save"], answer=[1, 2])
    assert done["outcome"] == enfilade.load(GAME).resolve("direct_fire", fire_value=16, dice=[1, 2]).to_json()
    played = {"ruleset": GAME, "save": done["save"]}
    assert result("undo", **played)["question"] == run["question"]
    assert result("explain", **played)["steps"] == done["outcome"]["explanation"]
    short = result("explain", **played, length="short")
    assert short["text"].startswith("Direct Fire Table: roll 3, column 16")
    assert len(short["steps"]) == 1
    assert result("verify", **played)["ok"]
    changed = {"ruleset": GAME, "save": done["save"].replace("[1, 2]", "[6, 6]")}
    assert not result("verify", **changed)["ok"]
    assert result.error("resume", **changed)["code"] == 1


def test_a_typed_answer_is_read_as_at_the_prompt_and_dice_are_rolled_by_a_seed(result: Asked) -> None:
    run = result("begin", **SHOT)
    assert run["prompt"] == "fire_roll, 2d6 (Enter to roll, or type the dice):"
    open_run = {"ruleset": GAME, "save": run["save"]}
    typed = result("answer", **open_run, text="1 2")
    assert typed == result("answer", **open_run, answer=[1, 2])
    assert typed["prompt"] is None
    assert "d6 can't show 9; it shows 1..6" in result.error("answer", **open_run, text="1 9")["message"]
    for both in ({}, {"text": "1 2", "answer": [1, 2]}):
        assert "give `answer` or `text`" in result.error("answer", **open_run, **both)["message"]
    one, two = (result("roll", **open_run, seed=5)["outcome"] for _ in range(2))
    assert one == two is not None


def test_rulesets_are_described_checked_laid_out_and_printed(result: Asked) -> None:
    assert result("about").items() >= {"version": enfilade.__version__, "rulesets": sorted(GAMES)}.items()
    described = result("describe", ruleset=GAME)
    assert described["procedures"][0]["name"] == "direct_fire"
    assert described["digest"] == enfilade.load(GAME).digest
    assert result("check", ruleset=GAME) == {"ok": True, "diagnostics": []}
    found = result("check", ruleset={"text": "procedure main\n  1. give result = x\n"})
    assert ([each["code"] for each in found["diagnostics"]], found["ok"]) == (["unknown-name"], False)
    assert "  |  d6 | r |" in result("format", text="chart t\n  down d6\n |d6|r|\n |1-6|x|\n")["text"]
    assert result("card", ruleset=GAME)["text"].startswith("<!DOCTYPE html>")
    assert result("chart", ruleset=GAME, chart="direct_fire_table")["title"] == "Direct Fire Table"
    assert "there is no chart x" in result.error("chart", ruleset=GAME, chart="x")["message"]


def test_questions_about_odds_have_the_answers_of_the_api(result: Asked) -> None:
    rules = enfilade.load(GAME)
    odds = rules.odds("direct_fire", fire_value=16)
    by = {"fire_value": [4, 16], "night": None}
    a, b = {"fire_value": 4}, {"fire_value": 16}
    assert result("grid", **FIRE, by=by) == rules.grid("direct_fire", by=by).to_json()
    assert result("compare", **FIRE, a=a, b=b) == rules.compare("direct_fire", a, b).to_json()
    matters = enfilade.load(text=ADDED["text"]).matters("main", of="result > 4", strength=2)
    assert (
        result("matters", ruleset=ADDED, procedure="main", facts={"strength": 2}, of="result > 4") == matters.to_json()
    )
    assert result("least", **FIRE, fact="fire_value", chance="1/2", of=OF)["value"] == 11
    assert result("sensitivity", **SHOT, of=OF)["variables"][0]["name"] == "fire_value"
    assert result("sample", **SHOT, trials=200, seed=1)["of"] == "result"
    for asked, answers in (
        ({**SHOT, "of": [OF, "result"], "lowest_terms": True}, [odds.of(each).in_lowest_terms() for each in (OF, "result")]),
        ({**SHOT, "of": ["result", "column"], "joint": True}, [odds.joint("result", "column")]),
        ({**SHOT, "condition": "roll <= 7"}, [odds.given("roll <= 7").result]),
        # Odds go on with other procedures and turns.
        ({**SHOT, "of": OF, "then": [{"procedure": "direct_fire", "when": OF}]}, [odds.then("direct_fire", when=OF).of(OF)]),
        ({**SHOT, "of": OF, "turns": 2}, [odds.turns(2).of(OF)]),
        ({**SHOT, "of": "turns", "until": OF, "at_most": 3}, [odds.until(OF, at_most=3).of("turns")]),
    ):  # fmt: skip
        assert result("odds", **asked)["answers"] == [each.to_json() for each in answers], asked


def test_the_difference_of_two_rulesets(result: Asked) -> None:
    text = "ruleset house extends infantry_attacks\nreplace cell of direct_fire_table row 7, column 16 with M\n"
    found = result("diff", ruleset=GAME, other={"text": text}, situations=20)
    assert found == enfilade.load(GAME).diff(enfilade.load(text=text), situations=20).to_json()
    assert [(each["part"], each["old"], each["new"]) for each in found["changes"]] == [("row 7, column 16", "-", "M")]
    assert not result("diff", ruleset=GAME, other=GAME)["changed"]


def test_players_with_an_aim_have_their_decisions_listed(result: Asked) -> None:
    rules = {"text": "players you\nprocedure main\n  1. roll d6 as die\n  2. you chooses whether keeps\n"
                     "  3. let got = die\n     when not keeps\n       roll d6 as again\n       got becomes again\n"
                     "  4. give result = got\n"}  # fmt: skip
    found = result("odds", ruleset=rules, procedure="main", players={"you": "best"}, aim="result")
    chances = {each["value"]: each["reduced"] for each in found["answers"][0]["outcomes"]}
    assert chances == {n: "1/12" if n < 4 else "1/4" for n in range(1, 7)}
    assert {each["known"]["die"]: each["chosen"] for each in found["decisions"]} == {n: [n >= 4] for n in range(1, 7)}


def test_a_ruleset_of_several_texts(result: Asked) -> None:
    main = {"text": "use common\nprocedure main\n  1. give result = twice(3)\n",
            "files": {"common.rules": "define twice(n 0..) = n * 2\n"}}  # fmt: skip
    assert result("resolve", ruleset=main, procedure="main")["result"] == 6
    alone = {"text": main["text"]}
    assert not result("check", ruleset=alone)["ok"]
    assert result.error("resolve", ruleset=alone, procedure="main")["data"]["status"] == "ruleset_error"


def test_events_begin_runs(result: Asked) -> None:
    rules = enfilade.load("bombardment")
    (event,) = rules.events
    facts = {field.name: some_value(rules, field.domain, random.Random(1), field.name) for field in event.inputs}
    plain = json.loads(json.dumps(to_json(facts)))
    answered = result("notify", ruleset="bombardment", event=event.name, facts=plain)
    assert answered == [each.to_json() for each in rules.notify(event.name, given=plain)]


TOGETHER: Final = "`at_most` needs `until`; `turns` can't be combined with `at_most` or `until`"
WRONG: Final[list[tuple[Any, int, str]]] = [
    ([], -32600, "1 to 100"),
    (5, -32600, "an object with a method"),
    ({"id": 1}, -32600, "an object with a method"),
    ({"id": [], "method": "about"}, -32600, "`id` must be"),
    ({"id": 1, "method": "odd"}, -32601, "there is no method 'odd'"),
    ({"id": 1, "method": "odds", "params": [1]}, -32602, "`params` must be an object"),
    ({"id": 1, "method": "odds"}, -32602, "ruleset is missing"),
    (request(1, "odds", ruleset=None, procedure="x"), -32602, "ruleset is missing"),
    (request(1, "odds", **SHOT, fact=1), -32602, "there is no parameter 'fact'"),
    (request(1, "odds", **{**SHOT, "facts": []}), -32602, "facts takes a mapping, not list"),
    (request(1, "odds", **{**SHOT, "ruleset": 5}), -32602, "ruleset takes a str or a mapping, not int"),
    (request(1, "odds", **{**SHOT, "ruleset": {}}), -32602, "the `text` of ruleset takes a str, not None"),
    (request(1, "odds", **SHOT, players={"owner": 1}), -32602, "players['owner'] takes a str, not int"),
    (request(1, "odds", **SHOT, of=[1]), -32602, "an item of of takes a str, not int"),
    (request(1, "card", ruleset=GAME, form="pdf"), -32602, "form takes 'html' or 'markdown', not 'pdf'"),
    (request(1, "describe", ruleset="../x.rules"), 1, "there is no ruleset"),
    (request(1, "resolve", **{**SHOT, "facts": {"fire_value": 0}}), 1, "fire_value is 0; allowed: 1 or more"),
    # A wrong chain of odds.
    (request(1, "odds", **SHOT, then=["melee"]), -32602, "an item of then takes a mapping, not 'melee'"),
    (
        request(1, "odds", **SHOT, then=[{"procedure": "direct_fire", "fact": 1}]), -32602,
        "there is no parameter 'fact'; the parameters are procedure, facts, when, carry",
    ),
    (request(1, "odds", **SHOT, then=[{"procedure": "nothing"}]), 1, "there is no procedure nothing"),
    (request(1, "odds", **SHOT, then=[{"procedure": "direct_fire", "facts": 3}]), -32602, "facts takes a mapping, not int"),
    (request(1, "odds", **SHOT, turns=2, until=OF), -32602, TOGETHER),
    (request(1, "odds", **SHOT, at_most=2), -32602, TOGETHER),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "code", "message"), WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_what_is_wrong_has_an_error_object(result: Asked, request_: Any, code: int, message: str) -> None:
    found = result.service.handle(request_)["error"]
    assert found["code"] == code
    assert message in found["message"]


def test_a_text_that_is_no_json_has_an_error_object(result: Asked) -> None:
    for text in ("{", "NaN", '{"id": 1e999}', "[" * 100_000):
        assert json.loads(result.service.handle_text(text) or "")["error"]["code"] == -32700, text


def test_a_notification_has_no_answer(result: Asked) -> None:
    assert result.service.handle({"jsonrpc": "2.0", "method": "about"}) is None
    assert result.service.handle_text('[{"jsonrpc": "2.0", "method": "about"}]') is None


def test_a_stranger_has_little_time(clock: Clock) -> None:
    clock.step = 0.001
    endless = {"text": "procedure main\n  1. let x = 0\n  2. repeat until x is 1: let x = 0\n"}
    service = Service(Limits.untrusted(play_seconds=0.05, steps=10**9))
    found = service.handle(request(1, "resolve", ruleset=endless, procedure="main"))
    assert found["error"]["data"]["limit"] == "play_seconds"


def test_every_method_is_described() -> None:
    methods = openrpc()["methods"]
    assert [each["name"] for each in methods] == sorted(METHODS)
    assert [each["name"] for each in methods if not each["summary"].endswith(".")] == []
    assert [each["name"] for each in methods if not all(parameter["description"] for parameter in each["params"])] == []


def test_what_each_answer_of_a_player_leads_to_is_told(result: Asked) -> None:
    units = [{"name": "rifles", "kind": "infantry", "steps": 3}, {"name": "guns", "kind": "artillery", "steps": 2}]
    facts = {"fire_value": 45, "ranges": [1], "terrain": ["woods"], "units": units}
    run = result("begin", **FIRE, facts=facts, dice=[[2, 2]])
    first = result("worth", ruleset=GAME, save=run["save"])
    told = {each["answer"]: each["odds"]["outcomes"][0]["value"] for each in first}
    assert told == {"rifles": "2X", "guns": "2X"}
    run = result("answer", ruleset=GAME, save=run["save"], answer="guns")
    for each in result("worth", ruleset=GAME, save=run["save"]):
        ended = result("answer", ruleset=GAME, save=run["save"], answer=each["answer"])
        assert (each["sentence"], each["effects"]) == (ended["sentence"], ended["effects"])
        means = {(field["record"], field["field"]): field["mean"] for field in each["fields"]}
        steps = ended["outcome"]["state"]["unit"]
        assert means == {(name, "steps"): str(fields["steps"]) for name, fields in steps.items()}


def test_the_worth_of_an_answer_before_dice_is_the_odds_after_it_and_dice_have_none(result: Asked) -> None:
    text = (
        "players attacker, defender\n\nprocedure main\n  1. attacker chooses daring from bold, careful\n  2. roll 2d6 as dice\n"
        "  3. give result = dice.total >= 9 when daring is bold otherwise dice.total >= 7\n"
    )
    own = {"text": text}
    found = result("worth", ruleset=own, save=result("begin", ruleset=own, procedure="main")["save"])
    yes = {each["answer"]: {o["value"]: o["reduced"] for o in each["odds"]["outcomes"]}[True] for each in found}
    assert yes == {"bold": "5/18", "careful": "7/12"}
    assert result("worth", ruleset=GAME, save=result("begin", **SHOT)["save"]) == []
