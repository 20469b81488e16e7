"""What the language service answers: places are spans of sources, in characters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from enfilade.diagnostics.diagnostic import Edit
from enfilade.errors import UsageError
from enfilade.source.text import Span


class CannotRename(UsageError):
    """A name can't be changed; the text says why."""


@frozen
class Hover:
    """What is known about a name.

    Attributes:
        span: The place of the name.
        kind: What it is: fact, field, local, chart, modifier, code, and so on.
        name: The name.
        type: Its type or range, as an author writes it; empty if it has none.
        label: Its label in the rules.
        cites: The citations of its declaration.
        lines: Further remarks: the meaning of a code, where a chart is read, the words of a list.
    """

    span: Span
    kind: str
    name: str
    type: str = ""
    label: str = ""
    cites: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def markdown(self) -> str:
        """The same as Markdown."""
        head = f"**{self.kind}** `{self.name}`" + (f": `{self.type}`" if self.type else "")
        cites = f"[{', '.join(self.cites)}]" if self.cites else ""
        about = " ".join(filter(None, (self.label, cites)))
        return "\n\n".join(filter(None, (head, about, *self.lines)))


@frozen
class Outline:
    """A declaration or a part of one, for the outline of a text.

    Attributes:
        name: Its name; the label of an example.
        kind: What it is: chart, procedure, fact, field, modifier, code, and so on.
        detail: Its label in the rules.
        span: The whole of it.
        name_span: The place of its name.
        children: Its parts.
    """

    name: str
    kind: str
    detail: str
    span: Span
    name_span: Span
    children: tuple[Outline, ...] = ()


@frozen
class Fold:
    """Lines that an editor may fold.

    Attributes:
        first: The line that stays, from 1.
        last: The last line, from 1.
        kind: ``region`` or ``comment``.
    """

    first: int
    last: int
    kind: str


@frozen
class TextToken:
    """A token with its colour.

    Attributes:
        span: Its place.
        kind: keyword, number, range, dice, string, citation, code, comment; or for a name, the kind of what it refers to.
        declares: Whether the name is declared here.
    """

    span: Span
    kind: str
    declares: bool = False


@frozen
class Suggestion:
    """A word that may be inserted.

    Attributes:
        name: The word.
        kind: keyword, fact, field, word, code, citation, and so on.
        label: Its label in the rules.
    """

    name: str
    kind: str
    label: str = ""


@frozen
class Completions:
    """Words that may follow.

    Attributes:
        start: Where the word begins that they replace.
        items: The words, the likeliest first.
    """

    start: int
    items: tuple[Suggestion, ...]


@frozen
class Parameter:
    """A parameter in a signature.

    Attributes:
        start: Where it begins in the text of the signature.
        end: Where it ends there.
        label: Its label in the rules.
        name: Its name, if it has one.
        words: The words that it can be.
    """

    start: int
    end: int
    label: str = ""
    name: str = ""
    words: tuple[str, ...] = ()


@frozen
class Signature:
    """What can be given where something is called, read or performed.

    Attributes:
        text: The signature, such as ``step_loss on unit with amount 1..``.
        parameters: The places of the parameters in the text.
        active: Which of them is at the place, from 0; ``None`` if none of them.
        label: The label of the declaration.
        cites: Its citations.
    """

    text: str
    parameters: tuple[Parameter, ...]
    active: int | None
    label: str = ""
    cites: tuple[str, ...] = ()


@frozen
class Action:
    """A change that an editor offers.

    Attributes:
        title: What it does, in the imperative.
        edits: The changes of the text; they do not overlap.
        code: The code of the diagnostic that it removes; empty if there is none.
        span: The place of that diagnostic, or of what the action is about.
        kind: ``quickfix``, ``refactor`` for an addition, or ``refactor.rewrite`` for a change that keeps the meaning.
        preferred: Whether it is the one change to make, and not one of several.
    """

    title: str
    edits: tuple[Edit, ...]
    code: str
    span: Span
    kind: str = "quickfix"
    preferred: bool = False


@frozen
class Hint:
    """A short text that an editor shows within a line, without changing it.

    Attributes:
        span: The text is shown at the end of this place.
        text: The text.
        kind: ``range`` or ``chance``.
        note: What it means, if that is not obvious.
    """

    span: Span
    text: str
    kind: str
    note: str = ""


@frozen
class Lens:
    """A command that an editor shows above a line.

    Attributes:
        span: The line.
        title: The text to show.
        command: ``run-example`` or ``odds``.
        argument: The line of the example, from 1, or the name of the procedure.
    """

    span: Span
    title: str
    command: str
    argument: str | int


@frozen
class Subject:
    """What a place of a text is about.

    Attributes:
        chart: The chart that the place describes or reads; ``None`` if there is none.
        procedure: The procedure that the place is in, that its example plays or that reads its chart; ``None`` if
            there is none.
        facts: The facts of an example: the one at the place, otherwise the first that plays the procedure.
        options: The options of that example.
        example: The label of that example; empty if there is none.
    """

    chart: str | None
    procedure: str | None
    facts: Mapping[str, Any] = field(factory=dict)
    options: Mapping[str, Any] = field(factory=dict)
    example: str = ""
