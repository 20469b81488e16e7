"""Prints the tokens that a grammar should find in every rules file of the repository: ``python -m editors``.

JSON: the scope of each kind of token, and for each file its text and its pieces (kind, start, end; in UTF-16 units).
"""

from __future__ import annotations

import json
import sys
from itertools import accumulate

from editors.grammars import LANGUAGE
from editors.words import PLAIN, WHOLE, pieces, rules_files
from enfilade.syntax.token_looks import LOOKS


def expected(text: str) -> dict[str, object]:
    """A text and its pieces."""
    places = list(accumulate((2 if char > "\uffff" else 1 for char in text), initial=0))
    return {"text": text, "pieces": [[each.kind, places[each.start], places[each.end]] for each in pieces(text)]}


if __name__ == "__main__":
    scopes = {kind: f"{LOOKS[kind].scope}.{LANGUAGE}" for kind in (*PLAIN, *WHOLE)}
    json.dump({"scopes": scopes, "files": {path: expected(text) for path, text in rules_files()}}, sys.stdout)
