"""The manifest for Kubernetes: checked against the official schemas, and for the facts that matter."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from bot.commands import STOP_TIMEOUT
from tests.compose_files import DOCKERFILE, image_command, shards

FILE = Path(__file__).parent.parent / "deploy/kubernetes.yaml"
RESOURCES: dict[str, Any] = {each["kind"]: each for each in YAML(typ="safe", pure=True).load_all(FILE)}
PODS = RESOURCES["StatefulSet"]["spec"]
POD = PODS["template"]["spec"]
(BOT,) = POD["containers"]
VALUES = {each["name"]: each["value"] for each in BOT["env"] if "value" in each}


def test_the_resources_match_the_official_schemas() -> None:
    command = (Path(sys.executable).with_name("kubernetes-validate"), "--strict", FILE)
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_pods_share_all_shards() -> None:
    script = "".join(BOT["args"]).replace("exec python -m bot", 'echo "$SHARD_IDS"')
    served = []
    for index in range(PODS["replicas"]):
        environment = VALUES | {"POD_INDEX": str(index), "PATH": "/usr/bin:/bin"}
        ran = subprocess.run([*BOT["command"], script], env=environment, capture_output=True, text=True, check=True)
        served += shards(ran.stdout.strip())
    assert served == list(range(int(VALUES["SHARD_COUNT"])))


def test_the_pods_run_the_command_of_the_image_as_its_user_and_write_only_into_volumes() -> None:
    assert BOT["args"][0].endswith(f"exec {' '.join(image_command())}")
    assert f"USER {POD['securityContext']['runAsUser']}\n" in DOCKERFILE
    assert POD["securityContext"]["runAsNonRoot"] is True
    assert BOT["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {mount["mountPath"] for mount in BOT["volumeMounts"]} == {"/data", "/tmp"}
    assert BOT["resources"]["limits"]["memory"] == "1Gi"


def test_tokens_and_passwords_come_from_a_secret() -> None:
    assert BOT["envFrom"] == [{"secretRef": {"name": "gang-of-four"}}]
    assert VALUES.keys() == {"SHARD_COUNT", "SHARDS_PER_POD", "METRICS_ADDRESS"}


def test_pods_are_asked_for_their_health_and_have_time_to_end() -> None:
    port = VALUES["METRICS_ADDRESS"].rpartition(":")[2]
    assert BOT["ports"] == [{"name": "metrics", "containerPort": int(port)}]
    asked = {name: BOT[name]["httpGet"] for name in ("startupProbe", "livenessProbe", "readinessProbe")}
    assert asked == {
        "startupProbe": {"path": "/health/live", "port": "metrics"},
        "livenessProbe": {"path": "/health/live", "port": "metrics"},
        "readinessProbe": {"path": "/health/ready", "port": "metrics"},
    }
    assert POD["terminationGracePeriodSeconds"] > STOP_TIMEOUT + 3


def test_only_the_monitoring_reaches_the_metrics() -> None:
    policy = RESOURCES["NetworkPolicy"]["spec"]
    assert policy["policyTypes"] == ["Ingress"]
    (rule,) = policy["ingress"]
    assert rule["ports"] == [{"port": "metrics"}]
    (source,) = rule["from"]
    assert source == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}


def test_all_resources_select_the_same_pods() -> None:
    labels = PODS["template"]["metadata"]["labels"]
    assert PODS["serviceName"] == RESOURCES["Service"]["metadata"]["name"]
    assert RESOURCES["Service"]["spec"]["selector"] == labels
    assert RESOURCES["Service"]["spec"]["clusterIP"] == "None"
    assert PODS["selector"]["matchLabels"] == labels
    assert RESOURCES["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"] == labels
    assert RESOURCES["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"] == labels
