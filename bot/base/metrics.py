"""All metrics of the app, which `bot.process.monitoring` serves if `METRICS_ADDRESS` is set.

Values of labels are fixed in the code. None is a user's input, and there is nothing per guild or user, so the number of
series stays small. Counting costs about a microsecond.
"""

import time
from threading import Lock
from typing import Final, Literal, Self, TypeAlias

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics

Access: TypeAlias = Literal["read", "write"]
Queue: TypeAlias = Literal["ai", "pictures", "background", "reviews", "exports"]
JobState: TypeAlias = Literal["waiting", "running", "ended"]

disable_created_metrics()  # type: ignore[no-untyped-call]  # they double the number of series

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Buckets in seconds for what should take milliseconds."""
SLOW: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 120.0)
"""Buckets in seconds for what may take seconds."""
ANSWERS: Final = (0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 2.0, 2.5, 3.0)
"""Buckets in seconds for answers. Discord waits for three seconds."""

PRESSES: Final = Counter(
    "gang_presses", "Presses, forms, commands and completions", ("kind", "verb", "outcome", "reason")
)
"""`outcome` is done, refused or failed. `reason` is the class of the refusal, or why it failed (`ui.replies`)."""
FIRST_ANSWERS: Final = Histogram(
    "gang_first_answer_seconds", "From an interaction's arrival to its confirmed answer", ("kind",), buckets=ANSWERS
)
LOOP_DELAY: Final = Histogram(
    "gang_event_loop_delay_seconds", "How long an event waited for the event loop, sampled all the time", buckets=QUICK
)
QUEUE_JOBS: Final = Gauge("gang_queue_jobs", "Jobs that wait or run", ("queue", "state"))
QUEUE_SECONDS: Final = Histogram("gang_queue_seconds", "How long jobs waited and ran", ("queue", "state"), buckets=SLOW)
AI_FALLBACKS: Final = Counter(
    "gang_ai_fallbacks", "Moves of AI players that their process wasn't ready for in time", ("level",)
)
"""`level` is the player's. The level below moves for a master, and the same level for others."""
DEADLINE_DELAY: Final = Histogram(
    "gang_deadline_delay_seconds", "How late the actions of deadlines started", ("kind",), buckets=SLOW
)
DATABASE_WAIT: Final = Histogram(
    "gang_database_wait_seconds", "Waiting for a connection and for other writers", ("access",), buckets=QUICK
)
DATABASE_SECONDS: Final = Histogram(
    "gang_database_seconds", "Transactions, without the waiting before them", ("access",), buckets=QUICK
)
DISCORD_REQUESTS: Final = Counter("gang_discord_requests", "HTTP requests to Discord", ("status",))
"""`status` is 1xx (a connection to the gateway) to 5xx, or error if there was no response."""
DISCORD_RATE_LIMITED: Final = Counter("gang_discord_rate_limited", "Responses with HTTP 429", ("scope",))
"""`scope` is Discord's: user, global or shared; otherwise unknown."""
LIMITS_HIT: Final = Counter("gang_limits_hit", "Actions that the app's own rates refused", ("action",))
LOGGED: Final = Counter("gang_logged", "Warnings and errors, including those left out of the log", ("level",))
GUILDS: Final = Gauge("gang_guilds", "Servers with the app that the process serves")
SHARDS: Final = Gauge("gang_shards", "Discord's shards of the bot, served by all processes together")
SHARDS_SERVED: Final = Gauge("gang_shards_served", "Shards that the process serves")
READY: Final = Gauge("gang_ready", "1 if the process is ready, as at /health/ready")

for scope in ("user", "global", "shared", "unknown"):  # these start at 0, because alerts miss the first appearance
    DISCORD_RATE_LIMITED.labels(scope)
for level in ("warning", "error"):
    LOGGED.labels(level)
AI_FALLBACKS.labels("master")


class Job:
    """Measures a job of a queue: it waits in the block until `start`, then runs until the end of the block."""

    def __init__(self, queue: Queue) -> None:
        self._queue = queue
        self._lock = Lock()

    def __enter__(self) -> Self:
        self._state: JobState = "waiting"
        self._since = time.perf_counter()
        QUEUE_JOBS.labels(self._queue, "waiting").inc()
        return self

    def start(self) -> None:
        """The job's turn has come. Any thread may call it, even if the block has just ended."""
        self._enter_state("running")

    def __exit__(self, *_error: object) -> None:
        self._enter_state("ended")

    def _enter_state(self, state: JobState) -> None:
        with self._lock:
            if self._state == "ended":
                return
            now = time.perf_counter()
            QUEUE_JOBS.labels(self._queue, self._state).dec()
            QUEUE_SECONDS.labels(self._queue, self._state).observe(now - self._since)
            if state == "running":
                QUEUE_JOBS.labels(self._queue, state).inc()
            self._state, self._since = state, now
