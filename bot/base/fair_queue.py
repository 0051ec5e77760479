"""A queue that serves guilds in turn, and the users of each guild in turn, so one user can't delay all others."""

from collections import deque
from dataclasses import dataclass
from typing import Generic, TypeVar

Job = TypeVar("Job")


class QueueFull(Exception):
    """Too many jobs are waiting. `is_user_limit` is true if they are the requester's own."""

    def __init__(self, waiting: int, *, is_user_limit: bool = False) -> None:
        super().__init__(f"{waiting} jobs are waiting")
        self.is_user_limit = is_user_limit


@dataclass(frozen=True, slots=True)
class Requester:
    """A user who asks for something, and the guild where they do."""

    guild_id: int
    user_id: int


@dataclass(frozen=True, slots=True)
class QueueLimits:
    """The maximum numbers of waiting jobs."""

    per_user: int
    """Jobs of a user in all guilds together."""
    per_guild: int
    total: int
    """Jobs of all users; the same number of the app's own jobs may wait as well."""


class FairQueue(Generic[Job]):
    """A queue of jobs. The app's own jobs come first, in their order."""

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._app_jobs: deque[Job] = deque()
        self._guilds: dict[int, dict[int, deque[Job]]] = {}
        """Jobs by guild and user, the next first. No dict or deque in it is empty."""

    def add(self, job: Job, requester: Requester | None) -> None:
        """Add a job; without a requester it is the app's own. Raises `QueueFull`."""
        if requester is None:
            _check_limit(len(self._app_jobs), self._limits.total)
            self._app_jobs.append(job)
            return
        guild, user = requester.guild_id, requester.user_id
        _check_limit(sum(len(users.get(user, ())) for users in self._guilds.values()), self._limits.per_user, True)
        _check_limit(_count(self._guilds.get(guild, {})), self._limits.per_guild)
        _check_limit(sum(map(_count, self._guilds.values())), self._limits.total)
        self._guilds.setdefault(guild, {}).setdefault(user, deque()).append(job)

    def take(self) -> Job | None:
        """Remove and return the next job. Its user moves to the end of the guild, and its guild to the end."""
        if self._app_jobs:
            return self._app_jobs.popleft()
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
        """Remove a job if it is waiting."""
        if job in self._app_jobs:
            self._app_jobs.remove(job)
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


def _check_limit(waiting: int, most: int, is_user_limit: bool = False) -> None:
    if waiting >= most:
        raise QueueFull(waiting, is_user_limit=is_user_limit)
