"""The shards that this process serves: it holds a lease for each of them in the database.

A process asks for its own shards, waits while another one holds their leases, and takes over when that one is gone or
gives them back. It also serves the shards of processes that are gone, as a substitute, until their own process waits
for them. If it isn't connected to a shard, it leaves that one to a process that is connected and waits. Clocks of
machines differ, so a holder shows that it lives by counting, and the others measure the time.
"""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.services import clock
from bot.storage import leases
from bot.storage.database import Database
from bot.storage.leases import Lease
from bot.table.shards import Shards

log = logging.getLogger(__name__)

GONE_SECONDS: Final = 12.0
"""Seconds without a sign of life after which a holder is considered gone, or without a connection to the shard."""
MAX_GAP: Final = 3.0
"""Seconds that count at most between two observations. During an outage of the database there are none."""
ORPHAN_SECONDS: Final = 60.0
"""Seconds that a shard may have no holder before a substitute takes it: its own process may be starting."""


@dataclass(frozen=True, slots=True)
class Step:
    """The changes of one step, as shards."""

    gained: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    requested: frozenset[int] = frozenset()
    """Shards to give back, because another process waits that should serve them: their own, or a connected one."""


@dataclass(frozen=True, slots=True)
class _Observation:
    """A sign of life of a holder."""

    beat: int
    at: float
    """When it was observed last (seconds)."""
    silent: float = 0.0
    """Seconds for which it has been the same."""

    def next(self, beat: int, now: float) -> "_Observation":
        """The next observation."""
        silent = self.silent + min(now - self.at, MAX_GAP) if beat == self.beat else 0.0
        return _Observation(beat, now, silent)


@dataclass(slots=True)
class _Others:
    """Observations of the other processes, kept from step to step."""

    observations: dict[tuple[int, int, str], _Observation] = field(default_factory=dict)
    """By lease and holder."""
    free_since: dict[int, float] = field(default_factory=dict)
    """Since when a shard has had no holder (seconds)."""
    waiting: dict[int, int] = field(default_factory=dict)
    """The last `Lease.waiting` of each shard that this process holds."""

    def observe(self, found: Iterable[Lease], now: float) -> None:
        """Compare the leases with those of the last step."""
        before, self.observations = self.observations, {}
        for lease in found:
            key = (*lease.key, lease.holder)
            known = before.get(key, _Observation(lease.beat, now))
            self.observations[key] = known.next(lease.beat, now)

    def is_silent(self, lease: Lease) -> bool:
        """True if the holder of an observed lease has been silent for too long."""
        return self.observations[*lease.key, lease.holder].silent >= GONE_SECONDS


class Leases:
    """The leases of this process. `served` is empty until `begin` and the first `step`."""

    def __init__(
        self,
        database: Database,
        place: str,
        is_gone: Callable[[Lease], bool],
        now: Callable[[], float] = clock.seconds,
    ) -> None:
        """`place` and `is_gone` tell whether a process on the same machine has ended (see `bot.process.health`).

        `now`: seconds, also while the machine is suspended.
        """
        self.id: Final = secrets.token_hex(16)
        """The random id of this process."""
        self._database = database
        self._place = place
        self._host = f"process {os.getpid()} on {socket.gethostname()}"[:200]
        self._is_gone = is_gone
        self._now = now
        self._renewed_at: float | None = None
        self._count, self._own = 1, frozenset[int]()
        self._served = Shards(1, frozenset())
        self._handled: dict[int, frozenset[int]] = {}
        self._others = _Others()
        self._connected_at: dict[int, float] = {}
        """When this process was last connected to a shard, or took its lease (seconds)."""
        self._left_at: dict[int, float] = {}
        """When this process left own shards, to which it isn't connected, to another one (seconds)."""
        self._reported: set[tuple[int, int, str]] = set()
        """The leases and holders for which the log says that this process waits."""
        self.has_successors = False
        """True if another process waits, connected, for each shard that this one serves."""

    def begin(self, count: int, own: Collection[int]) -> None:
        """Ask for the shards `own` of `count` from now on."""
        self._count, self._own = count, frozenset(own)
        self._served = Shards(count, frozenset())

    def served(self) -> Shards:
        """The shards whose leases this process holds, as far as it knows."""
        return self._served

    def certain(self) -> Shards:
        """The shards that no other process can have taken over: all that it serves, if it has renewed their leases."""
        age = self.renewal_age()
        return self._served if age is not None and age < GONE_SECONDS else Shards(self._count, frozenset())

    def renewal_age(self) -> float | None:
        """Seconds since the leases were last renewed; None before the first time."""
        return None if self._renewed_at is None else self._now() - self._renewed_at

    def is_own(self, shard: int) -> bool:
        """True if this process serves a shard for itself, not as a substitute."""
        return shard in self._own

    @property
    def is_waiting(self) -> bool:
        """True if another process holds the lease of one of the own shards."""
        return not self._own <= self._served.ids

    def was_handled(self, shard: int, interaction_id: int) -> bool:
        """True if the process that served a shard before has handled an interaction."""
        return interaction_id in self._handled.get(shard, ())

    async def step(self, connected: Collection[int]) -> Step:
        """Renew the leases, take free ones, and wait for others on the shards `connected`. Raises `StorageError`."""
        async with self._database.write() as connection:
            found, now = await leases.load(connection), self._now()
            self._others.observe(found, now)
            for shard in connected:
                self._connected_at[shard] = now
                self._left_at.pop(shard, None)
            mine = [replace(lease, beat=lease.beat + 1) for lease in found if lease.holder == self.id]
            live = [lease for lease in found if self._is_live(lease)]
            held = {lease.shard for lease in mine}
            taken = [
                self._new(shard) for shard in self._wanted(found, held, now) if not _is_taken(self._count, shard, live)
            ]
            awaited = [lease for lease in live if Shards(self._count, self._own).overlaps(*lease.key)]
            waiting = [
                replace(each, waiting=each.waiting + 1)
                for each in awaited
                if each.shard_count == self._count and each.shard in connected
            ]
            await leases.remove(connection, _replaced(found, taken))
            await leases.put(connection, [*mine, *taken, *waiting])
        self._renewed_at = now
        self._handled |= {
            lease.shard: frozenset(lease.handled) for lease in found if lease.key in {t.key for t in taken}
        }
        self._report(awaited, taken)
        self._connected_at |= {lease.shard: now for lease in taken}
        for lease in mine:  # a commit whose result was unknown may have taken it
            self._connected_at.setdefault(lease.shard, now)
        return self._changed(mine, taken, now)

    def _is_live(self, lease: Lease) -> bool:
        """True if another process holds a lease and isn't known to be gone."""
        if lease.holder in ("", self.id):
            return False
        is_here = lease.place == self._place != ""
        return not (is_here and self._is_gone(lease)) and not self._others.is_silent(lease)

    def _wanted(self, found: Sequence[Lease], held: Collection[int], now: float) -> Iterator[int]:
        """The shards to take if they are free: the own ones, and those whose processes are gone."""
        for shard in sorted(self._own.difference(held)):
            if now - self._left_at.get(shard, float("-inf")) >= GONE_SECONDS:
                yield shard
        rows = {lease.shard: lease for lease in found if lease.shard_count == self._count}
        for shard in sorted({*range(self._count)}.difference(self._own, held)):
            lease = rows.get(shard)
            if lease is not None and lease.holder:
                self._others.free_since.pop(shard, None)
                yield shard
            elif now - self._others.free_since.setdefault(shard, now) >= ORPHAN_SECONDS:
                yield shard

    def _new(self, shard: int) -> Lease:
        return Lease(self._count, shard, self.id, self._host, self._place, is_substitute=shard not in self._own)

    def _changed(self, mine: Sequence[Lease], taken: Sequence[Lease], now: float) -> Step:
        """Remember the held leases. Returns what has changed."""
        before, held = self._served.ids, frozenset(lease.shard for lease in (*mine, *taken))
        awaited = {
            lease.shard for lease in mine if lease.waiting > self._others.waiting.get(lease.shard, lease.waiting)
        }
        self._others.waiting = {lease.shard: lease.waiting for lease in (*mine, *taken)}
        self.has_successors = bool(held) and awaited >= held
        self._served = Shards(self._count, held)
        left = {shard for shard in awaited if now - self._connected_at[shard] >= GONE_SECONDS}
        self._left_at |= dict.fromkeys(left, now)
        requested = {lease.shard for lease in mine if lease.is_substitute} & awaited
        return Step(held - before, before - held, frozenset(requested | left))

    def _report(self, awaited: Iterable[Lease], taken: Sequence[Lease]) -> None:
        for lease in awaited:
            key = (*lease.key, lease.holder)
            if key not in self._reported:
                self._reported.add(key)
                log.warning("shard %d of %d is served by %s; waiting until that ends", *reversed(lease.key), lease.host)
        if taken:
            numbers = ", ".join(str(lease.shard) for lease in taken)
            log.info("serving shards of %d: %s", self._count, numbers)

    async def give_back(self, shards: Collection[int], handled: Sequence[int]) -> None:
        """Give leases back. `handled`: the last interactions that this process handled. Raises `StorageError`."""
        async with self._database.write() as connection:
            found = await leases.load(connection)
            mine = [lease for lease in found if lease.holder == self.id and lease.shard in shards]
            await leases.put(connection, [replace(lease, holder="", handled=tuple(handled)) for lease in mine])
        self._served = Shards(self._count, self._served.ids.difference(shards))


def _is_taken(count: int, shard: int, live: Iterable[Lease]) -> bool:
    """True if a live process serves guilds of a shard, perhaps with another number of shards."""
    mine = Shards(count, frozenset({shard}))
    return any(mine.overlaps(lease.shard_count, lease.shard) for lease in live)


def _replaced(found: Iterable[Lease], taken: Sequence[Lease]) -> list[tuple[int, int]]:
    """The keys of leases with another number of shards that the `taken` ones replace."""
    keys = {lease.key for lease in taken}
    return [
        lease.key
        for lease in found
        if lease.key not in keys and any(_is_taken(each.shard_count, each.shard, [lease]) for each in taken)
    ]
