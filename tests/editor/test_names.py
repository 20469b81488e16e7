"""Names in the editor: each one leads to its declaration, and each declared one can be renamed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from enfilade.editor import Analysis, CannotRename, Edit, analyse
from enfilade.editor.keys import Key
from enfilade.editor.renaming import edits_of_rename
from enfilade.limits import Limits
from enfilade.syntax.tokens import tokens
from enfilade.tools import run_ruleset_examples

ROOT: Final = Path(__file__).resolve().parents[2]
FILES: Final = sorted(
    [*ROOT.glob("rulesets/*/*.rules"), *ROOT.glob("stdlib/*.rules"), *ROOT.glob("tests/generality/*.rules")]
)
# Kinds that no line of the text declares.
UNDECLARED: Final = ("built-in",)


def of_file(path: Path) -> Analysis:
    return analyse(path.read_text(encoding="utf-8"), path=path)


def keys(found: Analysis) -> list[Key]:
    """What the text declares, in its order."""
    return list(dict.fromkeys(each.key for each in found.names if each.declares))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_name_leads_to_its_declaration(path: Path) -> None:
    found = of_file(path)
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


def applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda each: each.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


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
    "fire_combat": dict.fromkeys(("column", "firing_class"), "`give fields of` and `with fields of` hand it on"),
    "heroquest": {"mummy": "a record of an example has the name of a word"},
    "panzergruppe_guderian": dict.fromkeys(("attacker_meets", "defender_meets"), "parts of a code in a pattern"),
    "operational_combat": dict.fromkeys(("options", "steps"), "parts of a code in a pattern"),
    "panzer_weather": {"column": "a part of a reading has the name of an output"},
    "paths_of_glory": dict.fromkeys(("side", "strength"), "two charts with one block of modifiers share parameters"),
}  # fmt: skip


# Their words and outputs have names that other files of the ruleset declare, too; one such name is changed alone.
SHARED: Final = [ROOT / "rulesets/franco_prussian" / name for name in ("melee.rules", "morale.rules")]


@pytest.mark.parametrize("path", [path for path in FILES if path not in SHARED], ids=lambda path: path.stem)
def test_with_every_name_changed_the_examples_pass(path: Path) -> None:
    found = of_file(path)
    fixed = FIXED[""].keys() | FIXED.get(path.stem, {}).keys()
    edits: list[Edit] = []
    own = [
        key for key in keys(found) if all(at.span.source.name == found.source.name for at in found._index.by_key[key])
    ]
    for number, key in enumerate(key for key in own if key.kind != "ruleset" and key.name not in fixed):
        at = found._index.declarations_of(key)[0]
        edits += (
            Edit(found._place(each.span), each.text) for each in edits_of_rename(found._index, at, f"renamed_{number}")
        )
    renamed = analyse(applied(found.source.text, tuple(edits)), path=path)
    assert [each.message for each in renamed.diagnostics if each.severity.value == "error"] == []
    assert renamed.ruleset is not None
    # The time is no limit here: a slow machine must not change an answer.
    patient = renamed.ruleset.with_limits(Limits(seconds=None))
    assert [each.label for each in run_ruleset_examples(patient) if not each.passed] == []


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


def rename(word: str, new: str) -> str:
    return applied(TEXT, analyse(TEXT).rename(TEXT.index(word), new))


def test_a_fact_is_renamed_where_it_is_used_and_nowhere_else() -> None:
    assert rename("night", "after_dark") == TEXT.replace("  night ", "  after_dark ").replace("= night", "= after_dark")


def test_a_local_and_an_output_are_renamed_within_their_procedure() -> None:
    assert rename("far", "distance") == TEXT.replace("far", "distance")
    assert rename("hexes", "reach") == TEXT.replace("hexes", "reach")


def test_a_word_is_renamed_in_lists_conditions_and_examples() -> None:
    assert rename("mud =", "sleet") == TEXT.replace("dry, mud", "dry, sleet").replace("is mud", "is sleet").replace(
        "weather mud", "weather sleet"
    )


@pytest.mark.parametrize(
    ("word", "new", "reason"),
    [
        ("night", "weather", "in use"),
        ("night", "when", "word of the language"),
        ("night", "two words", "not a name"),
        ("expect", "wish", "no name here"),
    ],
)
def test_a_name_that_can_not_be_used_is_refused_with_the_reason(word: str, new: str, reason: str) -> None:
    with pytest.raises(CannotRename, match=reason):
        rename(word, new)


def test_a_rename_that_would_bring_a_mistake_is_refused() -> None:
    text = 'procedure go\n  1. give result = 1\n\nexample go "one"\n  gives 1\n'
    with pytest.raises(CannotRename, match="the new name: `go` gives no output"):
        analyse(text).rename(text.index("result"), "outcome")


def test_a_module_leads_to_its_file_and_its_names_stay() -> None:
    text = "use steps\ndefine alive (unit) = unit.steps > 0\n"
    found = analyse(text)
    assert found.definition(5)[0].source.name.endswith("steps.rules")
    with pytest.raises(CannotRename, match="comes with Enfilade"):
        found.rename(text.index("steps > 0"), "strength")


def test_a_name_leads_to_the_file_that_declares_it() -> None:
    files = {"weather.rules": "facts\n  mud  yes/no\n"}
    text = "use weather\ndefine slow = mud\n"
    found = analyse(text, files=files)
    (place,) = found.definition(text.index("mud"))
    assert (place.source.name, place.text) == ("weather.rules", "mud")
    edits = found.rename(text.index("mud"), "sleet")
    assert {(each.span.source.name, each.span.text) for each in edits} == {("<text>", "mud"), ("weather.rules", "mud")}
