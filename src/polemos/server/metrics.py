"""Figures for operators, in the form that Prometheus reads. Counting costs less than a microsecond.

Nothing in them says who plays what: no names, no tables, no addresses.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.platform_collector import PlatformCollector
from prometheus_client.process_collector import ProcessCollector

TYPE: Final = CONTENT_TYPE_LATEST
REGISTRY: Final = CollectorRegistry()
TIMES: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)  # seconds

ORDERS: Final = Histogram(
    "polemos_orders_seconds",
    "From receiving filed orders until they are on disk and confirmed.",
    ["by"],  # person or program
    buckets=TIMES,
    registry=REGISTRY,
)
DATABASE: Final = Histogram(
    "polemos_database_seconds", "Time of database transactions.", ["kind"], buckets=TIMES, registry=REGISTRY
)
FAILED_WRITES: Final = Counter("polemos_database_failures", "Writes that failed.", registry=REGISTRY)
BOT_CPU: Final = Counter("polemos_bot_cpu_seconds", "CPU seconds that bots have spent thinking.", registry=REGISTRY)
BOTS_ASKED: Final = Gauge(
    "polemos_bots_asked", "Bots that are thinking or waiting for their turn to.", registry=REGISTRY
)
HANDED_OVER: Final = Counter(
    "polemos_handed_over", "Requests and connections handed to the process that owns their table.", registry=REGISTRY
)
PASSED: Final = Counter(
    "polemos_passed", "Connections passed as a whole to the process that owns their table.", registry=REGISTRY
)
TAKEN_OVER: Final = Counter("polemos_taken_over", "Tables taken over from dead processes.", registry=REGISTRY)
REFUSALS: Final = Counter("polemos_refusals", "Requests and messages that were refused.", ["word"], registry=REGISTRY)

for _by in ("person", "program"):
    ORDERS.labels(_by)  # there from the start, so that a rate can be computed
for _kind in ("read", "write"):
    DATABASE.labels(_kind)
PROCESS: Final = ProcessCollector(registry=REGISTRY)
PlatformCollector(registry=REGISTRY)


def written() -> bytes:
    """All figures as text."""
    return generate_latest(REGISTRY)
