"""Figures about the tables of a server, counted when somebody asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from polemos.server.metrics import REGISTRY
from polemos.server.tables.hall import Hall

STATUSES: Final = ("open", "sealed", "playing", "paused", "over")


class Tables(Collector):
    """The tables and connections of a hall at the moment of asking. Copies are made first: another thread may ask."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        keepers = list(self._hall.keepers.values())
        statuses = Counter(keeper.table.status for keeper in keepers)
        tables = GaugeMetricFamily("polemos_tables", "Tables in memory.", labels=["status"])
        for status in STATUSES:
            tables.add_metric([status], statuses[status])
        yield tables
        listeners = [listener for keeper in keepers for listener in list(keeper.voice.listeners)]
        sockets = GaugeMetricFamily("polemos_sockets", "Connections at tables.", labels=["role"])
        seated = sum(listener.seat is not None for listener in listeners)
        sockets.add_metric(["player"], seated)
        sockets.add_metric(["spectator"], len(listeners) - seated)
        yield sockets
        queues = GaugeMetricFamily(
            "polemos_queue", "Waiting: writes to the database, messages to clients, work, bots.", labels=["of"]
        )
        queues.add_metric(["writes"], self._hall.ledger.waiting)
        queues.add_metric(["work"], self._hall.work.load)
        queues.add_metric(["bots"], self._hall.thinkers.load)
        queues.add_metric(["messages"], sum(listener.waiting for listener in listeners))
        yield queues

    def __enter__(self) -> None:
        REGISTRY.register(self)

    def __exit__(self, *_: object) -> None:
        REGISTRY.unregister(self)
