"""For notebooks: ``%load_ext enfilade.notebook`` adds the cell magic ``%%rules``, and shows a ruleset as its reference card.

Results show themselves without it: outcomes and explanations as Markdown, charts, odds and grids as HTML. IPython is
imported only here, and only when a cell needs it (extra ``notebook``).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from keyword import iskeyword
from pathlib import Path
from typing import Any, Final

from attrs import field, frozen

from enfilade.api.loaded_program import load_source
from enfilade.api.ruleset import Ruleset
from enfilade.check.program import check_source
from enfilade.diagnostics.diagnostic import Diagnostic, Severity
from enfilade.diagnostics.render import render_text
from enfilade.door import door
from enfilade.source.finder import SUFFIX, Folders, Texts
from enfilade.source.text import SourceError, SourceFile
from enfilade.tools.card import reference_card
from enfilade.tools.testing import run_ruleset_examples

__all__ = ["load_ipython_extension"]

# These colours suit light and dark pages; all text keeps the colour of the page.
_STRIPES: Final = {Severity.ERROR: "#d64545", Severity.WARNING: "#c78a00"}


@door
def load_ipython_extension(shell: Any) -> None:
    """Add the cell magic ``%%rules`` to an IPython shell, and the cards of rulesets.

    ``%%rules duel`` checks the rules below it, shows mistakes with their places, runs its examples, and binds the ruleset
    to the variable ``duel``. Later cells may extend or use it by that name. Lines are counted as in the cell.

    Args:
        shell: The shell, an ``IPython.InteractiveShell``.
    """
    shell.register_magic_function(_Cells(shell).rules, magic_kind="cell", magic_name="rules")
    html = shell.display_formatter.formatters["text/html"]
    html.for_type(Ruleset, card_frame)
    html.for_type(Diagnostic, diagnostic_html)


@frozen
class _Cells:
    """The rules of a notebook's cells.

    Attributes:
        shell: The IPython shell.
        texts: The texts by file name.
    """

    shell: Any
    texts: dict[str, str] = field(factory=dict)

    def rules(self, line: str, cell: str) -> None:
        """Check the rules of a cell, run their examples, and bind the ruleset to a name: ``%%rules duel``."""
        from IPython.core.error import UsageError

        name = line.strip()
        if not name.isidentifier() or iskeyword(name):
            raise UsageError("give the ruleset a name: %%rules duel")
        # The line of the magic is the first line of the cell.
        text = f"\n{cell}"
        finder = Texts(self.texts, Folders((), Path()))
        found = _checked(text, name, finder)
        if any(each.severity is Severity.ERROR for each in found):
            _show(found)
            raise UsageError(f"{name} has mistakes and is not defined")
        rules = Ruleset(load_source(SourceFile.from_text(text, name), finder, {}))
        # A what-if changes what the examples of its base expect.
        results = [
            each for each in run_ruleset_examples(rules) if each.span is not None and each.span.source.name == name
        ]
        _show([*found, *(each for result in results for each in result.diagnostics)])
        self.texts[f"{name}{SUFFIX}"] = text
        self.shell.user_ns[name] = rules
        passed = sum(result.passed for result in results)
        print(f"{name}: {rules.title}" + (f" ({passed} of {len(results)} examples pass)" if results else ""))


def _checked(text: str, name: str, finder: Texts) -> tuple[Diagnostic, ...]:
    try:
        return check_source(SourceFile.from_text(text, name), finder).diagnostics
    except SourceError as wrong:
        return (Diagnostic(wrong.code, wrong.message, wrong.span),)


def _show(found: Iterable[Diagnostic]) -> None:
    from IPython.display import display

    for each in found:
        display({"text/plain": render_text(each), "text/html": diagnostic_html(each)}, raw=True)


def diagnostic_html(diagnostic: Diagnostic) -> str:
    """Lay out a diagnostic with its place as HTML."""
    stripe = f"border-left:4px solid {_STRIPES[diagnostic.severity]};padding-left:.6em;overflow-x:auto"
    return f'<pre class="enfilade-diagnostic" style="{stripe}">{escape(render_text(diagnostic))}</pre>'


def card_frame(rules: Ruleset) -> str:
    """Lay out the reference card of a ruleset as HTML, in a frame of its own without scripts."""
    style = "width:100%;height:32rem;resize:vertical;border:1px solid #8888"
    card = escape(reference_card(rules))
    return f'<iframe class="enfilade-card" sandbox="" title="{escape(rules.title)}" style="{style}" srcdoc="{card}"></iframe>'
