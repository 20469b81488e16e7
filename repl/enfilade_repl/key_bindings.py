"""Key bindings of the prompt: Enter runs an entry, or breaks the line of an unfinished definition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

INDENT: Final = "  "


def bindings(goes_on: Callable[[str], bool]) -> KeyBindings:
    """The key bindings that the prompt adds to those of prompt_toolkit.

    Args:
        goes_on: Whether the typed text continues on the next line.
    """
    found = KeyBindings()
    here = has_focus(DEFAULT_BUFFER)

    @found.add("enter", filter=here & _has_chosen)
    def _take(event: KeyPressEvent) -> None:
        """Accept the chosen completion without running the entry."""
        event.current_buffer.complete_state = None

    @found.add("enter", filter=here & ~_has_chosen)
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        try:
            more = _is_within(buffer) or goes_on(_without_blanks(buffer.text))
        except Exception as failure:
            # The session could not be prepared. Exit the prompt: prompt_toolkit would only print an error raised here.
            event.app.exit(exception=failure)
            return
        if more:
            buffer.insert_text("\n" + _indent_after(buffer))
        else:
            buffer.validate_and_handle()

    @found.add("escape", "enter", filter=here)
    def _new_line(event: KeyPressEvent) -> None:
        """Begin a new line, even if the entry is complete."""
        event.current_buffer.insert_text("\n")

    return found


@Condition
def _has_chosen() -> bool:
    from prompt_toolkit.application import get_app

    state = get_app().current_buffer.complete_state
    return state is not None and state.current_completion is not None


def _is_within(buffer: Buffer) -> bool:
    """Whether more lines follow the line of the cursor."""
    return "\n" in buffer.document.text_after_cursor.rstrip()


def _without_blanks(text: str) -> str:
    """Remove the blanks of a last line that has only blanks."""
    head, end, last = text.rpartition("\n")
    return text if last.strip() else f"{head}{end}"


def _indent_after(buffer: Buffer) -> str:
    """The indentation of the next line: the same as this line, or one level if this line has none."""
    line = buffer.document.current_line_before_cursor
    blanks = line[: len(line) - len(line.lstrip())]
    return blanks if blanks or not line else INDENT
