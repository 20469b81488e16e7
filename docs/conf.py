"""The configuration of the documentation site: ``sphinx-build -W -b html docs OUT`` builds it.

What is special about the site is in ``docs/site``: which files of the repository become pages, and where links lead.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# The site documents the library beside it, whatever is installed.
sys.path[:0] = [str(ROOT), str(ROOT / "dsl"), str(ROOT / "repl")]

from enfilade import __version__  # noqa: E402  # the path comes first

project = "Enfilade"
author = "the Enfilade authors"
copyright = "the Enfilade authors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "docs.site"]
# The reference is made into a page for each chapter.
exclude_patterns = ["language.md"]
# Blocks without a language are what a program prints.
highlight_language = "text"

# GitHub's anchors of headings, which the links of the pages use.
myst_heading_anchors = 4
# Dashes become dashes; quotes stay as they are typed.
smartquotes_action = "D"

# Each link between pages leads somewhere. Types in signatures are no links if they belong to Python, to another library
# or to a module that is not public.
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_custom_sections = ["Shape", "Source", "Units"]

html_theme = "furo"
html_title = "Enfilade"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_js_files = [("card.js", {"defer": "defer"})]
# The pages are written from several folders, so "view source" would show a text that exists nowhere.
html_copy_source = False
html_show_sphinx = False
