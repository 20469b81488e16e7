"""The stable names of the kinds of mistakes.

For suppressing, counting and looking up diagnostics. A code that was released is never given another meaning.
Each check words its own messages; only the titles stand here, in the order of the alphabet.
"""

from typing import Final

CODES: Final[dict[str, str]] = {
    "control-character": "a character that can't be seen stands in the text",
    "division-by-zero": "a fraction has 0 below the line",
    "indentation": "a line is indented where no block can be, or to no column of a block",
    "line-too-long": "a line is longer than the limit",
    "look-alike": "a letter only looks like the one that is meant",
    "missing-block": "a line that needs an indented block has none",
    "missing-bracket": "a bracket has no partner on its line",
    "missing-quote": "a quote is not closed on its line",
    "name-too-long": "a name or a code is longer than the limit",
    "nesting-too-deep": "brackets, operators or blocks stand too deep inside each other",
    "not-utf8": "the file is not encoded in UTF-8",
    "number-too-long": "a number has more digits than the limit",
    "row-not-closed": "a chart row does not end with a bar",
    "stray-row": "a chart row belongs to no chart",
    "syntax": "a word or sign can't stand where it stands",
    "text-too-long": "a text in quotes is longer than the limit",
    "too-large": "the text is larger than the limit",
    "two-labels": "a line has a second label, or says `assumed` twice",
    "unfinished-line": "a line ends before it is complete",
    "unknown-declaration": "a line at the left margin starts with no word that declares something",
}
