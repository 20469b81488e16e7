"""What holds for every text that is folded."""

from hypothesis import given
from hypothesis import strategies as st

from enfilade.source.confusables import LOOK_ALIKES, fold, forbidden, protected_ranges
from enfilade.source.text import SourceFile

# Texts of the characters that decide anything here are met far more often than among all of Unicode.
DECISIVE = st.sampled_from([*'|"- \t\r\naM7', *"МХ“”—｜×é\u00a0\u2028\x85", "-- "])
TEXTS = st.lists(DECISIVE, max_size=40).map("".join) | st.text()


@given(TEXTS)
def test_the_findings_are_exactly_what_changed_and_folding_twice_is_folding_once(text: str) -> None:
    protected = protected_ranges(text)
    folded, findings = fold(text, protected)
    changed = [place for place, (before, after) in enumerate(zip(text, folded, strict=True)) if before != after]
    assert [(f.offset, f.found, f.meant) for f in findings] == [(at, text[at], folded[at]) for at in changed]
    assert fold(folded, protected) == (folded, ())


@given(TEXTS)
def test_protected_ranges_are_apart_in_order_and_within_a_line(text: str) -> None:
    ranges = protected_ranges(text)
    places = [place for found in ranges for place in found]
    assert places == sorted(places)
    assert all(0 <= start < end <= len(text) for start, end in ranges)
    assert not any(set("\r\n") & set(text[start:end]) for start, end in ranges)


@given(TEXTS)
def test_no_look_alike_is_left_outside_the_protected_ranges(text: str) -> None:
    ranges = protected_ranges(text)
    folded, _ = fold(text, ranges)
    outside = [c for i, c in enumerate(folded) if not any(start <= i < end for start, end in ranges)]
    assert not any(char in LOOK_ALIKES for char in outside)


@given(TEXTS)
def test_every_place_has_a_line_and_a_column_that_lead_back_to_it(text: str) -> None:
    source = SourceFile("a.rules", text)
    for offset in range(len(text) + 1):
        line, column = source.line_column(offset)
        assert source.line_span(line).start + column - 1 == offset


def test_no_look_alike_is_a_forbidden_character() -> None:
    assert forbidden("".join(LOOK_ALIKES)) == []
