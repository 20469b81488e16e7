"""The stable names of the kinds of mistakes.

For suppressing, counting and looking up diagnostics. A code that was released is never given another meaning.
Each check words its own messages; only the titles stand here, in the order of the alphabet.
"""

from typing import Final

CODES: Final[dict[str, str]] = {
    "control-character": "a character that can't be seen stands in the text",
    "look-alike": "a letter only looks like the one that is meant",
    "not-utf8": "the file is not encoded in UTF-8",
    "too-large": "the text is larger than the limit",
}
