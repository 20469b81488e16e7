"""Checksums of saved runs: one of the whole, and one of each part, so a change can be named.

They are not signed: who changes a save can make them fit again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_SIZE: Final = 16


def checksum(data: Mapping[str, Any]) -> str:
    """Return the checksum of a saved run: of its rules, facts, options, dice and answers.

    Args:
        data: The saved run as plain data; its own checksum is left out.
    """
    return f"sha256:{_digest({name: value for name, value in data.items() if name != 'checksum'})}"


def parts_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts of a saved run by name: ``fact fire_value``, ``option night``, ``answer 1``.

    Args:
        data: The saved run as plain data.
    """
    parts = {
        name: data.get(name) for name in ("ruleset", "hash", "procedure", "event", "ask_all", "seed", "dice", "choices")
    }
    parts |= {f"fact {name}": value for name, value in _mapping(data.get("facts")).items()}
    parts |= {f"option {name}": value for name, value in _mapping(data.get("options")).items()}
    log = data.get("log")
    return parts | {f"answer {number}": each for number, each in enumerate(log if isinstance(log, list) else (), 1)}


def part_checksums(data: Mapping[str, Any]) -> dict[str, str]:
    """Return the checksum of each part of a saved run, by the name of the part."""
    return {name: _digest(value)[:_SIZE] for name, value in parts_of(data).items()}


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
