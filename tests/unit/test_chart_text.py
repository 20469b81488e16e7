"""A chart is shown as it is printed: labels and codes unchanged, in text, Markdown, comma-separated values and JSON."""

from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.core import ir
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.chart_text import chart_as_csv, chart_as_json, chart_as_markdown, chart_as_text

RULES: Final = """\
facts
  attack   1..
  class    1..2
  weather  one of fair, mud
  cover    one of open, "light | woods"

chart plain "Fire *Table*"
  down  d6
  across  attack, column at or below
  | Die  | 1 | 4 | 11+ |
  |  1,2 | - | M | 2X  |
  |  3+  | M | X | 45  |

chart headed
  down  d6
  across  attack
  header "Dry"  when weather is fair  | 1..4 | 5+ |
  header "Wet"  when weather
    is mud  |  •   | 1+ |
  erratum row 1-6, column B reads X  "shifted in print" when weather is mud
  | Die | A | B |
  | 1-6 | - | M |

chart paged
  pages  weather
  down  d6
  across  class
  inside  class
  cells  numbers
  page fair
  | Die |  1  |  2  |
  | 1-6 | 0 1 | 1/2 |
  page mud
  | Die |  1  |  2  |
  | 1-6 | 0 0 | 0 0 |

chart lone "Lone"
  down  d6
  | Die | Result |
  | 1-6 |  miss  |

chart pasted
\tdown\td6
\tacross\tclass
Die\t1\t2
1-6\t-\tM
"""
RULES_IN_ONE_LINE: Final = RULES.replace("weather\n    is mud", "weather is mud").replace("light | woods", "light woods")


@pytest.fixture(scope="module")
def charts() -> dict[str, ir.Chart]:
    checked = check_source(SourceFile.from_text(RULES_IN_ONE_LINE.replace("\tdown\t", "  down ").replace("\tacross\t", "  across "), "game.rules"), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return dict(checked.program.charts)
