"""Names across files: a text is asked, and other texts of the workspace use it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from enfilade.editor import Analysis, CannotRename, Workspace, analyse, users_of
from enfilade.source.shipped import shipped_dir

WEATHER: Final = "facts\n  mud  yes/no\n\ndefine slow = mud or fog\n"
GAME: Final = "use weather\n\nfacts\n  fog  yes/no\n\nprocedure walk\n  1. give result = slow or mud\n"
VARIANT: Final = "ruleset snow extends game\n\nreplace procedure walk\n  1. give result = mud\n"
OTHER: Final = "facts\n  mud  yes/no\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("weather", WEATHER), ("game", GAME), ("snow", VARIANT), ("other", OTHER)):
        (tmp_path / f"{name}.rules").write_text(text, encoding="utf-8")
    return tmp_path


def of_file(folder: Path, name: str) -> Analysis:
    path = folder / f"{name}.rules"
    return analyse(path.read_text(encoding="utf-8"), path=path)


def workspace(folder: Path, name: str, *others: str) -> Workspace:
    return Workspace(of_file(folder, name), tuple(of_file(folder, each) for each in others))


def changed(folder: Path, found: Workspace, offset: int, new: str) -> dict[str, str]:
    """The texts after a rename, by the name of the file."""
    texts: dict[str, str] = {}
    for edit in sorted(found.rename(offset, new), key=lambda each: each.span.start, reverse=True):
        name = Path(edit.span.source.name).stem
        text = texts.setdefault(name, (folder / f"{name}.rules").read_text(encoding="utf-8"))
        texts[name] = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return texts


def test_a_name_is_renamed_in_the_files_that_use_its_file(folder: Path) -> None:
    found = workspace(folder, "weather", "game", "snow", "other")
    assert changed(folder, found, WEATHER.index("mud"), "sleet") == {
        "weather": WEATHER.replace("mud", "sleet"),
        "game": GAME.replace("mud", "sleet"),
        "snow": VARIANT.replace("mud", "sleet"),
    }


def test_a_rename_in_a_variant_changes_the_other_users_of_the_module(folder: Path) -> None:
    (folder / "second.rules").write_text("use weather\ndefine bad = mud\nfacts\n  fog  yes/no\n", encoding="utf-8")
    found = workspace(folder, "snow", "second")
    assert changed(folder, found, VARIANT.index("mud"), "sleet").keys() == {"weather", "game", "snow", "second"}


def test_references_are_found_in_each_file_once(folder: Path) -> None:
    found = workspace(folder, "weather", "game", "snow", "other").references(WEATHER.index("slow"))
    assert sorted((Path(each.source.name).stem, each.start) for each in found) == [
        ("game", GAME.index("slow")),
        ("weather", WEATHER.index("slow")),
    ]


def test_a_name_that_a_user_of_the_module_declares_leads_there(folder: Path) -> None:
    found = workspace(folder, "weather", "game")
    (place,) = found.definition(WEATHER.index("fog"))
    assert (Path(place.source.name).stem, place.start) == ("game", GAME.index("fog"))
    assert changed(folder, found, WEATHER.index("fog"), "mist") == {
        "weather": WEATHER.replace("fog", "mist"),
        "game": GAME.replace("fog", "mist"),
    }


def test_a_name_that_a_user_of_the_file_has_is_refused(folder: Path) -> None:
    found = workspace(folder, "weather", "game")
    with pytest.raises(CannotRename, match="`walk` is in use: it is the name of a procedure"):
        found.rename(WEATHER.index("mud"), "walk")


def test_a_rename_that_brings_a_mistake_to_a_user_of_the_file_is_refused(folder: Path) -> None:
    (folder / "weather.rules").write_text("procedure step\n  1. give result = 1\n", encoding="utf-8")
    text = 'ruleset game extends weather\n\nexample step "one"\n  gives 1\n'
    (folder / "game.rules").write_text(text, encoding="utf-8")
    found = workspace(folder, "weather", "game")
    assert of_file(folder, "weather").rename(len("procedure step\n  1. give "), "outcome")
    with pytest.raises(CannotRename, match="gives no output"):
        found.rename(len("procedure step\n  1. give "), "outcome")


def test_an_edit_of_a_shipped_file_is_refused_but_in_the_one_being_edited(tmp_path: Path) -> None:
    steps = shipped_dir("stdlib") / "steps.rules"
    text = steps.read_text(encoding="utf-8")
    (tmp_path / "game.rules").write_text("use steps\ndefine alive (unit) = unit.steps > 0\n", encoding="utf-8")
    user = of_file(tmp_path, "game")
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
    assert found.references(0) == ()
    assert found.definition(0) == ()
    with pytest.raises(CannotRename, match="no name here"):
        found.rename(0, "sleet")
