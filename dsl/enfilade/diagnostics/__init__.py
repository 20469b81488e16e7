"""What is wrong with a text: diagnostics as data, their rendering, their codes and pages, and suggestions.

For every stage after the source. It must not know what any stage checks.
"""

from enfilade.diagnostics.codes import CODES
from enfilade.diagnostics.diagnostic import Diagnostic, Edit, Fix, Label, Severity
from enfilade.diagnostics.pages import page_for
from enfilade.diagnostics.render import render_annotation, render_text
from enfilade.diagnostics.suggest import nearest

__all__ = [
    "CODES",
    "Diagnostic",
    "Edit",
    "Fix",
    "Label",
    "Severity",
    "nearest",
    "page_for",
    "render_annotation",
    "render_text",
]
