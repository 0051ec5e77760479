"""The values of metrics in the test's process."""

from prometheus_client import REGISTRY


def value(name: str, **labels: str) -> float:
    """The value of a sample; 0 if there is none."""
    return REGISTRY.get_sample_value(name, labels) or 0


def jobs(queue: str) -> tuple[float, float]:
    """The numbers of jobs that wait and that run."""
    return value("gang_queue_jobs", queue=queue, state="waiting"), value(
        "gang_queue_jobs", queue=queue, state="running"
    )


def finished_jobs(queue: str) -> tuple[float, float]:
    """The numbers of jobs whose waiting and whose running is over."""
    name = "gang_queue_seconds_count"
    return value(name, queue=queue, state="waiting"), value(name, queue=queue, state="running")
