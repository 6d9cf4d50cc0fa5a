"""The little statistics needed here: medians, spreads, ratios by round, and what a freezing server gives on paper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

QUANTILES = {"p50": 0.50, "p90": 0.90, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True)
class Spread:
    """A figure over several rounds. With few rounds the whole range says more than a deviation."""

    middle: float
    low: float
    high: float

    @staticmethod
    def of(values: Iterable[float]) -> Spread | None:
        """The spread of some values, or nothing of none."""
        found = sorted(values)
        return Spread(median(found), found[0], found[-1]) if found else None


def ratios(ours: Sequence[float | None], theirs: Sequence[float | None]) -> Spread | None:
    """The ratio of each round to the same round of another tool: what disturbed a whole round disturbs it less."""
    pairs = zip(ours, theirs, strict=True)
    return Spread.of(a / b for a, b in pairs if a is not None and b)


def quantiles(values: Iterable[float]) -> dict[str, float]:
    """Nearest-rank quantiles and the maximum."""
    ordered = sorted(values)
    if not ordered:
        return {}
    ranked = {name: ordered[max(0, math.ceil(q * len(ordered)) - 1)] for name, q in QUANTILES.items()}
    return {**ranked, "max": ordered[-1]}


def frozen_response_ms(since_first_s: float, frozen_s: float, period_s: float) -> float:
    """How long an answer takes that is due then, from a server which is frozen for the end of each period.

    It answers at once, or at the end of the period if that is no further away than the freeze is long.
    """
    left = period_s - since_first_s % period_s
    return left * 1000 if left <= frozen_s else 0.0


def on_paper(due_s: Sequence[float], frozen_s: float, period_s: float) -> dict[str, float]:
    """Quantiles of response time if every request is sent when it is due."""
    first = min(due_s, default=0.0)
    return quantiles(frozen_response_ms(due - first, frozen_s, period_s) for due in due_s)
