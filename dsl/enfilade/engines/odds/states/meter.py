"""Counts the work for one question, enforces its limits and reports progress."""

from __future__ import annotations

import time
from typing import Final

from enfilade.engines.odds.interface import OddsLimits, Progress
from enfilade.errors import LimitError

_REPORT: Final = 50_000
_CHECK: Final = 5_000


class Meter:
    """Counts the work done for one question.

    Args:
        limits: The limits.
        progress: Called from time to time with the number of products.

    Attributes:
        products: The products of weights and steps so far.
    """

    def __init__(self, limits: OddsLimits, progress: Progress | None = None) -> None:
        self.products = 0
        self._limits = limits
        self._progress = progress
        self._reported = 0
        self._unchecked = 0
        self._began = time.monotonic()

    def count(self, states: int) -> None:
        """Count the work on some states.

        Raises:
            LimitError: There are too many states, or there was too much work.
        """
        limits = self._limits
        self.products += states
        if states > limits.worlds:
            raise LimitError(
                "worlds", f"the odds would tell {states} worlds apart; at most {limits.worlds} are allowed"
            )
        if self.products > limits.products:
            raise LimitError("products", f"the odds take more than {limits.products} products")
        if self.products - self._reported >= _REPORT:
            self._report()

    @property
    def outcomes(self) -> int:
        """The maximum number of outcomes of one roll or one answer."""
        return self._limits.outcomes

    def spend(self, products: int) -> None:
        """Check the time within a long loop; its products don't count towards the limit of products.

        Raises:
            LimitError: The time is up.
        """
        self._unchecked += products
        if self._unchecked >= _CHECK:
            self._unchecked = 0
            self._check_time()

    def _report(self) -> None:
        self._reported = self.products
        if self._progress is not None:
            self._progress(self.products)
        self._check_time()

    def _check_time(self) -> None:
        seconds = self._limits.seconds
        if seconds is not None and time.monotonic() - self._began > seconds:
            raise LimitError("seconds", f"the odds take more than {seconds} seconds")
