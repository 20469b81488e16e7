"""One table of the kinds of tokens for everything that colours rules.

The prompt, the Pygments lexer and the grammars of editors take their names from here; ``python -m editors.grammars``
writes those grammars. A page or an editor with a language server receives the kinds themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen


@frozen
class Look:
    """The names of one kind of token.

    Attributes:
        style: The style at the prompt; empty for plain text.
        pygments: The token type of Pygments, its parts separated by dots.
        scope: The scope of TextMate grammars, without the language; empty if such grammars can't tell this kind.
        vim: The highlight group of Vim; empty likewise.
    """

    style: str
    pygments: str
    scope: str = ""
    vim: str = ""


LOOKS: Final[Mapping[str, Look]] = {
    "comment": Look("comment", "Comment.Single", "comment.line.double-dash", "Comment"),
    "string": Look("string", "Literal.String.Double", "string.quoted.double", "String"),
    "citation": Look("cite", "Comment.Special", "comment.block.citation", "SpecialComment"),
    "keyword": Look("keyword", "Keyword", "keyword.control", "Keyword"),
    "dice": Look("dice", "Literal.Number.Dice", "support.function.dice", "Special"),
    "range": Look("number", "Literal.Number.Range"),
    "number": Look("number", "Literal.Number", "constant.numeric", "Number"),
    "name": Look("", "Name", "variable.other", "Normal"),
    "word": Look("", "Name.Other"),
    "code": Look("code", "Name.Constant"),
    "cell": Look("code", "Name.Constant.Cell", "variable.other.enummember.cell", "Constant"),
    "bar": Look("hint", "Punctuation.Bar", "punctuation.separator.bar", "Delimiter"),
    "mark": Look("", "Punctuation", "keyword.operator", "Operator"),
    "blank": Look("", "Text.Whitespace"),
}
"""How each kind of `tokens` looks, in the order in which documentation lists them."""
