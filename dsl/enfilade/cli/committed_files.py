"""Files of committed dice and saved runs on the command line: read, and written without overwriting others."""

from __future__ import annotations

import json
import os
from pathlib import Path

from enfilade import AnswerError, CommittedDice, UsageError
from enfilade.terminal import reason


def committed_dice(file: str) -> CommittedDice:
    """Read a file that ``enfilade commit`` wrote."""
    try:
        return CommittedDice.from_json(json.loads(text_of(file)))
    except (ValueError, RecursionError):
        raise UsageError(f"{file} is not a file of committed dice") from None
    except AnswerError as wrong:
        raise UsageError(f"{file}: {wrong}") from None


def write_new(file: str, text: str) -> None:
    """Write a file that only its owner can read; refuse to overwrite one."""
    try:
        opened = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(opened, "w", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"{file} already exists; choose another name") from None
    except OSError as wrong:
        raise UsageError(f"{file} can't be written: {reason(wrong)}") from None


def text_of(file: str) -> str:
    """Read a text file."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{file} is not UTF-8") from None
    except OSError as wrong:
        raise UsageError(f"{file} can't be read: {reason(wrong)}") from None
