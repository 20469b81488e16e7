"""Reference cards: every chart of a ruleset with its modifiers, results and assumptions, as HTML or Markdown.

``build.card_of`` builds the card as data; ``html`` and ``markdown`` render it. Nothing here looks up values in charts.
"""

from enfilade.api.ruleset import Ruleset
from enfilade.door import door
from enfilade.tools.card.build import card_of
from enfilade.tools.card.html import card_as_html
from enfilade.tools.card.markdown import card_as_markdown

__all__ = ["card_as_html", "card_as_markdown", "card_of", "reference_card"]


@door
def reference_card(rules: Ruleset, name: str | None = None, form: str = "html", paper: str | None = None) -> str:
    """Lay out a ruleset as a reference card to print.

    Args:
        rules: The ruleset.
        name: One chart, with its modifiers and results; ``None`` for all charts.
        form: ``html``, a whole page, or ``markdown``.
        paper: The size of the printed pages of HTML: ``a4``, ``letter`` or ``a5``; ``None`` for the reader's own.

    Raises:
        InputError: There is no such chart.
    """
    if name is not None:
        rules.chart(name)
    card = card_of(rules.program, name)
    return card_as_markdown(card) if form == "markdown" else card_as_html(card, paper)
