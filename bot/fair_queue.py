"""A queue that serves guilds in turn, and in each guild its users in turn; so nobody waits for one user's jobs."""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")


class QueueFull(Exception):
    """As many jobs as allowed are waiting; `of_user`: those of the user who asked for one more."""

    def __init__(self, waiting: int, *, of_user: bool = False) -> None:
        super().__init__(f"{waiting} jobs are waiting")
        self.of_user = of_user


@dataclass(frozen=True, slots=True)
class Requester:
    """The user who asked for something, and where."""

    guild_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """How many jobs may wait."""

    per_user: int
    """In all guilds together."""
    per_guild: int
    total: int
    """Of users; as many jobs of the app itself may wait beside them."""


class FairQueue(Generic[Job]):
    """Jobs of the app itself come first, in their order."""

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._own: deque[Job] = deque()
        self._guilds: dict[int, dict[int, deque[Job]]] = {}
        """By guild and user, the next first. None of them is empty."""

    def add(self, job: Job, requester: Requester | None) -> None:
        """Let a job wait; without a requester it is the app's own. Raises `QueueFull`."""
        if requester is None:
            _require_fewer(len(self._own), self._limits.total)
            self._own.append(job)
            return
        guild, user = requester.guild_id, requester.user_id
        _require_fewer(sum(len(users.get(user, ())) for users in self._guilds.values()), self._limits.per_user, True)
        _require_fewer(_count(self._guilds.get(guild, {})), self._limits.per_guild)
        _require_fewer(sum(map(_count, self._guilds.values())), self._limits.total)
        self._guilds.setdefault(guild, {}).setdefault(user, deque()).append(job)

    def take(self) -> Job | None:
        """Remove the next job. Its user comes last in the guild then, and its guild last of all."""
        if self._own:
            return self._own.popleft()
        if not self._guilds:
            return None
        guild = next(iter(self._guilds))
        users = self._guilds.pop(guild)
        user = next(iter(users))
        jobs = users.pop(user)
        job = jobs.popleft()
        if jobs:
            users[user] = jobs
        if users:
            self._guilds[guild] = users
        return job

    def discard(self, job: Job) -> None:
        """Remove a job if it waits."""
        if job in self._own:
            self._own.remove(job)
        for guild, users in list(self._guilds.items()):
            for user, jobs in list(users.items()):
                if job in jobs:
                    jobs.remove(job)
                if not jobs:
                    del users[user]
            if not users:
                del self._guilds[guild]


def _count(users: dict[int, deque[Job]]) -> int:
    return sum(map(len, users.values()))


def _require_fewer(waiting: int, most: int, of_user: bool = False) -> None:
    if waiting >= most:
        raise QueueFull(waiting, of_user=of_user)
