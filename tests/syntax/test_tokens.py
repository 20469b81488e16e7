"""Any text is cut into tokens without losing a character, and a token's kind is the parser's word."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enfilade.language import entry_tokens, tokens

RULES = """-- fire
chart losses "Losses" [16.3]
  down 2d6
  across strength
  | Roll | 1..4 | 5+ |
  | 2..7 | -    | M  |
procedure fire
  1. let row = [1, 2]
     when row is losses: stop
"""


def kinds(text: str) -> dict[str, str]:
    return {token.text: token.kind for token in tokens(text)}


def test_the_parser_tells_what_a_token_is() -> None:
    found = kinds(RULES)
    assert found["-- fire"] == "comment"
    assert found["chart"] == found["when"] == "keyword"
    assert found["losses"] == found["row"] == "name"
    assert found["[16.3]"] == "citation"
    assert found["["] == "mark"
    assert found["2d6"] == "dice"
    assert found[" Roll "] == found[" M  "] == "cell"
    assert found["|"] == "bar"


def test_after_a_mistake_the_terminals_decide() -> None:
    found = kinds('chart losses\n  down ) 2d6\n  | Roll | 1 |\nprocedure fire "open')
    assert found["2d6"] == "dice"
    assert found[" Roll "] == "cell"
    assert found["procedure"] == "keyword"
    assert found['"open'] == "string"


def test_brackets_of_an_entry_hold_lists() -> None:
    assert {each.text for each in entry_tokens("terrain [town, woods]") if each.kind == "name"} == {
        "terrain", "town", "woods",
    }  # fmt: skip


@pytest.mark.parametrize("cut", [tokens, entry_tokens])
@settings(max_examples=60, deadline=None)
@given(text=st.text(st.sampled_from('ab1 \n\r\t|"[](),.:-+=#砲') | st.characters(codec="utf-8"), max_size=40))
def test_no_character_is_lost(cut: type, text: str) -> None:
    found = cut(text)
    assert "".join(token.text for token in found) == text
    assert [token.start for token in found] == [sum(len(each.text) for each in found[:at]) for at in range(len(found))]


@settings(max_examples=60, deadline=None)
@given(at=st.integers(0, len(RULES)))
def test_unfinished_text_keeps_its_characters(at: int) -> None:
    assert "".join(token.text for token in tokens(RULES[:at])) == RULES[:at]
