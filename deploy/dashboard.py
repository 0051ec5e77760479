"""Writes the dashboard for Grafana: `python -m deploy.dashboard`, or `make dashboard`.

To use it, import deploy/grafana-dashboard.json in Grafana and choose the Prometheus that reads the app's metrics.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

FILE: Final = Path(__file__).with_name("grafana-dashboard.json")
COLUMNS: Final = 3
WIDTH: Final = 24 // COLUMNS
"""Grafana divides the page into 24 parts."""
HEIGHT: Final = 8
SOURCE: Final = {"type": "prometheus", "uid": "${source}"}
PROCESS: Final = 'instance=~"$process"'
"""Matches the processes chosen at the top of the dashboard."""


@dataclass(frozen=True, slots=True)
class Line:
    """A query, and the legend of its lines, which may contain labels as `{{label}}`."""

    query: str
    legend: str


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart over time."""

    title: str
    description: str
    unit: str
    """Grafana's name, such as s for seconds."""
    lines: tuple[Line, ...]


def rate(metric: str, by: str = "", where: str = "") -> str:
    """The sum of a counter's rates per second, for each value of a label."""
    selected = f"{metric}{{{','.join(filter(None, (PROCESS, where)))}}}"
    return f"sum{f' by ({by})' if by else ''} (rate({selected}[$__rate_interval]))"


def rates(metric: str, by: str, where: str = "") -> tuple[Line]:
    """A line of rates for each value of a label."""
    return (Line(rate(metric, by, where), f"{{{{{by}}}}}"),)


def top(metric: str, by: str, where: str = "") -> tuple[Line]:
    """A line of rates for each of the ten most frequent values of a label."""
    return (Line(f"topk(10, {rate(metric, by, where)})", f"{{{{{by}}}}}"),)


def quantiles(histogram: str, by: str = "", where: str = "") -> tuple[Line, ...]:
    """The median and the 99th percentile of a histogram, for each value of a label."""
    buckets = rate(f"{histogram}_bucket", f"{by}, le" if by else "le", where)
    legend = f"{{{{{by}}}}} " if by else ""
    return tuple(
        Line(f"histogram_quantile({share}, {buckets})", f"{legend}{name}")
        for share, name in ((0.5, "p50"), (0.99, "p99"))
    )


PANELS: Final = (
    Panel(
        "Ready processes",
        "Processes that serve Discord, and all that answer Prometheus.",
        "none",
        (
            Line(f"sum(gang_ready{{{PROCESS}}})", "ready"),
            Line(f"count(gang_ready{{{PROCESS}}})", "running"),
        ),
    ),
    Panel(
        "Shards",
        "Discord's shards, and those that a process serves.",
        "none",
        (
            Line(f"max(gang_shards{{{PROCESS}}})", "all"),
            Line(f"sum(gang_shards_served{{{PROCESS}}})", "served"),
        ),
    ),
    Panel("Servers", "Servers that have the app.", "none", (Line(f"sum(gang_guilds{{{PROCESS}}})", "servers"),)),
    Panel(
        "Presses",
        "Presses, forms and commands per second, by outcome.",
        "reqps",
        rates("gang_presses_total", "outcome", 'kind!="completion"'),
    ),
    Panel(
        "First answers",
        "From the arrival of an interaction to its answer. Discord waits for three seconds.",
        "s",
        quantiles("gang_first_answer_seconds", "kind"),
    ),
    Panel(
        "Failures",
        "Presses that failed, by reason. A bug is described in the log.",
        "reqps",
        rates("gang_presses_total", "reason", 'outcome="failed"'),
    ),
    Panel(
        "Refusals",
        "Presses that were refused, by the ten most frequent reasons.",
        "reqps",
        top("gang_presses_total", "reason", 'outcome="refused"'),
    ),
    Panel(
        "Most frequent presses",
        "The ten most frequent verbs and commands.",
        "reqps",
        top("gang_presses_total", "verb"),
    ),
    Panel(
        "Event loop",
        "How long an event waits for the event loop. All presses of a process wait that long.",
        "s",
        quantiles("gang_event_loop_delay_seconds"),
    ),
    Panel(
        "CPU",
        "Cores in use, by process, without those of AI players and pictures.",
        "none",
        rates("process_cpu_seconds_total", "instance"),
    ),
    Panel(
        "Memory",
        "Resident memory by process, without those of AI players and pictures.",
        "bytes",
        (Line(f"process_resident_memory_bytes{{{PROCESS}}}", "{{instance}}"),),
    ),
    Panel(
        "Database transactions",
        "Transactions per second that only read, and that write.",
        "reqps",
        rates("gang_database_seconds_count", "access"),
    ),
    Panel("Database time", "The time of a transaction.", "s", quantiles("gang_database_seconds", "access")),
    Panel(
        "Waiting for the database",
        "Waiting for a connection and for other writers, before a transaction.",
        "s",
        quantiles("gang_database_wait_seconds", "access"),
    ),
    Panel(
        "Queues",
        "Moves of AI players and pictures that wait or are being computed.",
        "none",
        (Line(f"sum by (queue, state) (gang_queue_jobs{{{PROCESS}}})", "{{queue}} {{state}}"),),
    ),
    Panel(
        "Waiting in queues",
        "How long moves of AI players and pictures wait.",
        "s",
        quantiles("gang_queue_seconds", "queue", 'state="waiting"'),
    ),
    Panel(
        "Work of queues",
        "How long moves of AI players and pictures are computed.",
        "s",
        quantiles("gang_queue_seconds", "queue", 'state="running"'),
    ),
    Panel(
        "Late AI players",
        "Moves per second that the process of AI players wasn't ready for in time, by level; a hard player moves "
        "for a very hard one (master).",
        "reqps",
        rates("gang_ai_fallbacks_total", "level"),
    ),
    Panel(
        "Deadlines", "How late the actions of deadlines start.", "s", quantiles("gang_deadline_delay_seconds", "kind")
    ),
    Panel(
        "Requests to Discord",
        "HTTP requests per second, by status.",
        "reqps",
        rates("gang_discord_requests_total", "status"),
    ),
    Panel(
        "Discord's rate limits",
        "Responses with HTTP 429 per second, by scope.",
        "reqps",
        rates("gang_discord_rate_limited_total", "scope"),
    ),
    Panel(
        "The app's own limits",
        "Actions per second that were refused because of a limit.",
        "reqps",
        rates("gang_limits_hit_total", "action"),
    ),
    Panel("Log", "Warnings and errors per second.", "reqps", rates("gang_logged_total", "level")),
)


def dashboard() -> dict[str, Any]:
    """The dashboard as Grafana's JSON."""
    return {
        "uid": "gang-of-four",
        "title": "Gang of Four",
        "schemaVersion": 39,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-6h", "to": "now"},
        "templating": {"list": list(_variables())},
        "panels": [_panel(number, panel) for number, panel in enumerate(PANELS)],
    }


def _variables() -> Iterator[dict[str, Any]]:
    """The choices at the top: the Prometheus, and the app's processes."""
    yield {"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}
    yield {
        "name": "process",
        "label": "Process",
        "type": "query",
        "datasource": SOURCE,
        "query": "label_values(gang_ready, instance)",
        "refresh": 2,  # at each change of the time range
        "multi": True,
        "includeAll": True,
        "allValue": ".*",
        "current": {"text": "All", "value": "$__all"},
    }


def _panel(number: int, panel: Panel) -> dict[str, Any]:
    row, column = divmod(number, COLUMNS)
    return {
        "id": number + 1,
        "type": "timeseries",
        "title": panel.title,
        "description": panel.description,
        "datasource": SOURCE,
        "gridPos": {"x": column * WIDTH, "y": row * HEIGHT, "w": WIDTH, "h": HEIGHT},
        "fieldConfig": {"defaults": {"unit": panel.unit, "min": 0}, "overrides": []},
        "targets": [
            {"refId": chr(ord("A") + index), "datasource": SOURCE, "expr": line.query, "legendFormat": line.legend}
            for index, line in enumerate(panel.lines)
        ],
    }


def text() -> str:
    """The content of the file."""
    return json.dumps(dashboard(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
