"""The commands of Discord's Apps menu, on people and on messages."""

from pathlib import Path

from playground.client.person import Person
from playground.world.model import InteractionType, Json
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, play_to_the_end, running_app
from tests.end_to_end.inspection import private_text, send_raw

INVITE = "Invite to my table"
YOU = "That's you. Use it on another person."


async def _use(harness: AppHarness, person: Person, target: Person, command: str) -> str:
    """Use a command of the Apps menu on a person. Returns the private answer."""
    return private_text(await person.use_on_user(harness.channel, target, command))


async def test_profiles_and_comparisons_of_people(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    app = harness.world.bot
    assert await _use(harness, ana, ben, "Profile") == "**Ben** has not finished a match here yet."
    assert "No finished match together" in await _use(harness, ana, ben, "Compare with me")
    players = await harness.begin_match(3, target=1)
    await play_to_the_end(harness, players)
    await ana.until(lambda: harness.notices() == [])

    for command, options in (("Profile", {"person": ben}), ("Compare with me", {"against": ben})):
        typed = private_text(await ana.slash(harness.channel, "gang profile", **options))
        assert await _use(harness, ana, ben, command) == typed
        assert "Ben" in typed
    assert (await _use(harness, ana, ana, "Profile")).startswith("### Ana (you)")
    assert await _use(harness, ana, ana, "Compare with me") == YOU
    for command in ("Profile", "Compare with me"):
        answer = private_text(await ana.use_on_user(harness.channel, app, command))
        assert answer == "**The App** is an app. Only people have results here."
    assert "No finished match together" in await _use(harness, dan, cleo, "Compare with me")

    over = private_text(await ana.slash(harness.channel, "gang hand", table=1))
    for part in ("hand 1 is over", "The match is over"):
        (message,) = await dan.until(lambda: [seen for seen in dan.sees(harness.channel) if part in seen.text])  # noqa: B023  # awaited at once
        assert private_text(await ana.use_on_message(message, "My hand")) == over


async def test_people_are_invited_to_the_own_table(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    nothing = "You host no table that waits for players. `/gang new` opens one."
    assert await _use(harness, ana, ben, INVITE) == nothing
    await harness.open_table(ana, seats=3)
    office = harness.guild.channel("office")
    await ana.slash(office, "gang new", seats=3)

    assert await _use(harness, ana, ben, INVITE) == f"{ben.mention} is invited to table 1."
    await ben.until(lambda: ben.pings)
    assert ben.pings[0].push_text == "Ana invites @Ben to table 1."
    assert await _use(harness, ana, ben, INVITE) == f"{ben.mention} is invited to table 1."
    elsewhere = private_text(await ana.use_on_user(office, ben, INVITE))
    assert elsewhere == f"{ben.mention} is invited to table 2."
    await harness.press(cleo, "Join")
    assert await _use(harness, ana, cleo, INVITE) == f"{cleo.mention} already sits at table 1."
    assert await _use(harness, cleo, ben, INVITE) == nothing  # only hosts invite
    assert await _use(harness, ana, ana, INVITE) == YOU
    app = private_text(await ana.use_on_user(harness.channel, harness.world.bot, INVITE))
    assert app.startswith("Apps can't be invited.")
    await ben.until(lambda: len(ben.pings) == 2)
    assert dan.pings == cleo.pings == []


async def test_invitations_count_against_the_limit(tmp_path: Path) -> None:
    async with running_app(tmp_path, LIMITS_SCALE="1") as harness:
        ana = harness.people[0]
        await harness.open_table(ana, seats=3)
        guests = [harness.world.person(f"Guest {number}") for number in range(11)]
        *answers, last = [await _use(harness, ana, guest, INVITE) for guest in guests]
        assert all("is invited" in answer for answer in answers)
        assert "Try again" in last


async def test_my_hand_on_a_message(harness: AppHarness) -> None:
    ana, ben, _, dan = harness.people
    words = ben.say(harness.channel, "hello")
    assert "no open table" in private_text(await ana.use_on_message(words, "My hand"))
    await harness.open_table(ana, seats=3)
    first = harness.table()
    assert "Options of table 1" in private_text(await ana.use_on_message(first, "My hand"))
    await harness.seat([ben], ai_players=1)
    await harness.start_match()
    office = harness.guild.channel("office")
    with harness.in_channel(office, harness.people):
        await harness.begin_match(2, ai_players=1)
        second = harness.table()

    for message in (first, *harness.notices()):
        assert "Table 1 · your hand" in private_text(await ana.use_on_message(message, "My hand"))
    assert "Table 2 · your hand" in private_text(await ana.use_on_message(second, "My hand"))
    assert "Table 1 · your hand" in private_text(await ana.use_on_message(words, "My hand"))  # the one in this channel
    assert private_text(await dan.use_on_message(first, "My hand")).startswith("You're not at this table.")


async def test_the_table_of_a_message_stays_hidden_from_those_who_do_not_see_its_channel(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.begin_match(1, ai_players=2)
    table = harness.table().raw
    harness.channel.deny(ben, Permission.VIEW_CHANNEL)
    office = harness.guild.channel("office")

    async def hand(person: Person, message: Json) -> str:
        """Use "My hand" on a message that may be copied."""
        data = {"id": "1", "type": 3, "name": "My hand", "target_id": message["id"]}
        data["resolved"] = {"messages": {message["id"]: message}}
        return private_text(await send_raw(person, InteractionType.COMMAND, office, data))

    assert "Table 1 · your hand" in await hand(ana, table)
    assert "There is no such table" in await hand(ben, table)
    fake = ben.say(office, "hello").raw | {"components": table["components"]}
    assert "no open table" in await hand(ben, fake)
