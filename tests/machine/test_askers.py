"""Who answers what the rules ask for: generators that are exact, scripts that say what is missing or left over."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from enfilade.core import ir
from enfilade.core.answers import LogEntry
from enfilade.core.requests import ChoiceRequest, DrawRequest, FactRequest, RollRequest
from enfilade.engines.askers import Answers, GeneratorAsker, Recording, ScriptAsker, index_below
from enfilade.engines.replay import ReplayAsker, Suspend, SuspendAsker
from enfilade.errors import AnswerError, InputError, MissingAnswer
from enfilade.values.data import Ref
from enfilade.values.types import Num

D6 = ir.Die("d6", 6, None)
ZERO = ir.Die("musket", 10, tuple(ir.Face(n, n) for n in range(10)))
FIGHT = ir.Die("fight", 3, (ir.Face("hit", "hit"), ir.Face("blank", "blank"), ir.Face("blank", "blank")))
GUN, CART = Ref("unit", "gun"), Ref("unit", "cart")

TWO_DICE = RollRequest("fire_roll", ((2, D6),), None, ir.NO_NOTE)
ONE_DIE = RollRequest("morale[gun]", ((1, ZERO),), None, ir.NO_NOTE)
SYMBOLS = RollRequest("blows", ((2, FIGHT),), None, ir.NO_NOTE)
MORE = RollRequest("blows+", ((1, FIGHT),), None, ir.NO_NOTE)
HAND = DrawRequest("hand", "chits", ("red", "red", "blue"), 2, None, ir.NO_NOTE)
VICTIM = ChoiceRequest("victim[1]", "owner", (GUN, CART), None, ir.Note("who is hit"))
PAIR = ChoiceRequest("pair", "owner", (1, 2, 3), 2, ir.NO_NOTE)
STANDS = ChoiceRequest("stands", "owner", (True, False), None, ir.NO_NOTE)
MAYBE = ChoiceRequest("maybe", "owner", (GUN, None), None, ir.NO_NOTE)
SPREAD = ChoiceRequest("spread", "owner", ((1, 2), (2, 1)), None, ir.NO_NOTE)
SEEDED: list[Any] = [(1, 2), (3,), ("blank", "blank"), ("red", "blue")]
FACT = FactRequest(ir.Input("strength", Num(1, None), False, None, ir.Note("its strength")))


# ------------------------------------------------------------------------------------------------- the generator


def test_the_same_seed_gives_these_dice_on_every_platform_and_version() -> None:
    asker = GeneratorAsker.from_seed(1914)
    rolled = [asker.roll(TWO_DICE), asker.roll(ONE_DIE), asker.roll(SYMBOLS), asker.draw(HAND)]
    assert rolled == SEEDED


@pytest.mark.parametrize("count", [1, 2, 3, 6, 7, 10, 100, 1_000_000])
def test_every_index_has_exactly_as_many_numbers_as_any_other(count: int) -> None:
    # `random()` is k / 2**53: index i takes the k of one stretch, and all stretches are equally long.
    stretch = 2**53 // count
    for index in (0, count // 2, count - 1):
        first, last = index * stretch, (index + 1) * stretch - 1
        assert {index_below(lambda k=k: k / 2**53, count) for k in (first, last)} == {index}  # type: ignore[misc]


def test_the_numbers_that_are_left_over_are_drawn_again() -> None:
    draws: Iterator[float] = iter([(2**53 - 1) / 2**53, 0.0])
    assert index_below(lambda: next(draws), 6) == 0
    assert next(draws, None) is None


def test_dice_fall_evenly() -> None:
    asker = GeneratorAsker.from_seed("even")
    falls = Counter(asker.roll(ONE_DIE)[0] for _ in range(20_000))
    assert set(falls) == set(range(10))
    assert max(falls.values()) < 2_200


def test_cards_are_drawn_without_being_put_back() -> None:
    asker = GeneratorAsker.from_seed(3)
    hands = {tuple(sorted(asker.draw(HAND))) for _ in range(100)}
    assert hands == {("red", "red"), ("blue", "red")}


@pytest.mark.parametrize(
    ("ask", "name", "said"),
    [
        (lambda asker: asker.choose(VICTIM), "victim[1]", r"choice victim \(1\) of owner is missing .*gun, cart"),
        (lambda asker: asker.fact(FACT), "strength", r"strength is missing \(its strength\); allowed: 1 or more"),
    ],
    ids=["choices", "facts"],
)
def test_a_generator_makes_no_choices_and_knows_no_facts(ask: Callable[[Any], Any], name: str, said: str) -> None:
    with pytest.raises(MissingAnswer, match=said) as caught:
        ask(GeneratorAsker.from_seed(1))
    assert caught.value.name == name


def test_a_generator_chooses_if_it_is_told_to() -> None:
    assert len(set(GeneratorAsker.from_seed(1, decides=True).choose(PAIR))) == 2


def test_the_hosts_own_random_numbers_are_left_alone() -> None:
    random.seed(5)
    before = random.getstate()
    GeneratorAsker.from_seed(5).roll(TWO_DICE)
    assert random.getstate() == before


# ---------------------------------------------------------------------------------------------------- the script


@pytest.mark.parametrize(
    "dice",
    [
        [4, 3, 0, "hit", "blank"],
        ["4", "3", "0", "hit", "blank"],
        [[4, 3], [0], ["hit", "blank"]],
        {"fire_roll": [4, 3], "morale[gun]": 0, "blows": ["hit", "blank"]},
        {"fire_roll": (4, 3), "morale": [0], "blows": ["hit", "blank"]},
        [{"roll": "fire_roll", "faces": [4, 3]}, 0, {"roll": "blows", "faces": ["hit", "blank"]}],
        iter([4, 3, 0, "hit", "blank"]),
    ],
)
def test_dice_may_be_written_in_many_ways(dice: Any) -> None:
    asker = ScriptAsker(dice)
    rolled = [asker.roll(TWO_DICE), asker.roll(ONE_DIE), asker.roll(SYMBOLS)]
    assert rolled == [(4, 3), (0,), ("hit", "blank")]
    asker.check_finished()


def test_a_name_without_its_place_answers_one_place_after_the_other() -> None:
    asker = ScriptAsker({"morale": [3, 4], "blows": ["hit", "blank", "blank"]})
    other = RollRequest("morale[cart]", ((1, ZERO),), None, ir.NO_NOTE)
    assert [asker.roll(ONE_DIE), asker.roll(other)] == [(3,), (4,)]
    assert [asker.roll(SYMBOLS), asker.roll(MORE)] == [("hit", "blank"), ("blank",)]
    assert ScriptAsker(["red", "blue"]).draw(HAND) == ("red", "blue")


@pytest.mark.parametrize(
    ("choices", "request_", "chosen"),
    [
        (["cart"], VICTIM, (CART,)),
        ([CART], VICTIM, (CART,)),
        ({"victim": "cart"}, VICTIM, (CART,)),
        ({"victim[1]": ["cart"]}, VICTIM, (CART,)),
        ([{"choice": "victim[1]", "chosen": "cart"}], VICTIM, (CART,)),
        ([[1, 3]], PAIR, (1, 3)),
        ([1, 3], PAIR, (1, 3)),
        ([True], STANDS, (True,)),
        (["no"], STANDS, (False,)),
        # Yes is not the number 1.
        ([1], STANDS, ("1",)),
        ([None], MAYBE, (None,)),
        (["none"], MAYBE, (None,)),
        ([[2, 1]], SPREAD, ((2, 1),)),
    ],
)
def test_choices_may_be_written_in_many_ways(choices: Any, request_: ChoiceRequest, chosen: Any) -> None:
    asker = ScriptAsker(choices=choices)
    assert asker.choose(request_) == chosen
    asker.check_finished()


@pytest.mark.parametrize(
    ("dice", "ask", "said"),
    [
        ([], lambda asker: asker.roll(TWO_DICE), "the dice for fire_roll are missing; needed: 2 of 1..6"),
        ([], lambda asker: asker.roll(SYMBOLS), "the dice for blows are missing; needed: 2 of hit, blank"),
        ([], lambda asker: asker.choose(VICTIM), r"the choice victim \(1\) of owner is missing \(who is hit\)"),
        ([], lambda asker: asker.draw(HAND), "the cards for hand are missing: 2 from chits"),
        ({"fire": [1, 2]}, lambda asker: asker.roll(TWO_DICE), "given: fire"),
    ],
)
def test_a_script_that_runs_out_says_what_is_missing(dice: Any, ask: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(MissingAnswer, match=said):
        ask(ScriptAsker(dice))


def test_a_script_with_a_fallback_goes_on_with_it() -> None:
    asker = ScriptAsker([4, 3], fallback=GeneratorAsker.from_seed(1914))
    assert asker.roll(TWO_DICE) == (4, 3)
    assert asker.roll(TWO_DICE) == SEEDED[0]


@pytest.mark.parametrize(
    ("asker", "parameters"),
    [
        (ScriptAsker([1, 2, 3], [1]), ["fire_roll", "choices"]),
        (ScriptAsker({"fire_roll": [1, 2, 3], "other": 4}), ["fire_roll", "other"]),
    ],
)
def test_answers_that_are_left_over_are_an_input_error(asker: ScriptAsker, parameters: list[str]) -> None:
    asker.roll(TWO_DICE)
    with pytest.raises(InputError) as caught:
        asker.check_finished()
    assert [fault.parameter for fault in caught.value.errors] == parameters


@pytest.mark.parametrize(
    ("dice", "ask", "said"),
    [
        (
            [{"roll": "blows", "faces": [1, 2]}], lambda asker: asker.roll(TWO_DICE),
            "the next dice are for blows, but the rules ask for fire_roll",
        ),
        ([["red"]], lambda asker: asker.draw(HAND), "hand needs 2 cards, but 1 were given"),
        *((dice, lambda asker: asker.roll(TWO_DICE), "dice is") for dice in ("43", b"43", 7)),
    ],
)  # fmt: skip
def test_what_does_not_answer_the_question_is_refused(dice: Any, ask: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask(ScriptAsker(dice))


# -------------------------------------------------------------------------------------------------- log and replay


def test_the_log_holds_every_answer_and_replays_to_the_same() -> None:
    recording = Recording(ScriptAsker([4, 3, "red", "blue"], ["cart", [1, 3]], GeneratorAsker.from_seed(1)))
    asked = [recording.roll(TWO_DICE), recording.draw(HAND), recording.choose(VICTIM), recording.choose(PAIR)]
    recording.forced(ChoiceRequest("last", "owner", (GUN,), None, ir.NO_NOTE))
    asked.append(recording.roll(ONE_DIE))
    assert [entry.value for entry in recording.log[:5]] == [(4, 3), ("red", "blue"), "cart", (1, 3), "gun"]
    log = tuple(LogEntry.from_json(entry.to_json()) for entry in recording.log)
    assert log == recording.log
    replay = ReplayAsker(log, SuspendAsker())
    again = [replay.roll(TWO_DICE), replay.draw(HAND), replay.choose(VICTIM), replay.choose(PAIR)]
    replay.forced(ChoiceRequest("last", "owner", (GUN,), None, ir.NO_NOTE))
    assert [*again, replay.roll(ONE_DIE)] == asked
    replay.check_finished()


@pytest.mark.parametrize(
    "dice",
    [
        [4, 3, 0, "hit", "blank", 6, 6],
        (4, 3, 0, "hit", "blank", 6, 6),
        ["4", 3, 0, "hit", "blank", 6, 6],
        [[4, 3], 0, "hit", "blank", [6, 6]],
        {"fire_roll": [4, 3, 6, 6], "morale": 0, "blows": ["hit", "blank"]},
        iter([4, 3, 0, "hit", "blank", 6, 6]),
        None,
        [],
        [4],
        [4, 3, 0],
        [4, 3, 0, "hit", "blank", 6, 6, 1],
    ],
)
def test_the_answers_of_one_call_are_those_of_a_recorded_script(dice: Any) -> None:
    dice = list(dice) if isinstance(dice, Iterator) else dice
    ends = []
    for seed in (None, 1914):
        plain, short = (None if seed is None else GeneratorAsker.from_seed(seed) for _ in range(2))
        script = ScriptAsker(dice, None, plain)
        ends.append(end_of(Recording(script), script) == end_of(*[Answers(dice, None, short)] * 2))
    assert ends == [True, True]


def end_of(asker: Recording, script: ScriptAsker | Answers) -> Any:
    """What rolling comes to, with the log, or what is wrong."""
    try:
        rolled = [asker.roll(request) for request in (TWO_DICE, ONE_DIE, SYMBOLS, TWO_DICE)]
        script.check_finished()
    except InputError as error:
        return error.errors
    return rolled, asker.log


def test_after_its_log_a_replay_leaves_the_rest_to_another_and_a_log_must_fit_the_rules() -> None:
    with pytest.raises(Suspend) as caught:
        ReplayAsker((), SuspendAsker()).roll(TWO_DICE)
    assert caught.value.request is TWO_DICE
    other = ReplayAsker((LogEntry("roll", "other", (1, 2)),), SuspendAsker())
    with pytest.raises(AnswerError, match="the log continues with other"):
        other.check_finished()
    with pytest.raises(AnswerError, match="the log has the roll other where the rules ask for the roll fire_roll"):
        other.roll(TWO_DICE)


@pytest.mark.parametrize("data", [{"kind": "guess", "name": "a", "value": 1}, {"kind": "roll", "name": 1, "value": 1}])
def test_a_log_has_known_kinds_of_entries(data: Any) -> None:
    with pytest.raises(ValueError, match="can't be an entry of a log"):
        LogEntry.from_json(data)


def test_a_decimal_number_of_a_damaged_log_is_written_as_it_is_read() -> None:
    entry = LogEntry.from_json({"kind": "roll", "name": "d", "value": [1.5]})
    assert LogEntry.from_json(entry.to_json()) == entry
