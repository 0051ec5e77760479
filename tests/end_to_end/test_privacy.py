"""My data, in `/gang settings`: it is listed, exported, hidden and deleted, on screen and in the file."""

import json
from pathlib import Path

from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import AppHarness, play_to_the_end
from tests.end_to_end.inspection import app_database, database_of, private, private_text


async def _panel(harness: AppHarness, person: Person) -> SeenMessage:
    panel = private(await person.slash(harness.channel, "gang settings"))
    await person.click(panel, "My data")
    return panel


async def _played(harness: AppHarness) -> None:
    await play_to_the_end(harness, await harness.begin_match(4, target=1))


async def _leaderboard(harness: AppHarness, person: Person) -> str:
    return private_text(await person.slash(harness.channel, "gang leaderboard"))


def _contents(file: Path) -> bytes:
    """The bytes of the database's files."""
    return b"".join(part.read_bytes() for part in sorted(file.parent.glob(f"{file.name}*")))


async def test_hidden_users_are_on_no_leaderboard_until_they_show_themselves(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    panel = await _panel(harness, ben)
    assert "1 match and 1 hand in 1 server" in panel.text
    await ben.click(panel, "Hide me from leaderboards")
    assert "You are hidden from all leaderboards." in panel.text
    assert "Ben" not in await _leaderboard(harness, ana)
    await harness.kill_app()
    await harness.start_app()
    await ben.click(panel, "Show me on leaderboards")
    assert "Ben" in await _leaderboard(harness, ana)


async def test_an_export_is_a_private_file(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    reply = await ben.click(await _panel(harness, ben), "Download my data")
    message = await ben.until(lambda: reply.message if reply.message and reply.message.attachments else None)
    assert message is not None
    assert message.ephemeral
    (attachment,) = message.message.attachments
    found = json.loads(attachment.content)
    assert found["user_id"] == ben.id
    assert [match["name"] for match in found["match_players"]] == ["Ben"]
    assert found["seats"][0]["moves"][0]["t"] == "deal"
    assert "Ana" not in attachment.content.decode()
    assert str(ana.id) not in attachment.content.decode()


async def test_a_deleted_user_becomes_a_former_player_and_leaves_no_data(harness: AppHarness) -> None:
    ana, ben, cleo, _ = harness.people
    await _played(harness)
    await ana.slash(harness.channel, "gang new", seats=3)
    await ana.until(lambda: "table 2" in harness.table().text)
    for person in (ben, cleo):
        await harness.press(person, "Join")
    await harness.start_match()

    panel = await _panel(harness, ben)
    await ben.click(panel, "Delete my data…")
    assert "This can't be undone." in panel.text
    await ben.click(panel, "No, keep everything")
    await ben.click(panel, "Delete my data…")
    await ben.click(panel, "Yes, delete my data")
    await ben.until(lambda: "Your data is deleted." in panel.text)

    await ana.until(lambda: "🤖 for a deleted player" in harness.table().text)
    assert "Ben" not in await _leaderboard(harness, ana)
    assert "Ana" in await _leaderboard(harness, ana)
    assert "You're not at" in private_text(await ben.click(harness.table(), "My hand"))
    await harness.stop_app()
    contents = _contents(database_of(harness))
    assert b"Ben" not in contents
    assert str(ben.id).encode() not in contents
    with app_database(harness) as connection:
        names = connection.execute("SELECT name FROM match_players ORDER BY name").fetchall()
        assert names == [("",), ("Ana",), ("Cleo",), ("Dan",)]
    await harness.start_app()


async def test_a_match_that_ends_by_it_is_shown_with_a_former_player(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await harness.open_table(ana)
    for _ in range(3):
        await harness.press(ana, "Add AI")
    await harness.start_match()
    panel = await _panel(harness, ana)
    await ana.click(panel, "Delete my data…")
    await ana.click(panel, "Yes, delete my data")
    await ana.until(lambda: "🤖 for a deleted player" in harness.table().text)
    assert "This table is closed." in harness.table().text
    assert "Ana" not in harness.table().text


async def test_users_cannot_press_buttons_of_others(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    panel = await _panel(harness, ben)
    await harness.open_table(ana)
    for where in (panel, harness.table()):
        for what in ("delete:yes", "hide", "export"):
            assert "doesn't work any more" in private_text(await ana.press_old(f"g4:privacy:0:0:{what}", where))
    for what in ("", ":delete:no", ":everything"):
        assert "doesn't work any more" in private_text(await ben.press_old(f"g4:privacy:0:0{what}", panel))
