"""The cell magic of a notebook: a cell of rules binds a ruleset, or shows what is wrong with it."""

from __future__ import annotations

from typing import Any, Final

import pytest
from tests.api.test_notebook import Parsed

interactive = pytest.importorskip("IPython.core.interactiveshell")
capture = pytest.importorskip("IPython.utils.capture")
pytestmark = pytest.mark.thorough

DUEL: Final = """ruleset duel "Duel <b>of</b> two"

facts
  cover  one of low, high = low  "a <i>word</i>"

procedure shoot
  1. roll 1d6 as shot
  2. give result = shot
  3. give covered = cover is high

example shoot "a shot"
  given cover low
  on 4
  expect result is 4
"""


@pytest.fixture
def shell(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An IPython shell with the extension and without a history."""
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    made = interactive.InteractiveShell()
    made.history_manager.enabled = False
    made.run_line_magic("load_ext", "enfilade.notebook")
    yield made
    made.history_manager.end_session()


def run(shell: Any, name: str, cell: str) -> tuple[str, Any]:
    """Run a cell of rules: all that it shows as text and HTML, and its error."""
    with capture.capture_output() as shown:
        ended = shell.run_cell(f"%%rules {name}\n{cell}")
    html = "".join(output.data.get("text/html", "") for output in shown.outputs)
    return shown.stdout + html, ended.error_in_exec


def test_a_cell_of_rules_binds_the_ruleset(shell: Any) -> None:
    said, error = run(shell, "duel", DUEL)
    assert (error, "duel: Duel <b>of</b> two (1 of 1 examples pass)" in said) == (None, True)
    assert shell.user_ns["duel"].resolve("shoot", dice=[5]).result == 5


def test_a_mistake_is_shown_with_its_line_in_the_cell_and_binds_nothing(shell: Any) -> None:
    said, error = run(shell, "duel", DUEL.replace("as shot", "as shout"))
    assert type(error).__name__ == "UsageError"
    assert "duel" not in shell.user_ns
    line = 1 + DUEL.splitlines().index("  2. give result = shot") + 1
    assert f"duel:{line}:" in said
    assert "enfilade-diagnostic" in said


def test_an_example_that_fails_is_shown(shell: Any) -> None:
    said, error = run(shell, "duel", DUEL.replace("result is 4", "result is 5"))
    assert (error, "0 of 1 examples pass" in said, "example-failed" in said) == (None, True, True)


def test_a_cell_may_extend_the_rules_of_another(shell: Any) -> None:
    run(shell, "duel", DUEL)
    said, error = run(shell, "quick", 'ruleset quick "Quick" extends duel\n\nadd to facts\n  rain  yes/no\n')
    assert error is None, said
    assert shell.user_ns["quick"].title == "Quick"
    assert shell.user_ns["quick"].resolve("shoot", dice=[5]).result == 5


@pytest.mark.parametrize("name", ["", "two words", "class", "1st"])
def test_a_cell_of_rules_needs_a_name(shell: Any, name: str) -> None:
    _, error = run(shell, name, DUEL)
    assert "give the ruleset a name" in str(error)


def test_a_ruleset_is_shown_as_its_card_without_scripts(shell: Any) -> None:
    run(shell, "duel", DUEL)
    shown, _ = shell.display_formatter.format(shell.user_ns["duel"])
    found = Parsed(shown["text/html"])
    assert found.tags == ["iframe"]
    assert 'sandbox=""' in shown["text/html"]
