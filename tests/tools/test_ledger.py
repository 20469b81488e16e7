"""Ledgers: what became of each line of a document, and what is said where something is missing or wrong.

What ``enfilade ledger`` prints is on the page ``tests/cli/pages/ledger.md``.
"""

import pytest

import enfilade
from enfilade.source.text import SourceFile
from enfilade.tools.ledger import Ledger, begin_ledger, compare_text, hash_of, read_ledger

DOCUMENT = "A small game\n\nNight: -1; fog: no effect.\nRoll 1-3 miss, 4-6 hit.\n~~~\n"
RULES = """enfilade 1
ruleset small "A small game"
facts
  night  yes/no  "it is night"
option fog  assumed "the line on fog says nothing"
chart fire "Fire"
  down  d6
  row below  stays
  | Die | Result |
  | 1-3 |  miss  |
  | 4-6 |  hit   |
modifiers drm add to roll of fire
  -1  night  night  [2]
procedure shoot
  1. roll d6 as die
  2. read fire with die as shot
  3. give result = shot.code
"""
TARGETS = [
    "ruleset",
    "blank",
    'modifier night; option fog; not a mechanic "no; effect"',
    "chart fire row 1-3; chart fire row 4-6; procedure shoot",
    'unreadable "a stroke"',
]


def written(
    targets: list[str],
    document: str = DOCUMENT,
    head: str = 'document "Small", 5 lines',
    more: tuple[str, ...] = (),
) -> str:
    lines = document.splitlines()
    rows = [f"{n}  {hash_of(lines[n - 1])}  {target}" for n, target in enumerate(targets, start=1)]
    return "\n".join(["-- a comment", head, *rows, *more]) + "\n"


def ledger(text: str) -> Ledger:
    return read_ledger(SourceFile("small.ledger", text), enfilade.load(text=RULES).sources)


def test_a_whole_ledger_names_the_lines_of_the_rules() -> None:
    found = ledger(written(TARGETS))
    assert (found.problems, found.is_whole, found.title) == ((), True, "Small")
    assert {kind: count for kind, count in found.counts.items() if count} == {"rules": 3, "unreadable": 1, "blank": 1}
    assert [str(target).replace("<text>", "small") for target in found.entries[2].targets] == [
        "modifier night (small:13)",
        "option fog (small:5)",
        "not a mechanic: no; effect",
    ]


WORDS = [
    "heading of ruleset",
    "blank",
    'modifier night; host "when it is night"',
    'chart fire row 1-3; chart fire row 4-6; procedure shoot steps 1-3; example shoot "a hit"',
    "says again line 4",
]
ALONE = ('only in the rules  option fog "the line on fog says nothing"',)
EXAMPLE = """
example shoot "a hit"
  on 5
  gives hit
"""


def test_headings_duplicates_and_what_the_host_does_are_counted_apart() -> None:
    found = read_ledger(
        SourceFile("small.ledger", written(WORDS, more=ALONE)), enfilade.load(text=RULES + EXAMPLE).sources
    )
    assert (found.problems, found.is_whole, found.shared) == ((), True, 1)
    assert {kind: count for kind, count in found.counts.items() if count} == {
        "rules": 2, "says again": 1, "heading": 1, "blank": 1,
    }  # fmt: skip
    shown = ["; ".join(map(str, entry.targets)).replace("<text>", "small") for entry in found.entries]
    assert (shown[0], shown[4]) == ("heading of ruleset (small:2)", "says again line 4")
    assert shown[2] == "modifier night (small:13); host: when it is night"


def test_a_heading_may_stand_alone_and_a_line_may_be_left_to_the_host() -> None:
    found = ledger(written(["ruleset", "blank", "heading", 'host "rolls the die"', 'unreadable "a stroke"']))
    assert (found.problems, found.counts["heading"], found.counts["host"], found.shared) == ((), 1, 1, 0)


def test_what_is_assumed_is_listed_with_its_reason() -> None:
    assert [(each.line, each.what, each.why) for each in ledger(written(TARGETS)).assumptions] == [
        (5, "option fog", "the line on fog says nothing")
    ]


def unnamed(*targets: str) -> list[str]:
    return [rule.name for rule in ledger(written([*targets, *['not a mechanic "x"'] * (5 - len(targets))])).unnamed]


STEPS = ["procedure shoot step 1", "procedure shoot step 2", "procedure shoot step 3"]
ROWS = ["chart fire row 1-3", "chart fire row 4-6"]


def test_every_rule_must_be_named_and_facts_need_not() -> None:
    rules = ["option fog", "chart fire", *ROWS, "modifier drm.night", "procedure shoot", *STEPS]
    assert unnamed("ruleset; fact night") == rules


def test_a_whole_stands_for_its_parts_until_a_line_names_a_part() -> None:
    assert unnamed("option fog; modifier night; chart fire; procedure shoot") == []
    assert unnamed("option fog; modifier night; chart fire", "chart fire row 1-3; procedure shoot step 2") == [
        "chart fire row 4-6", "procedure shoot step 1", "procedure shoot step 3",
    ]  # fmt: skip


def test_a_part_stands_for_the_whole_and_an_output_for_its_step() -> None:
    assert (
        unnamed("option fog; modifier night; chart fire row 1-3; chart fire row 4-6", "output shoot.result")
        == STEPS[:2]
    )


def test_a_heading_names_a_whole_but_none_of_its_parts() -> None:
    named = unnamed("heading of chart fire", "heading of procedure shoot", "heading of modifier night", "option fog")
    assert named == [*ROWS, "modifier drm.night", *STEPS]


def test_several_steps_may_be_named_at_once() -> None:
    assert unnamed("option fog; modifier night; chart fire; procedure shoot steps 1-2") == STEPS[2:]
    problems = ledger(written([*TARGETS[:4], "procedure shoot steps 2-4"])).problems
    assert problems[0].startswith("small.ledger:7: the rules have no procedure shoot steps 2-4;")


def test_a_ledger_with_a_rule_that_no_line_is_named_for_is_not_whole() -> None:
    found = ledger(written([*TARGETS[:2], 'not a mechanic "x"', *TARGETS[3:]]))
    assert (found.problems, found.accounted, found.is_whole) == ((), 5, False)
    assert [str(each).replace("<text>", "small") for each in found.unnamed] == [
        "option fog (small:5)", "modifier drm.night (small:13)",
    ]  # fmt: skip


def test_what_stands_only_in_the_rules_is_named_with_the_reason() -> None:
    found = ledger(written([*TARGETS[:2], "modifier night", *TARGETS[3:]], more=ALONE))
    assert found.is_whole
    assert [str(each).replace("<text>", "small") for each in found.alone] == [
        "option fog (small:5): the line on fog says nothing"
    ]


def test_a_line_that_nobody_has_looked_at_is_not_accounted_for() -> None:
    found = ledger(written([*TARGETS[:4], "?"]))
    assert (found.problems, found.accounted, found.is_whole) == ((), 4, False)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (written([*TARGETS[:4], "modifer night"]), "small.ledger:7: the rules have no modifer night; did you mean modifier night?"),
        (written([*TARGETS[:4], "out of scope"]), 'small.ledger:7: the rules have no out of scope; for a line without a rule, write `not a mechanic "why"`'),
        (written([*TARGETS[:4], "unreadable"]), 'small.ledger:7: say why: unreadable "..."'),
        (written([*TARGETS[:4], "host"]), 'small.ledger:7: say why: host "..."'),
        (written([*TARGETS[:4], "says again line 5"]), "small.ledger: line 5 says `again line 5`, but no earlier entry is for line 5"),
        (written([*TARGETS[:4], "says again line 2"]), "small.ledger: line 5 says `again line 2`, but no earlier entry is for line 2"),
        (written([*TARGETS[:4], "says again line 9"]), "small.ledger: line 5 says `again line 9`, but no earlier entry is for line 9"),
        (written([*TARGETS[:4], "heading of chart fier"]), "small.ledger:7: the rules have no chart fier; did you mean chart fire?"),
        (written(TARGETS[:2]), "small.ledger: there is no entry for lines 3-5"),
        (written(TARGETS) + f"2  {hash_of('')}  blank\n", "small.ledger: line 2 of the document has two entries"),
        (written(TARGETS) + f"9  {hash_of('')}  blank\n", "small.ledger: the document has no line 9"),
        (written(TARGETS) + "something else\n", "small.ledger:8: this is not an entry: write LINE HASH TARGETS"),
        (written(TARGETS, more=ALONE), "small.ledger: option fog is said to be only in the rules, but a line of the document is named for it"),
        (written(TARGETS, more=('only in the rules fact night "x"',)), "small.ledger: fact night needs no line of the document; take it out of the rules that stand alone"),
        (written(TARGETS, more=("only in the rules option fog",)), 'small.ledger:8: say why: only in the rules option fog "..."'),
        (written(TARGETS, more=('only in the rules option frog "x"',)), "small.ledger:8: the rules have no option frog; did you mean option fog?"),
        (written(TARGETS, head="-- no heading"), 'small.ledger: the document has no title: write document "title", 12 lines'),
    ],
)  # fmt: skip
def test_each_mistake_is_told_with_its_place(text: str, problem: str) -> None:
    found = ledger(text)
    assert (problem in found.problems, found.is_whole) == (True, False), found.problems


def test_a_text_is_held_against_the_hashes() -> None:
    found = ledger(written(TARGETS))
    assert compare_text(found, DOCUMENT) == ()
    assert compare_text(found, DOCUMENT.replace("\n", "  \t\n")) == ()
    assert compare_text(found, DOCUMENT.replace("4-6", "5-6")) == ("the ledger does not match the text in line 4",)
    assert compare_text(found, "one\n") == (
        "the text has 1 lines, but the ledger has 5",
        "the ledger does not match the text in line 1",
    )


def test_a_ledger_begins_with_every_line_open_but_the_blank_ones() -> None:
    begun = begin_ledger("Small", DOCUMENT)
    rows = [line for line in begun.splitlines() if line[:1].isdigit()]
    assert [row.split()[2] for row in rows] == ["?", "blank", "?", "?", "?"]
    assert "`chart NAME row 7`" in begun
    assert ledger(begun).problems == ()
