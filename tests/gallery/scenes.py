"""What stands before the camera: people at a table, from the invitation to the end of a match."""

from collections.abc import AsyncIterator, Callable

from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.disasters.truth import is_remembered
from tests.end_to_end.evidence import shown
from tests.end_to_end.room import Player, Room, can_press, cards, play_until
from tests.gallery import public
from tests.gallery.camera import Row, Shot
from tests.gallery.languages import is_drawn, pressing, private, using
from tests.gallery.memories import memories


def _seen(room: Room, text: str) -> Callable[[], SeenMessage | None]:
    """The newest message in the channel that has this text, as soon as it stands there."""
    return lambda: next((message for message in reversed(room.seen(room.people[0])) if text in message.text), None)


async def _found(room: Room, text: str) -> SeenMessage:
    message = await room.people[0].until(_seen(room, text))
    assert message is not None
    return message


async def scenes(room: Room) -> AsyncIterator[Shot | Row]:
    """Every screen, in the order in which people come upon it."""
    ana, ben, cleo, _ = room.people
    manager = room.world.person("Mika", permissions=Permission.MANAGE_GUILD)
    room.guild.add(manager)
    async for shot in _before_the_match(room, ana, ben):
        yield shot
    yield public.public("lobby", "A table that is open", room, manager, public.redrawn(room))
    async for shot in _to_learn(room, ana):
        yield shot
    await room.seat([ben, cleo])
    await room.begin()
    players = [Player(room, person) for person in (ana, ben, cleo)]
    async for shot in _in_a_hand(room, players):
        yield shot
    async for shot in _set_otherwise(room, players, manager):
        yield shot
    yield public.public("table", "The table", room, manager, public.redrawn(room))
    yield private("hand", "My hand", ana, using(ana, room, "hand"))
    async for shot in _at_the_end(room, players):
        yield shot
    async for shot in _once_more(room, manager):
        yield shot
    async for shot in memories(room, manager):
        yield shot


async def _before_the_match(room: Room, ana: Person, ben: Person) -> AsyncIterator[Shot | Row]:
    yield Shot("help", "What a newcomer is told: `/gang help`", ana, shown(await ana.slash(room.channel, "gang help")))
    yield private("help", "What a newcomer is told", ana, using(ana, room, "help"))
    table = await room.open(ana, seats=3, target=40)
    yield Shot("lobby", "A table is open: `/gang new`", ben, table)
    panel = shown(await ana.click(table, "Options"))
    yield Shot("options", "What is played, and how: **Options**", ana, panel)
    yield private("options", "Options", ana, pressing(ana, table, "Options"))
    refusal = shown(await ben.click(table, "Options"))
    yield Shot("refusal", "What somebody may not do, and why", ben, refusal)
    yield private("refusal", "What somebody may not do", ben, pressing(ben, table, "Options"))
    yield private("customs", "Why it is so", ben, pressing(ben, refusal, "Why?"))
    settings = shown(await ana.slash(room.channel, "gang settings"))
    yield Shot("settings", "How I want it: `/gang settings`", ana, settings)
    yield private("settings", "My settings", ana, using(ana, room, "settings"))


async def _to_learn(room: Room, ana: Person) -> AsyncIterator[Shot | Row]:
    lesson = shown(await ana.slash(room.channel, "gang tutorial"))
    yield Shot("tutorial", "Learning by playing: `/gang tutorial`", ana, lesson)
    yield private("tutorial", "Learning by playing", ana, using(ana, room, "tutorial"))
    page = shown(await ana.slash(room.channel, "gang rules"))
    yield Shot("rules", "The rules in pages: `/gang rules`", ana, page)
    yield private("rules", "The rules", ana, using(ana, room, "rules"))
    chart = shown(await ana.click(page, "As a picture"))
    await is_drawn(ana, chart)
    yield Shot("chart", "What beats what, as a picture", ana, chart)
    yield private("chart", "What beats what", ana, pressing(ana, page, "As a picture"), draws=True)
    comparing = using(ana, room, "beats", first="7G 7R", second="2G 2G 2Y 2R")
    yield Shot("beats", "Which of two plays beats the other: `/gang beats`", ana, shown(await comparing()))
    yield private("beats", "Which of two plays beats the other", ana, comparing)


async def _in_a_hand(room: Room, players: list[Player]) -> AsyncIterator[Shot | Row]:
    ana = players[0]
    for message in ana.person.sees(room.channel):
        if message.ephemeral:
            ana.person.dismiss(message)
    for player in players:
        await player.open()
    await play_until(room, players[1:], ana.must_act)
    await is_remembered(room)
    assert ana.panel is not None
    yield Shot("table", "The table, for everybody in the channel", ana.person, room.table())
    yield Shot("turn", "Whose turn it is", ana.person, await _found(room, "it is your turn"))
    yield Shot("hand", "My hand, for my eyes only", ana.person, ana.panel)
    await ana.person.click(ana.panel, custom_id=cards(ana.panel)[0])
    await ana.person.click(ana.panel, custom_id=cards(ana.panel)[-1])
    yield Shot("selection", "Cards selected that cannot be played, and why", ana.person, ana.panel)
    why = shown(await ana.person.click(ana.panel, "Why?"))
    yield Shot("why", "**Why?** opens the very rule", ana.person, why)
    more = shown(await ana.person.click(room.table(), "More"))
    yield Shot("more", "What one may do beside playing: **More**", ana.person, more)
    yield private("more", "What one may do beside playing", ana.person, pressing(ana.person, room.table(), "More"))
    turns = shown(await ana.person.slash(room.channel, "gang turns"))
    yield Shot("turns", "What waits for me in this server: `/gang turns`", ana.person, turns)
    yield private("turns", "What waits for me", ana.person, using(ana.person, room, "turns"))


async def _set_otherwise(room: Room, players: list[Player], manager: Person) -> AsyncIterator[Shot]:
    ana = players[0].person
    panel = shown(await ana.slash(room.channel, "gang settings"))
    cards_menu = panel.selects[3].custom_id
    await ana.select(panel, "text", custom_id=cards_menu)
    yield Shot("hand-text", "My hand, with cards in text", ana, await room.hand(ana))
    await ana.select(panel, "pictures", custom_id=cards_menu)
    for player in players:
        more = shown(await player.person.click(room.table(), "More"))
        await player.person.click(more, "I would like a pause")
    await ana.until(lambda: can_press(room.table(), "Go on"))
    yield Shot("pause", "Everybody has agreed to a pause", ana, room.table())
    await room.press(ana, "Go on")
    panel = shown(await manager.slash(room.channel, "gang settings"))
    await manager.click(panel, "This server …")
    yield Shot("server", "What a server sets, for whoever manages it: `/gang settings`", manager, panel)


async def _at_the_end(room: Room, players: list[Player]) -> AsyncIterator[Shot | Row]:
    ana = players[0].person
    await play_until(room, players, lambda: bool(_seen(room, "is over")()))
    report = await _found(room, "is over")
    await is_drawn(ana, report)
    yield Shot("score-sheet", "The score sheet after a hand", ana, report)
    hands = shown(await ana.click(report, "All hands"))
    yield Shot("all-hands", "What everybody began with, after the hand", ana, hands)
    yield private("all-hands", "What everybody began with", ana, pressing(ana, report, "All hands"))
    past = shown(await ana.click(report, "Move by move"))
    yield Shot("move-by-move", "A finished hand move by move", ana, past)
    yield private("move-by-move", "A finished hand move by move", ana, pressing(ana, report, "Move by move"))
    replay = shown(await ana.click(past, "As a picture"))
    await is_drawn(ana, replay)
    yield Shot("replay", "A hand on one picture", ana, replay)
    yield private("replay", "A hand on one picture", ana, pressing(ana, past, "As a picture"), draws=True)
    await play_until(room, players, room.is_over)
    yield Shot("match-over", "The match is over", ana, room.table())
    yield Shot("ending", "The end of a match as a picture", ana, await _last_report(room))
    totals = shown(await ana.click(room.table(), "Totals, hand by hand"))
    await is_drawn(ana, totals)
    yield Shot("totals", "A match as a chart: **Totals, hand by hand**", ana, totals)
    yield private("totals", "A match as a chart", ana, pressing(ana, room.table(), "Totals, hand by hand"), draws=True)


async def _once_more(room: Room, manager: Person) -> AsyncIterator[Shot | Row]:
    """What comes by and goes, and is told in the language that the server speaks then."""
    ana = room.people[0]
    players = await public.long_match(room)
    for name, title, happening in (
        ("turn", "Whose turn it is", public.turn(room, players)),
        ("score-sheet", "The score sheet", public.sheet(room, players)),
    ):
        yield public.public(name, title, room, manager, happening)
    for name, title, happening in (
        ("gang", "A gang is celebrated", public.gang(room, players)),
        ("invitation", "Who is invited is called", public.invitation(room)),
    ):
        yield Shot(name, title, ana, await happening("en"))
        yield public.public(name, title, room, manager, happening)
    await room.close(public.number_of(room.table()))


async def _last_report(room: Room) -> SeenMessage:
    """The newest one, once it has the picture of the ending, too."""
    ana = room.people[0]

    def with_the_ending() -> list[SeenMessage]:
        reports = [each for each in room.seen(ana) if " is over" in each.text and each.raw["attachments"]]
        return [report for report in reports[-1:] if len(report.raw["attachments"]) > 1]

    (report,) = await ana.until(with_the_ending)
    return report
