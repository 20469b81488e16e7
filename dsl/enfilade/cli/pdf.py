"""Turns the HTML of a card into a PDF, with WeasyPrint or with a browser that is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from enfilade import UsageError

_BROWSERS: Final = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)  # fmt: skip
_SECONDS: Final = 60
_NEITHER: Final = (
    "a PDF needs WeasyPrint (`pip install 'enfilade[pdf]'`) or an installed Chromium, Chrome or Edge; "
    "or open the card in any browser with `--format html` and print it there"
)


def pdf_of(page: str) -> bytes:
    """Print an HTML page to a PDF.

    Args:
        page: The page. It must not need anything from outside.

    Raises:
        UsageError: There is nothing that can print it, or printing failed.
    """
    if find_spec("weasyprint") is not None:
        return bytes(import_module("weasyprint").HTML(string=page).write_pdf())
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise UsageError(_NEITHER)
    return _printed_by(browser, page)


def _printed_by(browser: str, page: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="enfilade-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        source, target = folder / "card.html", folder / "card.pdf"
        source.write_text(page, encoding="utf-8")
        options = ["--headless", "--disable-gpu", "--no-pdf-header-footer", f"--user-data-dir={folder / 'profile'}"]
        if sys.platform == "linux" and os.geteuid() == 0:
            # Chromium's sandbox doesn't run for the superuser. The page has no scripts and loads nothing.
            options.append("--no-sandbox")
        command = [browser, *options, f"--print-to-pdf={target}", source.as_uri()]
        try:
            subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UsageError(f"{browser} did not print the card: {error}") from error
        if not target.exists():
            raise UsageError(f"{browser} did not print the card. {_NEITHER[0].upper()}{_NEITHER[1:]}")
        return target.read_bytes()
