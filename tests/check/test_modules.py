"""Other files: each is read once, and there are limits; what a variant keeps of its base."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.check.marking import MAIN, Texts, cases_in, diagnostics_of

from enfilade.check.program import Checked, check_source
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile

CASES: Final = Path(__file__).with_name("cases")
PLAY: Final = "procedure p\n  1. give x = twice(3)\n"
TWICE: Final = "define twice (n 0..) = n * 2\n"


def checked(files: Mapping[str, str]) -> Checked:
    texts = Texts(files)
    return check_source(texts.texts[MAIN], texts)


def codes_of(main: str, **modules: str) -> list[str]:
    files = {MAIN: main, **{f"{name}.rules": text for name, text in modules.items()}}
    return [found.code for found in diagnostics_of(files)]


def test_a_module_that_is_used_twice_is_read_once() -> None:
    (case,) = [
        each
        for each in cases_in((CASES / "modules.rules").read_text(encoding="utf-8"))
        if each.title == "A module that two modules use is read once"
    ]
    names = [source.name for source in checked(case.files).sources]
    assert sorted(names) == ["common.rules", "left.rules", "program.rules", "right.rules"]


def chain(length: int) -> dict[str, str]:
    return {f"m{n}": f"use m{n + 1}\n" for n in range(length)} | {f"m{length}": TWICE}


def test_modules_go_so_deep_and_no_deeper() -> None:
    assert codes_of(f"use m0\n{PLAY}", **chain(DEFAULT_LIMITS.module_depth - 1)) == []
    assert codes_of(f"use m0\n{PLAY}", **chain(DEFAULT_LIMITS.module_depth)) == ["too-many-modules"]


def test_there_are_so_many_modules_and_no_more() -> None:
    def wide(number: int) -> list[str]:
        names = [f"m{n}" for n in range(number)]
        main = "".join(f"use {name}\n" for name in names)
        return codes_of(main, **{name: f"define d_{name} = 1\n" for name in names})

    assert wide(DEFAULT_LIMITS.modules - 1) == []
    assert wide(DEFAULT_LIMITS.modules) == ["too-many-modules"]


def test_a_file_that_can_not_be_read_is_a_diagnostic_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "latin.rules").write_bytes(b'define x = 1 "Caf\xe9"\n')
    (tmp_path / "large.rules").write_bytes(b"-" * (DEFAULT_LIMITS.text + 1))
    for name, code in (("latin", "not-utf8"), ("large", "too-large")):
        main = SourceFile("main.rules", f"use {name}\ndefine y = x + 1\n", tmp_path / "main.rules")
        (only,) = check_source(main, Folders()).diagnostics
        assert only.code == code
        assert only.span.source.name.endswith(f"{name}.rules")
        assert [label.span.text.strip() for label in only.labels] == [f"use {name}"]


def test_a_module_of_which_nothing_can_be_read_hides_no_names() -> None:
    assert codes_of(f"use common\ndefine y = anything\n{PLAY}", common="define x = 1\x00\n") == ["control-character"]


def test_a_game_has_its_own_name_and_examples_and_the_players_of_all_files() -> None:
    other = f'{TWICE}source "a book"\nruleset other\nplayers firer, owner\nexample "no"\n  expect x is 2\n'
    files = {MAIN: f"ruleset mine\nuse common\nplayers owner, attacker\n{PLAY}", "common.rules": other}
    program = checked(files).program
    assert program is not None
    assert (program.name, program.examples) == ("mine", ())
    assert list(program.players) == ["firer", "owner", "attacker"]


def test_a_variant_has_its_own_name_and_keeps_the_examples_and_the_printed_cells_of_its_base() -> None:
    case = cases_in((CASES / "variants.rules").read_text(encoding="utf-8"))[0]
    head, _, _ = case.files[MAIN].partition("example")
    main = f"""{head}replace cell of fire row 6, column Result with M
procedure other
  1. give x = 1
example other "mine"
  expect x is 1
"""
    program = checked({**case.files, MAIN: main}).program
    assert program is not None
    assert program.name == "late"
    assert [(each.procedure, each.label) for each in program.examples] == [("shot", "base example"), ("other", "mine")]
    chart = program.charts["fire"]
    assert chart.cells[0][2][0] == "X"
    assert [(e.row, e.column, e.value) for e in chart.errata] == [(2, 0, "M")]
