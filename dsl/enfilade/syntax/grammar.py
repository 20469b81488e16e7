"""The grammar, and the LALR parser that Lark makes from it.

Used to generate the parse table. It must not know the tree's nodes.
"""

from __future__ import annotations

import pkgutil
from hashlib import sha256
from typing import Final

import lark
from lark import Lark

from enfilade.syntax.indentation import Indenter
from enfilade.syntax.labels import plain_grammar

DECLARATION: Final = "declaration"
GIVEN_ENTRY: Final = "given_entry"
ANSWERS_ENTRY: Final = "answers_entry"
CASE_ENTRY: Final = "case_entry"
# The start symbols; one parse table serves all of them.
STARTS: Final = (DECLARATION, GIVEN_ENTRY, ANSWERS_ENTRY, CASE_ENTRY)


def grammar_text() -> str:
    """Read the grammar.

    Raises:
        FileNotFoundError: The installation is damaged.
    """
    content = pkgutil.get_data("enfilade.syntax", "grammar.lark")
    if content is None:
        raise FileNotFoundError("this installation of Enfilade lacks its grammar; install it again")
    return content.decode("utf-8").replace("\r\n", "\n")


def grammar_digest() -> str:
    """The SHA-256 digest of the grammar."""
    return sha256(grammar_text().encode()).hexdigest()


def lark_series() -> str:
    """Major and minor version of Lark; its internal classes stay the same within them."""
    return ".".join(lark.__version__.split(".")[:2])


def lark_parser() -> Lark:
    """Make Lark's parser of all start symbols from the grammar, which takes half a second."""
    return Lark(plain_grammar(grammar_text()), parser="lalr", lexer="contextual", postlex=Indenter(), start=list(STARTS),
                keep_all_tokens=True, maybe_placeholders=False)  # fmt: skip


def bare_parser() -> Lark:
    """A parser of whole texts that makes Lark's own trees, for benchmarks."""
    return Lark(plain_grammar(grammar_text()), parser="lalr", lexer="contextual", postlex=Indenter(), start="start",
                maybe_placeholders=False)  # fmt: skip
