"""Titles of a server, won and lost with its matches: who holds each follows from the deeds of all."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.services.profile import gifts, is_comeback, is_win
from bot.storage import profile, titles
from bot.storage.database import Database
from bot.storage.profile import PlayedHand, PlayedMatch
from bot.storage.titles import Change, Deeds, Held, Holder


class Title(StrEnum):
    """What can be held by one person in a server."""

    GANGS = "gangs"
    """Most gangs laid."""
    BREAKER = "breaker"
    """Most gangs of others beaten by gangs."""
    STREAK = "streak"
    """Most matches won in a row."""
    COMEBACKS = "comebacks"
    """Most matches won from the last place at half-time."""
    KINDEST = "kindest"
    """The highest cards given back as the winner of a hand, on average."""
    FIST = "fist"
    """Most points for the others in a hand won."""
    FEARED = "feared"
    """Whose last card was blocked most often."""
    FORGETFUL = "forgetful"
    """Who forgot "Last card!" most often."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """By what a title is won."""

    value: Callable[[Deeds], float]
    least: float
    """Below it, nobody holds the title."""


ENOUGH_GIFTS: Final = 5
"""Below it, how kind somebody is says little."""
_CLAIMS: Final = {
    Title.GANGS: _Claim(lambda deeds: deeds.gangs, 5),
    Title.BREAKER: _Claim(lambda deeds: deeds.beaten, 3),
    Title.STREAK: _Claim(lambda deeds: deeds.longest, 3),
    Title.COMEBACKS: _Claim(lambda deeds: deeds.comebacks, 2),
    Title.KINDEST: _Claim(lambda deeds: deeds.given / deeds.gifts if deeds.gifts >= ENOUGH_GIFTS else 0, 1),
    Title.FIST: _Claim(lambda deeds: deeds.hardest, 30),
    Title.FEARED: _Claim(lambda deeds: deeds.blocked, 5),
    Title.FORGETFUL: _Claim(lambda deeds: deeds.forgot, 3),
}


NO_MATCH: Final = 0
"""In place of the match by which a title was won, when its holder was deleted or hidden, or after a recount."""
Played: TypeAlias = tuple[Sequence[PlayedHand], PlayedMatch | None]
"""The hands that somebody played in a match, and the match itself if it counts for them."""


class Titles:
    """Who holds what."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def held(self, guild_id: int) -> dict[str, Held]:
        """What is held in a server, by the title."""
        async with self._database.read() as connection:
            return await titles.held(connection, guild_id)

    async def changes(self, guild_id: int, table_id: int) -> list[Change]:
        """The titles that a match has won for somebody, and nobody has won since."""
        async with self._database.read() as connection:
            return await titles.changes(connection, guild_id, table_id)


async def settle(connection: AsyncConnection, guild_id: int, table_id: int, at: int) -> None:
    """Count a match that is over, as it is stored, and let titles change hands by it (`at`: UTC seconds)."""
    played = await played_in(connection, table_id)
    before = await titles.deeds_of(connection, guild_id, played)
    after = {user: grown(before.get(user, Deeds()), *each) for user, each in played.items()}
    await titles.save_deeds(connection, guild_id, after)
    await pass_on(connection, guild_id, at, table_id)


async def played_in(connection: AsyncConnection, table_id: int) -> dict[int, Played]:
    """What each person played in a match that is over, as it is stored."""
    hands = await profile.hands_in(connection, table_id)
    ended = {match.user_id: match for match in await profile.matches_in(connection, table_id)}
    users = {hand.user_id for hand in hands} | ended.keys()
    return {user: ([hand for hand in hands if hand.user_id == user], ended.get(user)) for user in users}


async def pass_on(connection: AsyncConnection, guild_id: int, at: int, table_id: int = NO_MATCH) -> None:
    """Give each title to the member with the best deeds (`at`: UTC seconds), because of a match or another change."""
    every = await titles.all_deeds(connection, guild_id)
    held = await titles.holders(connection, guild_id)
    now_held = await asyncio.to_thread(passed_on, held, every, table_id, at)
    await titles.replace_holders(connection, guild_id, now_held)


def grown(deeds: Deeds, hands: Sequence[PlayedHand], match: PlayedMatch | None) -> Deeds:
    """Somebody's deeds after a match: the hands that they played in it, and the match itself, if it counts for them."""
    given = gifts(hand for hand in hands if hand.won_before)
    streak = deeds.streak if match is None else (deeds.streak + 1 if is_win(match) else 0)
    return Deeds(
        gangs=deeds.gangs + sum(hand.gangs for hand in hands),
        beaten=deeds.beaten + sum(hand.beaten for hand in hands),
        blocked=deeds.blocked + sum(hand.blocked for hand in hands),
        forgot=deeds.forgot + sum(hand.forgot for hand in hands),
        gifts=deeds.gifts + len(given),
        given=deeds.given + sum(given),
        hardest=max([deeds.hardest, *(hand.dealt_out for hand in hands if hand.won)]),
        comebacks=deeds.comebacks + (match is not None and is_comeback(match)),
        streak=streak,
        longest=max(deeds.longest, streak),
    )


def passed_on(held: Mapping[str, Holder], every: Mapping[int, Deeds], table_id: int, at: int) -> list[Holder]:
    """Who holds what by these deeds: who held it until now goes before others as good, then the eldest account."""
    holders = []
    for title, claim in _CLAIMS.items():
        old = held.get(title)
        values = {user: claim.value(deeds) for user, deeds in every.items()}
        best = max(values.values(), default=0)
        if best < claim.least:
            continue
        equal = [user for user, value in values.items() if value == best]
        if old is not None and old.user_id in equal:
            holders.append(Holder(title, old.user_id, best, old.since, old.table_id, old.before_id))
        else:
            before = None if old is None or old.user_id not in every else old.user_id
            holders.append(Holder(title, min(equal), best, at, table_id, before))
    return holders
