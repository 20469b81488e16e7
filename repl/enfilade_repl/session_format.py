"""The format of journals: one JSON object a line, each with a checksum, and a reader that takes every whole line.

``docs/session-format.md`` describes it. This module must not write files.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from enfilade import EntryError
from enfilade.terminal import reason

FORMAT: Final = "enfilade-session"
VERSION: Final = 2
_DICE: Final = ("ask", "roll")
_SUMMED: Final = re.compile(rb'(.*), "sum": "([0-9a-f]{8})"}', re.DOTALL)


@frozen
class Record:
    """One entry of a journal.

    Attributes:
        entry: The entry as typed.
        changed: Whether the entry changed the state; queries do not.
        rules: The rulesets that the entry loaded, as plain data, by the typed name or path.
        came: The procedure, dice and result of the combat that it resolved, to be compared with the replay.
        before: The seed and the number of the next throw before the entry, or that a question was open; journals of
            version 1 do not say.
    """

    entry: str
    changed: bool
    rules: Mapping[str, Any]
    came: Any = None
    before: Mapping[str, Any] | None = None


@frozen
class Kept:
    """The content of a journal file.

    Attributes:
        head: The initial data of the session: its seed, and the setting of `dice`.
        records: The records of its entries.
        size: The size of its complete lines in bytes, damaged ones included.
        file_size: The size of the file in bytes.
        damaged: The numbers of the damaged lines, from 1.
    """

    head: Mapping[str, str]
    records: tuple[Record, ...]
    size: int
    file_size: int
    damaged: tuple[int, ...] = ()

    @property
    def torn(self) -> bool:
        """Whether its last line is truncated."""
        return self.file_size > self.size


# ------------------------------------------------------------------------------------------------------------- writing


def journal_text(head: Mapping[str, str], records: Iterable[Record]) -> Iterator[bytes]:
    """The lines of a whole journal."""
    yield head_line(head)
    yield from map(record_line, records)


def head_line(head: Mapping[str, str]) -> bytes:
    """The first line of a journal."""
    return _line({"format": FORMAT, "version": VERSION, **head})


def record_line(record: Record) -> bytes:
    """The line of one record."""
    data: dict[str, Any] = {"entry": record.entry}
    if not record.changed:
        return _line(data | {"asks": True})
    if record.rules:
        data["rules"] = record.rules
    if record.before is not None:
        data["before"] = record.before
    return _line(data | ({"came": record.came} if record.came is not None else {}))


def _line(data: Mapping[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, default=str).encode("utf-8", "backslashreplace")[:-1]
    return b'%s, "sum": "%08x"}\n' % (text, zlib.crc32(text))


# ------------------------------------------------------------------------------------------------------------- reading


def read_journal(path: Path) -> Kept:
    """Read a journal: every whole line of it.

    Raises:
        EntryError: The file can't be read, or is not a journal.
    """
    try:
        content = path.read_bytes()
    except (OSError, ValueError) as wrong:
        raise EntryError(f"{path} can't be read: {reason(wrong)}") from None
    lines = [each.removesuffix(b"\r") for each in content.split(b"\n")]
    unfinished = len(lines.pop())
    read = [_read(each) for each in lines]
    head, records = _head(path, read), []
    old = head is not None and head["version"] == 1
    damaged = [] if head is not None else [1]
    for number, (data, summed) in enumerate(read[1:], 2):
        record = _record(data) if summed or old else None
        if record is None:
            damaged.append(number)
        else:
            records.append(record)
    return Kept(
        _start(head, records), tuple(records), len(content) - unfinished, len(content), tuple(damaged)
    )  # fmt: skip


def _read(text: bytes) -> tuple[dict[str, Any], bool]:
    """The data of a line, and whether it has a checksum; no data if the line is damaged."""
    summed = _SUMMED.fullmatch(text)
    if summed is not None and zlib.crc32(summed[1]) != int(summed[2], 16):
        return {}, False
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}, False
    return (data, summed is not None) if isinstance(data, dict) else ({}, False)


def _head(path: Path, read: list[tuple[dict[str, Any], bool]]) -> dict[str, Any] | None:
    """The head of a journal; ``None`` if it is damaged and the lines after it show that this is a journal."""
    head, summed = read[0] if read else ({}, False)
    version = head.get("version")
    if head.get("format") == FORMAT and (version == 1 or (version == VERSION and summed)):
        return head
    if head.get("format") == FORMAT and isinstance(version, int) and version > VERSION:
        raise EntryError(f"{path} was written by a later version of Enfilade")
    if not any(summed and _record(data) is not None for data, summed in read[1:]):
        raise EntryError(f"{path} is not a session file")
    return None


def _start(head: Mapping[str, Any] | None, records: Iterable[Record]) -> dict[str, str]:
    """The initial data of a session; without a head, the seed of the first record."""
    if head is None:
        head = next((each.before for each in records if each.before is not None and "seed" in each.before), {})
    dice = str(head.get("dice", ""))
    return {"seed": str(head.get("seed", "")), "dice": dice if dice in _DICE else "ask"}


def _record(data: Mapping[str, Any]) -> Record | None:
    entry, rules, before = data.get("entry"), data.get("rules") or {}, data.get("before")
    if not isinstance(entry, str) or not isinstance(rules, dict) or not _is_place(before):
        return None
    return Record(entry, not data.get("asks", False), rules, data.get("came"), before)


def _is_place(before: Any) -> bool:
    """Whether this is the place of the dice before an entry, or nothing."""
    if before is None or before == {"asks": True}:
        return True
    return isinstance(before, dict) and type(before.get("throw")) is int and isinstance(before.get("seed"), str)
