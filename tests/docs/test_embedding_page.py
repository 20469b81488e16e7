"""The embedding page says what is so: each of its lines gives what its comment says.

Blocks of ``python arrays`` are run where NumPy is installed.
"""

from __future__ import annotations

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from enfilade.api.plain_data import plain

HAS_NUMPY = find_spec("numpy") is not None
PAGE = Path(__file__).resolve().parents[2] / "docs" / "embedding.md"


def test_each_line_of_the_embedding_page_gives_what_its_comment_says() -> None:
    blocks = re.findall(r"```python( arrays)?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    text = "\n".join(body for arrays, body in blocks if HAS_NUMPY or not arrays)
    lines, names, told = text.splitlines(), dict[str, Any](), 0
    for node in ast.parse(text).body:
        source = ast.get_source_segment(text, node) or ""
        comment = lines[(node.end_lineno or 1) - 1].partition("  # ")[2]
        if not isinstance(node, ast.Expr):
            exec(source, names)
            continue
        assert plain(eval(source, names)) == plain(ast.literal_eval(comment)), source
        told += 1
    assert told >= 13
