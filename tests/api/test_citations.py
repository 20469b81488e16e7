"""From a section of the rulebook to the lines that come of it."""

import json
import pickle
from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade import Citation, InputError, Ruleset
from enfilade.api.citations import KINDS
from enfilade.syntax import tree

# Every line says its own number.
TEXT: Final = """
ruleset cited "Cited" [1]
source "a card" [2]
players owner "the owner" [3]
option fog "fog" [4]
record unit "a unit" [5]
  steps 0.. = 1 "steps left" [6]
words cover one of open, woods "cover" [7]
facts "the shot" [8]
  fire 1.. [9]
define strength "strength" [10]
  1 when fire is 1 [11]
  2 otherwise [12]
die plain faces 1..6 [13]
deck chits of 2 x red, blue [14]
chart crt "Fire" [15]
  down d6 [16]
  across strength, column at or below [17]
  severity - < M [18]
  severity never falls to the right [19]
  cells codes [20]
  shift off left stays [21]
  | d6  | 1 | 2+ |
  | 1-3 | - | M  |
  | 4-6 | M | M  |
modifiers shifts shift columns of crt [22]
  for each unit [23]
    -1 worn steps is 1 [24]
results of crt [25]
  - "nothing" [26]
  M "loss" [27]
    once: loss [28]
effect loss "a loss" [29]
procedure shoot [30]
  facts
    own yes/no [31]
  1. refuse no_fire "nobody fires" when fire is 99 [32]
  2. roll d6 as die [33]
  3. read crt with die as hit [34]
  4. apply hit [35]
  5. when own [36]
       give z = 1 [37]
     otherwise [38]
       give z = 2 [39]
"""


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return enfilade.load(text=TEXT)


@pytest.fixture(scope="module")
def shipped() -> Ruleset:
    return enfilade.load("infantry_attacks")


def test_every_line_of_a_ruleset_that_cites_something_is_found(rules: Ruleset) -> None:
    assert rules.citations == tuple(str(number) for number in range(1, 40))
    for line in TEXT.splitlines():
        number = line.partition("[")[2].partition("]")[0]
        if number:
            assert [found.text for found in rules.citing(number)] == [line.strip()]


def test_a_line_has_its_kind_its_name_and_its_place(rules: Ruleset) -> None:
    text = '1. refuse no_fire "nobody fires" when fire is 99 [32]'
    expected = Citation("refusal", "no_fire", "nobody fires", ("32",), None, text, "<text>", 37)
    assert rules.citing("32") == (expected,)
    assert rules.sources[0].line_text(37).strip() == text


def test_a_line_without_a_name_goes_by_that_of_its_declaration(rules: Ruleset) -> None:
    assert [(rules.citing(cite)[0].kind, rules.citing(cite)[0].name) for cite in ("6", "11", "21", "38")] == [
        ("field", "steps"),
        ("case", "strength"),
        ("edge", "crt"),
        ("steps", "shoot"),
    ]


def test_a_section_finds_its_parts_after_itself_and_citations_are_in_natural_order(shipped: Ruleset) -> None:
    found = [line.cites for line in shipped.citing("16")]
    assert found == [("16.3",), ("16.1",), ("16.3",), ("16.3",), ("16.1",)]
    text = "facts\n  a 1.. [7.6.1]\n  b 1.. [7.6]\n  c 1.. [7.61]\nprocedure p\n  1. give x = a + b + c\n"
    assert [line.name for line in enfilade.load(text=text).citing("7.6")] == ["b", "a"]
    assert shipped.citations[:6] == ("1.2", "4.2", "6.7", "7.5", "7.6", "7.52")


def test_what_nothing_cites_is_an_input_error_that_names_the_nearest_section(shipped: Ruleset) -> None:
    with pytest.raises(InputError, match=r"nothing cites 13\.11; did you mean 13\.12\?"):
        shipped.citing("13.11")
    with pytest.raises(InputError, match=r"nothing cites 99; cited are 1\.2, 4\.2"):
        shipped.citing("99")
    with pytest.raises(InputError, match="there are no citations"):
        enfilade.load(text="procedure p\n  1. give x = 1\n").citing("1")


def test_what_a_variant_replaces_is_not_found_and_its_own_text_comes_first(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text(
        "ruleset base\nfacts\n  x 0.. [1]\ndefine a [2]\n  1 otherwise [2.1]\nprocedure p\n  1. give result = x + a\n"
    )
    (tmp_path / "late.rules").write_text(
        "ruleset late extends base\nreplace define a [3]\n  2 otherwise [2.1]\nfacts\n  y 0.. = 0 [1]\n"
        "replace procedure p\n  1. give result = x + a + y\n"
    )
    late = enfilade.load(tmp_path / "late.rules")
    assert late.citations == ("1", "2.1", "3")
    assert [(line.source, line.name) for line in late.citing("1")] == [("late.rules", "y"), ("base.rules", "x")]


def test_citations_are_data_and_survive_pickling(rules: Ruleset) -> None:
    data = json.loads(json.dumps(rules.citing("24")[0].to_json()))
    assert (data["kind"], data["line"]) == ("modifier", 28)
    assert pickle.loads(pickle.dumps(rules)).citing("24") == rules.citing("24")


def test_every_line_that_can_cite_has_a_kind() -> None:
    named = {each for each in vars(tree).values() if isinstance(each, type) and "tail" in each.__annotations__}
    assert named == set(KINDS)
