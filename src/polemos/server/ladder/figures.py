"""Figures about the ladders, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from polemos.ladder.engine import Ladders
from polemos.server.metrics import REGISTRY


class LadderFigures(Collector):
    """The ladders as their engine last saw them. Nothing is asked of the database here."""

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders

    def collect(self) -> Iterator[Metric]:
        now = self._ladders.condition
        games = GaugeMetricFamily("polemos_ladder_games", "Games of ladders that are not over.", labels=["state"])
        games.add_metric(["waiting"], now.waiting)
        games.add_metric(["leased"], now.leased)
        yield games
        yield GaugeMetricFamily("polemos_ladder_pace", "Games of ladders that end in a minute.", now.a_minute)
        yield GaugeMetricFamily(
            "polemos_ladder_duty", "1 if this process pairs and rates the games of ladders.", int(now.on_duty)
        )
        pending = GaugeMetricFamily("polemos_ladder_pending", "Results that are being adjudicated again.")
        pending.add_metric([], self._ladders.desk.pending)
        yield pending
        spent = CounterMetricFamily(
            "polemos_ladder_cpu_seconds", "CPU seconds spent on the ladders, without playing.", labels=["chore"]
        )
        for chore in list(self._ladders.chores):
            spent.add_metric([chore.name], chore.seconds)
        yield spent

    def __enter__(self) -> None:
        REGISTRY.register(self)

    def __exit__(self, *_: object) -> None:
        REGISTRY.unregister(self)
