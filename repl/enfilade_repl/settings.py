"""Settings of the player, which ``set`` changes, and the file that stores them.

A setting changes display or input; only the setting `dice` affects which questions are asked.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from attrs import field, frozen

_ON_OFF: Final = ("on", "off")


@frozen
class Setting:
    """One setting.

    Attributes:
        name: Its name.
        values: The allowed values, the default first; or examples of them, if it has a form.
        help: One line.
        form: A regular expression of the allowed values; empty if they are listed.
    """

    name: str
    values: tuple[str, ...]
    help: str
    form: str = ""

    def allows(self, value: str) -> bool:
        """Whether a value is allowed."""
        return re.fullmatch(self.form, value) is not None if self.form else value in self.values


SETTINGS: Final = (
    Setting("theme", ("dark", "light", "none"), "colours for a dark or a light background, or none"),
    Setting("keys", ("emacs", "vi"), "the key bindings for editing a line"),
    Setting("dice", ("ask", "roll"), "ask for each roll, or roll at once"),
    Setting("fractions", ("dice", "lowest"), "show chances unreduced (4/36) or in lowest terms (1/9)"),
    Setting("patience", ("10s", "60s", "5m"), "the time limit for an answer about odds", r"0*[1-9]\d*[smh]?"),
    Setting("complete", ("typing", "tab", "off"), "show completions while you type, after Tab, or never"),
    Setting("suggest", _ON_OFF, "show the rest of an earlier entry in grey; the right arrow accepts it"),
    Setting("pager", _ON_OFF, "show long output one screen at a time"),
    Setting("mouse", ("off", "on"), "let the mouse move the cursor; to select text, hold Shift"),
    Setting("toolbar", _ON_OFF, "show the status line at the bottom"),
)
_BY_NAME: Final = {each.name: each for each in SETTINGS}


class UnknownSetting(ValueError):
    """The setting is unknown, or the value is not allowed.

    Attributes:
        hint: The allowed names or values.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@frozen
class Settings:
    """The settings of a session.

    Examples:
        >>> Settings().with_value("dice", "roll").rolls
        True
    """

    values: Mapping[str, str] = field(factory=lambda: {each.name: each.values[0] for each in SETTINGS})

    def __getitem__(self, name: str) -> str:
        """The value of a setting."""
        return self.values[name]

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled without asking."""
        return self["dice"] == "roll"

    def with_value(self, name: str, value: str) -> Settings:
        """Return the settings with one of them changed.

        Raises:
            UnknownSetting: The setting is unknown, or the value is not allowed.
        """
        setting = _BY_NAME.get(name)
        if setting is None:
            # Imported here, because the prompt waits for this module and needs no suggestions.
            from enfilade.language import nearest

            close = nearest(name, _BY_NAME)
            raise UnknownSetting(
                f"there is no setting {name}",
                f"did you mean {close}?" if close else f"the settings are {', '.join(_BY_NAME)}",
            )
        if not setting.allows(value):
            raise UnknownSetting(
                f"the setting {name} can't be {value or 'nothing'}", f"allowed: {', '.join(setting.values)}"
            )
        return Settings({**self.values, name: value})

    def to_text(self) -> str:
        """The settings, in the format of their file."""
        return "".join(f"{name} {value}\n" for name, value in self.values.items())


def read_settings(text: str) -> tuple[Settings, tuple[str, ...]]:
    """Read a file of settings.

    Returns:
        The settings from the valid lines, and a sentence for each invalid line.

    Examples:
        >>> settings, wrong = read_settings("# mine\\nkeys vi\\ntheme pink\\n")
        >>> settings["keys"], wrong
        ('vi', ("line 3: the setting theme can't be pink; allowed: dark, light, none",))
    """
    settings, wrong = Settings(), []
    for number, name, value in _lines(text):
        try:
            settings = settings.with_value(name, value)
        except UnknownSetting as unknown:
            wrong.append(f"line {number}: {unknown}; {unknown.hint}")
    return settings, tuple(wrong)


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    for number, each in enumerate(text.splitlines(), 1):
        name, _, value = each.strip().partition(" ")
        if name and not name.startswith("#"):
            yield number, name, value.strip()


def settings_path() -> Path:
    """The path of the settings file."""
    return _home("XDG_CONFIG_HOME", ".config") / "settings"


def state_folder() -> Path:
    """The folder of the data kept between sessions: history and journals."""
    return _home("XDG_STATE_HOME", ".local/state")


def _home(variable: str, otherwise: str) -> Path:
    place = os.environ.get(variable)
    return (Path(place) if place else Path.home() / otherwise) / "enfilade"
