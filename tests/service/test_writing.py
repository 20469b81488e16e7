"""The methods for pages and editors: previews, tokens, completion, examples, pasted charts."""

from __future__ import annotations

from typing import Any, Final

from enfilade import Limits
from enfilade.service import Service

TEXT: Final = """facts
  force  1..

chart crt "Combat"
  down d6
  across force, column at or below
  shift off left   stays
  shift off right  stays
  | Die | 1 | 5 |
  | 1-3 | - | X |
  | 4-6 | X | X |

modifiers up "Shifts" shift columns of crt, cumulative
  +1 strong force >= 3 "Strong"

results of crt
  - "No effect"
  X "Eliminated"

procedure fight
  1. roll d6 as die
  2. read crt with die as shot
  3. apply shot
  4. give result = shot.code

example fight "weak and low"
  given force 1
  on 2
  gives {}
"""


# The largest ruleset is checked in 0.6 s; on a busy machine that may be more than the two seconds of strangers.
LIMITS: Final = Limits.untrusted(seconds=60, play_seconds=60, play_megabytes=None)


def test_cells_that_no_example_reads_are_listed() -> None:
    text = (
        'facts\n  force 1..\nchart crt "T"\n  down d6\n  across force, column at or below\n  | D | 1 | 5 |\n  | 1-3 | A | B |\n  | 4-6 | B | B |\n'
        "procedure main\n  1. roll d6 as die\n  2. read crt with die as shot\n  3. give result = shot.code\n"
        'example main "low"\n  given force 2\n  on 2\n  gives A\n'
    )
    asked = {"jsonrpc": "2.0", "id": 1, "method": "coverage", "params": {"ruleset": {"text": text}}}
    found = Service().handle(asked)["result"]
    missed = [(each["chart"], each["page"], each["row"], each["column"]) for each in found["cells"]]
    assert missed == [("crt", 0, 0, 1), ("crt", 0, 1, 0), ("crt", 0, 1, 1)]
    assert found["counts"]["cells"] == {"used": 1, "total": 4}


def result_of(method: str, **params: Any) -> Any:
    return Service(LIMITS).handle({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})["result"]


def test_a_preview_tells_columns_and_modifiers_before_any_dice() -> None:
    found = result_of("preview", ruleset={"text": TEXT.format("-")}, procedure="fight", facts={"force": 3})
    assert found["readings"] == [{"chart": "crt", "page": 0, "column": 1, "record": None}]
    assert [each["name"] for each in found["modifiers"]] == ["strong"]


def test_a_preview_leaves_out_what_the_dice_decide() -> None:
    text = TEXT.format("-").replace("force >= 3", "roll >= 4")
    found = result_of("preview", ruleset={"text": text}, procedure="fight", facts={"force": 4})
    assert (found["readings"], found["modifiers"]) == ([], [])


def test_a_chart_has_the_meanings_of_its_codes() -> None:
    assert result_of("chart", ruleset={"text": TEXT.format("-")}, chart="crt")["meanings"] == {
        "-": "No effect",
        "X": "Eliminated",
    }


def test_examples_are_run() -> None:
    (passed,) = result_of("test", ruleset={"text": TEXT.format("-")})
    assert (passed["passed"], passed["line"], passed["failures"]) == (True, 26, [])
    (failed,) = result_of("test", ruleset={"text": TEXT.format("X")})
    assert not failed["passed"]
    assert failed["failures"][0]["line"] == 29


def test_tokens_have_their_places() -> None:
    assert result_of("tokens", text="option fog [9.1]") == [["keyword", 0, 6], ["name", 7, 10], ["citation", 11, 16]]


def test_words_and_names_are_completed() -> None:
    text = TEXT.format("-")
    found = result_of("complete", text=text + "define x = fo", offset=len(text) + 13, ruleset={"text": text})
    assert found["start"] == len(text) + 11
    assert {"name": "force", "kind": "fact", "label": ""} in found["items"]
    (procedure,) = result_of("complete", text="pro", offset=3)["items"]
    assert (procedure["name"], procedure["kind"]) == ("procedure", "keyword")


def test_a_pasted_chart_becomes_a_ruleset() -> None:
    found = result_of("paste", text="Roll 1 2\n1 - X\n2 X X\n", name="small")
    assert found["ok"]
    assert "ruleset small" in found["text"]
    wrong = Service().handle({"jsonrpc": "2.0", "id": 1, "method": "paste", "params": {"text": "nothing"}})
    assert wrong["error"]["code"] == -32602


def test_the_texts_of_a_ruleset_can_be_checked_again() -> None:
    for name in result_of("about")["rulesets"]:
        assert result_of("check", ruleset=result_of("source", ruleset=name))["ok"]


RULES = 'facts\n  night  yes/no  "night turn" [1.2]\ndefine dark = night\n'


def test_an_editor_asks_about_a_name() -> None:
    at = RULES.index("= night") + 2
    said = result_of("hover", text=RULES, offset=at)
    assert (said["kind"], said["type"], said["label"], said["cites"]) == ("fact", "yes/no", "night turn", ["1.2"])
    declared = RULES.index("night")
    assert result_of("definition", text=RULES, offset=at) == [
        {"file": "<text>", "start": declared, "end": declared + 5}
    ]
    assert [each["start"] for each in result_of("references", text=RULES, offset=at)] == [declared, at]
    assert result_of("hover", text=RULES, offset=0) is None


def test_an_editor_renames_a_name_or_learns_why_not() -> None:
    at = RULES.index("night")
    changed = result_of("rename", text=RULES, offset=at, name="after_dark")
    assert [each["text"] for each in changed["edits"]] == ["after_dark", "after_dark"]
    assert "in use" in result_of("rename", text=RULES, offset=at, name="dark")["reason"]


def test_an_editor_gets_the_outline_and_the_folds() -> None:
    found = result_of("symbols", text=RULES)
    assert [(each["name"], each["kind"]) for each in found] == [("facts", "facts"), ("dark", "define")]
    assert [each["name"] for each in found[0]["children"]] == ["night"]
    assert result_of("folding", text=RULES) == [{"first": 1, "last": 2, "kind": "region"}]


def test_without_a_ruleset_the_names_of_the_text_are_completed() -> None:
    found = result_of("complete", text=RULES + "define x = ni", offset=len(RULES) + 13)
    assert [each["name"] for each in found["items"]] == ["night"]
