"""Cutting the deck, from players' clients: shown at the table, and part of the salt in the record."""

import re
from hashlib import sha256

from bot.analysis import fairness
from bot.engine import MatchStarted
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage, SeenModal
from tests.end_to_end.app_harness import AppHarness, Player, can_press, is_complete, play_to_the_end
from tests.end_to_end.inspection import app_database, private_text, record_of, shown, verify


async def fairness_page(harness: AppHarness, person: Person) -> SeenMessage:
    """Open the page about fairness in the table's options."""
    panel = shown(await person.click(harness.table(person), "Options"))
    if can_press(panel, "Fairness"):
        await person.click(panel, "Fairness")
    return panel


async def form(harness: AppHarness, person: Person) -> SeenModal:
    """Press Cut in the options."""
    modal = (await person.click(await fairness_page(harness, person), "Cut")).modal
    assert modal is not None
    return modal


async def cut(harness: AppHarness, person: Person, typed: str) -> Reply:
    """Press Cut, type a number and send it."""
    return await person.submit(await form(harness, person), {"number": typed})


async def test_the_page_about_fairness_shows_a_cut_at_once(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    for person in (ana, ben):
        panel = await fairness_page(harness, person)
        await person.submit((await person.click(panel, "Cut")).modal, {"number": "9"})
        assert f"{person.name} cut at 9" in panel.text


async def test_a_cut_is_shown_at_the_table_and_goes_into_the_salt(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    first = await harness.open_table(ana, seats=4, target=1)
    await harness.seat([ben, cleo], ai_players=1)
    assert (await cut(harness, ben, "33")).failed is None
    await cut(harness, cleo, "63")
    await ana.until(lambda: "-# ✂️ Ben cut at 33 and Cleo cut at 63" in harness.table().text)
    assert f"First message of the table: `{first.id}`" in (await fairness_page(harness, ana)).text

    await harness.under_more(ana, "repost:1:0")  # the first message is replaced by another
    await ana.until(lambda: first.deleted and harness.table().id != first.id)
    late_panel = await fairness_page(harness, ben)
    late = (await ben.click(late_panel, "Cut")).modal
    await cut(harness, ben, "07")
    await ana.until(lambda: "✂️ Ben cut at 7 and Cleo cut at 63" in harness.table().text)
    assert f"First message of the table: `{first.id}`" in (await fairness_page(harness, ana)).text

    await harness.start_match()
    assert "The match has already started." in private_text(await ben.press_old("g4:cut:1:0", late_panel))
    assert "The match has already started." in private_text(await ben.submit(late, {"number": "8"}))
    await play_to_the_end(harness, [Player(harness, person) for person in (ana, ben, cleo)])
    assert _salt_of(harness, 1) == f"{first.id}-0-7-63-ai"
    assert fairness.check(record_of(harness, 1)).is_fair
    reply = await verify(ana, harness.channel, 1)
    await ana.until(lambda: "Everything matches" in shown(reply).text)
    checked = shown(reply).text
    address = f"https://discord.com/channels/{harness.guild.id}/{harness.channel.id}/{first.id}"
    assert f"- First message of the table: [{first.id}]({address})" in checked
    assert "- Ben cut at 7\n- Cleo cut at 63\n" in checked


async def test_a_player_can_copy_the_whole_fingerprint_before_the_deal(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await harness.open_table(ana, seats=3, target=1)
    before = (await fairness_page(harness, ana)).text
    (fingerprint,) = re.findall(r"Fingerprint `([0-9a-f]{64})`", before)
    assert fingerprint[:8] not in harness.table().text
    assert "Seed" not in before
    await harness.seat([], ai_players=2)
    await harness.start_match()
    await play_to_the_end(harness, [Player(harness, ana)])
    more = shown(await ana.click(harness.table(), "More"))
    after = private_text(await ana.click(more, "Fair deal"))
    (seed,) = re.findall(r"Seed of the deals: `([0-9a-f]{64})`", after)
    assert sha256(bytes.fromhex(seed)).hexdigest() == fingerprint


async def test_the_form_holds_the_cut_and_takes_it_back_when_empty(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await harness.open_table(ana, seats=3)
    await harness.seat([ben])
    empty = await form(harness, ben)
    assert [field.get("value") for field in empty.fields.values()] == [None]
    await ben.submit(empty, {"number": " 1"})
    await ana.until(lambda: "Ben cut at 1" in harness.table().text)
    again = await form(harness, ben)
    assert [field["value"] for field in again.fields.values()] == ["1"]
    assert again.custom_id != empty.custom_id

    for typed in ("0", "64", "-1", "x", "٣", "1e"):
        assert "a number from 1 to 63" in private_text(await ben.submit(again, {"number": typed})), typed
    assert "Ben cut at 1" in harness.table().text
    await ben.submit(again, {"number": ""})
    await ana.until(lambda: "✂️" not in harness.table().text)


async def test_a_form_outlives_a_restart(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await harness.open_table(ana, seats=3)
    modal = await form(harness, ana)
    await harness.kill_app()
    await harness.start_app()
    await ana.submit(modal, {"number": "17"})
    await ana.until(lambda: "Ana cut at 17" in harness.table().text)


async def test_cutting_takes_a_seat_and_leaving_takes_the_cut_along(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.open_table(ana, seats=3)
    joining = await form(harness, ben)
    assert joining.title == "Join and cut: table 1"
    await ben.submit(joining, {"number": "40"})
    await ana.until(lambda: "Ben cut at 40" in harness.table().text)
    late = await form(harness, dan)
    await harness.press(ben, "Leave")
    assert "✂️" not in harness.table().text
    await harness.seat([ben, cleo])
    assert "✂️" not in harness.table().text
    assert "All 3 seats are taken" in private_text(await dan.submit(late, {"number": "41"}))


async def test_the_last_player_of_a_rematch_can_cut(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await play_to_the_end(harness, await harness.begin_match(2, ai_players=1, target=1))
    await ana.click(harness.table(), "Rematch")
    await ana.until(lambda: "table 2" in harness.table().text)
    await cut(harness, ben, "5")
    await ana.until(lambda: "Hand 1" in harness.table().text)
    assert _salt_of(harness, 2) == f"{harness.table().id}-0-ai-5"


async def _finished_alone(harness: AppHarness) -> Person:
    """A match against two AI players to its end."""
    ana, *_ = harness.people
    await play_to_the_end(harness, await harness.begin_match(1, ai_players=2, target=1))
    return ana


def _salt_of(harness: AppHarness, table: int) -> str:
    match = record_of(harness, table)[0].event
    assert isinstance(match, MatchStarted)
    return match.salt


async def test_an_automatic_rematch_waits_for_its_message_also_after_a_crash(harness: AppHarness) -> None:
    ana = await _finished_alone(harness)
    harness.world.faults.next("POST", "/channels/*/messages", status=500, times=100)
    await ana.click(harness.table(), "Rematch")
    with app_database(harness) as connection:
        assert connection.execute("SELECT status FROM tables WHERE id = 2").fetchone() == ("lobby",)
    await harness.kill_app()
    harness.world.faults.clear()
    await harness.start_app()
    await ana.until(lambda: "table 2" in harness.table().text and "Hand 1" in harness.table().text)
    assert _salt_of(harness, 2) == f"{harness.table().id}-0-ai-ai"


async def test_no_match_starts_before_the_app_knows_the_id_of_its_message(harness: AppHarness) -> None:
    ana, *_ = harness.people
    harness.world.faults.next("POST", "/channels/*/messages", status="timeout", after=True)
    await ana.slash(harness.channel, "gang new", seats=3)
    await ana.until(lambda: any(not message.ephemeral for message in ana.sees(harness.channel)))
    table = harness.table()
    for _ in range(2):
        await ana.press_old("g4:robot:1:0", table)
    assert "The table is not shown yet." in private_text(await ana.press_old("g4:start:1:0", table))
    await harness.kill_app()
    await harness.start_app()
    await ana.until(lambda: is_complete(harness.table()))
    assert f"First message of the table: `{table.id}`" in (await fairness_page(harness, ana)).text
    await harness.start_match()
    assert _salt_of(harness, 1) == f"{table.id}-0-ai-ai"
