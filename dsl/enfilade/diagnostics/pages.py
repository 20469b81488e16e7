"""The manual page of each diagnostic code.

For the command line and the documentation. The pages are Markdown files in the package; this module must not
alter them.
"""

from importlib.resources import files

from enfilade.diagnostics.codes import CODES
from enfilade.door import door


@door
def page_for(code: str) -> str | None:
    """Read the page that explains a diagnostic code.

    Args:
        code: The code, as printed in brackets after ``error``.

    Returns:
        The page in Markdown, or ``None`` for a code that is unknown or has no page.

    Examples:
        >>> page_for("look-alike").splitlines()[0]
        '# look-alike'
        >>> page_for("../codes") is None
        True
    """
    # Only registered codes are read, so a code can't name a file outside the folder.
    if code not in CODES:
        return None
    page = files("enfilade.diagnostics").joinpath("pages", f"{code}.md")
    return page.read_text(encoding="utf-8") if page.is_file() else None
