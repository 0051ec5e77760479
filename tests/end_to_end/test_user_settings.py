"""User settings and pending items, from the client to the database and back."""

import asyncio
import re
from datetime import UTC, datetime, time, timedelta

from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage, SeenModal
from tests.end_to_end.app_harness import AppHarness, Player
from tests.end_to_end.inspection import app_database, private, private_text, shown


async def _panel(harness: AppHarness, person: Person) -> SeenMessage:
    return private(await person.slash(harness.channel, "gang settings"))


async def _form(person: Person, panel: SeenMessage, label: str) -> SeenModal:
    modal = (await person.click(panel, label)).modal
    assert modal is not None
    return modal


async def _type(person: Person, panel: SeenMessage, label: str, *typed: str) -> Reply:
    """Fill in all fields of a form and send it. The panel is updated."""
    modal = await _form(person, panel, label)
    reply = await person.submit(modal, dict(zip(modal.fields, typed, strict=True)))
    assert reply.updated, reply
    return reply


def _kept(harness: AppHarness) -> list[tuple[object, ...]]:
    with app_database(harness) as connection:
        return list(
            connection.execute(
                "SELECT user_id, notifications, zone, quiet_from, quiet_until, away_from, away_until"
                " FROM users ORDER BY user_id"
            )
        )


def _without_time(panel: str) -> str:
    """The text of the panel without the time of day in the user's zone."""
    return re.sub(r"where it is .*", "", panel)


async def test_everything_can_be_set_and_is_kept(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _panel(harness, ana)
    assert "My turn: mention me when" in panel.text
    await ana.select(panel, "direct", custom_id=panel.selects[0].custom_id)
    await _type(ana, panel, "Time zone…", "berlin")
    await ana.select(panel, "1320-480", custom_id=panel.selects[1].custom_id)
    await _type(ana, panel, "Other quiet hours…", "10:30 pm", "7.15")
    first = datetime.now(UTC).date() + timedelta(10)
    await _type(ana, panel, "Holidays…", str(first), f"{first:%d.%m.%Y}")
    for part in (
        "My turn: send me a direct message",
        "**Europe/Berlin**, where it is ",
        "Quiet hours: from 22:30 to 07:15",
    ):
        assert part in panel.text

    await harness.kill_app()
    await harness.start_app()

    assert _without_time((await _panel(harness, ana)).text) == _without_time(panel.text)
    assert "My turn: mention me when" in (await _panel(harness, ben)).text
    (kept,) = _kept(harness)
    assert kept == (ana.id, "direct", "Europe/Berlin", 1350, 435, str(first), str(first))
    modal = await _form(ana, panel, "Holidays…")
    assert [field["value"] for field in modal.fields.values()] == [str(first), str(first)]
    await ana.click(panel, "No holidays")
    await ana.select(panel, "none", custom_id=panel.selects[1].custom_id)
    assert _kept(harness) == [(ana.id, "direct", "Europe/Berlin", None, None, None, None)]


async def test_quiet_hours_and_holidays_ask_for_the_time_zone_first(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _panel(harness, ana)
    form = (await ana.select(panel, "1320-480", custom_id=panel.selects[1].custom_id)).modal
    assert form is not None
    values = [field.get("value", "") for field in form.fields.values()]
    assert values == ["", "22:00", "08:00"]
    await ana.submit(form, dict(zip(form.fields, ("tokyo", *values[1:]), strict=True)))
    assert "**Asia/Tokyo**" in panel.text
    assert "Quiet hours: from 22:00 to 08:00" in panel.text
    await ana.select(panel, "1380-420", custom_id=panel.selects[1].custom_id)
    assert "Quiet hours: from 23:00 to 07:00" in panel.text

    await _type(ana, panel, "Time zone…", "UTC")
    await ana.select(panel, "1320-480", custom_id=panel.selects[1].custom_id)
    assert "Quiet hours: from 22:00 to 08:00" in panel.text

    panel, day = await _panel(harness, ben), str(datetime.now(UTC).date() + timedelta(10))
    await _type(ben, panel, "Holidays…", "lima", day, day)
    assert [row[2:4] for row in _kept(harness)] == [("UTC", 1320), ("America/Lima", None)]


async def test_wrong_input_is_explained_in_the_panel_and_changes_nothing(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = await _panel(harness, ana)
    for label, typed, expected in (
        ("Time zone…", ("Berln",), 'No time zone is called "Berln". Similar names: Europe/Berlin'),
        ("Time zone…", ("**@everyone**",), 'No time zone is called "\\*\\*@\u200beveryone\\*\\*".'),
        ("Other quiet hours…", ("Rome", "late", "07:00"), '"late" is not a time'),
        ("Other quiet hours…", ("Rome", "07:00", "06:00"), "last at most 16 hours"),
        ("Other quiet hours…", ("Berln", "23:00", "06:00"), "Similar names: Europe/Berlin"),
        ("Holidays…", ("Rome", "2026-02-30", "2026-03-01"), '"2026-02-30" is not a date'),
        ("Holidays…", ("Rome", "2026-03-02", "2026-03-01"), "Holidays must end after they begin"),
    ):
        await _type(ana, panel, label, *typed)
        assert expected in panel.text
    assert _kept(harness) == []

    await _type(ana, panel, "Time zone…", "Berln")
    await ana.select(panel, "Europe/Berlin", custom_id=panel.selects[-1].custom_id)
    assert "**Europe/Berlin**" in panel.text
    assert "No time zone" not in panel.text
    assert len(panel.selects) == 4


async def test_several_open_forms_are_independent_also_after_a_restart(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panels = {person: await _panel(harness, person) for person in (ana, ben)}
    forms = {person: await _form(person, panels[person], "Time zone…") for person in (ana, ben)}
    again = await _form(ana, panels[ana], "Time zone…")
    assert len({form.custom_id for form in (*forms.values(), again)}) == 3

    await harness.kill_app()
    await harness.start_app()

    for person, city in ((ben, "Tokyo"), (ana, "Lima")):
        (label,) = forms[person].fields
        assert (await person.submit(forms[person], {label: city})).updated
    assert "America/Lima" in panels[ana].text
    assert "Asia/Tokyo" in panels[ben].text
    (label,) = again.fields
    await ana.submit(again, {label: "Rome"})
    assert [zone for _, _, zone, *_ in _kept(harness)] == ["Europe/Rome", "Asia/Tokyo"]


async def _turns(harness: AppHarness, person: Person) -> list[str]:
    return private_text(await person.slash(harness.channel, "gang turns")).splitlines()


async def test_pending_items_are_listed_with_links(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    assert await _turns(harness, ana) == ["Nothing is waiting for you. `/gang list` shows the tables of this server."]
    for pace in ("none", "day", "quick"):
        await harness.open_table(ana, seats=3, pace=pace)
        await harness.seat([ben, cleo])
        assert any("all seats are taken, and you can start" in line for line in await _turns(harness, ana))
        await harness.start_match()
    lines = [line for person in (ana, ben, cleo) for line in (await _turns(harness, person))[1:]]
    assert sorted(re.findall(r"Table \d", "\n".join(lines))) == ["Table 1", "Table 2", "Table 3"]
    assert all("**it is your turn**" in line for line in lines)
    for line in lines:
        link = re.search(r"\]\(https://discord\.com/channels/(\d+)/(\d+)/(\d+)\) in <#(\d+)>", line)
        assert link, line
        guild, channel, message, named = map(int, link.groups())
        assert (guild, channel, named) == (harness.guild.id, harness.channel.id, harness.channel.id)
        assert message in [seen.id for seen in ana.sees(harness.channel)]
    assert "Nothing is waiting for you" in (await _turns(harness, harness.people[3]))[0]


async def test_turns_are_listed_and_played_in_other_servers(harness: AppHarness) -> None:
    await harness.begin_match(3)
    elsewhere = harness.world.guild("Other House").channel("cards")
    (leader,) = [person for person in harness.people[:3] if "your turn" in "".join(await _turns(harness, person))]
    player = Player(harness, leader)
    turns = shown(await leader.slash(elsewhere, "gang turns"))
    assert "Table 1](https://discord.com/channels/" in turns.text
    assert [button.label for button in turns.buttons] == ["Table 1 · My hand"]
    player.panel = shown(await leader.click(turns, "Table 1 · My hand"))
    assert "The channel of table 1 is gone" not in player.panel.text
    await player.act()
    (next_one,) = [person for person in harness.people[:3] if "your turn" in "".join(await _turns(harness, person))]
    turns = shown(await next_one.slash(elsewhere, "gang turns"))
    await next_one.click(turns, "Table 1 · Pass")
    assert "Nothing is waiting for you" in turns.text
    assert "Nothing is waiting for you" in private_text(await leader.slash(elsewhere, "gang turns"))


async def test_holidays_move_the_end_of_a_turn_that_runs(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.begin_match(3, pace="day")
    (mover, *_) = await ana.until(
        lambda: [p for p in harness.people[:3] if any(p.mention in n.text for n in harness.notices())]
    )
    before = re.findall(r"<t:(\d+)", harness.table().text)
    panel = await _panel(harness, mover)
    today = datetime.now(UTC).date()
    await _type(mover, panel, "Holidays…", "UTC", str(today), str(today + timedelta(days=9)))
    await ana.until(lambda: re.findall(r"<t:(\d+)", harness.table().text) != before)
    (after,) = re.findall(r"<t:(\d+)", harness.table().text)
    assert int(after) > datetime.combine(today + timedelta(days=10), time(), UTC).timestamp()


async def test_users_are_welcomed_once_at_their_first_hand(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.begin_match(2, ai_players=1)
    for person in (ana, ben):
        assert "👋 Welcome!" in (await harness.open_hand(person)).text
        await _until_welcomed(harness, person)
        async with asyncio.timeout(60):  # the app remembers it just after it has stored it
            while "👋 Welcome!" in (await harness.open_hand(person)).text:
                pass


async def _until_welcomed(harness: AppHarness, person: Person) -> None:
    """Wait until the app has stored that it has welcomed a user, which it does just after its answer."""
    with app_database(harness) as database:
        async with asyncio.timeout(60):
            while True:
                if database.execute("SELECT 1 FROM users WHERE user_id = ? AND greeted", (person.id,)).fetchone():
                    return
                await asyncio.sleep(0.01)
