"""Values and words: the forms that authors tried first, each as a small ruleset, or the message that names the form."""

from __future__ import annotations

from fractions import Fraction

from tests.tried_forms.trying import messages, tried

WORDS = """
words state one of plain, advantage, disadvantage
words arm   one of infantry, tank
facts
  n  0..
"""


def test_a1_bare_word_is_a_value() -> None:
    rules = tried(
        WORDS
        + """
define s = plain when n is 0 otherwise advantage
define by_cases
  plain         when n is 0
  disadvantage  otherwise

procedure play
  1. let m = plain
  2. for each arm in [infantry, tank]
       when arm is tank: give seen = arm
  3. when n > 2
       give result = disadvantage
     otherwise
       give result = s
  4. give same = m is by_cases
  5. give both = [plain, advantage] followed by by_cases
"""
    )
    assert rules.plays(n=0) == {
        "seen": "tank",
        "result": "plain",
        "same": True,
        "both": ("plain", "advantage", "plain"),
    }
    assert rules.plays(n=3)["result"] == "disadvantage"


def test_a1_bare_code_or_face_is_a_value() -> None:
    rules = tried("""
die fight  faces 2 x blank, hit
chart crt
  down  d6
  | Die | Result |
  | 1-3 |   DE   |
  | 4-6 |   EX   |
procedure play
  1. roll fight as blow
  2. let fate = EX
  3. when blow is hit: give result = DE
     otherwise: give result = fate
""")
    assert rules.chance("result is EX") == Fraction(2, 3)


def test_a1_word_that_nothing_declares_is_said_to_need_quotes() -> None:
    assert messages("procedure play\n  1. give result = win\n") == [
        'there is no fact, definition or word `win`; declare it, or quote it if it is a word: `"win"`'
    ]


def test_a1_word_of_another_list_is_refused_where_the_list_is_known() -> None:
    (told,) = messages(WORDS + "  kind  arm\nprocedure play\n  1. give result = kind is plain\n")
    assert told == "`plain` is none of the words that are possible here; it is one of infantry, tank"
