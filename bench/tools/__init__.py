"""The load generators we compare ourselves with, in the order of the tables."""

from __future__ import annotations

from tools.base import Load, Reading, Tool, Unreadable
from tools.floor import Floor
from tools.go import Bombardier, Fortio, Hey, K6, Vegeta
from tools.native import Ab, H2load, Wrk, Wrk2
from tools.others import Autocannon, Locust, Oha
from tools.plimsoll import Plimsoll, PlimsollInBursts, PlimsollJourney, PlimsollResuming

__all__ = ["EVERY_TOOL", "Load", "Plimsoll", "PlimsollJourney", "Reading", "Tool", "Unreadable"]

EVERY_TOOL: tuple[type[Tool], ...] = (
    Floor,
    Plimsoll,
    PlimsollInBursts,
    PlimsollResuming,
    PlimsollJourney,
    Wrk,
    Wrk2,
    H2load,
    Ab,
    Bombardier,
    Oha,
    Fortio,
    Vegeta,
    Hey,
    Autocannon,
    K6,
    Locust,
)
