"""Detect a second process that serves the same bot, and when it's gone."""

import logging
import os
import secrets
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from bot.storage import instances
from bot.storage.database import Database
from bot.storage.instances import Instance

log = logging.getLogger(__name__)

GONE_AFTER: Final = 3
"""A process is considered gone after this many observations without a sign of life."""


@dataclass(frozen=True, slots=True)
class _Observation:
    """The last observation of another process."""

    seen_at: int
    unchanged: int = 0
    """The number of observations since the last sign of life."""
    is_live: bool = False
    """True if it has given a sign of life since it was first seen, so it isn't just a row left by a crash."""

    def next(self, seen_at: int) -> "_Observation":
        """The next observation."""
        if seen_at == self.seen_at:
            return replace(self, unchanged=self.unchanged + 1)
        return _Observation(seen_at, is_live=True)


class Instances:
    """Represents this process among all processes that use the database."""

    def __init__(self, database: Database, now: Callable[[], int], host: str = "") -> None:
        self._database = database
        self._now = now
        """UTC milliseconds."""
        host = host or f"process {os.getpid()} on {socket.gethostname()}"
        self._me = Instance(secrets.token_hex(8), host, now(), now())
        self._observations: dict[str, _Observation] = {}

    @property
    def id(self) -> str:
        """The random id of this process."""
        return self._me.id

    async def beat(self) -> int | None:
        """Store a sign of life of this process, and observe the others.

        If a process that ran at the same time as another one is gone, returns since when they ran together (UTC
        milliseconds). The messages that it left since then need cleaning up. Raises `StorageError`.
        """
        async with self._database.write() as connection:
            others = {each.id: each for each in await instances.load(connection) if each.id != self.id}
            observations = {name: self._observe(other) for name, other in others.items()}
            gone = {name for name, observed in observations.items() if observed.unchanged >= GONE_AFTER}
            vanished = self._observations.keys() - others.keys()
            is_shared = any(observed.is_live for name, observed in observations.items() if name not in gone)
            since = [others[name].shared_since for name in gone]
            if any(self._observations[name].is_live for name in vanished | gone if name in self._observations):
                since.append(self._me.shared_since)
            me = replace(self._me, seen_at=self._now())
            me = replace(me, shared_since=(me.shared_since or me.seen_at) if is_shared else None)
            await instances.put(connection, me)
            await instances.remove(connection, gone)
        self._log_others(others, observations)
        self._me, self._observations = (
            me,
            {name: observed for name, observed in observations.items() if name not in gone},
        )
        return min((moment for moment in since if moment is not None), default=None)

    def _observe(self, other: Instance) -> _Observation:
        known = self._observations.get(other.id)
        return _Observation(other.seen_at) if known is None else known.next(other.seen_at)

    def _log_others(self, others: dict[str, Instance], observations: dict[str, _Observation]) -> None:
        for name, observed in observations.items():
            if observed.is_live and not self._observations[name].is_live:
                log.error(
                    "Another process serves the same bot from the same database: %s; this one is %s. "
                    "Stop one of them: players get wrong calls and old hands.",
                    others[name].host,
                    self._me.host,
                )

    async def leave(self) -> None:
        """Remove this process from the database. If others ran at the same time, its row stays, so that they clean up.

        Raises `StorageError`.
        """
        if self._me.shared_since is None:
            await self._database.commit(instances.remove, [self.id])
