"""The limit of forgotten last cards, without which a hand under `forgotten=takes_back` need not end."""

import pytest

from bot.engine import GiveBack, Options, Pass, Play, view
from bot.engine.errors import IllegalMove
from bot.engine.events import Declared, Forgot, HandEnded, Played, Substituted
from bot.engine.moves import Move
from bot.engine.verification import verify
from bot.table import absence, consent
from bot.table.limits import FORGOTTEN
from bot.table.snapshot import Table
from tests.not_none import not_none
from tests.table_harness import ADA, TableHarness

OPTIONS = Options(target=1000, forgotten="takes_back")


def silent_move(table: Table) -> Move:
    """The lowest single card without a declaration, or else a pass. So nobody wins, unless the table declares."""
    seen = view(not_none(table.state), not_none(table.turn))
    if seen.may_give_back:
        return GiveBack(seen.seat, seen.hand[0])
    singles = [play.cards for play in seen.plays() if play.size == 1]
    return Play(seen.seat, singles[0]) if singles else Pass(seen.seat)


async def play_to_the_limit(harness: TableHarness) -> tuple[Table, int]:
    """Play until the seat to act has forgotten its last card as often as it may. Returns the table and the seat."""
    table = await harness.match(people=3, ai_players=0, options=OPTIONS)
    while table.turn is None or table.forgot.count(table.turn) < FORGOTTEN:
        table = await harness.do(table, silent_move(table))
    return table, table.turn


async def test_the_table_declares_last_cards_that_are_forgotten_too_often(harness: TableHarness) -> None:
    table, seat = await play_to_the_limit(harness)
    harness.tables.cache.forget_all()  # reading the log gives the same count
    table = await harness.tables.get(table.id)
    while not isinstance(move := silent_move(table), Play) or move.seat != seat:
        table = await harness.do(table, move)
    table = await harness.do(table, move)
    declared, played, ended, *_ = await harness.latest_events()
    assert (declared, played) == (Declared(seat), Played(seat, move.cards))
    assert isinstance(ended, HandEnded)
    assert ended.winner == seat


async def test_the_table_forgets_no_last_card_of_a_late_player(harness: TableHarness) -> None:
    table = await harness.match(people=3, ai_players=0, options=OPTIONS)
    while not isinstance(move := silent_move(table), Play) or len(view(not_none(table.state), move.seat).hand) > 1:
        table = await harness.do(table, move)
    await harness.tables.act(table.id, absence.move_gently)
    late, declared, played, *_ = await harness.latest_events()
    assert isinstance(late, Substituted)
    assert (declared, played) == (Declared(move.seat), Played(move.seat, move.cards))


async def test_the_limit_applies_to_each_hand_and_the_record_verifies(harness: TableHarness) -> None:
    table, _ = await play_to_the_limit(harness)
    while (public := table.public) is not None and public.hand_number == 1:
        assert max(map(table.forgot.count, range(3))) == FORGOTTEN
        table = await harness.do(table, silent_move(table))
    while (forgotten := len(table.forgot)) == 0:
        table = await harness.do(table, silent_move(table))
    assert forgotten == 1
    assert [type(event) for event in await harness.latest_events()] == [Forgot]
    await harness.tables.act(table.id, consent.close, ADA.user_id, may_manage=True)
    verify(await harness.record(table.id))


async def test_a_refused_play_declares_nothing(harness: TableHarness) -> None:
    table, seat = await play_to_the_limit(harness)
    other = not_none(table.state).hands[(seat + 1) % 3]
    with pytest.raises(IllegalMove):
        await harness.do(table, Play(seat, other))
    public = not_none((await harness.tables.get(table.id)).public)
    assert seat in public.owing
