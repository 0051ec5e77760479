"""Stored practice hands, on both databases."""

import pytest

from bot.analysis.practice import Position, Practice, Source, deal
from bot.engine import Options
from bot.players.levels import Level, choose, seed_of
from bot.storage import practice as stored
from bot.storage.database import Database

ADA, BO = 104, 2**62


@pytest.fixture
def database(any_database: Database) -> Database:
    """Every test of this module runs on both engines."""
    return any_database


def position(number: int = 0) -> Position:
    return deal(Source.ENDGAME, "dargaud-1996", Options.of("dargaud-1996"), 4, bytes([number]) * 32)


def moved(practice: Practice) -> Practice:
    seen = practice.ai_view or practice.view
    return practice.after(choose(Level.SIMPLE, seen, seed_of(seen)))


async def test_each_user_has_one_hand(database: Database) -> None:
    first, second = Practice.begin(position(), Level.MASTER, 2**41), Practice.begin(position(1), Level.CLUB, 2**41 + 1)
    assert await database.fetch(stored.load, ADA) is None
    await database.commit(stored.save, ADA, first)
    await database.commit(stored.save, BO, second)
    assert await database.fetch(stored.load, ADA) == first
    await database.commit(stored.save, ADA, second)
    assert await database.fetch(stored.load, ADA) == await database.fetch(stored.load, BO) == second


async def test_moves_are_stored_unless_others_were_stored_before(database: Database) -> None:
    practice = Practice.begin(position(), Level.SIMPLE, 1)
    await database.commit(stored.save, ADA, practice)
    once = moved(practice)
    twice = moved(once)
    assert await database.commit(stored.move_on, ADA, practice, once)
    assert not await database.commit(stored.move_on, ADA, practice, twice)
    assert not await database.commit(stored.move_on, BO, once, twice)
    assert await database.fetch(stored.load, ADA) == once
    assert await database.commit(stored.move_on, ADA, once, twice)
    assert await database.fetch(stored.load, ADA) == twice


async def test_moves_in_an_earlier_hand_are_not_stored(database: Database) -> None:
    earlier, later = (Practice.begin(position(), Level.SIMPLE, number) for number in (1, 2))
    await database.commit(stored.save, ADA, later)
    assert not await database.commit(stored.move_on, ADA, earlier, moved(earlier))
    assert await database.fetch(stored.load, ADA) == later


async def test_old_hands_are_deleted(database: Database) -> None:
    for number, user in enumerate((ADA, BO), 1):
        await database.commit(stored.save, user, Practice.begin(position(), Level.SIMPLE, number))
    await database.commit(stored.delete_before, 2)
    assert await database.fetch(stored.load, ADA) is None
    assert await database.fetch(stored.load, BO) is not None
