"""The coverage-guided run: atheris mutates inputs and keeps those that reach new code (``pip install 'enfilade[fuzz]'``).

The inputs of the part are the first corpus. libFuzzer ends its process at a crash, so each stretch runs in a process of
its own; the failing input is reduced and kept, and the next stretch goes on from the corpus with another seed.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from tests.fuzz.campaign import failure_of, keep, smallest
from tests.fuzz.part import Part

FIRST: Final = 40
MOST_BYTES: Final = 20_000
INSTRUMENTED: Final = ("enfilade.source", "enfilade.syntax", "enfilade.bind", "enfilade.check", "enfilade.core", "enfilade.tools", "enfilade.api")  # fmt: skip


def run_guided(parts: list[Part], seed: str, folder: Path, seconds: float) -> int:
    """Run each part for its share of the time.

    Returns:
        1 if an input failed, else 0.
    """
    failed = 0
    for part in parts:
        with tempfile.TemporaryDirectory() as corpus:
            for number, text in enumerate(islice(part.inputs(random.Random(seed)), FIRST)):
                Path(corpus, f"{number}").write_bytes(text.encode("utf-8", "surrogatepass")[:MOST_BYTES])
            end, stretch = time.monotonic() + seconds / len(parts), 0
            while (left := end - time.monotonic()) > 0:
                stretch += 1
                # A fresh interpreter: atheris instruments modules while they are imported.
                arguments = (part.name, corpus, f"{seed}{stretch}", max(int(left), 1), folder)
                child = get_context("spawn").Process(target=_fuzz, args=arguments)
                child.start()
                child.join()
                failed += child.exitcode != 0
            reaching = len(list(Path(corpus).iterdir()))
            print(f"{part.name}: {reaching} inputs that reach code of their own, {stretch} stretches")
    return int(failed > 0)


def _fuzz(name: str, corpus: str, seed: str, seconds: int, folder: Path) -> None:
    import atheris

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from tests.fuzz.parts import PARTS
    part = PARTS[name]
    options = [
        f"-max_total_time={seconds}",
        f"-seed={sum(seed.encode()) + 1}",
        f"-max_len={MOST_BYTES}",
        "-verbosity=0",
    ]
    atheris.Setup([sys.argv[0], *options, corpus], _target(part, folder))
    atheris.Fuzz()


def _target(part: Part, folder: Path) -> Callable[[bytes], None]:
    known: set[Any] = set()

    def run(data: bytes) -> None:
        text = data.decode("utf-8", "replace")
        failure = failure_of(part, text)
        if failure is not None and failure not in known:
            known.add(failure)
            path = keep(part, smallest(part, text, failure), folder)
            print(f"{part.name}: {failure}, kept as {path}", flush=True)

    return run
