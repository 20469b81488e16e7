"""Names in the editor: each one leads to its declaration, and each declared one can be renamed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest
from tests.editor.rules import ROOT, edited, errors, of_file

from enfilade.editor import Analysis, CannotRename, Edit, Span, Workspace, analyse, users_of
from enfilade.editor.renaming import edits_of_rename
from enfilade.limits import Limits
from enfilade.source.shipped import shipped_dir
from enfilade.syntax.tokens import tokens
from enfilade.tools import run_ruleset_examples

# The editor doesn't lead from a name that `use ... with` makes to the declaration in the module.
RENAMING: Final = ("flat_top", "wellingtons_victory")
FILES: Final = sorted(
    each
    for folder in ("rulesets/*", "stdlib", "tests/generality")
    for each in ROOT.glob(f"{folder}/*.rules")
    if each.stem not in RENAMING
)
# These are tried by default.
QUICK: Final = ("allocation", "memoir_44", "paths_of_glory", "risk", "heroquest", "root")
# Their words and outputs have names that other files of the ruleset declare, too; one such name is changed alone.
SHARED: Final = [ROOT / "rulesets/franco_prussian" / name for name in ("melee.rules", "morale.rules")]
# Their examples take seconds.
SLOW: Final = ("deadlands", "king_of_tokyo", "savage_worlds", "star_fleet_damage")
# Kinds that no line of the text declares.
UNDECLARED: Final = ("built-in",)
# Names that must stay, each with the reason: a rename of one is refused, because the check of the new text fails.
FIXED: Final[dict[str, dict[str, str]]] = {
    "": {"result": "`gives` in an example reads the output of that name"},
    "bombardment": dict.fromkeys(
        ("already_reacted_this_turn", "advance_after_combat", "firer_in_woods_or_village", "in_enemy_zoc",
         "morale_failed", "no_contact_hex", "river_breaks_contact", "slope_breaks_contact"),
        "the slug of a refusal is compared as a word",
    ),
    "emperor_musketry": dict.fromkeys(
        ("drill", "drum", "experience", "formation", "lives"),
        "`with fields of` passes a field as the fact of the same name",
    ) | {"dice": "the roll of a procedure that others call is named in `input error`"},
    "fire_combat": dict.fromkeys(("firing_class",), "`with fields of` passes it as the fact of the same name"),
    "heroquest": {"mummy": "a record of an example has the name of a word"},
    "panzergruppe_guderian": dict.fromkeys(("attacker_meets", "defender_meets"), "parts of a code in a pattern"),
    "operational_combat": dict.fromkeys(("options", "steps"), "parts of a code in a pattern"),
    "pathfinder_degrees": dict.fromkeys(
        ("skill", "difficulty", "natural_20", "natural_1"), "cells of a table list the names of modifiers"
    ),
    "terrible_swift_sword": dict.fromkeys(("lost", "drm"), "parts of a code in a pattern"),
    "third_world_war": dict.fromkeys(("theirs", "ours"), "parts of a code in a pattern"),
    "fate_of_each_side": dict.fromkeys(("allied_fate", "axis_fate"), "a list of words names decks"),
    "gloomhaven": dict.fromkeys(("hero_deck", "monster_deck"), "a list of words names decks"),
    "war": dict.fromkeys(("north", "south"), "a list of words names decks"),
    "black_hack": {"torches": "cells of a table name it as an input error"},
    "draw_poker": dict.fromkeys(("red", "black"), "the cards of a product are named by their words"),
    "quotas_of_two_sizes": dict.fromkeys("abcde", "the order of names breaks a tie"),
    "panzer_weather": {"column": "a part of a reading has the name of an output"},
    "paths_of_glory": dict.fromkeys(("side", "strength"), "two charts with one block of modifiers share parameters"),
}  # fmt: skip


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(each, marks=() if each.stem in QUICK else pytest.mark.thorough, id=each.stem) for each in FILES
    ],
)
def found(request: pytest.FixtureRequest) -> Analysis:
    """The analysis of a file."""
    return of_file(request.param)


def test_every_name_leads_to_its_declaration(found: Analysis) -> None:
    names = {each.span.start: each for each in found.names}
    lost = []
    for token in tokens(found.source.text):
        if token.kind != "name" or token.text.startswith("#"):
            continue
        at = names.get(token.start)
        if (
            at is None
            or at.key.kind == "unknown"
            or at.span.text != token.text
            or (at.key.kind not in UNDECLARED and not found.definition(token.start))
        ):
            lost.append((found.source.line_column(token.start)[0], token.text))
    assert lost == []


def test_with_every_name_changed_the_text_has_no_errors_and_its_examples_pass(found: Analysis) -> None:
    path = found.source.path
    assert path is not None
    if path in SHARED:
        pytest.skip("other files of the ruleset declare the same names")
    fixed = FIXED[""].keys() | FIXED.get(path.stem, {}).keys()
    edits: list[Edit] = []
    own = [
        key
        for key in dict.fromkeys(each.key for each in found.names if each.declares)
        if all(at.span.source.name == found.source.name for at in found._index.by_key[key])
    ]
    for number, key in enumerate(key for key in own if key.kind != "ruleset" and key.name not in fixed):
        at = found._index.declarations_of(key)[0]
        edits += (
            Edit(found._place(each.span), each.text) for each in edits_of_rename(found._index, at, f"renamed_{number}")
        )
    renamed = analyse(edited(found.source.text, edits), path=path)
    assert errors(renamed) == []
    assert renamed.ruleset is not None
    # The time is no limit here: a slow machine must not change an answer.
    patient = renamed.ruleset.with_limits(Limits(seconds=None))
    results = [] if path.stem in SLOW else run_ruleset_examples(patient)
    assert [each.label for each in results if not each.passed] == []


TEXT: Final = """\
facts
  night   yes/no  "night turn" [1.2]
  weather one of dry, mud = dry

define dark = night or weather is mud

procedure walk
  1. let far = 3 when dark otherwise 6
  2. give hexes = far

example walk "in the mud"
  given weather mud
  expect hexes is 3
"""


@pytest.mark.parametrize(
    ("word", "new", "changed"),
    [
        ("night", "after_dark", {"  night ": "  after_dark ", "= night": "= after_dark"}),
        # A local and an output within their procedure.
        ("far", "distance", {"far": "distance"}),
        ("hexes", "reach", {"hexes": "reach"}),
        # A word in lists, conditions and examples.
        ("mud =", "sleet", {"dry, mud": "dry, sleet", "is mud": "is sleet", "weather mud": "weather sleet"}),
    ],
)
def test_a_name_is_renamed_where_it_is_used_and_nowhere_else(word: str, new: str, changed: dict[str, str]) -> None:
    expected = TEXT
    for old, text in changed.items():
        expected = expected.replace(old, text)
    assert edited(TEXT, analyse(TEXT).rename(TEXT.index(word), new)) == expected


SHADOWED: Final = """\
facts
  strength  1..

define twice (strength) = strength * 2
define all = twice(strength)
"""


@pytest.mark.parametrize("word", ["strength  1..", "strength)", "strength * 2", "strength)\n"])
def test_a_fact_and_a_parameter_that_has_its_type_are_renamed_together(word: str) -> None:
    found = analyse(SHADOWED).rename(SHADOWED.index(word), "power")
    assert edited(SHADOWED, found) == SHADOWED.replace("strength", "power")


ONE: Final = 'procedure go\n  1. give result = 1\n\nexample go "one"\n  gives 1\n'
STEPS: Final = "use steps\ndefine alive (unit) = unit.steps > 0\n"


@pytest.mark.parametrize(
    ("text", "word", "new", "reason"),
    [
        (TEXT, "night", "weather", "in use"),
        (TEXT, "night", "when", "word of the language"),
        (TEXT, "night", "two words", "not a name"),
        (TEXT, "expect", "wish", "no name here"),
        # The rename would bring a mistake.
        (ONE, "result", "outcome", "the new name: `go` gives no output"),
        (STEPS, "steps > 0", "strength", "comes with Enfilade"),
    ],
)
def test_a_rename_that_can_not_be_is_refused_with_the_reason(text: str, word: str, new: str, reason: str) -> None:
    with pytest.raises(CannotRename, match=reason):
        analyse(text).rename(text.index(word), new)


def test_a_module_leads_to_its_file() -> None:
    assert analyse(STEPS).definition(5)[0].source.name.endswith("steps.rules")


def test_a_name_leads_to_the_file_that_declares_it() -> None:
    text = "use weather\ndefine slow = mud\n"
    found = analyse(text, files={"weather.rules": "facts\n  mud  yes/no\n"})
    (place,) = found.definition(text.index("mud"))
    assert (place.source.name, place.text) == ("weather.rules", "mud")
    edits = found.rename(text.index("mud"), "sleet")
    assert {(each.span.source.name, each.span.text) for each in edits} == {("<text>", "mud"), ("weather.rules", "mud")}


# -- names across files: a text is asked, and other texts of the workspace use it

WEATHER: Final = "facts\n  mud  yes/no\n\ndefine slow = mud or fog\n"
GAME: Final = "use weather\n\nfacts\n  fog  yes/no\n\nprocedure walk\n  1. give result = slow or mud\n"
VARIANT: Final = "ruleset snow extends game\n\nreplace procedure walk\n  1. give result = mud\n"
OTHER: Final = "facts\n  mud  yes/no\n"
SECOND: Final = "use weather\ndefine bad = mud\nfacts\n  fog  yes/no\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {"weather": WEATHER, "game": GAME, "snow": VARIANT, "other": OTHER, "second": SECOND}
    for name, text in texts.items():
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    return tmp_path


def workspace(folder: Path, name: str, *others: str) -> Workspace:
    asked, *rest = (of_file(folder / f"{each}.rules") for each in (name, *others))
    return Workspace(asked, tuple(rest))


def changed(found: Workspace, offset: int, new: str) -> dict[str, str]:
    """The texts after a rename, by the name of the file."""
    edits: dict[Path, list[Edit]] = {}
    for edit in found.rename(offset, new):
        edits.setdefault(Path(edit.span.source.name), []).append(edit)
    return {path.stem: edited(path.read_text(encoding="utf-8"), each) for path, each in edits.items()}


def places(spans: Iterable[Span]) -> list[tuple[str, int]]:
    return sorted((Path(each.source.name).stem, each.start) for each in spans)


@pytest.mark.parametrize(
    ("files", "old", "new", "changes"),
    [
        (("weather", "game", "snow", "other"), "mud", "sleet", ("weather", "game", "snow")),
        # In a variant, a rename changes the other users of the module.
        (("snow", "second"), "mud", "sleet", ("weather", "game", "snow", "second")),
        # A user of the module declares the name.
        (("weather", "game"), "fog", "mist", ("weather", "game")),
    ],
)
def test_a_name_is_renamed_in_the_files_that_use_its_file(
    folder: Path, files: tuple[str, ...], old: str, new: str, changes: tuple[str, ...]
) -> None:
    found = workspace(folder, *files)
    texts = {name: (folder / f"{name}.rules").read_text(encoding="utf-8") for name in changes}
    offset = texts[files[0]].index(old)
    assert changed(found, offset, new) == {name: text.replace(old, new) for name, text in texts.items()}


def test_references_are_found_in_each_file_once(folder: Path) -> None:
    found = workspace(folder, "weather", "game", "snow", "other").references(WEATHER.index("slow"))
    assert places(found) == [("game", GAME.index("slow")), ("weather", WEATHER.index("slow"))]


def test_a_name_that_a_user_of_the_module_declares_leads_there(folder: Path) -> None:
    found = workspace(folder, "weather", "game").definition(WEATHER.index("fog"))
    assert places(found) == [("game", GAME.index("fog"))]


def test_a_name_that_a_user_of_the_file_has_is_refused(folder: Path) -> None:
    found = workspace(folder, "weather", "game")
    with pytest.raises(CannotRename, match="`walk` is in use: it is the name of a procedure"):
        found.rename(WEATHER.index("mud"), "walk")


def test_a_rename_that_brings_a_mistake_to_a_user_of_the_file_is_refused(folder: Path) -> None:
    (folder / "weather.rules").write_text("procedure step\n  1. give result = 1\n", encoding="utf-8")
    text = 'ruleset game extends weather\n\nexample step "one"\n  gives 1\n'
    (folder / "game.rules").write_text(text, encoding="utf-8")
    found = workspace(folder, "weather", "game")
    assert of_file(folder / "weather.rules").rename(len("procedure step\n  1. give "), "outcome")
    with pytest.raises(CannotRename, match="gives no output"):
        found.rename(len("procedure step\n  1. give "), "outcome")


def test_an_edit_of_a_shipped_file_is_refused_but_in_the_one_being_edited(tmp_path: Path) -> None:
    steps = shipped_dir("stdlib") / "steps.rules"
    text = steps.read_text(encoding="utf-8")
    (tmp_path / "game.rules").write_text("use steps\ndefine alive (unit) = unit.steps > 0\n", encoding="utf-8")
    user = of_file(tmp_path / "game.rules")
    offset = text.index("steps", text.index("record unit"))
    edits = Workspace(analyse(text, path=steps), (user,)).rename(offset, "strength")
    assert {Path(each.span.source.name).stem for each in edits} == {"steps", "game"}
    with pytest.raises(CannotRename, match=r"steps\.rules, which comes with Enfilade"):
        Workspace(user).rename(user.source.text.index("steps > 0"), "strength")


def test_the_users_of_a_file_are_found_through_others() -> None:
    texts = {
        "x/weather.rules": WEATHER, "x/game.rules": GAME, "x/snow.rules": VARIANT, "x/other.rules": OTHER,
        "x/path.rules": 'use "../x/other.rules"', "x/comment.rules": "-- use other",
    }  # fmt: skip
    assert users_of(["x/weather.rules"], texts) == ("x/game.rules", "x/snow.rules")
    assert users_of(["x/other.rules"], texts) == ("x/path.rules",)
    assert users_of(["x/game.rules", "x/other.rules"], texts) == ("x/snow.rules", "x/path.rules")


def test_files_that_use_each_other_have_an_end() -> None:
    assert users_of(["a.rules"], {"a.rules": "use b", "b.rules": "use a"}) == ("b.rules", "a.rules")


def test_places_without_names_have_no_references(folder: Path) -> None:
    found = workspace(folder, "weather", "game")
    assert (found.references(0), found.definition(0)) == ((), ())
    with pytest.raises(CannotRename, match="no name here"):
        found.rename(0, "sleet")
