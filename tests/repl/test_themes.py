"""Themes: every style word has a look, and there is no colour where none is wanted."""

import re
from collections.abc import Sequence
from io import StringIO
from typing import Final

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from enfilade.language import Line, line, results
from enfilade_repl.dispatch import new_session
from enfilade_repl.screen import Screen
from enfilade_repl.theme import STYLE_WORDS, class_of, depth_of, shows_colors, style_of

COLOR: Final = re.compile(r"\x1b\[[0-9;]*?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[0-9;]*m")


ENTRIES: Final = (
    "help", "what is this", "set", "use infantry_attacks", "option", "check", "unit gun: kind artillery, steps 1", "table",
    "direct_fire fire_value 45, units gun on 2 1", "odds", "odds of M or worse", "odds by fire_value 1..45 of M", "why",
    "why not", "chart", "charts", "rule 7.5", "log", "log 1", "luck", "apply", "undo", "share", "what if terrain woods",
    "help direct_fire", "define twice (n 1..) = n * 2", "definitions", "2d6 + 1", "seed", "test",
    "chart crt", "use bombardment", "bombardment bv 5, distance 1 on 4", "matters", "unit_moved_into_contact", "direct_fire", "cancel", "quit",
)  # fmt: skip


@pytest.mark.thorough
def test_every_style_word_that_is_said_has_a_look() -> None:
    session = new_session(seed="1")
    said = {style for entry in ENTRIES for line in (session.prompt, *session.enter(entry).lines) for style, _ in line}
    assert said <= STYLE_WORDS | {""}
    assert len(said) > 15
    assert set(results._STYLES.values()) <= STYLE_WORDS


@pytest.mark.parametrize("theme", ["dark", "light", "none"])
def test_a_theme_gives_each_style_word_its_look(theme: str) -> None:
    style = style_of(theme, {})
    looks = {word: style.get_attrs_for_style_str(f"class:{class_of(word)}") for word in STYLE_WORDS}
    assert looks["error"].bold
    colors = {look.color for look in looks.values()}
    assert (len(colors) > 5) == (theme != "none")


@pytest.mark.parametrize(
    ("theme", "environment"), [("none", {}), ("dark", {"NO_COLOR": "1"}), ("light", {"TERM": "dumb"})]
)
def test_no_colour_is_shown_where_none_is_wanted(theme: str, environment: dict[str, str]) -> None:
    assert not shows_colors(theme, environment)
    assert depth_of(theme, environment) is ColorDepth.DEPTH_1_BIT
    style = style_of(theme, environment)
    assert not any(style.get_attrs_for_style_str(f"class:{class_of(word)}").color for word in STYLE_WORDS)


def test_an_empty_no_color_asks_for_nothing() -> None:
    assert shows_colors("dark", {"NO_COLOR": "", "TERM": "xterm"})
    assert depth_of("dark", {}) is None


def ansi(lines: Sequence[Line], theme: str) -> str:
    """What a terminal of this theme receives."""
    written = StringIO()
    screen = Screen(Vt100_Output(written, lambda: Size(rows=24, columns=80), enable_cpr=False))
    screen.theme = theme
    screen.show(lines)
    return written.getvalue()


def test_lines_are_coloured_and_not_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    lines = [line(("code", "M2"), " or ", ("error", "worse"))]
    assert COLOR.search(ansi(lines, "dark"))
    assert not COLOR.search(ansi(lines, "none"))
    monkeypatch.setenv("NO_COLOR", "1")
    assert not COLOR.search(ansi(lines, "dark"))


def test_an_escape_in_a_line_does_not_reach_the_terminal() -> None:
    assert "\x1b[2J" not in ansi([(("", "gun\x1b[2J"),)], "none")
