"""The alerts fire when they should, as Prometheus evaluates them."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from ruamel.yaml import YAML

TESTS: Final = Path(__file__).parent / "alerts.yaml"
RULES: Final = Path(__file__).parent.parent / "deploy" / "alerts.yaml"


def test_each_alert_fires_in_its_state_only() -> None:
    """https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/."""
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("needs promtool, which is in Debian's package prometheus")
    done = subprocess.run([promtool, "test", "rules", str(TESTS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_has_its_case() -> None:
    yaml = YAML(typ="safe")
    alerts = {rule["alert"] for group in yaml.load(RULES)["groups"] for rule in group["rules"]}
    quiet, *cases = yaml.load(TESTS)["tests"]
    assert {check["alertname"] for check in quiet["alert_rule_test"]} == alerts
    assert {case["alert_rule_test"][-1]["alertname"] for case in cases} == alerts
    assert all(len(case["alert_rule_test"][-1]["exp_alerts"]) == 1 for case in cases)
