"""A reference card: every chart of a ruleset with what is added to it, what its codes mean, and what was assumed.

``build.card_of`` gives the card as data; ``html`` and ``markdown`` lay it out. Nothing here reads a chart.
"""

from enfilade.tools.card.build import card_of
from enfilade.tools.card.html import card_as_html
from enfilade.tools.card.markdown import card_as_markdown

__all__ = ["card_as_html", "card_as_markdown", "card_of"]
