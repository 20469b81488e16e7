"""`use`: declarations of other files, each read once, each with its own mistakes."""

from pathlib import Path

import pytest

from enfilade.check.program import Checked, check_source
from enfilade.diagnostics.diagnostic import Diagnostic
from enfilade.limits import DEFAULT_LIMITS
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile


class Texts:
    """Finds texts in memory, and notes how often each is looked for."""

    def __init__(self, **texts: str) -> None:
        self.texts = {name: SourceFile(f"{name}.rules", text) for name, text in texts.items()}

    def find_module(self, name: str, importer: SourceFile, is_path: bool) -> SourceFile | None:
        return self.texts.get(Path(name).stem if is_path else name)

    def find_ruleset(self, name: str, importer: SourceFile) -> SourceFile | None:
        return self.texts.get(name)

    def names_beside(self, importer: SourceFile) -> tuple[str, ...]:
        return tuple(Path(name).stem for name in self.texts)


def check(main: str, **texts: str) -> Checked:
    return check_source(SourceFile("main.rules", main), Texts(**texts))


def places(checked: Checked) -> list[tuple[str, str, int]]:
    def place(d: Diagnostic) -> tuple[str, str, int]:
        return d.code, d.span.source.name, d.span.source.line_column(d.span.start)[0]

    return [place(d) for d in checked.diagnostics]


PLAY = "procedure p\n  1. give x = twice(3)\n"
TWICE = "define twice (n 0..) = n * 2\n"


def test_a_module_brings_in_its_declarations() -> None:
    checked = check(f"use common\n{PLAY}", common=TWICE)
    assert checked.program is not None
    assert list(checked.program.definitions) == ["twice"]
    assert [source.name for source in checked.sources] == ["main.rules", "common.rules"]


def test_a_module_may_be_named_by_its_path() -> None:
    assert check(f'use "house/common.rules"\n{PLAY}', common=TWICE).program is not None


def test_a_module_that_is_used_twice_is_read_once() -> None:
    checked = check(f"use left\nuse right\n{PLAY}", left="use common\n", right="use common\n", common=TWICE)
    assert checked.program is not None
    assert len(checked.sources) == 4


def test_two_modules_may_use_each_other() -> None:
    checked = check(
        f"use left\n{PLAY}",
        left="use right\ndefine twice (n 0..) = n * two\n",
        right="use left\ndefine two = 2\ndefine four = twice(2)\n",
    )
    assert checked.program is not None


def test_what_a_module_does_not_play_is_left_out_of_it() -> None:
    other = TWICE + 'source "a book"\nruleset other\nprocedure q\n  1. give y = 1\nexample "no"\n  expect y is 2\n'
    checked = check(f"ruleset mine\nuse common\n{PLAY}", common=other)
    assert checked.program is not None
    assert (checked.program.name, checked.program.examples) == ("mine", ())


def test_facts_that_a_module_declares_need_not_be_used() -> None:
    checked = check(f"use common\n{PLAY}", common=TWICE + "facts\n  unused  0..\n")
    assert places(checked) == []


def test_a_mistake_in_a_module_is_said_in_the_module_after_those_of_the_main_text() -> None:
    checked = check(
        f"use common\ndefine y = nothing\n{PLAY}", common="define twice (n 0..) = n * tow\ndefine tow_many = 2\n"
    )
    assert places(checked) == [("unknown-name", "main.rules", 2), ("unknown-name", "common.rules", 1)]


def test_a_name_that_two_files_declare_is_reported_at_the_second() -> None:
    assert places(check(f"use common\n{TWICE}{PLAY}", common=TWICE)) == [("duplicate-name", "main.rules", 2)]


def test_a_module_in_another_version_of_the_language_is_reported() -> None:
    assert places(check(f"use common\n{PLAY}", common=f"enfilade 2\n{TWICE}")) == [
        ("language-version", "common.rules", 1)
    ]


def test_a_module_that_is_not_found_is_reported_and_no_name_that_it_may_declare() -> None:
    assert places(check(f"use nowhere\ndefine y = anything\n{PLAY}")) == [("unknown-module", "main.rules", 1)]


@pytest.mark.parametrize("main", ["use main\n", "ruleset main extends main\n"])
def test_a_file_that_takes_over_itself_is_reported(main: str) -> None:
    source = SourceFile("main.rules", main)
    finder = Texts()
    finder.texts["main"] = source
    assert [d.code for d in check_source(source, finder).diagnostics] == ["circular-module"]


def test_rulesets_that_extend_each_other_are_reported_once() -> None:
    checked = check("ruleset a extends b\n", b="ruleset b extends c\n", c="ruleset c extends b\n")
    assert [code for code, *_ in places(checked)] == ["circular-module"]


def chain(length: int) -> dict[str, str]:
    return {f"m{n}": f"use m{n + 1}\n" for n in range(length)} | {f"m{length}": TWICE}


def test_modules_go_so_deep_and_no_deeper() -> None:
    assert places(check(f"use m0\n{PLAY}", **chain(DEFAULT_LIMITS.module_depth - 1))) == []
    assert [code for code, *_ in places(check(f"use m0\n{PLAY}", **chain(DEFAULT_LIMITS.module_depth)))] == [
        "too-many-modules"
    ]


def test_there_are_so_many_modules_and_no_more() -> None:
    def wide(number: int) -> list[str]:
        names = [f"m{n}" for n in range(number)]
        main = "".join(f"use {name}\n" for name in names)
        return [code for code, *_ in places(check(main, **{name: f"define d_{name} = 1\n" for name in names}))]

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
    checked = check(f"use common\ndefine y = anything\n{PLAY}", common="define x = 1\x00\n")
    assert [code for code, *_ in places(checked)] == ["control-character"]


def test_an_example_that_names_no_procedure_plays_the_one_of_its_own_file() -> None:
    other = TWICE + "procedure q\n  1. give y = 1\n"
    checked = check(f'use common\n{PLAY}example "six"\n  expect x is 6\n', common=other)
    assert checked.program is not None
    assert [example.procedure for example in checked.program.examples] == ["p"]


def test_an_example_names_its_procedure_where_its_own_file_has_several() -> None:
    main = f'use common\n{PLAY}procedure r\n  1. give x = 1\nexample "six"\n  expect x is 6\n'
    assert places(check(main, common=TWICE)) == [("which-procedure", "main.rules", 6)]


def test_a_player_that_a_module_names_too_is_the_same_player() -> None:
    checked = check(f"use common\nplayers owner, attacker\n{PLAY}", common=f"players owner, firer\n{TWICE}")
    assert checked.program is not None
    assert list(checked.program.players) == ["firer", "owner", "attacker"]


def test_a_player_that_two_modules_name_is_the_same_player() -> None:
    checked = check(f"use left\nuse common\n{PLAY}", left="players owner\n", common=f"players firer, owner\n{TWICE}")
    assert checked.program is not None
    assert list(checked.program.players) == ["owner", "firer"]


def test_a_player_that_one_file_names_twice_is_reported() -> None:
    assert places(check(f"players owner, owner\n{PLAY.replace('twice(3)', '3')}")) == [
        ("duplicate-name", "main.rules", 1)
    ]


@pytest.mark.parametrize(
    ("declared", "again", "help_"),
    [
        (
            "record unit\n  a  0..\n",
            "record unit\n  b  0..\n",
            "add lines to that declaration with `add to record unit`, or replace that declaration",
        ),
        (
            TWICE,
            TWICE,
            "the first declaration is in common.rules: replace that declaration with `replace define twice`, or choose another name",
        ),
        (TWICE, "facts\n  twice  0..\n", "the first declaration is in common.rules: choose another name"),
    ],
)
def test_a_name_that_a_module_declares_says_how_to_have_ones_own(declared: str, again: str, help_: str) -> None:
    (found,) = [d for d in check(f"use common\n{again}", common=declared).diagnostics if d.code == "duplicate-name"]
    assert help_ in found.helps[0]


def test_what_replaces_a_declaration_of_a_module_stands_for_it() -> None:
    checked = check(f"use common\nreplace define twice (n 0..) = n * 4\n{PLAY}", common=TWICE)
    assert checked.program is not None
    assert list(checked.program.definitions) == ["twice"]
