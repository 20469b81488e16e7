"""The documentation site: a Sphinx extension that turns files of the repository into pages.

It holds no text of its own. ``pages`` says which pages are made, and from what; ``links`` where a link of a file leads
on the site. Made pages are written into the folders that ``.gitignore`` names, since Sphinx reads files.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs.site.api import public_name, text_of_constant
from docs.site.links import origins, with_site_links
from docs.site.pages import cards, made_pages, with_contents, write_pages
from pygments.lexers.special import TextLexer

from enfilade.editor.pygments_lexer import RulesLexer

if TYPE_CHECKING:
    from docutils.nodes import Element, TextElement
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the pages to Sphinx."""
    app.add_lexer("rules", RulesLexer)
    # What the prompt shows has its own layout, and stays plain.
    app.add_lexer("session", TextLexer)
    app.connect("builder-inited", _write_pages)
    app.connect("source-read", _adapt)
    app.connect("autodoc-process-docstring", _describe_constant)
    app.connect("missing-reference", _public_reference)
    app.connect("build-finished", _write_cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write_pages(app: Sphinx) -> None:
    write_pages(made_pages(), Path(app.srcdir))


def _adapt(app: Sphinx, page: str, source: list[str]) -> None:
    origin = origins().get(page)
    if origin is not None:
        source[0] = with_contents(page, with_site_links(source[0], page, origin))


def _describe_constant(app: Sphinx, kind: str, name: str, value: object, options: object, lines: list[str]) -> None:
    if kind == "data":
        lines[:] = text_of_constant(name)


def _public_reference(app: Sphinx, env: BuildEnvironment, node: pending_xref, text: TextElement) -> Element | None:
    """Lead from the name of a class where it is defined to its page, which has its public name."""
    name = public_name(node.get("reftarget", "")) if node.get("refdomain") == "py" else None
    if name is None:
        return None
    domain = env.domains["py"]
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", name, node, text)


def _write_cards(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for page, html in cards().items():
            path = Path(app.outdir) / page
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(html, encoding="utf-8")
