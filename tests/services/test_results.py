"""To whom a hand and a match count."""

from bot.engine import Options
from bot.services import absence, actions
from bot.services.table import Table
from bot.storage.boards import Standing
from bot.storage.rows import Customs, Late, Pace, Status
from tests.services.house import ADA, BO, CY, House, person_to_act

ONE_HAND = Options(target=1)


async def standings(house: House) -> dict[int, Standing]:
    return {line.user_id: line for line in await house.standings()}


async def played(house: House, own: int, gentle: int) -> Table:
    """A match of one hand, Bo's moves by turns: so many of their own, then so many that the table makes for them."""
    table, made = await house.match(3, 0, ONE_HAND, Pace.LIVE, Customs(Late.MOVE)), 0
    while table.row.status is Status.PLAYING:
        if person_to_act(table) == BO.user_id:
            is_own, made = made % (own + gentle) < own, made + 1
            table = await (house.act(table) if is_own else house.tables.act(table.id, absence.move_gently))
        else:
            table = await house.act(table)
    assert made > own + gentle
    return table


async def test_a_hand_of_gentle_moves_is_nobodys_and_its_match_is_marked(house: House) -> None:
    await played(house, own=0, gentle=1)
    found = await standings(house)
    bo = found[BO.user_id]
    assert (bo.matches, bo.wins, bo.hands, bo.points, bo.by_robot) == (1, 0, 0, 0, 1)
    for user in (ADA.user_id, CY.user_id):
        assert (found[user].matches, found[user].hands, found[user].by_robot) == (1, 1, 0)


async def test_a_hand_is_whoevers_who_made_most_of_its_moves(house: House) -> None:
    await played(house, own=2, gentle=1)
    bo = (await standings(house))[BO.user_id]
    assert (bo.matches, bo.hands, bo.by_robot) == (1, 1, 0)


async def test_who_comes_back_for_the_end_of_a_hand_has_not_played_it(house: House) -> None:
    table = await house.match(3, 0, ONE_HAND, Pace.LIVE, Customs(Late.ROBOT))
    table = await house.fall_due(await house.fall_due(table))
    away = next(seat.user_id for seat in table.seats if seat.is_absent)
    assert away is not None
    while table.row.status is Status.PLAYING:
        public = table.public()
        assert public is not None
        if min(public.left) == 1 and any(seat.is_absent for seat in table.seats):
            table = await house.tables.act(table.id, absence.come_back, away)
        table = await house.act(table)
    assert not any(seat.is_absent for seat in table.seats)
    line = (await standings(house))[away]
    assert (line.matches, line.wins, line.hands, line.by_robot) == (1, 0, 0, 1)


async def test_who_concedes_has_a_match_that_an_ai_finished(house: House) -> None:
    table = await house.match(3, 0, ONE_HAND)
    for _ in range(20):
        table = await house.act(table)
    await house.play_out(await house.tables.act(table.id, actions.concede, BO.user_id))
    assert (await standings(house))[BO.user_id].by_robot == 1
