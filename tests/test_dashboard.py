"""The dashboard and the alerts: generated, readable, described, and about metrics that the app serves."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import promql_parser
import pytest
from ruamel.yaml import YAML

from deploy import dashboard
from tests.end_to_end.monitored import monitored_app

ROOT: Final = Path(__file__).parent.parent
ALERTS: Final = YAML(typ="safe").load(ROOT / "deploy" / "alerts.yaml")
OF_PROMETHEUS: Final = {"up"}
"""The metrics that Prometheus itself adds."""
LABELS_OF_PROMETHEUS: Final = {"instance", "job"}


def alerts() -> list[dict[str, Any]]:
    """The rules of all alerts."""
    return [rule for group in ALERTS["groups"] for rule in group["rules"]]


def dashboard_queries() -> Iterator[str]:
    """The queries of all panels, as Grafana sends them."""
    for panel in json.loads(dashboard.FILE.read_text(encoding="utf-8"))["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "5m").replace("$process", ".*")


def selectors(expression: object) -> Iterator[promql_parser.VectorSelector]:
    """All selections of series in a query."""
    if isinstance(expression, promql_parser.VectorSelector):
        yield expression
    for name in ("lhs", "rhs", "expr", "args", "vector_selector"):
        inner = getattr(expression, name, None)
        for each in inner if isinstance(inner, list) else [inner]:
            if each is not None:
                yield from selectors(each)


def used() -> Iterator[tuple[str, set[str]]]:
    """The names of all metrics that dashboard and alerts use, with the labels by which they select."""
    for query in (*dashboard_queries(), *(alert["expr"] for alert in alerts())):
        for selector in selectors(promql_parser.parse(query)):
            assert selector.name is not None, query
            yield selector.name, {matcher.name for matcher in selector.matchers.matchers}


def test_the_committed_dashboard_is_the_generated_one() -> None:
    assert dashboard.FILE.read_text(encoding="utf-8") == dashboard.text(), "run make dashboard"


def test_panels_fill_rows_and_do_not_overlap() -> None:
    panels = dashboard.dashboard()["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places)
    assert len({panel["title"] for panel in panels}) == len(panels)
    assert max(x for x, _ in places) + dashboard.WIDTH == 24


async def test_dashboard_and_alerts_use_metrics_that_the_app_serves(tmp_path: Path) -> None:
    async with monitored_app(tmp_path) as app:
        await app.until_ready(True)
        await app.harness.open_table(app.harness.people[0], seats=3)
        families = await app.families()
    ends = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}
    served = {f"{family.name}{end}" for family in families for end in ends.get(family.type, ())}
    labels = {sample.name: set(sample.labels) for family in families for sample in family.samples}
    queried = list(used())
    assert len(queried) > 40
    for name, selected in queried:
        assert name in served | OF_PROMETHEUS, name
        if name in labels:
            assert selected <= labels[name] | LABELS_OF_PROMETHEUS, name
    ours = {name.removesuffix("_count") for name in served if name.startswith("gang_")}
    shown = {name for query in dashboard_queries() for name in re.findall(r"gang_\w+", query)}
    families_shown = {re.sub("_(bucket|sum|count)$", "", name) for name in shown}
    assert {re.sub("_(bucket|sum)$", "", name) for name in ours} == families_shown, "the dashboard shows all metrics"


@pytest.mark.parametrize("alert", alerts(), ids=lambda alert: str(alert["alert"]))
def test_an_alert_says_what_it_is_about(alert: dict[str, Any]) -> None:
    assert alert.keys() - {"for"} == {"alert", "expr", "labels", "annotations"}
    assert alert["labels"]["severity"] in ("critical", "warning")
    assert alert["annotations"]["summary"]
    if "for" in alert:
        assert re.fullmatch(r"\d+m", alert["for"])


def test_each_alert_has_its_steps() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    section = page.partition("\n## Alerts\n")[2].partition("\n## ")[0]
    parts = re.split(r"^### (\w+)\n", section, flags=re.MULTILINE)[1:]
    steps = dict(zip(parts[::2], parts[1::2], strict=True))
    assert list(steps) == [alert["alert"] for alert in alerts()]
    for name, text in steps.items():
        assert re.search(r"^1\. ", text, re.MULTILINE), name
