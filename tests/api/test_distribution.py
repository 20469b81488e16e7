"""Distributions: outcomes with exact chances, in their order, and what can be made of them."""

import json
import pickle
from collections import Counter
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any

import pytest

from enfilade import Distribution, Effect, Entries, OddsError, Sampled, combine, published_schema
from enfilade.api.outcome_values import Order, order_of
from enfilade.errors import CutOff, InputError
from enfilade.values.types import Bool, CodeOf, ListOf, MapOf, Maybe, Num, RecordOf, Word

SEVERITY = Order(("-", "M", "M2", "X"), 4)
FIRE = Distribution({"X": 2, "M2": 10, "-": 16, "M": 8}, order=SEVERITY, of="result")
TWO_DICE = Distribution(Counter(sum(pair) for pair in product(range(1, 7), repeat=2)), of="2d6")
OPEN = Distribution({1: 5, 2: 4}, 10, remainder=1, of="score")


# ------------------------------------------------------------------------------------------------- as a mapping


def test_it_is_a_mapping_whose_chances_are_fractions_that_come_to_one() -> None:
    assert dict(FIRE) == {"-": Fraction(4, 9), "M": Fraction(2, 9), "M2": Fraction(5, 18), "X": Fraction(1, 18)}
    assert {type(chance) for chance in FIRE.values()} == {Fraction}
    assert (sum(FIRE.values()), len(FIRE), FIRE.get("X"), FIRE.get("2X")) == (1, 4, Fraction(1, 18), None)
    assert list(Distribution({1: 1, 2: 0})) == [1]


@pytest.mark.parametrize("value", ["2X", {1, 2}, object(), {"gun": object()}])
def test_what_can_not_come_has_the_chance_nought_and_is_not_in_it(value: Any) -> None:
    assert FIRE[value] == 0
    assert value not in FIRE


LOSS = {"unit": "gun", "where": {"hex": [1, 2]}}


def test_lists_and_maps_and_effects_are_outcomes_too() -> None:
    d = Distribution({(1, 2): 1, Entries({"gun": 1, "rifles": 2}): 3, (Effect("loss", LOSS),): 4})
    found = [d[[1, 2]], d[{"rifles": 2, "gun": 1}], d[[Effect("loss", LOSS)]]]
    assert found == [Fraction(1, 8), Fraction(3, 8), Fraction(1, 2)]


@pytest.mark.parametrize(
    ("weights", "total"), [({}, None), ({1: -1, 2: 2}, None), ({1: 1}, 2), ({1: 0}, None)], ids=str
)
def test_weights_that_make_no_sense_are_refused(weights: dict[int, int], total: int | None) -> None:
    with pytest.raises(ValueError, match="each weight must be a whole number"):
        Distribution(weights, total)


# ------------------------------------------------------------------------------------------------------- order


@pytest.mark.parametrize(
    ("type_", "values", "ordered"),
    [
        (CodeOf(("X", "M", "-"), ("-", "M", "X")), ["X", "-", "M"], ["-", "M", "X"]),
        (CodeOf(("miss", "hit")), ["hit", "miss"], ["miss", "hit"]),
        (CodeOf(("?", "-", "M"), ("-", "M")), ["?", "M", "-"], ["-", "M", "?"]),
        (("result", "n"), [("X", 1), ("M", 10), ("M", 2)], [("M", 2), ("M", 10), ("X", 1)]),
        (Word(("light", "dark")), ["dark", "light"], ["light", "dark"]),
        (Bool(), [True, False], [False, True]),
        (Num(), [10, Fraction(1, 2), 9], [Fraction(1, 2), 9, 10]),
        (Maybe(Num()), [2, None, 1], [None, 1, 2]),
        (ListOf(Word(("b", "a"))), [("a",), ("b", "a"), ()], [(), ("b", "a"), ("a",)]),
        (RecordOf("unit"), ["gun10", "gun9", None], [None, "gun9", "gun10"]),
        (
            MapOf(RecordOf("unit"), Num()),
            [Entries({"a": 2}), Entries({"a": 1})],
            [Entries({"a": 1}), Entries({"a": 2})],
        ),
    ],
    ids=str,
)
def test_outcomes_follow_each_other_as_their_type_says(type_: Any, values: list[Any], ordered: list[Any]) -> None:
    joint = isinstance(type_, tuple)
    order, names = (Order(parts=(SEVERITY, Order())), type_) if joint else (order_of(type_), ())
    assert list(Distribution(dict.fromkeys(values, 1), order=order, names=names)) == ordered


# ------------------------------------------------------------------------------------------------- numbers for it

NONE_OR_3 = Distribution({None: 1, 3: 1})


def test_at_least_and_at_most_go_by_severity_or_by_size() -> None:
    assert [FIRE.at_least("M2"), FIRE.at_most("M"), FIRE.at_least("-")] == [Fraction(12, 36), Fraction(24, 36), 1]
    assert [TWO_DICE.at_least(10), TWO_DICE.at_most(Fraction(7, 2))] == [Fraction(6, 36), Fraction(3, 36)]
    # None is neither more nor less.
    assert [NONE_OR_3.at_least(0), NONE_OR_3.at_most(9)] == [Fraction(1, 2), Fraction(1, 2)]


@pytest.mark.parametrize(
    ("d", "value"), [(FIRE, "2X"), (Distribution({"a": 1}), "a"), (TWO_DICE, "many"), (TWO_DICE, True)]
)
def test_what_has_no_order_is_told(d: Distribution, value: Any) -> None:
    with pytest.raises(OddsError, match=r"no severity|can't be put in order"):
        d.at_least(value)


def test_mean_variance_and_quantiles_are_exact() -> None:
    assert (TWO_DICE.mean, TWO_DICE.variance, TWO_DICE.mode) == (7, Fraction(35, 6), 7)
    assert [TWO_DICE.quantile(chance) for chance in ("1/36", "2/36", 1)] == [2, 3, 12]
    assert (TWO_DICE.median, FIRE.median, Distribution({True: 1, False: 3}).mean) == (7, "M", Fraction(1, 4))


@pytest.mark.parametrize("name", ["mean", "variance"])
def test_words_have_no_mean(name: str) -> None:
    with pytest.raises(OddsError, match="this answer needs a number or a condition; - is neither"):
        getattr(FIRE, name)


@pytest.mark.parametrize("chance", ["2", "-1/2", 0.5, None, "half", "1/0"])
def test_a_quantile_takes_a_chance(chance: Any) -> None:
    with pytest.raises(InputError, match="allowed: a fraction from 0 to 1"):
        TWO_DICE.quantile(chance)


JOINT = Distribution(
    {("X", 1): 1, ("M", 1): 2, ("X", 2): 1}, names=("result", "n"), order=Order(parts=(SEVERITY, Order()))
)


def test_the_outcomes_can_be_mapped_and_filtered_and_taken_apart() -> None:
    assert TWO_DICE.map(lambda total: total % 2 == 0)[True] == Fraction(1, 2)
    assert TWO_DICE.map({7: "seven"}.get)["seven"] == Fraction(1, 6)
    assert TWO_DICE.where(lambda total: total > 9) == Fraction(6, 36)
    assert dict(JOINT.marginal("result")) == {"M": Fraction(1, 2), "X": Fraction(1, 2)}
    assert (JOINT.marginal(1)[1], JOINT.marginal(0).at_least("M")) == (Fraction(3, 4), 1)


@pytest.mark.parametrize(("d", "part"), [(FIRE, 0), (JOINT, "c"), (JOINT, 2)])
def test_a_part_that_is_not_there_is_told(d: Distribution, part: Any) -> None:
    with pytest.raises(OddsError):
        d.marginal(part)


def test_floats_are_given_where_they_are_asked_for() -> None:
    assert FIRE.floats()["-"] == pytest.approx(4 / 9)
    assert Distribution({0: 1, 1: 10**5000}).floats()[0] == 0.0


# --------------------------------------------------------------------------------------- what is not worked out


def test_an_answer_that_is_not_exact_says_how_much_is_left() -> None:
    assert (OPEN.exact, OPEN.remainder) == (False, Fraction(1, 10))
    assert sum(OPEN.bounds(value)[0] for value in OPEN) + OPEN.remainder == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda d: d.mean,
        lambda d: d.variance,
        lambda d: d.quantile("95%"),
        lambda d: d.quantile("55%"),
        lambda d: d[1],
        lambda d: d.get(1),
        lambda d: d[100],
        lambda d: dict(d),
        lambda d: d.where(bool),
        lambda d: d.at_least(1),
        lambda d: d.at_most(1),
        lambda d: d.map(str)["1"],
        lambda d: Distribution({1: 9, 2: 9}, 20, remainder=2).mode,
    ],
)
def test_what_the_rest_could_change_is_an_error(ask: Any) -> None:
    with pytest.raises(
        OddsError, match=r"is unknown: outcomes with a total chance of 1/10, 10\.00 % were not computed"
    ):
        ask(OPEN)


def test_what_the_rest_can_not_change_is_told_and_bounds_are_on_demand() -> None:
    assert OPEN.quantile("2/5") == OPEN.median == OPEN.mode == 1
    assert (OPEN.bounds(1), OPEN.bounds(100)) == ((Fraction(1, 2), Fraction(3, 5)), (Fraction(0), OPEN.remainder))


ENDLESS = Distribution({1: 4, 2: 3, 7: 1}, remainder=2, open_from=5)


def test_chances_of_numbers_below_an_open_end_are_exact() -> None:
    assert (ENDLESS[2], ENDLESS[4], ENDLESS["word"]) == (Fraction(3, 10), Fraction(0), Fraction(0))
    assert (ENDLESS.at_least(2), ENDLESS.at_least(5), ENDLESS.at_most(4)) == (
        Fraction(3, 5), Fraction(3, 10), Fraction(7, 10),
    )  # fmt: skip
    assert ENDLESS.bounds(2) == (Fraction(3, 10), Fraction(3, 10))
    assert ENDLESS.bounds(7) == (Fraction(1, 10), Fraction(3, 10))


OF_KNOWN_MEAN = Distribution({1: 2, 2: 1}, remainder=1, open_from=3, open_sum=6)


@pytest.mark.parametrize(
    ("ask", "mean"),
    [
        (lambda d: d, Fraction(5, 2)),
        (lambda d: d + d, 5),
        (lambda d: d + 1, Fraction(7, 2)),
        (lambda d: d - Distribution({0: 1, 1: 3}), Fraction(7, 4)),
        (lambda d: -d, Fraction(-5, 2)),
        (lambda d: d - d, 0),
        (lambda d: d.times(3), Fraction(15, 2)),
        (lambda d: d.times(0), 0),
        (lambda d: sum([d, d, d]), Fraction(15, 2)),
    ],
)
def test_the_mean_of_a_sum_is_known_if_those_of_its_parts_are(ask: Any, mean: Fraction) -> None:
    found = ask(OF_KNOWN_MEAN)
    assert found.mean == found.known_mean == pickle.loads(pickle.dumps(found)).mean == mean


@pytest.mark.parametrize(
    "ask",
    [lambda d: d + OPEN, lambda d: OPEN - d, lambda d: d.map(lambda value: 2 * value), lambda d: combine(mul, d, d)],
)
def test_other_means_are_unknown(ask: Any) -> None:
    found = ask(OF_KNOWN_MEAN)
    assert found.known_mean is None
    with pytest.raises(OddsError, match="the mean is unknown"):
        _ = found.mean


@pytest.mark.parametrize("ask", [lambda d: d[7], lambda d: d.at_least(6), lambda d: d.at_most(5), lambda d: d.mean])
def test_chances_of_numbers_past_an_open_end_are_errors(ask: Any) -> None:
    with pytest.raises(OddsError, match="were not computed"):
        ask(ENDLESS)


def test_an_error_names_the_roll_or_the_loop_and_the_cure() -> None:
    found = Distribution({1: 1}, remainder=1, cut_off=(CutOff("die", 3), CutOff("repeat", 5, is_loop=True)))
    with pytest.raises(OddsError) as caught:
        _ = found.mean
    assert "; die (line 3) can be rolled again without end: write `at most 3 times`" in str(caught.value)
    assert "; repeat (line 5) has no limit on its rounds: write `at most 20 times`" in str(caught.value)
    assert found.text().splitlines()[-2:] == [str(cut) for cut in found.cut_off]
    assert (found + 1).cut_off == found.map(str).cut_off == pickle.loads(pickle.dumps(found)).cut_off == found.cut_off


# ------------------------------------------------------------------------------------------------------- shown


def test_chances_are_shown_over_the_total_of_the_dice_unless_it_is_large_or_in_lowest_terms() -> None:
    lowest = FIRE.in_lowest_terms()
    assert [FIRE.shown(value) for value in FIRE] == ["16/36", "8/36", "10/36", "2/36"]
    assert [lowest.shown(value) for value in FIRE] == ["4/9", "2/9", "5/18", "1/18"]
    assert Distribution({1: 10**9, 2: 3 * 10**9}).shown(2) == "3/4"
    assert (lowest, lowest.text(60).splitlines()[1].split()[:3]) == (FIRE, ["-", "4/9", "44.44"])
    assert lowest.to_json()["outcomes"][0] == {"value": "-", "chance": "4/9", "reduced": "4/9"}


def test_data_have_the_chances_and_what_is_left() -> None:
    data = FIRE.to_json()
    assert data["outcomes"][2] == {"value": "M2", "chance": "10/36", "reduced": "5/18"}
    assert (data["of"], data["total"], data["exact"]) == ("result", "1", True)
    assert OPEN.to_json()["remainder"] == "1/10"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "d",
    [
        FIRE, OPEN, Distribution({(1, Entries({"a": 1})): 1}, names=("a", "b")), Sampled({1: 2}, trials=2, seed="a"),
    ],
)  # fmt: skip
def test_data_are_in_the_published_form(d: Distribution) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(json.dumps(d.to_json())), published_schema("odds"))


def test_numbers_of_any_length_are_written() -> None:
    huge = Distribution({0: 1, 1: 10**6000})
    assert len(huge.to_json()["outcomes"][0]["chance"]) > 6000
    assert "100.00" not in str(huge).splitlines()[1]


SHOWN = """\
result (exact)
-   16/36  44.44 %  ████
M    8/36  22.22 %  ██
M2  10/36  27.78 %  ██▌
X    2/36   5.56 %  ▌"""


def test_text_has_a_line_with_a_bar_for_each_outcome_in_letters_that_a_terminal_has() -> None:
    assert FIRE.text(30) == SHOWN
    assert FIRE.text(60, plain=True).isascii()


@pytest.mark.parametrize("width", [1, 20, 30, 79, 200])
def test_text_fits_the_width_where_it_can(width: int) -> None:
    longest = max(map(len, FIRE.text(width).splitlines()))
    assert longest <= max(width, 25)


HALVING = Distribution({n: 2 ** (80 - n) for n in range(1, 80)}, 2**80, remainder=2, of="n")
RARE = Distribution(dict.fromkeys(range(1, 6), 1) | {0: 99_995}, of="n")
UNEVEN = Distribution({0: 1, 1: 10**9})


def test_of_many_outcomes_the_likeliest_are_shown_and_a_tail_is_one_line() -> None:
    lines = TWO_DICE.text(60, rows=3).splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["6", "7", "8"]
    assert lines[-2:] == ["and 8 more, together 55.56 %", "mean 7"]
    # No percentage tells the outcomes of the tail apart.
    lines = HALVING.text(60).splitlines()
    assert [line.split()[0] for line in lines[1:-3]] == [str(n) for n in range(1, 15)]
    assert lines[-3:-1] == ["and 65 more, together 0.01 %", "not computed: <0.01 %"]


def test_what_is_unlikely_is_shown_and_nothing_is_rounded_away() -> None:
    assert len(RARE.text(60).splitlines()) == 8
    assert [percent in str(UNEVEN) for percent in ("<0.01 %", ">99.99 %")] == [True, True]


def test_a_notebook_shows_a_table_and_a_chart() -> None:
    bundle = Distribution({"<b>": 1, "c": 2})._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "application/vnd.vegalite.v5+json"}
    assert "&lt;b&gt;" in bundle["text/html"]
    assert "<b>" not in bundle["text/html"]
    values = bundle["application/vnd.vegalite.v5+json"]["data"]["values"]
    assert values[1] == {"outcome": "c", "chance": pytest.approx(2 / 3), "exactly": "2/3"}
    json.dumps(bundle)


def test_a_notebook_may_say_what_it_wants() -> None:
    assert set(FIRE._repr_mimebundle_(include=["text/html"])) == {"text/html"}
    assert "text/html" not in FIRE._repr_mimebundle_(exclude=["text/html"])
    assert FIRE._repr_html_().startswith("<table")


# ------------------------------------------------------------------------------------------------------ as a value


def test_equal_chances_are_equal_whatever_the_total() -> None:
    assert Distribution({1: 1, 2: 1}) == Distribution({2: 18, 1: 18})
    assert Distribution({1: 1, 2: 1}) != Distribution({1: 1, 2: 2})
    assert Distribution({1: 1, 2: 1}, 3, remainder=1) != Distribution({1: 1, 2: 1})
    assert Distribution({1: 1, 2: 1}) == {1: Fraction(1, 2), 2: Fraction(1, 2)}


@pytest.mark.parametrize(
    "d", [FIRE, TWO_DICE, OPEN, Distribution({Entries({"a": (1,)}): 1}), Sampled({1: 2}, trials=2, seed=1)]
)
def test_it_can_be_pickled(d: Distribution) -> None:
    again = pickle.loads(pickle.dumps(d))
    assert again == d
    assert type(again) is type(d)
    assert (again.of, again.total, list(again)) == (d.of, d.total, list(d))


# ------------------------------------------------------------------------------------------------------- sampled


def test_a_sample_is_labelled_as_one() -> None:
    coin = Sampled({"heads": 60, "tails": 40}, trials=100, seed=7, of="toss")
    assert (coin.exact, type(coin.map(str.upper))) == (False, Sampled)
    assert str(coin).splitlines()[0] == "toss (sampled: 100 runs, seed 7)"
    assert coin.to_json()["sampled"] == {"trials": 100, "seed": 7, "confidence": "0.95"}


def test_the_interval_is_that_of_wilson() -> None:
    coin = Sampled({"heads": 10, "tails": 10}, trials=20, seed=1)
    assert coin.interval("heads") == pytest.approx((0.299298, 0.700702), abs=1e-6)
    assert coin.interval("edge")[0] == 0.0
    low, high = coin.interval(lambda side: side == "heads", "0.99")
    assert low < 0.299298 < 0.700702 < high


@pytest.mark.parametrize("confidence", ["0", "1", "2", 0.9])
def test_a_confidence_is_above_nought_and_below_one(confidence: Any) -> None:
    with pytest.raises(InputError):
        Sampled({1: 1}, trials=1, seed=1).interval(1, confidence)
