"""The screens of a match, from the invitation to its end."""

from collections.abc import AsyncIterator, Callable

from gallery import learning, public
from gallery.camera import Row, Shot, command, press, translated, wait_until_drawn
from gallery.records import records
from playground.client.person import Person
from playground.client.screen import SeenMessage
from playground.world.permissions import Permission
from tests.disasters.expected_state import wait_until_recorded
from tests.end_to_end.app_harness import AppHarness, Player, can_press, cards, play_until
from tests.end_to_end.inspection import choose, shown


def _seen(harness: AppHarness, text: str) -> Callable[[], SeenMessage | None]:
    """Wait for the newest message in the channel with this text."""
    return lambda: next(
        (message for message in reversed(harness.messages(harness.people[0])) if text in message.text), None
    )


async def _found(harness: AppHarness, text: str) -> SeenMessage:
    message = await harness.people[0].until(_seen(harness, text))
    assert message is not None
    return message


async def scenes(harness: AppHarness) -> AsyncIterator[Shot | Row]:
    """All screens, in the order in which users see them."""
    ana, ben, cleo, _ = harness.people
    manager = harness.world.person("Mika", permissions=Permission.MANAGE_GUILD)
    harness.guild.add(manager)
    async for shot in _before_the_match(harness, ana, ben):
        yield shot
    yield public.public("lobby", "A table that is open", harness, manager, public.redrawn(harness))
    async for shot in _help(harness, ana):
        yield shot
    await harness.seat([ben, cleo])
    await harness.start_match()
    players = [Player(harness, person) for person in (ana, ben, cleo)]
    async for shot in _in_a_hand(harness, players):
        yield shot
    async for shot in _settings(harness, players, manager):
        yield shot
    yield public.public("table", "The table", harness, manager, public.redrawn(harness))
    yield translated("hand", "My hand", ana, command(ana, harness, "hand"))
    async for shot in _at_the_end(harness, players):
        yield shot
    async for shot in learning.coach(harness, ana):
        yield shot
    async for shot in _rematch(harness, manager):
        yield shot
    async for shot in records(harness, manager):
        yield shot


async def _before_the_match(harness: AppHarness, ana: Person, ben: Person) -> AsyncIterator[Shot | Row]:
    yield Shot("help", "Help for newcomers: `/gang help`", ana, shown(await ana.slash(harness.channel, "gang help")))
    yield translated("help", "Help for newcomers", ana, command(ana, harness, "help"))
    table = await harness.open_table(ana, seats=3, target=40)
    yield Shot("lobby", "A table is open: `/gang new`", ben, table)
    panel = shown(await ana.click(table, "Options"))
    yield Shot("options", "The options of a table: **Options**", ana, panel)
    yield translated("options", "Options", ana, press(ana, table, "Options"))
    refusal = shown(await ben.click(table, "Invite"))
    yield Shot("refusal", "A refusal and its reason", ben, refusal)
    yield translated("refusal", "A refusal", ben, press(ben, table, "Invite"))
    yield translated("reason", "The reason for a refusal", ben, press(ben, refusal, "Why?"))
    ben.reload()  # the page with both phones shows no refusal
    settings = shown(await ana.slash(harness.channel, "gang settings"))
    yield Shot("settings", "My settings: `/gang settings`", ana, settings)
    yield translated("settings", "My settings", ana, command(ana, harness, "settings"))


async def _help(harness: AppHarness, ana: Person) -> AsyncIterator[Shot | Row]:
    lesson = shown(await ana.slash(harness.channel, "gang tutorial"))
    yield Shot("tutorial", "Learning by playing: `/gang tutorial`", ana, lesson)
    yield translated("tutorial", "Learning by playing", ana, command(ana, harness, "tutorial"))
    async for shot in learning.alone(harness, ana):
        yield shot
    page = shown(await ana.slash(harness.channel, "gang rules"))
    yield Shot("rules", "The rules in pages: `/gang rules`", ana, page)
    yield translated("rules", "The rules", ana, command(ana, harness, "rules"))
    chart = shown(await ana.click(page, "As a picture"))
    await wait_until_drawn(ana, chart)
    yield Shot("chart", "What beats what, as a picture", ana, chart)
    yield translated("chart", "What beats what", ana, press(ana, page, "As a picture"), draws=True)
    comparing = command(ana, harness, "rules", first="7G 7R", second="2G 2G 2Y 2R")
    yield Shot("beats", "Which of two plays beats the other: `/gang rules`", ana, shown(await comparing()))
    yield translated("beats", "Which of two plays beats the other", ana, comparing)


async def _in_a_hand(harness: AppHarness, players: list[Player]) -> AsyncIterator[Shot | Row]:
    ana = players[0]
    for message in ana.person.sees(harness.channel):
        if message.ephemeral:
            ana.person.dismiss(message)
    for player in players:
        await player.open()
    await play_until(harness, players[1:], ana.must_act)
    await ana.open()  # again, without the welcome
    await wait_until_recorded(harness)
    assert ana.panel is not None
    yield Shot("table", "The table, for everyone in the channel", ana.person, harness.table())
    yield Shot("turn", "Whose turn it is", ana.person, harness.notices()[-1])
    yield Shot("hand", "My hand, for my eyes only", ana.person, ana.panel)
    panel = ana.panel
    await ana.person.click(panel, "Hint")
    await ana.person.until(lambda: "💡 Hint: " in panel.text)
    yield Shot("hint", "The hand with a hint: **Hint**", ana.person, panel)
    await _select_no_play(ana)
    yield Shot("selection", "Selected cards that can't be played, and why", ana.person, ana.panel)
    await ana.person.click(ana.panel, "Why?")
    yield Shot("why", "**Why?** shows the rule in the hand", ana.person, ana.panel)
    more = shown(await ana.person.click(harness.table(), "More"))
    yield Shot("more", "Everything besides playing: **More**", ana.person, more)
    yield translated("more", "Everything besides playing", ana.person, press(ana.person, harness.table(), "More"))
    turns = shown(await ana.person.slash(harness.channel, "gang turns"))
    yield Shot("turns", "What waits for me in this server: `/gang turns`", ana.person, turns)
    yield translated("turns", "What waits for me", ana.person, command(ana.person, harness, "turns"))


async def _settings(harness: AppHarness, players: list[Player], manager: Person) -> AsyncIterator[Shot]:
    ana = players[0].person
    panel = shown(await ana.slash(harness.channel, "gang settings"))
    cards_menu = panel.selects[3].custom_id
    await ana.select(panel, "text", custom_id=cards_menu)
    yield Shot("hand-text", "My hand, with cards in text", ana, await harness.open_hand(ana))
    await ana.select(panel, "pictures", custom_id=cards_menu)
    for player in players:
        more = shown(await player.person.click(harness.table(), "More"))
        await player.person.click(more, "Ask for a pause")
    await ana.until(lambda: can_press(harness.table(), "Resume"))
    yield Shot("pause", "Everybody has agreed to a pause", ana, harness.table())
    await harness.press(ana, "Resume")
    panel = shown(await manager.slash(harness.channel, "gang settings"))
    await manager.click(panel, "This server…")
    yield Shot("server", "The settings of a server, for its managers: `/gang settings`", manager, panel)


async def _select_no_play(player: Player) -> None:
    """Select the lowest card and the highest ones, until they can't become a play."""
    await player.open()  # nothing is selected
    panel = player.panel
    assert panel is not None
    for index in (0, *range(len(cards(panel)) - 1, 0, -1)):
        await player.person.click(panel, custom_id=cards(panel)[index])
        if can_press(panel, "Why?"):
            return


async def _at_the_end(harness: AppHarness, players: list[Player]) -> AsyncIterator[Shot | Row]:
    ana = players[0].person
    await play_until(harness, players, lambda: bool(_seen(harness, "is over")()))
    report = await _found(harness, "is over")
    sheet = shown(await ana.click(report, "Score sheet"))
    await wait_until_drawn(ana, sheet)
    yield Shot("score-sheet", "The score sheet after a hand", ana, sheet)
    hands = shown(await ana.click(report, "All hands"))
    yield Shot("all-hands", "All hands at the start, after the hand", ana, hands)
    yield translated("all-hands", "All hands at the start", ana, press(ana, report, "All hands"))
    past = shown(await ana.click(hands, "Move by move"))
    yield Shot("move-by-move", "A finished hand move by move", ana, past)
    yield translated("move-by-move", "A finished hand move by move", ana, press(ana, hands, "Move by move"))
    replay = shown(await choose(ana, past, "As a picture"))
    await wait_until_drawn(ana, replay)
    yield Shot("replay", "A hand on one picture", ana, replay)
    yield translated("replay", "A hand on one picture", ana, press(ana, past, "As a picture"), draws=True)
    await play_until(harness, players, harness.is_over)
    yield Shot("match-over", "The match is over", ana, harness.table())
    yield Shot("ending", "The end of a match as a picture", ana, await _last_report(harness))
    more = shown(await ana.click(harness.table(), "More"))
    totals = shown(await ana.click(more, "Totals per hand"))
    await wait_until_drawn(ana, totals)
    yield Shot("totals", "A match as a chart: **Totals per hand**", ana, totals)
    yield translated("totals", "A match as a chart", ana, press(ana, more, "Totals per hand"), draws=True)


async def _rematch(harness: AppHarness, manager: Person) -> AsyncIterator[Shot | Row]:
    """Messages that disappear, in the language of the guild at the time."""
    ana = harness.people[0]
    players = await public.long_match(harness)
    for name, title, trigger in (
        ("turn", "Whose turn it is", public.turn(harness, players)),
        ("score-sheet", "The result of a hand", public.sheet(harness, players)),
    ):
        yield public.public(name, title, harness, manager, trigger)
    yield Shot("gang", "A gang is celebrated", ana, await public.gang(harness, players))
    invite = public.invitation(harness)
    yield Shot("invitation", "Who is invited is called", ana, await invite("en"))
    yield public.public("invitation", "Who is invited is called", harness, manager, invite)
    await harness.close_table(public.number_of(harness.table()))


async def _last_report(harness: AppHarness) -> SeenMessage:
    """The result of the last hand, once it has the picture of the ending."""
    ana = harness.people[0]

    def with_the_ending() -> list[SeenMessage]:
        return [each for each in harness.messages(ana) if "is over" in each.text and each.raw["attachments"]]

    *_, last = await ana.until(with_the_ending)
    return last
