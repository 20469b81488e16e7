"""Every die is uniform: a proof by enumeration.

A die takes numbers ``k / 2**53``, all equally likely for a generator of uniform bits. Each face must have equally many of
them; the numbers that no face has are drawn again, so they leave the chances of the faces equal.

- With a scale of 2**9 in place of 2**53 all numbers are enumerated, for every number of faces.
- With the true scale, ``k // stretch`` never falls as k rises, so the first and the last number of each face prove all
  numbers between.
- That ``random()`` gives each of the 2**53 numbers equally often is enumerated over its parts: it joins 27 and 26 bits of
  the Mersenne Twister, and 53 bits of the operating system.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from unittest import mock

import pytest

from enfilade.core import ir
from enfilade.core.requests import DrawRequest
from enfilade.engines import askers
from enfilade.engines.askers import FRESH_DICE, GeneratorAsker, index_below

SMALL = 1 << 9
Roll = Callable[[Callable[[], float], int], int]


class DrawnAgain(Exception):
    """Raised instead of a second number."""


def once(number: float) -> Callable[[], float]:
    """A generator of one number."""
    numbers = iter([number])

    def draw() -> float:
        for each in numbers:
            return each
        raise DrawnAgain

    return draw


def plain_die(draw: Callable[[], float], count: int) -> int:
    """The roll of a die with faces from 1, which does not use ``index_below``."""
    return askers._roll_plain(draw, 1, ir.Die("die", count, None))[0] - 1


@pytest.mark.parametrize("roll", [index_below, plain_die])
def test_each_face_has_equally_many_numbers_for_every_number_of_faces(
    roll: Roll, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(askers, "_SCALE", SMALL)
    for count in range(1, SMALL + 1):
        faces: Counter[int | None] = Counter()
        for number in range(SMALL):
            try:
                faces[roll(once(number / SMALL), count)] += 1
            except DrawnAgain:
                faces[None] += 1
        again = faces.pop(None, 0)
        assert dict(faces) == dict.fromkeys(range(count), SMALL // count)
        assert again == SMALL % count


@pytest.mark.parametrize("roll", [index_below, plain_die])
def test_the_first_and_the_last_number_of_each_face_are_where_they_should_be(roll: Roll) -> None:
    for count in (*range(1, 121), 1000):
        stretch = 2**53 // count
        for face in range(count):
            first, last = face * stretch, (face + 1) * stretch - 1
            assert roll(once(first / 2**53), count) == roll(once(last / 2**53), count) == face
        for number in {count * stretch, 2**53 - 1} if 2**53 % count else ():
            with pytest.raises(DrawnAgain):
                roll(once(number / 2**53), count)


def test_every_order_of_cards_is_equally_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    # 12 numbers can be divided by 4, 3 and 2, so that no number is drawn again.
    monkeypatch.setattr(askers, "_SCALE", 12)
    request = DrawRequest("hand", "chits", (1, 2, 3, 4), 3, None, ir.NO_NOTE)
    hands = Counter(
        GeneratorAsker(map((1 / 12).__mul__, [a + 0.5, b + 0.5, c + 0.5]).__next__).draw(request)
        for a, b, c in itertools.product(range(12), repeat=3)
    )
    assert dict(hands) == dict.fromkeys(itertools.permutations((1, 2, 3, 4), 3), 12**3 // 24)


def test_a_seeded_number_is_made_of_27_and_26_bits() -> None:
    numbers, bits = random.Random(1914), random.Random(1914)
    for _ in range(1000):
        high, low = bits.getrandbits(32) >> 5, bits.getrandbits(32) >> 6
        assert numbers.random() * 2**53 == high << 26 | low


def test_a_fresh_number_is_made_of_53_bits_of_the_operating_system() -> None:
    def given(size: int) -> bytes:
        assert size == 7
        return next(source)

    texts = [(each << 3).to_bytes(7, "big") for each in (0, 1, 2**52, 2**53 - 1)]
    source: Iterator[bytes] = iter(texts)
    with mock.patch("random._urandom", given):
        assert [FRESH_DICE() * 2**53 for _ in texts] == [0, 1, 2**52, 2**53 - 1]
