"""Variants: replace, add and remove, down to a modifier, a step and a cell; and what is an error in doing so."""

import re
from pathlib import Path

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.source.text import SourceFile

BASE = """enfilade 1
ruleset base "Base"
players red, blue

record unit
  steps  0.. = 1

facts
  night  yes/no
  units  list of unit

effect loss "loses a step" (unit)

define reach = 3

chart fire
  down  d6
  severity  - < M < X
  | d6  | Result |
  | 1-3 |   -    |
  | 4,5 |   M    |
  |  6  |   X    |

modifiers shifts
  -1  dark  night
  never together
    +1  one  (count of units) is 1
    +2  two  (count of units) is 2

results of fire for each unit
  -  "none"
  M  "morale"
  X  "a step"
    each reader: loss

procedure shot
  1. roll d6 as die
  2. read fire with die for each unit as shots
  3. apply shots
     give losses = count of effects loss
  4. give shift = shifts + reach

example "base example"
  given unit a, night
  on 6
  expect losses is 1
"""


class Texts:
    """Finds texts in memory."""

    def __init__(self, **texts: str) -> None:
        self.texts = {name: SourceFile(f"{name}.rules", text) for name, text in texts.items()}

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        return self.texts.get(name)

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        return self.texts.get(name)

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        return tuple(Path(name).stem for name in self.texts)


def check(variant: str, **more: str) -> tuple[ir.Program | None, tuple[Diagnostic, ...]]:
    """A variant of the base."""
    texts = Texts(base=BASE, **more)
    checked = check_source(SourceFile("late.rules", f"ruleset late extends base\n{variant}"), texts)
    return checked.program, checked.diagnostics


def program(variant: str, **more: str) -> ir.Program:
    """A variant that checks without a word."""
    found, diagnostics = check(variant, **more)
    assert found is not None, diagnostics
    assert not diagnostics
    return found


def codes(variant: str, **more: str) -> list[tuple[str, str, int]]:
    """Code, file and line of each diagnostic."""
    return [(d.code, d.span.source.name, d.span.source.line_column(d.span.start)[0]) for d in check(variant, **more)[1]]


def modifiers(found: ir.Program) -> list[str]:
    def names(items: tuple[ir.ModItem, ...]) -> list[str]:
        lines = []
        for item in items:
            lines += (
                names(item.items)
                if isinstance(item, ir.Section)
                else [item.name]
                if isinstance(item, ir.Modifier)
                else []
            )
        return lines

    return names(found.modifiers["shifts"].items)


def steps(found: ir.Program, name: str = "shot") -> list[str]:
    return [type(s).__name__ for s in found.procedures[name].body]


def test_a_variant_that_says_nothing_is_its_base() -> None:
    assert program("").name == "late"
    assert steps(program("")) == ["RollDice", "SetLocal", "ApplyResults", "Give", "Give"]


# -- replace, add, remove


def test_replace_stands_for_the_old_declaration_in_its_place() -> None:
    assert program("replace define reach = 4\n").definitions["reach"].body == ir.Const(4)
    assert list(program("replace record unit\n  steps  1.. = 2\n  hits  0.. = 0\n").records["unit"].fields) == [
        "steps",
        "hits",
    ]


def test_what_replaces_is_checked_against_everything_else() -> None:
    assert codes("replace define reach = rnage\n") == [("unknown-name", "late.rules", 2)]
    assert codes("replace record unit\n  hits  0..\nreplace effect loss (unit)\n  unit.stpes becomes 1\n") == [
        ("unknown-name", "late.rules", 5)
    ]


def test_lines_are_added_at_the_end() -> None:
    assert list(program("add to record unit\n  hits  0.. = 0\n").records["unit"].fields) == ["steps", "hits"]
    assert modifiers(program("add to modifiers shifts\n  +1  late  not night\n")) == ["dark", "one", "two", "late"]
    assert steps(program("add to procedure shot\n  5. give fixed = 1\n"))[-2:] == ["Give", "Give"]
    assert "more" in program("add to facts\n  more  0.. = 0\nadd to procedure shot\n  5. give x = more\n").facts
    entries = program("add to results of fire\n  then M\n    each reader: loss\n").results["fire"].entries
    assert [entry.then for entry in entries] == [False, False, False, True]
    (effect,) = [program("add to effect loss\n  unit.steps becomes 0\n").effects["loss"]]
    assert [type(s).__name__ for s in effect.body] == ["SetField"]


def test_a_declaration_is_removed_with_nothing_left_of_it() -> None:
    removed = program("remove define reach\nreplace step 4 in shot\n  give shift = shifts\n")
    assert "reach" not in removed.definitions
    assert program('remove example "base example"\n').examples == ()
    assert (
        "fire"
        not in program('remove results of fire\nremove step 3 from shot\nremove example "base example"\n').results
    )


def test_what_still_uses_a_removed_declaration_is_said_once_where_it_stands() -> None:
    assert codes("remove define reach\n") == [("unknown-name", "base.rules", 41)]
    assert codes("remove chart fire\n") == [("unknown-name", "base.rules", 30)]


def test_one_modifier_is_replaced_or_removed_wherever_it_stands_in_its_block() -> None:
    assert modifiers(program("remove dark from shifts\nadd to procedure shot\n  give n = night\n")) == ["one", "two"]
    assert modifiers(program("remove two from shifts\n")) == ["dark", "one"]
    replaced = program("replace two in shifts\n  +3  three  (count of units) is 3\n  +4  four  (count of units) is 4\n")
    assert modifiers(replaced) == ["dark", "one", "three", "four"]


def test_a_section_that_loses_its_last_modifier_goes_too() -> None:
    found = program("remove one from shifts\nremove two from shifts\n").modifiers["shifts"]
    assert [type(item).__name__ for item in found.items] == ["Modifier"]


def test_a_step_is_replaced_or_removed_with_the_lines_that_belong_to_it() -> None:
    assert steps(program("replace step 4 in shot\n  give shift = shifts\n  give more = reach\n")) == [
        "RollDice", "SetLocal", "ApplyResults", "Give", "Give", "Give"
    ]  # fmt: skip
    without = program('remove step 3 from shot\nremove example "base example"\n')
    assert steps(without) == ["RollDice", "SetLocal", "Give"]


def test_steps_without_numbers_go_by_their_place() -> None:
    more = "procedure plain\n  give x = 1\n  give y = 2\n  give z = 3\n"
    assert list(program(f"{more}remove step 2 from plain\n").procedures["plain"].outputs) == ["x", "z"]


def test_a_step_that_was_replaced_keeps_its_number() -> None:
    twice = "replace step 4 in shot\n  give shift = shifts\n  give more = reach\n\nreplace step 4 in shot\n  give shift = reach\n"
    assert steps(program(twice)) == ["RollDice", "SetLocal", "ApplyResults", "Give", "Give"]


def test_a_cell_reads_otherwise_and_the_printed_one_stays_in_sight() -> None:
    chart = program("replace cell of fire row 6, column Result with M\n").charts["fire"]
    assert chart.cells[0][2][0] == "X"
    assert [(e.row, e.column, e.value) for e in chart.errata] == [(2, 0, "M")]


# -- mistakes


@pytest.mark.parametrize(
    "line",
    [
        "replace define raech = 4",
        "replace chart frie\n  down d6\n  | d | r |\n  | 1-6 | - |",
        "add to modifiers shfits\n  +1  x  night",
        "add to chart fire\n  | 7 | X |",
        "add to define reach = 4",
        "remove define raech",
        "remove drak from shifts",
        "remove dark from shfits",
        "remove step 9 from shot",
        "remove step 1 from shto",
        "replace drak in shifts\n  +1  x  night",
        "replace step 9 in shot\n  give x = 1",
        "replace cell of frie row 6, column Result with M",
        'remove example "no such example"',
        "remove results of frie",
        "replace facts\n  night  0..",
    ],
)
def test_what_is_not_there_to_change_is_an_error_at_the_variant(line: str) -> None:
    assert codes(line + "\n") == [("nothing-to-change", "late.rules", 2)]


def test_the_nearest_name_is_suggested() -> None:
    for line, name in (
        ("remove define raech", "reach"),
        ("remove drak from shifts", "dark"),
        ("remove dark from shfits", "shifts"),
    ):
        ((diagnostic,),) = [check(f"{line}\n")[1]]
        assert diagnostic.helps == (f"did you mean `{name}`?",)


@pytest.mark.parametrize(
    "declaration",
    [
        "define reach = 4",
        "chart fire\n  down d6\n  | d | r |\n  | 1-6 | - |",
        "modifiers shifts\n  +1  x  night",
        "effect loss (unit)",
        "record unit\n  hits  0..",
        "procedure shot\n  1. give x = 1",
        "facts\n  night  yes/no",
        'results of fire for each unit\n  -  "none"',
        "players red",
    ],
)
def test_to_declare_again_without_a_word_is_an_error(declaration: str) -> None:
    found = codes(declaration + "\n")
    assert [code for code, *_ in found] == ["duplicate-name"]
    assert found[0][1] == "late.rules"


def test_the_first_declaration_is_shown_in_its_own_file() -> None:
    (only,) = check("define reach = 4\n")[1]
    assert [label.span.source.name for label in only.labels] == ["base.rules"]


def test_a_cell_that_is_not_there_and_a_code_without_result() -> None:
    assert codes("replace cell of fire row 7, column Result with M\n") == [("no-cell", "late.rules", 2)]
    assert codes("replace cell of fire row 6, column Result with Q\n") == [("code-without-result", "late.rules", 2)]


# -- the base


def test_the_examples_of_the_base_are_run_too_also_beside_a_second_procedure() -> None:
    found = program('procedure other\n  1. give x = 1\n\nexample other "mine"\n  expect x is 1\n')
    assert [(e.procedure, e.label) for e in found.examples] == [("shot", "base example"), ("other", "mine")]


def test_a_base_may_extend_another() -> None:
    middle = "ruleset middle extends base\nreplace define reach = 5\nremove two from shifts\n"
    checked = check_source(
        SourceFile("late.rules", "ruleset late extends middle\nremove one from shifts\n"),
        Texts(base=BASE, middle=middle),
    )
    assert checked.program is not None
    assert modifiers(checked.program) == ["dark"]
    assert checked.program.definitions["reach"].body == ir.Const(5)


def test_a_base_that_is_not_found_leaves_only_that_message() -> None:
    checked = check_source(
        SourceFile("late.rules", "ruleset late extends basse\nremove dark from shifts\ndefine x = reach + night\n"),
        Texts(base=BASE),
    )
    assert [d.code for d in checked.diagnostics] == ["unknown-module"]


def test_a_mistake_in_the_base_is_said_in_the_base_and_what_it_hides_is_not_missing_in_the_variant() -> None:
    broken = BASE.replace("define reach = 3", "define reach = = 3")
    checked = check_source(
        SourceFile(
            "late.rules",
            "ruleset late extends base\nreplace define reach = 4\nadd to procedure shot\n  5. give y = reach\n",
        ),
        Texts(base=broken),
    )
    assert [(d.code, d.span.source.name) for d in checked.diagnostics] == [("syntax", "base.rules")]


def test_one_text_may_change_its_own_declarations() -> None:
    text = "define a = 1\nreplace define a = 2\nprocedure p\n  1. give x = a\n"
    checked = check_source(SourceFile("t.rules", text), Texts())
    assert checked.program is not None
    assert checked.program.definitions["a"].body == ir.Const(2)


def test_lines_in_these_texts_are_counted_from_one() -> None:
    assert re.findall(r"^.*", BASE, re.MULTILINE)[40].strip().startswith("4. give shift")
