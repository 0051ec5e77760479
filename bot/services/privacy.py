"""What is kept of a person: shown, hidden from boards, given out, deleted."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from bot.engine.events import Dealt, Substituted
from bot.engine.record import Line, to_fields
from bot.services import actions, titles
from bot.services.refusals import MomentHasPassed, Refusal
from bot.services.results import rate_anew
from bot.services.tables import Tables
from bot.storage import belongings, erasure, matches, people
from bot.storage.belongings import Figures, Place
from bot.storage.database import Database

ATTEMPTS: Final = 5
"""How often somebody is taken from their tables, who sits down at others meanwhile."""


class Privacy:
    """Asks, changes and deletes what is kept of a person."""

    def __init__(self, database: Database, tables: Tables) -> None:
        self._database = database
        self._tables = tables

    async def figures(self, user_id: int) -> Figures:
        """How much is kept."""
        async with self._database.read() as connection:
            return await belongings.figures(connection, user_id)

    async def is_hidden(self, user_id: int) -> bool:
        """Whether somebody stands on no board."""
        async with self._database.read() as connection:
            return await people.is_hidden(connection, user_id)

    async def hide(self, user_id: int, *, hidden: bool) -> None:
        """Let somebody stand on no board, or again."""
        async with self._database.write() as connection:
            await people.hide(connection, user_id, hidden=hidden)
            for guild_id in await belongings.guilds_of(connection, user_id):
                await titles.pass_on(connection, guild_id, self._tables.now() // 1000)

    async def export(self, user_id: int) -> dict[str, Any]:
        """All that is theirs, as JSON would have it: their rows, seats and moves, and the cards that they were dealt.

        Nothing of it is of another seat: what others hold in matches that still run stays secret.
        """
        async with self._database.read() as connection:
            found: dict[str, Any] = {"user_id": user_id, **await belongings.rows(connection, user_id)}
            found["hosted"] = await belongings.hosted(connection, user_id)
            found["closed"] = await belongings.closed(connection, user_id)
            found["listed"] = await belongings.listed(connection, user_id)
            found["lost_titles"] = await belongings.lost_titles(connection, user_id)
            found["seats"] = []
            for place in await belongings.places(connection, user_id):
                row = await matches.load(connection, place.table_id)
                lines = await matches.load_lines(connection, place.table_id)
                at_table: dict[str, Any] = asdict(place)
                if row is not None:
                    at_table |= {"guild_id": row.guild_id, "channel_id": row.channel_id, "status": row.status}
                    at_table |= {"edition": row.edition, "options": row.options.as_dict(), "pace": row.pace}
                    at_table |= {"opened_at": row.created_at}
                found["seats"].append({**at_table, "moves": list(own_moves(lines, place))})
        return found

    async def forget(self, user_id: int) -> None:
        """Delete all of somebody: an AI takes their seats for good, their matches stay with a former player in them.

        The ratings of others are computed anew, in which a former player is a newcomer in each match.
        """
        left: set[int] = set()
        for _ in range(ATTEMPTS):
            async with self._database.read() as connection:
                numbers = await erasure.played_by(connection, user_id)
            for number in numbers:
                await self._leave(number, user_id)
            left.update(numbers)
            async with self._database.write() as connection:
                if await erasure.played_by(connection, user_id):
                    continue
                rated, guilds = [await found(connection, user_id) for found in (erasure.rated_in, belongings.guilds_of)]
                changed = await erasure.forget_person(connection, user_id, left)
                for guild_id in rated:
                    await rate_anew(connection, guild_id)
                for guild_id in guilds:
                    await titles.pass_on(connection, guild_id, self._tables.now() // 1000)
            self._tables.forget(changed)
            await self._tables.tell_anew(sorted({*changed} & {*await self._tables.unshown()}))
            return
        raise MomentHasPassed

    async def _leave(self, number: int, user_id: int) -> None:
        try:
            await self._tables.act(number, actions.leave_for_good, user_id)
        except Refusal:  # the table has moved on: it is looked at again
            self._tables.forget([number])


def own_moves(lines: Sequence[Line], place: Place) -> Iterator[dict[str, Any]]:
    """What somebody did in a seat of theirs, and the cards that they were dealt there."""
    plays = place.is_owned
    for line in lines:
        event = line.event
        if isinstance(event, Substituted) and event.seat == place.seat:
            plays = event.by in place.names and not event.for_owner
        elif isinstance(event, Dealt):
            if plays or place.is_owned:
                hand = [str(card) for card in event.hands[place.seat]]
                yield {"t": "deal", "hand": event.hand, "cards": hand}
        elif plays and getattr(event, "seat", None) == place.seat:
            yield to_fields(line)


def as_json(found: dict[str, Any]) -> bytes:
    """An export as a file."""
    return json.dumps(found, ensure_ascii=False, indent=1).encode()
