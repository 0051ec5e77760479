"""Stored practice hands, on both databases."""

from bot.analysis.practice import Position, Practice, Source, deal
from bot.engine import Options
from bot.players.levels import Level, choose, seed_of
from bot.storage import practice as stored
from bot.storage.database import Database

ADA, BO = 104, 2**62


def position(number: int = 0) -> Position:
    return deal(Source.ENDGAME, "dargaud-1996", Options.of("dargaud-1996"), 4, bytes([number]) * 32)


def moved(practice: Practice) -> Practice:
    seen = practice.ai_view or practice.view
    return practice.after(choose(Level.SIMPLE, seen, seed_of(seen)))


async def save(database: Database, user_id: int, practice: Practice) -> None:
    await database.commit(stored.save, user_id, practice, stored.written(practice))


async def load(database: Database, user_id: int) -> Practice | None:
    row = await database.fetch(stored.load, user_id)
    return None if row is None else stored.parse(row)


async def move_on(database: Database, user_id: int, known: Practice, new: Practice) -> bool:
    logs = map(stored.written, (known, new))
    return await database.commit(stored.move_on, user_id, known.number, *logs)


async def test_each_user_has_one_hand(database: Database) -> None:
    first, second = Practice.begin(position(), Level.MASTER, 2**41), Practice.begin(position(1), Level.CLUB, 2**41 + 1)
    assert await load(database, ADA) is None
    await save(database, ADA, first)
    await save(database, BO, second)
    assert await load(database, ADA) == first
    await save(database, ADA, second)
    assert await load(database, ADA) == await load(database, BO) == second


async def test_moves_are_stored_unless_others_were_stored_before(database: Database) -> None:
    practice = Practice.begin(position(), Level.SIMPLE, 1)
    await save(database, ADA, practice)
    once = moved(practice)
    twice = moved(once)
    assert await move_on(database, ADA, practice, once)
    assert not await move_on(database, ADA, practice, twice)
    assert not await move_on(database, BO, once, twice)
    assert await load(database, ADA) == once
    assert await move_on(database, ADA, once, twice)
    assert await load(database, ADA) == twice


async def test_moves_in_an_earlier_hand_are_not_stored(database: Database) -> None:
    earlier, later = (Practice.begin(position(), Level.SIMPLE, number) for number in (1, 2))
    await save(database, ADA, later)
    assert not await move_on(database, ADA, earlier, moved(earlier))
    assert await load(database, ADA) == later


async def test_old_hands_are_deleted(database: Database) -> None:
    for number, user in enumerate((ADA, BO), 1):
        await save(database, user, Practice.begin(position(), Level.SIMPLE, number))
    await database.commit(stored.delete_before, 2)
    assert await load(database, ADA) is None
    assert await load(database, BO) is not None
