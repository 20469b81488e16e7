"""Time several ways of doing one thing side by side, so that a slow moment of the machine hits them alike.

Every round runs a batch of each case, starting with another case each time; what counts is the median over
the rounds. Each batch gets arguments made afresh, outside the clock, so that nothing gains by meeting an
object again.
"""

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to time.

    Attributes:
        name: What the tables call it.
        calls: How many calls a batch makes.
        prepare: Makes the arguments and returns the batch, which is what is timed.
    """

    name: str
    calls: int
    prepare: Callable[[], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Ratio:
    """A comparison of two medians, with the most that we allow ourselves, if anything."""

    case: str
    to: str
    at_most: float | None = None


def measure(cases: Sequence[Case], rounds: int) -> dict[str, float]:
    """Find the median seconds a call of each case takes; one round before the first is not counted."""
    times: dict[str, list[float]] = {case.name: [] for case in cases}
    for number in range(rounds + 1):
        start = number % len(cases)
        for case in (*cases[start:], *cases[:start]):
            seconds = time_batch(case)
            if number:
                times[case.name].append(seconds)
    return {name: statistics.median(taken) for name, taken in times.items()}


def time_batch(case: Case) -> float:
    """Time one batch, with the garbage collector off, in seconds a call."""
    batch = case.prepare()
    gc.collect()
    gc.disable()
    try:
        begin = time.perf_counter()
        batch()
        return (time.perf_counter() - begin) / case.calls
    finally:
        gc.enable()


def ratios_of(medians: dict[str, float], wanted: Sequence[Ratio]) -> list[tuple[Ratio, float]]:
    """Work out the ratios whose two cases were both measured."""
    return [
        (ratio, medians[ratio.case] / medians[ratio.to])
        for ratio in wanted
        if ratio.case in medians and ratio.to in medians
    ]


def render(medians: dict[str, float], wanted: Sequence[Ratio]) -> str:
    """Lay out the medians, then the ratios."""
    width = max(map(len, medians))
    lines = [f"{'':{width}}       median"]
    lines += [f"{name:{width}} {render_seconds(seconds):>12}" for name, seconds in medians.items()]
    lines.append("")
    for ratio, value in ratios_of(medians, wanted):
        limit = "" if ratio.at_most is None else f"  (at most {ratio.at_most:g}: {verdict(ratio, value)})"
        lines.append(f"{ratio.case:{width}} {value:10.2f} x {ratio.to}{limit}")
    return "\n".join(lines)


def render_seconds(seconds: float) -> str:
    """Write a time in microseconds or milliseconds, whichever reads better."""
    return f"{seconds * 1e6:.2f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def verdict(ratio: Ratio, value: float) -> str:
    """Say whether a ratio keeps its limit."""
    return "kept" if ratio.at_most is None or value <= ratio.at_most else "MISSED"


def to_data(medians: dict[str, float], wanted: Sequence[Ratio], notices: Sequence[str]) -> dict[str, object]:
    """Turn a measurement into what ``--json`` prints."""
    return {
        "median_seconds": medians,
        "ratios": [
            {"case": ratio.case, "to": ratio.to, "ratio": round(value, 4), "at_most": ratio.at_most}
            for ratio, value in ratios_of(medians, wanted)
        ],
        "notices": list(notices),
    }
