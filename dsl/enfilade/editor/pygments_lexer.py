"""Rules in colour for Sphinx, notebooks and others that use Pygments (extra ``pygments``).

Pygments finds it by its entry point under the name ``enfilade``, and by the ending ``.rules``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import string_to_tokentype

from enfilade.syntax.token_looks import LOOKS
from enfilade.syntax.tokens import tokens


class RulesLexer(Lexer):  # type: ignore[misc]  # Pygments ships no types
    """The tokens of the library's own lexer, with the token types of Pygments.

    Examples:
        >>> [(str(kind), text) for kind, text in RulesLexer().get_tokens("option fog") if text.strip()]
        [('Token.Keyword', 'option'), ('Token.Name', 'fog')]
    """

    name = "Enfilade"
    aliases: ClassVar = ["enfilade"]
    filenames: ClassVar = ["*.rules"]
    mimetypes: ClassVar = ["text/x-enfilade"]

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Cut a text into tokens.

        Args:
            text: Any text.

        Yields:
            The offset, the type and the text of each token.
        """
        for token in tokens(text):
            yield token.start, string_to_tokentype(LOOKS[token.kind].pygments), token.text
