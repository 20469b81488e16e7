"""The name that is suggested for a misspelt one."""

from itertools import permutations, product

import pytest

from enfilade.diagnostics.suggest import MAX_WORD, distance, nearest


@pytest.mark.parametrize(
    ("left", "right", "slips"),
    [
        ("night", "night", 0),
        ("nigt", "night", 1),
        ("nighht", "night", 1),
        ("nihgt", "night", 1),
        ("", "ab", 2),
        ("hill", "mall", 2),
        ("abcd", "badc", 2),
    ],
)
def test_a_missing_extra_wrong_or_exchanged_letter_is_one_slip(left: str, right: str, slips: int) -> None:
    assert distance(left, right, 5) == distance(right, left, 5) == slips


def test_more_slips_than_the_limit_are_not_counted() -> None:
    assert distance("abcdef", "uvwxyz", 6) == 6
    assert distance("abcdef", "uvwxyz", 5) is None


def test_a_limit_never_changes_a_distance_within_it() -> None:
    words = ["".join(letters) for length in range(4) for letters in product("ab", repeat=length)]
    for left, right in product(words, repeat=2):
        free = distance(left, right, 9)
        assert free is not None
        assert [distance(left, right, limit) for limit in range(4)] == [
            free if free <= limit else None for limit in range(4)
        ]


def test_the_nearest_name_is_suggested() -> None:
    assert nearest("fire_vale", ["fire", "fire_value", "fire_roll"]) == "fire_value"


def test_nothing_is_suggested_where_no_name_is_near() -> None:
    assert nearest("cavalry", ["infantry", "mg"]) is None
    assert nearest("cavalry", []) is None


def test_a_short_word_may_have_one_slip() -> None:
    assert nearest("m", ["mg"]) == "mg"
    assert nearest("xy", ["ab"]) is None


def test_a_difference_of_case_is_nearer_than_a_slip() -> None:
    assert nearest("Night", ["might", "night"]) == "night"


def test_the_same_first_letter_decides_between_equals() -> None:
    assert nearest("hill", ["fill", "hall"]) == "hall"


def test_the_order_of_the_candidates_does_not_matter() -> None:
    names = ["bat", "cat", "hat", "mat"]
    assert {nearest("xat", order) for order in permutations(names)} == {"bat"}


def test_the_word_itself_is_no_suggestion() -> None:
    assert nearest("night", ["night"]) is None


def test_the_caller_can_set_the_limit() -> None:
    assert nearest("abcdef", ["abcxyz"], limit=3) == "abcxyz"
    assert nearest("abcdef", ["abcdex"], limit=0) is None


def test_an_endless_word_costs_nothing() -> None:
    assert nearest("a" * (MAX_WORD + 1), ["a" * MAX_WORD]) is None
