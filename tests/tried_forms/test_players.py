"""Forms that authors tried for players, choices and state, and what came of them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tried_forms.trying import messages, tried

import enfilade
from enfilade.errors import InputError
from enfilade.tools.examples import run_examples

SHIP = """
words system one of hull, warp, phaser

record ship
  boxes   map of system to 0.. = (hull 3, warp 4, phaser 2)
  broken  map of system to yes/no

facts
  target  ship
  crew    map of system to 0..9 = 2

effect box_lost "loses a box" (ship, system)
  ship.boxes of system becomes ship.boxes of system - 1 but at least 0
  when ship.boxes of system is 0
    ship.broken of system becomes yes

chart damage
  down   d6
  cells  words
  |  d6 | System |
  | 1-3 | hull   |
  | 4-5 | warp   |
  |  6  | phaser |
"""

VOLLEY = (
    SHIP
    + """
procedure play
  1. let seen = (hull 0, warp 0, phaser 0)
  2. repeat 2 times
       roll d6 as die
       read damage with die as row
       box_lost on target with system row.code
       seen of row becomes seen of row + 1
  3. give result  = target.boxes of hull
     give crew_of = crew of warp
     give boxes   = target.boxes
     give seen
     give broken  = any of target.boxes where target.broken of each
"""
)


def test_a4_a_field_picked_by_a_word() -> None:
    ship = tried(VOLLEY)
    assert ship.plays(1, 6, target={"boxes": {"hull": 1}}, crew={"warp": 5}) == {
        "result": 0,
        "crew_of": 5,
        "boxes": {"hull": 0, "warp": 4, "phaser": 1},
        "seen": {"hull": 1, "warp": 0, "phaser": 1},
        "broken": True,
    }
    assert ship.chance("boxes of phaser is 2", target={"name": "target"}) == Fraction(25, 36)
    assert "hull in boxes of target: 1, now 0" in ship.explained(1, 6, target={"boxes": {"hull": 1}})


def test_a4_a_computed_field_is_answered_with_the_map() -> None:
    (message,) = messages(SHIP + "procedure play\n  1. give result = target.(hull)\n")
    assert "declare `boxes map of system to 0..` and write `boxes of ...`" in message


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"crew": {"wrap": 1}}, "crew has no wrap; did you mean warp?"),
        ({"crew": {"warp": 12}}, "crew.warp is 12; allowed: 0 to 9"),
        ({"crew": 3}, "crew is 3; allowed: 0 to 9, for each of hull, warp, phaser"),
        ({"target": {"boxes": {"hull": -1}}}, "target.boxes.hull is -1; allowed: 0 or more"),
    ],
)
def test_a4_a_map_is_checked_entry_by_entry(given: dict[str, Any], message: str) -> None:
    rules = enfilade.load(VOLLEY)
    with pytest.raises(InputError) as raised:
        rules.resolve("play", dice=[1, 1], **{"target": "target", **given})
    assert message in str(raised.value)


def test_a4_every_entry_of_a_map_without_default_is_needed() -> None:
    rules = enfilade.load(VOLLEY.replace("0..9 = 2", "0..9"))
    with pytest.raises(InputError, match=r"crew needs its hull, phaser; allowed: 0 to 9"):
        rules.resolve("play", dice=[1, 1], target="target", crew={"warp": 1})


def test_a4_an_entry_outside_its_range_is_named() -> None:
    rules = enfilade.load(VOLLEY.replace(" but at least 0", ""))
    with pytest.raises(enfilade.RuleError, match=r"hull in boxes of target would become -1, but must be 0 or more"):
        rules.resolve("play", dice=[1, 1], target={"boxes": {"hull": 1}})


def test_a4_parts_that_happen_together_change_other_entries_of_one_map() -> None:
    ship = tried(SHIP + "\nprocedure play\n  1. together\n"
                 "       box_lost on target with system hull\n       box_lost on target with system warp\n"
                 "       box_lost on target with system hull\n  2. give result = target.boxes\n")  # fmt: skip
    assert ship.plays(target="target")["result"] == {"hull": 1, "warp": 3, "phaser": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("words a one of x, y\nfacts\n  m  map of b to 0..\n", "there is no list of words `b`"),
        ("words a one of x, y\nfacts\n  m  map of a to list of 0..\n", "a map needs a number, yes/no or a word"),
        ("words a one of x, y\nfacts\n  m  map of a to 0.. = (x 1)\n", "this map has no value for y"),
        ("words a one of x, y\nfacts\n  m  map of a to 0.. = (x 1, z 2)\n", "`z` is not a possible word"),
        ("words a one of x, y\nfacts\n  m  map of a to 0..5 = 7\n", "this default must be 0 to 5, for each of x, y"),
    ],
)
def test_a4_what_is_wrong_with_a_map_is_said(text: str, message: str) -> None:
    found = messages(text + "procedure play\n  1. give result = m\n")
    assert len(found) == 1, found
    assert message in found[0]


BLOCKS = """
players red, blue

record block
  owner    player
  steps    0.. = 2
  routed   yes/no

facts
  blocks  list of block
  starter  player = red

effect hit "loses a step" (block)
  block.steps becomes block.steps - 1
"""

BATTLE = (
    BLOCKS
    + """
procedure play
  1. for each side in players
       let mine = blocks where owner is side and steps > 0
       when (count of mine) > 0
         roll d6 as die by side
         when die >= 4
           side chooses target among mine
           hit on target
  2. let enemy = item 1 of blocks
  3. enemy.owner chooses way from fight, rout
  4. when way is rout: enemy.routed becomes yes
  5. starter chooses whether stops
  6. give result = map of block to steps over blocks
     give routed = count of blocks where routed
     give other  = "blue" when starter is red otherwise "red"
"""
)


def test_d1_a_player_is_a_value() -> None:
    battle = tried(BATTLE)
    blocks = [{"name": "a", "owner": "blue"}, {"name": "b", "owner": "red"}, {"name": "c", "owner": "blue"}]
    assert battle.plays(5, 4, choices=["c", "rout", True], blocks=blocks) == {
        "result": {"a": 2, "b": 1, "c": 1},
        "routed": 1,
        "other": "blue",
    }
    assert battle.chance("steps of b is 1", blocks=[blocks[1]]) == Fraction(1, 2)
    question = enfilade.load(BATTLE).begin("play", blocks=blocks).question
    assert question is not None
    assert question.player == "red"


def test_d1_the_explanation_names_the_player() -> None:
    told = tried(BATTLE).rules.resolve(
        "play", dice=[5], choices=["fight", True], blocks=[{"name": "a", "owner": "blue"}]
    )
    assert "blue rolls die (2): 5" in str(told.explain())
    assert "blue chooses fight (way)" in str(told.explain())


@pytest.mark.parametrize(
    ("who", "message"),
    [
        ("green", "there is no player `green`"),
        ("enemy.steps", "but a player is needed; declare the name with the type `player`"),
        ("enemy.owne", "there is no field of block `owne`; did you mean `owner`?"),
    ],
)
def test_d1_what_is_no_player_is_said(who: str, message: str) -> None:
    (found,) = messages(f"{BLOCKS}procedure play\n  1. let enemy = item 1 of blocks\n  2. {who} chooses whether runs\n"
                        "  3. give result = runs\n")  # fmt: skip
    assert message in found


HAND = """
players owner

facts
  hand    list of 1..9
  events  list of 1.. = [1]

procedure play
  1. owner may choose card among hand "which card is played"
  2. give result = 0 when card is none otherwise card
  3. owner may choose mood from calm, angry
  4. give mood
"""


def test_d2_one_of_the_list_or_none() -> None:
    hand = tried(HAND)
    assert hand.plays(choices=[5, "calm"], hand=[4, 5]) == {"result": 5, "mood": "calm"}
    assert hand.plays(choices=[None, None], hand=[4, 5]) == {"result": 0, "mood": None}
    assert hand.plays(choices=["angry"], hand=[]) == {"result": 0, "mood": "angry"}
    question = hand.rules.begin("play", hand=[4, 5]).question
    assert question is not None
    assert question.legal == (4, 5, None)
    odds = hand.rules.odds("play", hand=[4, 5], players={"owner": "best"}, aim="result")
    assert odds.chance("result is 5") == 1


@pytest.mark.parametrize("step", ["owner may choose 2 card among hand", "owner may choose card among hand, if any"])
def test_d2_may_goes_alone(step: str) -> None:
    (found,) = messages(HAND.replace("owner may choose card among hand", step))
    assert "`may choose` chooses one option or none" in found


LOSSES = """
players owner

record unit
  steps    0.. = 1
  carrier  unit or none = none
  gone     yes/no
  reads    0.. = 1

facts
  units  list of unit
  hits   0..4 = 2

effect step_loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1
  when unit.steps is 0
    eliminate on unit

effect eliminate "is eliminated" (unit)
  unit.gone becomes yes
  for each load in units where carrier is unit and not gone
    eliminate on load

procedure play
  1. owner assigns hits step_loss among units where not gone and reads >= nth as losses
  2. give result = map of unit to steps over units
     give lost   = count of effects step_loss

procedure any_order
  1. owner assigns hits step_loss among units where not gone as losses
  2. give lost = count of effects step_loss
     give result = map of unit to steps over units
"""


def test_d4_no_loss_is_dodged() -> None:
    losses = tried(LOSSES)
    units = [{"name": "infantry", "steps": 2}, {"name": "gun", "steps": 1, "reads": 2}]
    assert losses.plays(units=units) == {"result": {"infantry": 1, "gun": 0}, "lost": 2}
    assert losses.rules.begin("play", units=units).outcome is not None
    for aim in ("lost", "steps of infantry"):
        best = losses.rules.odds("play", units=units, players={"owner": "worst"}, aim=aim)
        assert best.chance("lost is 2") == 1


def test_d4_a_loss_that_would_take_others_along_comes_last() -> None:
    losses = tried(LOSSES)
    units = [{"name": "wagon"}, {"name": "gun", "carrier": "wagon"}, {"name": "rifles", "steps": 2}]
    question = losses.rules.begin("any_order", units=units, hits=4).question
    assert question is not None
    assert question.legal == ("gun", "rifles")
    assert losses.plays(choices=["rifles", "rifles", "gun", "wagon"], units=units, hits=4,
                        procedure="any_order")["lost"] == 4  # fmt: skip


FORCED = """
players owner

record unit
  steps  0.. = 1

facts
  units  list of unit

effect step_loss "loses a step" (unit)
  unit.steps becomes unit.steps - 1

procedure play
  1. owner chooses first_hit among units where steps > 0
  2. step_loss on first_hit
  3. owner chooses second_hit among units where steps > 0, if any
  4. when second_hit is not none: step_loss on second_hit
  5. give result = map of unit to steps over units

example "the choice that nobody needs to make"
  given unit a (steps 2)
  choosing a, a
  expect steps of a is 0

example "left out"
  given unit a (steps 2)
  expect steps of a is 0

example "one of two is forced"
  given unit a, unit b
  choosing a, b
  expect steps of a is 0 and steps of b is 0
"""


def test_d3_a_needless_legal_answer_is_taken() -> None:
    forced = tried(FORCED)
    assert [each.failures for each in run_examples(forced.program)] == [(), (), ()]
    units = [{"name": "a"}, {"name": "b", "steps": 2}]
    assert forced.plays(choices=["a", "b"], units=units) == {"result": {"a": 0, "b": 1}}
    assert forced.plays(choices=["a"], units=units) == {"result": {"a": 0, "b": 1}}
    assert forced.plays(choices={"second_hit": "b", "first_hit": "a"}, units=units) == {"result": {"a": 0, "b": 1}}
    with pytest.raises(InputError, match="choices are left over: b, c"):
        forced.plays(choices=["a", "b", "c"], units=units)


@pytest.mark.parametrize("order", [["A", "A", "B"], ["A", "B", "A"], ["B", "A", "A"]])
def test_d3_losses_are_named_in_any_order(order: list[str]) -> None:
    losses = tried(LOSSES)
    units = [{"name": "A", "steps": 2, "reads": 2}, {"name": "B", "steps": 2, "reads": 3}]
    assert losses.plays(choices=order, units=units, hits=3)["result"] == {"A": 0, "B": 1}


def test_d3_a_run_that_begins_takes_choices_as_resolve_does() -> None:
    rules, units = tried(FORCED).rules, [{"name": "a"}, {"name": "b", "steps": 2}]
    one = [{"name": "a", "steps": 2}]
    for choices, given in [(["a", "b"], units), (["a"], units), (["a", "a"], one), ([], one)]:
        outcome = rules.begin("play", choices=choices, units=given).outcome
        assert outcome is not None
        assert outcome.outputs == rules.resolve("play", choices=choices, units=given).outputs
    with pytest.raises(InputError, match="choices are left over: b, c"):
        rules.begin("play", choices=["a", "b", "c"], units=units)


@pytest.mark.parametrize("order", [["A", "A", "B"], ["A", "B", "A"], ["B", "A", "A"]])
def test_d3_a_run_that_begins_takes_losses_in_any_order(order: list[str]) -> None:
    rules = tried(LOSSES).rules
    units = [{"name": "A", "steps": 2, "reads": 2}, {"name": "B", "steps": 2, "reads": 3}]
    outcome = rules.begin("play", choices=order, units=units, hits=3).outcome
    assert outcome is not None
    assert outcome.result == {"A": 0, "B": 1}
    assert rules.odds("play", choices=order, units=units, hits=3).chance("result of A is 0 and result of B is 1") == 1


def test_d3_choices_before_the_first_open_roll_are_used_up() -> None:
    text = FORCED.partition("example")[0].replace("  5. give", "  5. roll d6 as die\n  6. give")
    rules, one = tried(text + "     give die\n").rules, [{"name": "a", "steps": 2}]
    for choices in (["a", "a"], ["a"], []):
        run = rules.begin("play", choices=choices, units=one)
        assert run.question is not None
        assert run.question.key == "die"
        outcome = run.answer(3).outcome
        assert outcome is not None
        assert outcome.outputs == {"result": {"a": 0}, "die": 3}
        assert rules.odds("play", choices=choices, units=one).chance("die is 3") == Fraction(1, 6)
    with pytest.raises(InputError, match="choices are given for questions after die, but die"):
        rules.odds("play", choices=["a", "a", "a"], units=one)


HIDDEN = """
facts
  strength  1..

chart table
  down    d6
  across  strength, column at or below
  |  d6 |  1 |  4  |
  | 1-6 | no | yes |

procedure fire
  facts
    strength  1..
  1. roll d6 as die
  2. read table with die as shot
  3. give result   = shot.code
     give strength = strength
"""


def test_d5_a_hidden_fact_that_a_chart_reads_is_warned_of() -> None:
    assert messages(HIDDEN) == [
        "`strength` of `fire` hides the fact `strength`, which the chart `table` uses; to use the fact of the game, "
        "delete the fact of the procedure; otherwise rename one of them"
    ]
    assert messages(HIDDEN.replace("  facts\n    strength  1..\n", "")) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "house").mkdir()
    (tmp_path / "house" / "base.rules").write_text(
        "ruleset base\nprocedure play\n  1. roll d6 as die\n  2. give result = die\n"
    )
    return tmp_path


def test_d7_the_names_of_a_module_are_the_games() -> None:
    game = """
use steps with battalion for unit

record battalion
  strength  1.. = 3
  steps     0.. = 4  "companies left"

facts
  rifles  battalion

procedure play
  1. step_loss on rifles with amount 1
  2. give result = rifles.steps
     give strength = rifles.strength
"""
    rules = enfilade.load(game)
    assert rules.resolve("play", rifles={"strength": 5}).outputs == {"result": 3, "strength": 5}
    assert set(rules.records) == {"battalion"}
    added = game.replace("record battalion", "add to record battalion").replace(
        '  steps     0.. = 4  "companies left"\n', ""
    )
    assert enfilade.load(added).resolve("play", rifles={"steps": 2}).outputs["result"] == 1


def test_d7_an_unknown_name_of_a_module_is_said() -> None:
    (message,) = messages("use steps with battalion for unti\nprocedure play\n  1. give result = 1\n")
    assert message == "the module `steps` does not declare `unti`; did you mean `unit`?"


def test_d7_a_base_by_its_path(folder: Path) -> None:
    (folder / "late.rules").write_text('ruleset late extends "house/base.rules"\noption fog\n')
    assert enfilade.load(folder / "late.rules").resolve("play", dice=[4]).result == 4


def test_d7_helpers_are_not_listed() -> None:
    rules = enfilade.load(
        """
helper procedure open_die
  1. roll d6 as die, explode on 6
  2. give result = die

procedure play
  1. call open_die as thrown
  2. give result = thrown.result

example "the helper is called"
  on 6 2
  gives 8
"""
    )
    assert [each.name for each in rules.procedures] == ["play"]
    assert "open_die" not in [each.name for each in rules.symbols]
    assert [each.failures for each in run_examples(rules.program)] == [()]
    assert rules.resolve("open_die", dice=[3]).result == 3


TACTICAL = """
record element
  kind     one of pikes, horse
  uphill   yes/no

facts
  ours    element
  theirs  element

modifiers tactical (element, support 0..) "Tactical factors"
  +1  uphill   uphill of element
  -1  alone    support is 0

chart outcome (element)
  down    d6
  across  tactical(element, 1) but within 0..1
  | d6 | 0 | 1 |
  | 1-6 | back | hold |

procedure play
  1. roll d6 as die
  2. let ours_total = die + tactical(ours, 0)
  3. let theirs_total = die + tactical(theirs, 1)
  4. read outcome(theirs) with die as fate
  5. give result = ours_total - theirs_total
     give fate = fate.code

procedure count_down
  facts
    n  0..9
  1. when n is 0: stop
  2. call count_down with n n - 1 as rest
  3. give result = n
"""


def test_d6_the_explanation_says_for_whom_modifiers_count() -> None:
    game = tried(TACTICAL)
    told = game.explained(3, ours={"kind": "pikes", "uphill": True}, theirs={"kind": "horse"})
    assert "Tactical factors for ours (support 0): 0" in told
    assert "Tactical factors for theirs (support 1): 0" in told
    assert "outcome for theirs: roll 3, column 0: back" in told


def test_d8_procedures_and_effects_may_call_themselves() -> None:
    game = tried(TACTICAL)
    assert game.plays(procedure="count_down", n=3) == {"result": 3}


SITE = """
record unit
  steps  0.. = 1

record site
  attackers  list of unit
  leader     unit or none
  cover      0..2 = 0

record situation
  front  1..9
  rear   0.. = 0

facts
  target  site
  around  situation = (front 4)

procedure play
  1. roll d6 as die
  2. give result = sum of steps over target.attackers
     give front  = around.front
     give led    = 0 when target.leader is none otherwise target.leader.steps

example "records inside a record"
  given target (attackers [a (steps 2), b (steps 3)], leader c (steps 4))
  on 1
  gives 5
  expect front is 4 and led is 4

example "another front"
  given target (cover 1), around (front 2)
  on 1
  gives 0
  expect front is 2
"""


def test_h6_a_record_named_only_inside_another_is_described_there() -> None:
    site = tried(SITE)
    assert [each.failures for each in run_examples(site.program)] == [(), ()]
    described = {"attackers": [{"name": "a", "steps": 2}, {"steps": 5}], "cover": 1}
    assert site.plays(1, target=described)["result"] == 7
    schema = site.rules.procedure("play").json_schema()
    assert set(schema["$defs"]) == {"site", "unit", "situation"}


def test_h14_a_record_is_the_default_of_a_fact() -> None:
    site = tried(SITE)
    for _ in range(3):
        assert site.plays(1, target={})["front"] == 4
    assert site.chance("front is 4", target={}) == 1
    (message,) = messages(SITE.replace("(front 4)", "(rear 4)").partition("example")[0])
    assert message == "this situation has no value for front"


def test_f7_a_fact_named_like_an_argument_is_warned_of() -> None:
    found = messages("facts\n  dice  1..\nprocedure play\n  1. give result = dice\n")
    assert found == [
        "`dice` is an argument of the method `resolve`, so Python programs can't pass this fact by keyword; "
        'write `given={"dice": ...}` in Python, or choose another name'
    ]


def test_f8_a_missing_record_says_how_to_give_it() -> None:
    with pytest.raises(InputError, match="target is missing; every field of a site has a default, so a name is enough"):
        enfilade.load(SITE).resolve("play", dice=[1])


def test_missing_records_of_one_kind_are_given_different_names() -> None:
    rules = enfilade.load(
        """
record side
  steps  0..6 = 3
facts
  att  side
  dfn  side
effect loss (side)
  side.steps becomes side.steps - 1
procedure play
  1. roll d6 as die
  2. loss on dfn
  3. give left = att.steps
     give hit = dfn.steps
"""
    )
    with pytest.raises(InputError) as error:
        rules.resolve("play")
    assert [fault.message for fault in error.value.errors] == [
        "att is missing; every field of a side has a default, so a name is enough, such as `att1`",
        "dfn is missing; every field of a side has a default, so a name is enough, such as `dfn1`",
    ]
    outputs = rules.resolve("play", att="att1", dfn="dfn1", dice=[1]).outputs
    assert (outputs["left"], outputs["hit"]) == (3, 2)


RANKS = """
record unit
  ranks  1..9
  steps  0.. = 2
  kind   one of pike, "long bow"
record camp
  huts  0.. = 3
facts
  mine    unit
  theirs  list of unit, at least 1
  place   camp
procedure play
  1. roll d6 as die
  2. give result = die + mine.ranks + place.huts
     give kind = mine.kind
     give all = count of theirs
"""


def test_f8_what_is_missing_says_what_to_write() -> None:
    rules = enfilade.load(RANKS)

    def faults(**given: Any) -> list[str]:
        with pytest.raises(InputError) as error:
            rules.resolve("play", given=given, dice=[1])
        return [fault.message for fault in error.value.errors]

    mine, theirs = {"ranks": 1, "kind": "pike"}, [{"name": "b", "ranks": 1, "kind": "pike"}]
    assert faults() == [
        "mine is missing; give a unit, such as `(ranks 1, kind pike)`",
        "theirs is missing; give a list, such as `[theirs1 (ranks 1, kind pike)]`",
        "place is missing; every field of a camp has a default, so a name is enough, such as `place1`",
    ]
    assert faults(mine={"steps": 1}, theirs=theirs, place={}) == [
        "mine needs its ranks; allowed: 1 to 9",
        "mine needs its kind; allowed: pike, long bow; write `mine (ranks 1, kind pike)`",
    ]
    assert faults(mine=mine, theirs=[{"name": "b", "kind": "pike"}], place={}) == [
        "theirs[b] needs its ranks; allowed: 1 to 9; write `b (ranks 1, kind pike)`"
    ]
    tried(
        RANKS
        + """
example play "as the messages say"
  given mine (ranks 1, kind pike), theirs [theirs1 (ranks 1, kind pike)], place place1
  on 1
  gives 5
"""
    )


def test_a_parameter_that_is_a_player_needs_its_type() -> None:
    assert messages("""
players red, blue
record unit
  owner  player
facts
  units  list of unit
define count_of (side) = count of units where owner is side
procedure play
  1. give result = count_of(red)
""") == [
        "there is no record, fact or field `side`; give it a type: `(side 0..)`, `(side one of a or b)`, `(side player)`"
    ]
