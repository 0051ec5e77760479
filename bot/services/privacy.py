"""What is kept of a person: shown, hidden from boards, exported."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from bot.engine.events import Dealt, Substituted
from bot.engine.record import Line, to_fields
from bot.services import titles
from bot.storage import belongings, matches, people
from bot.storage.belongings import Figures, Place
from bot.storage.database import Database


class Privacy:
    """Asks, changes and exports what is kept of a person."""

    def __init__(self, database: Database, now: Callable[[], int]) -> None:
        self._database = database
        self._now = now
        """UTC milliseconds."""

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
                await titles.pass_on(connection, guild_id, self._now() // 1000)

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
            owned = await belongings.seats_of(connection, user_id)
            for place in await belongings.places(connection, user_id):
                row = await matches.load(connection, place.table_id)
                lines = await matches.load_lines(connection, place.table_id)
                at_table: dict[str, Any] = asdict(place) | owned.get((place.table_id, place.seat), {})
                if row is not None:
                    at_table |= {"guild_id": row.guild_id, "channel_id": row.channel_id, "status": row.status}
                    at_table |= {"edition": row.edition, "options": row.options.as_dict(), "pace": row.pace}
                    at_table |= {"opened_at": belongings.readable("opened_at", row.created_at)}
                found["seats"].append({**at_table, "moves": list(own_moves(lines, place))})
        return found


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
