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
    "chart fire row 1-3; chart fire row 4-6",
    'unreadable "a stroke"',
]


def written(targets: list[str], document: str = DOCUMENT, head: str = 'document "Small", 5 lines') -> str:
    lines = document.splitlines()
    rows = [f"{n}  {hash_of(lines[n - 1])}  {target}" for n, target in enumerate(targets, start=1)]
    return "\n".join(["-- a comment", head, *rows]) + "\n"


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
    'chart fire row 1-3; chart fire row 4-6; example shoot "a hit"',
    "says again line 4",
]
EXAMPLE = """
example shoot "a hit"
  on 5
  gives hit
"""


def test_headings_duplicates_and_what_the_host_does_are_counted_apart() -> None:
    found = read_ledger(SourceFile("small.ledger", written(WORDS)), enfilade.load(text=RULES + EXAMPLE).sources)
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


def test_what_no_line_is_behind_is_listed_and_what_is_assumed_with_its_reason() -> None:
    found = ledger(written(TARGETS))
    assert [name.partition(" (")[0] for name in found.alone] == ["procedure shoot"]
    assert [(each.line, each.what, each.why) for each in found.assumptions] == [
        (5, "option fog", "the line on fog says nothing")
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
