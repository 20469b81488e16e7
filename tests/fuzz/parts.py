"""All parts of the campaign, by name."""

from __future__ import annotations

from typing import Final

from tests.fuzz.calls import CALLS
from tests.fuzz.part import Part
from tests.fuzz.readers import READERS
from tests.fuzz.sessions import SESSIONS
from tests.fuzz.texts import METAMORPHIC, TEXTS

PARTS: Final[dict[str, Part]] = {part.name: part for part in (*TEXTS, METAMORPHIC, CALLS, SESSIONS, *READERS)}
