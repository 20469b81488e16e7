"""Symbolic links in a game's folder: none leads a text out of it, and no message quotes what is outside."""

from pathlib import Path
from typing import Final

import pytest

import enfilade
from enfilade import RulesetError
from enfilade.diagnostics.diagnostic import Severity
from enfilade.source.shipped import shipped_dir

SECRET: Final = "define secret = 31415926\n"
USES: Final = "enfilade 1\nruleset game\nuse common\nprocedure main\n  give result = secret\n"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A game in a folder, and a module outside it."""
    (tmp_path / "game").mkdir()
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "common.rules").write_text(SECRET, encoding="utf-8")
    path = tmp_path / "game" / "game.rules"
    path.write_text(USES, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "line", ["use common", 'use "common.rules"', 'use "deeper/common.rules"', "ruleset x extends common"]
)
@pytest.mark.parametrize(
    "target", ["../library/common.rules", "../library/nothing.rules", "/etc/hostname", "/dev/zero"]
)
def test_a_link_that_leads_out_of_the_folder_is_not_followed(game: Path, line: str, target: str) -> None:
    (game.parent / "common.rules").symlink_to(target)
    (game.parent / "deeper").symlink_to("../library")
    game.write_text(f"enfilade 1\n{line}\nprocedure main\n  give result = 1\n", encoding="utf-8")
    (found,) = [each for each in enfilade.check(game) if each.severity is Severity.ERROR]
    assert (found.code, found.span.source.name) == ("unknown-module", str(game))
    assert found.span.source.line_column(found.span.start)[0] == 2
    assert found.message.endswith("is a link that leads out of its folder")
    assert found.helps == ("put the file itself in the folder, or put the folder of the file on the search path",)
    assert "31415926" not in str(found)


def test_a_folder_that_is_a_link_out_of_the_folder_is_not_followed(game: Path) -> None:
    (game.parent / "common").symlink_to("../library")
    with pytest.raises(RulesetError, match="is a link that leads out of its folder"):
        enfilade.load(game)


def test_a_link_into_a_folder_of_the_search_path_is_followed(game: Path) -> None:
    (game.parent / "common.rules").symlink_to("../library/common.rules")
    found = enfilade.load(game, search_path=[game.parent.parent / "library"])
    assert found.resolve("main").outputs["result"] == 31415926


def test_a_link_within_the_folder_and_one_to_a_shipped_module_are_followed(game: Path) -> None:
    (game.parent / "real.rules").write_text(SECRET, encoding="utf-8")
    (game.parent / "common.rules").symlink_to("real.rules")
    assert enfilade.load(game).resolve("main").outputs["result"] == 31415926
    (game.parent / "ours.rules").symlink_to(shipped_dir("stdlib") / "columns.rules")
    game.write_text("enfilade 1\nuse ours\nprocedure main\n  give result = 1\n", encoding="utf-8")
    assert "unknown-module" not in {each.code for each in enfilade.check(game)}


def test_a_caller_may_name_a_link_to_a_ruleset_or_to_its_folder(game: Path, tmp_path: Path) -> None:
    (game.parent / "common.rules").write_text(SECRET, encoding="utf-8")
    (tmp_path / "linked").symlink_to("game")
    assert enfilade.load(tmp_path / "linked" / "game.rules").resolve("main").outputs["result"] == 31415926
    alone = tmp_path / "alone.rules"
    alone.symlink_to("library/common.rules")
    assert not [each for each in enfilade.check(alone) if each.severity is Severity.ERROR]


def test_a_text_from_memory_follows_no_link_out_of_the_folder_of_the_search_path(game: Path) -> None:
    (game.parent / "common.rules").symlink_to("../library/common.rules")
    (found,) = [each for each in enfilade.check(USES, search_path=[game.parent]) if each.severity is Severity.ERROR]
    assert (found.code, "leads out" in found.message) == ("unknown-module", True)
