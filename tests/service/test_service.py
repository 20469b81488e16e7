"""The protocol says what the API says, refuses what is wrong, and never raises."""

from __future__ import annotations

import json
import random
from typing import Any, Final

import pytest
from tests.repl.answers import some_value
from tests.service.requests import GAMES, answer_in, as_requests, by_the_api, rulesets, situations

import enfilade
from enfilade import Limits
from enfilade.core.json_values import to_json
from enfilade.service import METHODS, Service, openrpc

GAME: Final = "infantry_attacks"
SHOT: Final = {"ruleset": GAME, "procedure": "direct_fire", "facts": {"fire_value": 16}}
WORK: Final = Limits(seconds=None, megabytes=None, work=20_000)


@pytest.fixture(scope="module")
def service() -> Service:
    # More than the two seconds of strangers: what a search leaves out for lack of time depends on the machine.
    return Service(Limits.untrusted(seconds=60, play_seconds=60))


def ask(service: Service, method: str, **params: Any) -> Any:
    answer = service.handle({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    assert answer["id"] == 7
    return json.loads(json.dumps(answer))


def result(service: Service, method: str, **params: Any) -> Any:
    answer = ask(service, method, **params)
    assert "error" not in answer, answer
    return answer["result"]


def error(service: Service, method: str, **params: Any) -> Any:
    return ask(service, method, **params)["error"]


@pytest.mark.parametrize("name", rulesets())
def test_requests_are_answered_as_the_api_answers(name: str) -> None:
    named = rulesets()[name]
    rules = enfilade.load(named) if isinstance(named, str) else enfilade.load(text=named["text"])
    service = Service(WORK)
    for procedure, facts, seed in situations(rules, random.Random(name), 6):
        wanted = by_the_api(rules, procedure, facts, seed)
        found = [answer_in(service.handle(each)) for each in as_requests(named, procedure, facts, seed)]
        assert json.dumps(found) == json.dumps(wanted)


def test_a_run_travels_as_its_save() -> None:
    run = result(Service(), "begin", **SHOT)
    assert run["question"]["kind"] == "roll"
    assert run["outcome"] is None
    # Another process answers: nothing is kept.
    done = result(Service(), "answer", ruleset=GAME, save=run["save"], answer=[1, 2])
    assert done["outcome"] == enfilade.load(GAME).resolve("direct_fire", fire_value=16, dice=[1, 2]).to_json()
    assert result(Service(), "undo", ruleset=GAME, save=done["save"])["question"] == run["question"]
    told = result(Service(), "explain", ruleset=GAME, save=done["save"])
    assert told["steps"] == done["outcome"]["explanation"]
    short = result(Service(), "explain", ruleset=GAME, save=done["save"], length="short")
    assert short["text"].startswith("Direct Fire Table: roll 3, column 16")
    assert len(short["steps"]) == 1
    assert result(Service(), "verify", ruleset=GAME, save=done["save"])["ok"]
    changed = done["save"].replace("[1, 2]", "[6, 6]")
    assert not result(Service(), "verify", ruleset=GAME, save=changed)["ok"]
    assert error(Service(), "resume", ruleset=GAME, save=changed)["code"] == 1


def test_a_typed_answer_is_read_as_at_the_prompt(service: Service) -> None:
    run = result(service, "begin", **SHOT)
    assert run["prompt"] == "fire_roll, 2d6 (Enter to roll, or type the dice):"
    typed = result(service, "answer", ruleset=GAME, save=run["save"], text="1 2")
    assert typed == result(service, "answer", ruleset=GAME, save=run["save"], answer=[1, 2])
    assert typed["prompt"] is None
    wrong = error(service, "answer", ruleset=GAME, save=run["save"], text="1 9")
    assert "d6 can't show 9; it shows 1..6" in wrong["message"]
    for both in ({}, {"text": "1 2", "answer": [1, 2]}):
        assert "give `answer` or `text`" in error(service, "answer", ruleset=GAME, save=run["save"], **both)["message"]


def test_dice_are_rolled_by_a_seed(service: Service) -> None:
    run = result(service, "begin", **SHOT)
    one, two = (result(service, "roll", ruleset=GAME, save=run["save"], seed=5) for _ in range(2))
    assert one["outcome"] == two["outcome"] is not None


def test_rulesets_are_described_checked_laid_out_and_printed(service: Service) -> None:
    assert [each["name"] for each in result(service, "list")] == sorted(GAMES)
    assert result(service, "about")["version"] == enfilade.__version__
    described = result(service, "describe", ruleset=GAME)
    assert described["procedures"][0]["name"] == "direct_fire"
    assert described["digest"] == enfilade.load(GAME).digest
    assert result(service, "check", ruleset=GAME) == {"ok": True, "diagnostics": []}
    found = result(service, "check", ruleset={"text": "procedure main\n  1. give result = x\n"})
    assert [each["code"] for each in found["diagnostics"]] == ["unknown-name"]
    assert not found["ok"]
    assert "  |  d6 | r |" in result(service, "format", text="chart t\n  down d6\n |d6|r|\n |1-6|x|\n")["text"]
    assert result(service, "card", ruleset=GAME)["text"].startswith("<!DOCTYPE html>")
    assert result(service, "chart", ruleset=GAME, chart="direct_fire_table")["title"] == "Direct Fire Table"
    assert "there is no chart x" in error(service, "chart", ruleset=GAME, chart="x")["message"]


def test_the_questions_of_odds(service: Service) -> None:
    of = "M or worse"
    rules = enfilade.load(GAME)
    odds = rules.odds("direct_fire", fire_value=16)
    found = result(service, "odds", **SHOT, of=[of, "result"], lowest_terms=True)
    assert found["answers"] == [odds.of(each).in_lowest_terms().to_json() for each in (of, "result")]
    assert result(service, "odds", **SHOT, of=["result", "column"], joint=True)["answers"] == [
        odds.joint("result", "column").to_json()
    ]
    assert result(service, "odds", **SHOT, condition="roll <= 7")["answers"] == [
        odds.given("roll <= 7").result.to_json()
    ]
    assert (
        result(service, "least", ruleset=GAME, procedure="direct_fire", fact="fire_value", chance="1/2", of=of)["value"]
        == 11
    )
    grid = result(service, "grid", ruleset=GAME, procedure="direct_fire", by={"fire_value": [4, 16], "night": None})
    assert grid == rules.grid("direct_fire", by={"fire_value": [4, 16], "night": None}).to_json()
    compared = result(
        service, "compare", ruleset=GAME, procedure="direct_fire", a={"fire_value": 4}, b={"fire_value": 16}
    )
    assert compared == rules.compare("direct_fire", {"fire_value": 4}, {"fire_value": 16}).to_json()
    assert result(service, "matters", **SHOT, of=of) == rules.matters("direct_fire", of=of, fire_value=16).to_json()
    assert result(service, "sensitivity", **SHOT, of=of)["variables"][0]["name"] == "fire_value"
    assert result(service, "sample", **SHOT, trials=200, seed=1)["of"] == "result"


def test_the_difference_of_two_rulesets(service: Service) -> None:
    text = "ruleset house extends infantry_attacks\nreplace cell of direct_fire_table row 7, column 16 with M\n"
    found = result(service, "diff", ruleset=GAME, other={"text": text}, situations=20)
    assert found == enfilade.load(GAME).diff(enfilade.load(text=text), situations=20).to_json()
    assert [(each["part"], each["old"], each["new"]) for each in found["changes"]] == [("row 7, column 16", "-", "M")]
    assert not result(service, "diff", ruleset=GAME, other=GAME)["changed"]


def test_players_with_an_aim_have_their_decisions_listed(service: Service) -> None:
    rules = {"text": "players you\nprocedure main\n  1. roll d6 as die\n  2. you chooses whether keeps\n"
                     "  3. let got = die\n     when not keeps\n       roll d6 as again\n       got becomes again\n"
                     "  4. give result = got\n"}  # fmt: skip
    found = result(service, "odds", ruleset=rules, procedure="main", players={"you": "best"}, aim="result")
    chances = {each["value"]: each["reduced"] for each in found["answers"][0]["outcomes"]}
    assert chances == {n: "1/12" if n < 4 else "1/4" for n in range(1, 7)}
    assert {each["known"]["die"]: each["chosen"] for each in found["decisions"]} == {n: [n >= 4] for n in range(1, 7)}


def test_a_ruleset_of_several_texts(service: Service) -> None:
    main = {"text": "use common\nprocedure main\n  1. give result = twice(3)\n",
            "files": {"common.rules": "define twice(n 0..) = n * 2\n"}}  # fmt: skip
    assert result(service, "resolve", ruleset=main, procedure="main")["result"] == 6
    alone = {"text": main["text"]}
    assert not result(service, "check", ruleset=alone)["ok"]
    assert error(service, "resolve", ruleset=alone, procedure="main")["data"]["status"] == "ruleset_error"


def test_events_begin_runs(service: Service) -> None:
    rules = enfilade.load("bombardment")
    (event,) = rules.events
    facts = {field.name: some_value(rules, field.domain, random.Random(1), field.name) for field in event.inputs}
    plain = json.loads(json.dumps(to_json(facts)))
    answered = result(service, "notify", ruleset="bombardment", event=event.name, facts=plain)
    assert answered == [each.to_json() for each in rules.notify(event.name, given=plain)]


WRONG: Final[list[tuple[Any, int, str]]] = [
    ([], -32600, "1 to 100"),
    (5, -32600, "an object with a method"),
    ({"id": 1}, -32600, "an object with a method"),
    ({"id": [], "method": "about"}, -32600, "`id` must be"),
    ({"id": 1, "method": "odd"}, -32601, "there is no method 'odd'"),
    ({"id": 1, "method": "odds", "params": [1]}, -32602, "`params` must be an object"),
    ({"id": 1, "method": "odds"}, -32602, "ruleset is missing"),
    ({"id": 1, "method": "odds", "params": {"ruleset": None, "procedure": "x"}}, -32602, "ruleset is missing"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "fact": 1}}, -32602, "there is no parameter 'fact'"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "facts": []}}, -32602, "facts must be an object"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "ruleset": 5}}, -32602, "ruleset must be a text or an object"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "ruleset": {}}}, -32602, "an object with a `text`"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "players": {"owner": 1}}}, -32602, "players.owner must be a text"),
    ({"id": 1, "method": "odds", "params": {**SHOT, "of": [1]}}, -32602, "each of of must be a text"),
    ({"id": 1, "method": "card", "params": {"ruleset": GAME, "form": "pdf"}}, -32602, "form must be one of html, markdown"),
    ({"id": 1, "method": "describe", "params": {"ruleset": "../x.rules"}}, 1, "there is no ruleset"),
    ({"id": 1, "method": "resolve", "params": {**SHOT, "facts": {"fire_value": 0}}}, 1, "fire_value is 0; allowed: 1 or more"),
]  # fmt: skip


@pytest.mark.parametrize(("request_", "code", "message"), WRONG, ids=[str(n) for n in range(len(WRONG))])
def test_what_is_wrong_has_an_error_object(service: Service, request_: Any, code: int, message: str) -> None:
    found = service.handle(request_)["error"]
    assert found["code"] == code
    assert message in found["message"]


def test_a_text_that_is_no_json_has_an_error_object(service: Service) -> None:
    for text in ("{", "NaN", '{"id": 1e999}', "[" * 100_000):
        assert json.loads(service.handle_text(text) or "")["error"]["code"] == -32700


def test_a_notification_has_no_answer(service: Service) -> None:
    assert service.handle({"jsonrpc": "2.0", "method": "about"}) is None
    assert service.handle_text('[{"jsonrpc": "2.0", "method": "about"}]') is None


def test_a_stranger_has_little_time_and_no_files() -> None:
    endless = {"text": "procedure main\n  1. let x = 0\n  2. repeat until x is 1: let x = 0\n"}
    service = Service(Limits.untrusted(play_seconds=0.05, steps=10**9))
    assert error(service, "resolve", ruleset=endless, procedure="main")["data"]["limit"] == "play_seconds"


def test_every_method_is_described() -> None:
    document = openrpc()
    assert [each["name"] for each in document["methods"]] == sorted(METHODS)
    for each in document["methods"]:
        assert each["summary"].endswith(".")
        assert all(parameter["description"] for parameter in each["params"])


def test_what_each_answer_of_a_player_leads_to_is_told(service: Service) -> None:
    units = [{"name": "rifles", "kind": "infantry", "steps": 3}, {"name": "guns", "kind": "artillery", "steps": 2}]
    facts = {"fire_value": 45, "ranges": [1], "terrain": ["woods"], "units": units}
    run = result(service, "begin", ruleset=GAME, procedure="direct_fire", facts=facts, dice=[[2, 2]])
    first = result(service, "worth", ruleset=GAME, save=run["save"])
    assert [(each["answer"], each["odds"]["outcomes"][0]["value"]) for each in first] == [
        ("rifles", "2X"),
        ("guns", "2X"),
    ]
    run = result(service, "answer", ruleset=GAME, save=run["save"], answer="guns")
    for each in result(service, "worth", ruleset=GAME, save=run["save"]):
        ended = result(service, "answer", ruleset=GAME, save=run["save"], answer=each["answer"])
        assert (each["sentence"], each["effects"]) == (ended["sentence"], ended["effects"])
        means = {(field["record"], field["field"]): field["mean"] for field in each["fields"]}
        steps = ended["outcome"]["state"]["unit"]
        assert means == {(name, "steps"): str(fields["steps"]) for name, fields in steps.items()}


def test_the_worth_of_an_answer_before_dice_is_the_odds_after_it(service: Service) -> None:
    text = (
        "players attacker, defender\n\nprocedure main\n  1. attacker chooses daring from bold, careful\n  2. roll 2d6 as dice\n"
        "  3. give result = dice.total >= 9 when daring is bold otherwise dice.total >= 7\n"
    )
    own = {"text": text}
    run = result(service, "begin", ruleset=own, procedure="main")
    found = result(service, "worth", ruleset=own, save=run["save"])
    yes = {each["answer"]: {o["value"]: o["reduced"] for o in each["odds"]["outcomes"]}[True] for each in found}
    assert yes == {"bold": "5/18", "careful": "7/12"}


def test_a_question_for_dice_has_no_worth(service: Service) -> None:
    run = result(service, "begin", **SHOT)
    assert result(service, "worth", ruleset=GAME, save=run["save"]) == []


def test_odds_go_on_with_other_procedures_and_turns(service: Service) -> None:
    fire = {**SHOT, "of": "M or worse"}
    two = result(service, "odds", **fire, then=[{"procedure": "direct_fire", "when": "M or worse"}])
    rules = enfilade.load(GAME)
    expected = rules.odds("direct_fire", fire_value=16).then("direct_fire", when="M or worse").of("M or worse")
    assert two["answers"] == [expected.to_json()]
    rally = {"ruleset": "franco_prussian", "procedure": "rally", "facts": {"mr": 7, "commander": True}}
    odds = enfilade.load("franco_prussian").odds("rally", mr=7, commander=True)
    three = result(service, "odds", **rally, of="rallied", turns=3)
    assert three["answers"] == [odds.turns(3).of("rallied").to_json()]
    six = result(service, "odds", **rally, of="turns", until="rallied", at_most=6)
    assert six["answers"] == [odds.until("rallied", at_most=6).of("turns").to_json()]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"then": ["melee"]}, "each of then must be an object"),
        (
            {"then": [{"procedure": "direct_fire", "fact": 1}]},
            "there is no parameter 'fact'; the parameters are procedure, facts, when, carry",
        ),
        ({"then": [{"procedure": "nothing"}]}, "there is no procedure nothing"),
        ({"then": [{"procedure": "direct_fire", "facts": 3}]}, "facts must be an object"),
        (
            {"turns": 2, "until": "M or worse"},
            "`at_most` needs `until`; `turns` can't be combined with `at_most` or `until`",
        ),
        ({"at_most": 2}, "`at_most` needs `until`; `turns` can't be combined with `at_most` or `until`"),
    ],
)
def test_a_wrong_chain_of_odds_is_told(service: Service, wrong: dict[str, Any], message: str) -> None:
    assert message in error(service, "odds", **SHOT, **wrong)["message"]
