"""What the tests of the command line share."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from enfilade.cli import main

Run: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command: its exit code, what it printed, and what it complained of."""

    def run(*argv: str) -> tuple[int, str, str]:
        code = main(list(argv))
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run
