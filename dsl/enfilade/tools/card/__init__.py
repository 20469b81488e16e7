"""Reference cards: every chart of a ruleset with its modifiers, results and assumptions, as HTML or Markdown.

``build.card_of`` builds the card as data; ``html`` and ``markdown`` render it. Nothing here looks up values in charts.
"""

from enfilade.api.ruleset import Ruleset
from enfilade.tools.card.build import card_of
from enfilade.tools.card.html import card_as_html
from enfilade.tools.card.markdown import card_as_markdown

__all__ = ["card_as_html", "card_as_markdown", "card_of", "reference_card"]


def reference_card(rules: Ruleset, name: str | None = None, form: str = "html") -> str:
    """Lay out a ruleset as a reference card to print.

    Args:
        rules: The ruleset.
        name: One chart, with its modifiers and results; ``None`` for all charts.
        form: ``html``, a whole page, or ``markdown``.

    Raises:
        InputError: There is no such chart.
    """
    if name is not None:
        rules.chart(name)
    lay_out = {"html": card_as_html, "markdown": card_as_markdown}[form]
    return lay_out(card_of(rules.program, name))
