"""Each shipped ruleset accounts for every line of the document that it was made from."""

from functools import cache
from typing import Final

import pytest
from attrs import evolve

import enfilade
from enfilade.source.shipped import shipped_dir
from enfilade.source.text import SourceFile
from enfilade.tools.ledger import (
    AGAIN,
    HEADING,
    HOST,
    NO_MECHANIC,
    OPEN,
    RULES,
    UNREADABLE,
    Ledger,
    Target,
    read_ledger,
)
from enfilade.tools.rule_lines import rule_lines

pytestmark = pytest.mark.thorough
# The documents themselves are not shipped: how many lines they have is known, and each line by its hash.
LINES: Final = {
    "fire_combat": 149, "infantry_attacks": 52, "emperor_musketry": 17, "bombardment": 83, "franco_prussian": 100,
}  # fmt: skip


@cache
def sources_of(name: str) -> tuple[SourceFile, ...]:
    return enfilade.load(name).sources


@cache
def ledger_of(name: str) -> Ledger:
    source = SourceFile.from_path(shipped_dir("rulesets") / name / f"{name}.ledger")
    return read_ledger(source, sources_of(name))


@pytest.mark.parametrize("name", LINES)
def test_every_line_is_accounted_for_and_can_be_read(name: str) -> None:
    ledger = ledger_of(name)
    assert ledger.problems == ()
    assert [entry.line for entry in ledger.entries] == list(range(1, LINES[name] + 1))
    assert (ledger.counts[OPEN], ledger.counts[UNREADABLE], ledger.accounted) == (0, 0, LINES[name])
    assert ledger.is_whole


# The lines whose rules other lines state, too, or that have no rule of their own, with the reason.
NOT_MISSED: Final = {
    ("infantry_attacks", 44): "M and M# have one entry, and line 45 names it",
    ("infantry_attacks", 45): "M and M# have one entry, and line 44 names it",
    ("infantry_attacks", 52): "X and #X have one entry, and lines 46 to 50 name it",
    ("bombardment", 29): "says what has no effect: there is no rule for it",
    ("bombardment", 41): "says what nothing remembers: there is no rule for it, only a fact",
    ("bombardment", 43): "an example of the document",
    ("bombardment", 47): "an example of the document",
    ("franco_prussian", 38): "the sentence ends in line 40, which names the rule",
    ("franco_prussian", 62): "says when a fact is true, and the modifier for that fact is in line 73",
    ("franco_prussian", 64): "the sentence ends in line 65, which names the rule",
    ("franco_prussian", 65): "the sentence begins in line 64, which names the rule",
    ("franco_prussian", 74): "a step that four lines name",
    ("franco_prussian", 92): "the title of the next lines, and line 3 names its die, too",
}


def without(ledger: Ledger, line: int) -> Ledger:
    """The ledger in which one line of the document is said to state nothing."""
    lie = (Target(NO_MECHANIC, "nothing to see here"),)
    return evolve(ledger, entries=tuple(evolve(e, targets=lie) if e.line == line else e for e in ledger.entries))


@pytest.mark.parametrize("name", LINES)
def test_a_rule_line_can_not_be_passed_off_as_no_mechanic(name: str) -> None:
    ledger = ledger_of(name)
    lines = [entry.line for entry in ledger.entries if entry.kind == RULES]
    missed = [line for line in lines if without(ledger, line).is_whole]
    assert missed == [line for of, line in NOT_MISSED if of == name]


@pytest.mark.parametrize(
    ("name", "line", "rule"),
    [
        ("fire_combat", 30, "chart infantry_class_1 row 9"),
        ("fire_combat", 139, "modifier artillery_drm.french_at_artillery"),
        ("infantry_attacks", 25, "modifier column_modifiers.hill"),
        ("infantry_attacks", 42, "results direct_fire_table code -"),
        ("emperor_musketry", 9, "define fire"),
        ("bombardment", 66, "modifier bombardment_modifiers.distance but 1"),
        ("franco_prussian", 12, "modifiers artillery_modifiers only the first"),
        ("franco_prussian", 72, "modifier melee_modifiers.formed_stationary"),
    ],
)
def test_the_rules_of_a_line_passed_off_as_no_mechanic_are_listed(name: str, line: int, rule: str) -> None:
    assert rule in [each.name for each in without(ledger_of(name), line).unnamed]


@pytest.mark.parametrize("name", LINES)
def test_lines_with_words_have_a_hash_of_their_own_and_blank_ones_share_one(name: str) -> None:
    hashes = {(entry.kind == "blank", entry.hash) for entry in ledger_of(name).entries}
    blank = {each for is_blank, each in hashes if is_blank}
    assert len(blank) <= 1
    assert not blank & {each for is_blank, each in hashes if not is_blank}


@pytest.mark.parametrize("name", LINES)
def test_every_assumption_has_a_reason_and_a_place_and_the_readme_tells_of_them(name: str) -> None:
    texts = {source.name.rpartition("/")[2]: source for source in sources_of(name)}
    assumptions = ledger_of(name).assumptions
    assert assumptions
    assert [each.why for each in assumptions if each.why not in texts[each.source].line_text(each.line)] == []
    assert "ssumed" in (shipped_dir("rulesets") / name / "README.md").read_text()


@pytest.mark.parametrize(
    ("name", "line", "kind"),
    [
        ("fire_combat", 5, HEADING),
        ("fire_combat", 12, AGAIN),
        ("fire_combat", 79, HEADING),
        ("fire_combat", 146, HEADING),
        ("bombardment", 1, NO_MECHANIC),
        ("bombardment", 2, NO_MECHANIC),
        ("bombardment", 39, HOST),
        ("bombardment", 74, HEADING),
        ("franco_prussian", 47, AGAIN),
        ("franco_prussian", 55, HOST),
        ("franco_prussian", 100, AGAIN),
    ],
)
def test_what_is_no_rule_has_the_word_that_fits(name: str, line: int, kind: str) -> None:
    assert ledger_of(name).entries[line - 1].kind == kind


@pytest.mark.parametrize(
    ("name", "line", "target"),
    [
        ("bombardment", 29, "fact distance"),
        ("emperor_musketry", 5, "refusal infantry_fire.no_lives"),
        ("emperor_musketry", 5, "refusal musketry_exchange.no_lives"),
        ("emperor_musketry", 11, "effect kill"),
        ("emperor_musketry", 17, "effect ammo_spent"),
        ("fire_combat", 83, "procedure artillery_fire step 8"),
        ("franco_prussian", 5, "chart artillery_hits header"),
        ("franco_prussian", 32, "procedure target_morale steps 1-2"),
        ("franco_prussian", 41, "procedure target_morale step 4"),
        ("franco_prussian", 53, "field side.support_disorg"),
        ("franco_prussian", 54, "refusal charge.not_in_sight"),
        ("franco_prussian", 61, "refusal contact.more_than_two_on_one"),
        ("franco_prussian", 67, "procedure melee_round step 3"),
        ("franco_prussian", 88, "define points_of"),
        ("infantry_attacks", 45, "define can_check_morale"),
        ("infantry_attacks", 46, "field unit.loaded_on"),
    ],
)
def test_a_line_leads_to_the_rule_that_states_it(name: str, line: int, target: str) -> None:
    assert target in [each.name for each in ledger_of(name).entries[line - 1].targets]


@pytest.mark.parametrize(
    ("name", "line", "part"),
    [
        ("fire_combat", 75, "which side"),
        ("fire_combat", 83, "ammunition"),
        ("infantry_attacks", 45, "14.1"),
        ("infantry_attacks", 50, "14.1"),
        ("infantry_attacks", 50, "6.7"),
    ],
)
def test_a_line_says_which_part_of_it_is_left_to_the_host(name: str, line: int, part: str) -> None:
    entry = ledger_of(name).entries[line - 1]
    assert any(part in target.name for target in entry.targets if target.kind == HOST)


places_of = cache(lambda name: rule_lines(sources_of(name)))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("emperor_musketry", "refusal infantry_fire.no_lives"),
        ("emperor_musketry", "refusal musketry_exchange.no_lives"),
        ("fire_combat", "refusal artillery_fire.strength_above_band"),
        ("franco_prussian", "refusal contact.more_than_two_on_one"),
        ("franco_prussian", "procedure contact step 1"),
        ("franco_prussian", "define surprises"),
        ("franco_prussian", "modifiers melee_modifiers when"),
        ("franco_prussian", "results melee_results code both lose"),
        ("franco_prussian", "results melee_results code loser loses"),
    ],
)
def test_what_the_readme_calls_assumed_is_assumed_in_the_rules(name: str, rule: str) -> None:
    place = places_of(name)[rule][0]
    lines = [each.line for each in ledger_of(name).assumptions if each.source == place.source.rpartition("/")[2]]
    assert any(place.first <= line <= place.last for line in lines)
