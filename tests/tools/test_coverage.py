"""Coverage says of each cell, label, edge, modifier, code and refusal whether an example reaches it."""

from typing import Any, Final

from enfilade.check.program import check_source
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.coverage import Coverage, Tracker
from enfilade.tools.coverage_report import coverage_text
from enfilade.tools.examples import run_examples

RULES: Final = """\
record unit
  dug_in  yes/no

facts
  strength  1..
  night     yes/no
  class     1..2
  weather   one of fair, mud = fair
  units     list of unit

option misses

chart fire_table "Fire Table"
  down  d6
  across  strength, column at or below
  shift off left  stays, or gives - when option misses
  erratum row 6, column 4 reads M  "the second printing"
  | d6  | 1 | 4 |
  | 1-5 | - | M |
  |  6  | M | X |

chart losses "Losses"
  pages  weather
  down  class
  across  strength but at most 2
  inside  class
  cells  numbers
  page fair
  | Class |  1  |  2  |
  |   1   | 0 1 | 1 2 |
  |   2   | 0 0 | 3 4 |
  page mud
  | Class |  1  |  2  |
  |   1   | 0 0 | 0 0 |
  |   2   | 0 0 | 0 0 |

modifiers shifts "Shifts" shift columns of fire_table
  -1  night  night
      but -2 when weather is mud
      but not when class is 2

results of fire_table
  -  "No effect"
  M  "Morale"
    shaken
  X  "Loss"

effect shaken "is shaken"

procedure fire
  1. refuse too_weak "2 or more" when strength is 1
  2. refuse too_strong "9 or less" when strength > 9
  3. roll d6 as dice
  4. read fire_table with dice as shot
  5. apply shot
  6. give result = shot.code
  7. give lost = losses

procedure never
  1. give result = strength

"""

ONE: Final = """\
example fire "a"
  given strength 5, class 1
  on 6
  gives M
"""
MORE: Final = """\
example fire "b"
  given strength 2, class 1, night, weather mud
  on 1
  gives -
example fire "c"
  given strength 2, class 1, night
  option misses
  on 1
  gives -
example fire "d"
  given strength 10, class 1
  refused too_strong
"""


def coverage_of(examples: str) -> Coverage:
    checked = check_source(SourceFile.from_text(RULES + examples, "game.rules"), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    tracker = Tracker(checked.program)
    results = list(run_examples(checked.program, tracker))
    assert [failure.message for result in results for failure in result.failures] == []
    return tracker.coverage(result.procedure for result in results)


def counts(coverage: Coverage) -> dict[str, tuple[int, int]]:
    return {count.kind: (count.used, count.total) for count in coverage.counts}


def never(coverage: Coverage, kind: str) -> list[Any]:
    return [item.name for item in coverage.of(kind).never]


def test_without_examples_nothing_is_reached() -> None:
    assert {used for used, _ in counts(coverage_of("")).values()} == {0}


def test_one_example_reaches_what_it_reads() -> None:
    counted = counts(coverage_of(ONE))
    assert counted["procedures"] == (1, 2)
    assert counted["rows"] == (2, 4)
    assert counted["columns"] == (2, 4)
    assert counted["cells"] == (2, 4 + 16)
    assert counted["codes"] == (1, 3)
    assert counted["results"] == (1, 3)
    assert counted["errata"] == (1, 1)
    assert counted["effects"] == (1, 1)
    assert counted["modifiers"] == (0, 1)
    assert counted["edges"] == (0, 2)
    assert counted["refusals"] == (0, 2)


def test_each_line_of_an_edge_counts_by_itself() -> None:
    assert counts(coverage_of(ONE + MORE))["edges"] == (2, 2)
    assert never(coverage_of(MORE.partition('example fire "c"')[0]), "edges") == [
        "shift left gives - when option misses"
    ]


def test_each_exception_of_a_modifier_counts_by_itself() -> None:
    assert never(coverage_of(ONE + MORE), "modifiers") == []
    assert never(coverage_of(ONE + MORE), "exceptions") == ["night: but not when class is 2"]


def test_refusals_are_told_apart() -> None:
    assert never(coverage_of(ONE + MORE), "refusals") == ["too_weak"]


def test_the_page_and_the_value_inside_belong_to_a_cell() -> None:
    cells = [item.parts for item in coverage_of(ONE).of("cells").never if item.of == "losses"]
    assert {"page": "mud", "row": "1", "column": "2", "inside": "1"} in cells
    assert {"page": "fair", "row": "1", "column": "2", "inside": "2"} in cells
    assert {"page": "fair", "row": "1", "column": "2", "inside": "1"} not in cells


def test_percent_is_rounded_down_and_nothing_to_reach_is_all() -> None:
    coverage = coverage_of(ONE)
    assert coverage.of("cells").percent == 10
    assert coverage.of("headers").percent == 100


def test_coverage_is_data() -> None:
    data = coverage_of(ONE).to_json()
    assert data["rows"]["never"] == [{"of": "fire_table", "name": "1-5"}, {"of": "losses", "name": "2"}]


def test_coverage_is_text_with_a_line_for_each_row_of_cells() -> None:
    lines = coverage_text(coverage_of(ONE)).splitlines()
    assert lines[0].split() == ["procedures", "1", "of", "2", "50%"]
    assert "    cells of fire_table" in lines
    assert "      row 1-5: 1, 4" in lines
    assert "      mud, row 2: 1/1, 1/2, 2/1, 2/2" in lines
    assert "    refusals of fire: too_weak, too_strong" in lines
