"""The notebook of the examples runs from top to bottom, and its cells show what its text says."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Final

import pytest

STUDY: Final = Path(__file__).resolve().parents[2] / "examples" / "balance_study" / "study.ipynb"


@pytest.fixture(scope="module")
def cells(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The code cells with their outputs."""
    pytest.importorskip("ipykernel")
    client, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    place = tmp_path_factory.mktemp("study")
    with pytest.MonkeyPatch.context() as surroundings:
        # The kernel of this environment, without the kernels and the profile of the person who runs the tests.
        surroundings.setenv("IPYTHONDIR", str(place))
        surroundings.setenv("JUPYTER_DATA_DIR", str(place))
        surroundings.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        notebook = nbformat.read(STUDY, as_version=4)
        client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(place)}}).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def forms(cells: list[Any], source: str) -> dict[str, Any]:
    """What the cell with a text shows, by MIME type."""
    (cell,) = [cell for cell in cells if source in cell.source]
    shown: dict[str, Any] = {}
    for output in cell.outputs:
        shown |= output.get("data", {"text/plain": output.get("text", "")})
    return shown


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "kind", "said"),
    [
        ('rules.chart("direct_fire_table")', "text/html", "Direct Fire Table"),
        ("shot = rules.resolve", "text/markdown", "Target hex is town or woods"),
        ("rules.odds(", "application/vnd.vegalite.v5+json", "result (exact)"),
        ("rules.odds(", "text/html", "result (exact)"),
        ("all_shots = ", "text/html", "M or worse (percent)"),
        ("all_shots = ", "application/vnd.vegalite.v5+json", "rect"),
        ("rules.sensitivity", "text/html", "fire_value"),
        ("%%rules gentle", "text/plain", "gentle: Gentle towns"),
        ("other=gentle", "text/html", "difference"),
        ("columns = all_shots", "text/plain", "chance"),
    ],
)
def test_a_cell_shows_its_result(cells: list[Any], source: str, kind: str, said: str) -> None:
    assert said in str(forms(cells, source)[kind])


@pytest.mark.thorough
def test_gentle_towns_are_more_dangerous(cells: list[Any]) -> None:
    found = re.search(r"change is (\d+)/(\d+), first", forms(cells, "largest = ")["text/plain"])
    assert found is not None
    assert 0 < int(found[1]) < int(found[2])


def test_the_notebook_is_kept_without_outputs() -> None:
    text = STUDY.read_text(encoding="utf-8")
    assert '"outputs": []' in text
    assert re.search(r'"output_type"|"execution_count": [^n]', text) is None
