"""The app is killed between clicks and started again; the same old buttons go on."""

from pathlib import Path

from tests.end_to_end.room import Player, Room, cards, open_room, play_to_the_end


async def test_a_match_goes_on_after_kills_with_the_buttons_of_before(tmp_path: Path, any_url: str) -> None:
    async with open_room(tmp_path, DATABASE_URL=any_url) as room:
        await _play_with_kills(room)


async def _play_with_kills(room: Room) -> None:
    ana, ben, cleo, dan = room.people
    await room.open(ana, target=20)
    await room.seat([ben, cleo, dan])
    await room.begin()
    players = [Player(room, person) for person in room.people]
    for player in players:
        await player.open()
    for _ in range(4):
        await _one_more_move(room, players)
        await room.kill_app()
        await room.start_app()

    for player in players:  # the old panels answer, and show what is true now
        assert player.panel is not None
        reply = await player.person.click(player.panel, "Refresh")
        assert reply.updated, reply
    await play_to_the_end(room, players)

    await ana.until(lambda: room.notices() == [])


async def test_a_lobby_survives_a_kill_and_its_buttons_work(room: Room) -> None:
    ana, ben, *_ = room.people
    await room.open(ana, seats=3)
    await room.press(ben, "Join")
    await room.kill_app()
    await room.start_app()

    await room.press(ana, "Add AI")
    await room.begin()

    assert "Ben" in room.table().text


async def test_a_click_during_the_outage_fails_and_works_afterwards(room: Room) -> None:
    ana, *_ = room.people
    await room.open(ana, seats=3)
    await room.kill_app()
    room.world.clock.advance(1)
    click = await _click_unanswered(room)
    assert click is not None
    await room.start_app()

    await room.press(ana, "Add AI")

    await ana.until(lambda: "🤖 Jade" in room.table().text)


async def test_a_selection_survives_a_kill(room: Room) -> None:
    ana, *_ = room.people
    await room.open(ana, seats=3)
    await room.seat([], ai_players=2)
    await room.begin()
    panel = await room.hand(ana)
    await ana.click(panel, custom_id=cards(panel)[0])
    await room.kill_app()
    await room.start_app()

    await ana.click(panel, custom_id=cards(panel)[1])

    assert sum(button.label.startswith("✓") for button in panel.buttons) == 2


async def _one_more_move(room: Room, players: list[Player]) -> None:
    for player in players:
        assert player.panel is not None
        await player.person.click(player.panel, "Refresh")
    player = next(player for player in players if player.must_act())
    await player.act()


async def _click_unanswered(room: Room) -> str | None:
    reply = await room.people[0].click(room.table(), "Add AI")
    return reply.failed
