"""A ruleset with the reference card that it must give, as HTML and as Markdown, word for word.

``python tests/golden/card/test_card_golden.py`` writes the cards anew; look at what it changed. It is never run in CI.
"""

from pathlib import Path
from typing import Final

import pytest

from enfilade.check.program import check_source
from enfilade.source.finder import Folders
from enfilade.source.text import SourceFile
from enfilade.tools.card import card_as_html, card_as_markdown, card_of

HERE: Final = Path(__file__).parent
FILES: Final = sorted(HERE.glob("*.rules"))
SHOWS: Final = {".html": card_as_html, ".md": card_as_markdown}


def card(path: Path, ending: str) -> str:
    """The card of a ruleset as a file of that ending."""
    checked = check_source(SourceFile("program.rules", path.read_bytes().decode("utf-8")), Folders())
    assert checked.program is not None, [(found.code, found.message) for found in checked.diagnostics]
    return SHOWS[ending](card_of(checked.program)) + "\n"


@pytest.mark.parametrize("ending", SHOWS)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_ruleset_gives_its_card(path: Path, ending: str) -> None:
    assert card(path, ending) == path.with_suffix(ending).read_bytes().decode("utf-8")


def main() -> None:
    """Write all the cards anew."""
    for path in FILES:
        for ending in SHOWS:
            path.with_suffix(ending).write_bytes(card(path, ending).encode())


if __name__ == "__main__":
    main()
