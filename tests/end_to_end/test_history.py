"""Finished matches: listed, replayed, exported, imported and verified."""

import gzip
import re
from pathlib import Path

import pytest

from bot.engine.events import HandEnded
from bot.engine.record import read, write
from bot.engine.verification import verify
from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage
from playground.components import ComponentType, flatten
from playground.world.permissions import Permission
from tests.end_to_end.app_harness import AppHarness, Player, can_press, play_to_the_end, play_until, running_app
from tests.end_to_end.inspection import choose_forged, private_text, record_of

RECORD = Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl"
UNKNOWN = "This button doesn't work any more."
NO_TABLE = "There is no such table in this server."


async def _played(harness: AppHarness, *, target: int = 1) -> None:
    await play_to_the_end(harness, await harness.begin_match(3, target=target))


async def _answer(reply: Reply) -> SeenMessage:
    """The private answer, once it has arrived."""
    assert reply.failed is None, reply
    assert reply.message is not None
    message = reply.message
    assert message.ephemeral
    return message


async def _answer_of(person: Person, reply: Reply) -> SeenMessage:
    """The same for an answer that takes longer."""
    message = await _answer(reply)
    await person.until(lambda: not message.loading)
    return message


async def _open(harness: AppHarness, person: Person, number: int = 1) -> SeenMessage:
    return await _answer(await person.slash(harness.channel, "gang match", number=number))


def _content(message: SeenMessage, name: str) -> str:
    (attachment,) = message.message.attachments
    assert attachment.filename == name
    return attachment.content.decode()


async def test_finished_matches_are_listed_and_opened(harness: AppHarness) -> None:
    ana, ben, _, dan = harness.people
    empty = await _answer(await ana.slash(harness.channel, "gang history"))
    assert "You haven't finished a match here yet" in empty.text
    await _played(harness)
    mine = await _answer(await ben.slash(harness.channel, "gang history"))
    assert "Your matches in this server" in mine.text
    assert re.search(r"\*\*Table 1\*\* · <t:\d+:d> · 1\. \w+ \d+ · ", mine.text)
    assert "You haven't finished a match" in private_text(
        await dan.slash(harness.channel, "gang history", whose="mine")
    )
    here = await _answer(await dan.slash(harness.channel, "gang history", whose="channel"))
    assert "**Table 1**" in here.text
    app_database = await _answer(await dan.select(here, "1"))
    assert app_database.text.startswith("### Table 1 · hand 1")
    await dan.click(here, "Your matches in this server")
    assert "You haven't finished a match here yet" in here.text
    elsewhere = harness.guild.channel("elsewhere")
    assert "No match" in private_text(await ana.slash(elsewhere, "gang history", whose="channel"))
    assert (await _answer(await ana.slash(elsewhere, "gang match"))).text == (await _open(harness, ana)).text


async def test_a_replay_continues_after_a_restart(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await _played(harness, target=12)
    events = [line.event for line in record_of(harness)]
    ends = [event for event in events if isinstance(event, HandEnded)]
    panel = await _open(harness, ana)
    assert "The cards are dealt." in panel.text
    assert panel.text.count("**Ana**: ") == 1
    assert not can_press(panel, "◀ Back")
    await ana.click(panel, "Next ▶")
    assert "led: " in panel.text

    await harness.kill_app()
    await harness.start_app()

    await ana.click(panel, "Last")
    assert "**The match is over.**" in panel.text
    assert re.search(r"🥇 1\. ", panel.text)
    assert not can_press(panel, "Next ▶")
    await ana.click(panel, "◀ Back")
    assert "wins the hand" in panel.text
    await ana.select(panel, "1", custom_id=panel.selects[1].custom_id)
    assert [name for name in ("Ana", "Ben", "Cleo") if f"**{name}**: " in panel.text] in ([], ["Ben"])
    await ana.click(panel, "First")
    assert panel.text.startswith("### Table 1 · hand 1")
    assert "**Ben**: " in panel.text
    assert "**Ana**: " not in panel.text
    if len(ends) > 1:
        await ana.click(panel, "Hand ▶")
        assert panel.text.startswith("### Table 1 · hand 2")
        assert "🔁 Exchange: " in panel.text
        await ana.select(panel, "1", custom_id=panel.selects[0].custom_id)
        assert panel.text.startswith("### Table 1 · hand 1")


async def test_a_match_can_be_downloaded_as_record_and_text(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    panel = await _open(harness, ben)
    record = await _answer_of(ben, await ben.click(panel, "Record"))
    lines = read(_content(record, "table-1.jsonl"))
    assert lines == record_of(harness)
    (shown,) = [part for part in flatten(record.raw["components"]) if part["type"] == ComponentType.FILE]
    assert (shown["name"], shown["size"]) == ("table-1.jsonl", len(_content(record, "table-1.jsonl").encode()))
    assert verify(lines).hand_number >= 1
    text = _content(await _answer_of(ben, await ben.click(panel, "As text")), "table-1.txt")
    assert text.startswith("Gang of Four · table 1\n")
    assert text.count(" wins the hand.") == verify(lines).hand_number
    assert all(name in text for name in (ana.name, ben.name, verify(lines).match.salt))
    assert "**" not in text


async def test_verifying_a_match_deals_its_hands_again(harness: AppHarness) -> None:
    ana, _, _, dan = harness.people
    await _played(harness)
    asked = await _answer_of(dan, await dan.slash(harness.channel, "gang verify", number=1))
    pressed = await _answer_of(ana, await ana.click(await _open(harness, ana), "Check the deals"))
    assert asked.text == pressed.text
    lines = record_of(harness)
    final = verify(lines)
    for part in (
        final.match.commitment,
        final.match.salt,
        "✅ Everything matches",
        f"✅ {final.hand_number} hand{'s match' if final.hand_number > 1 else ' matches'} when dealt again.",
    ):
        assert part in asked.text
    assert "❌" not in asked.text


@pytest.mark.parametrize("button", ["Coach", "Coach: whole match"])
async def test_the_coach_says_that_it_is_getting_ready(tmp_path: Path, button: str) -> None:
    async with running_app(tmp_path, AI_WORKER="true") as harness:
        ana, record = harness.people[0], ("match.jsonl", RECORD.read_bytes())
        brought = await _answer_of(ana, await ana.slash(harness.channel, "gang import", file=record))
        answer = await _answer_of(ana, await ana.click(brought, button))
        assert "the coach is getting ready" in answer.text


async def test_only_finished_hands_of_a_running_match_can_be_replayed(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.begin_match(3, target=1000)
    still = "This match is still running; its record is available when it is over."
    for command in ("gang match", "gang verify"):
        assert still in private_text(await dan.slash(harness.channel, command, number=1))
    players = [Player(harness, person) for person in (ana, ben, cleo)]
    await play_until(
        harness, players, lambda: any("hand 1 is over" in message.text for message in harness.messages(dan))
    )
    (report,) = [message for message in harness.messages(dan) if "hand 1 is over" in message.text]
    panel = await _answer(await dan.click(report, "Move by move"))
    assert panel.text.startswith("### Table 1 · hand 1")
    await dan.click(panel, "Last")
    assert "wins the hand" in panel.text
    offered = {"First", "◀ Back", "Next ▶", "Last", "◀ Hand", "Hand ▶", "Play from here", "Post here"}
    assert {button.label for button in panel.buttons} == offered
    for what in ("record", "text", "verify"):
        assert still in (await _answer_of(dan, await dan.press_old(f"g4:past:1:0:t:a:{what}", panel))).text
    assert still in private_text(await dan.slash(harness.channel, "gang verify", number=1))


async def test_an_imported_record_can_be_replayed(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    record = write(record_of(harness))
    brought = await _answer_of(
        ana, await ana.slash(harness.channel, "gang import", file=("match.jsonl", record.encode()))
    )
    assert brought.text.startswith("### Imported match · hand 1")

    await harness.kill_app()
    await harness.start_app()

    await ana.click(brought, "Next ▶")
    assert "led: " in brought.text
    assert _content(await _answer_of(ana, await ana.click(brought, "Record")), "match.jsonl") == record
    checked = await _answer_of(ana, await ana.click(brought, "Check the deals"))
    assert "✅ Everything matches" in checked.text
    foreign = await _open(harness, ben)
    gone = "This record has expired. `/gang import` reads it again."
    assert gone in private_text(await ben.press_old("g4:past:1:0:i:a:next", foreign))
    assert "Leaderboard" in private_text(await ana.slash(harness.channel, "gang leaderboard"))
    listed = await _answer(await ana.slash(harness.channel, "gang history"))
    assert listed.text.count("**Table ") == 1


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"hello\n", "Line 1 is not a line of a record.\n-# `this is not JSON`"),
        (b"", "Line 1: the record ends here, but the match is not over."),
        (b" " * 300_000, "This file is too long for a record: at most 256 KB."),
        (gzip.compress(b"0" * 20_000_000), "`this is not text in UTF-8`"),
        (b"\x89PNG\r\n\x1a\n", "`this is not text in UTF-8`"),
    ],
    ids=["no record", "empty", "too long", "packed", "a picture"],
)
async def test_a_file_without_a_record_is_refused_in_a_sentence(
    harness: AppHarness, content: bytes, expected: str
) -> None:
    ana = harness.people[0]
    refused = await _answer_of(ana, await ana.slash(harness.channel, "gang import", file=("notes.txt", content)))
    assert expected in refused.text


async def test_a_changed_record_is_refused_with_the_line(harness: AppHarness) -> None:
    ana = harness.people[0]
    await _played(harness)
    lines = write(record_of(harness)).splitlines(keepends=True)
    number = next(number for number, line in enumerate(lines) if '"hand_end"' in line)
    lines[number] = re.sub(r'"winner": \d', '"winner": 2', lines[number]).replace('"left": [', '"left": [9', 1)
    file = ("match.jsonl", "".join(lines).encode())
    refused = await _answer_of(ana, await ana.slash(harness.channel, "gang import", file=file))
    assert f"Line {number + 1} does not follow from the rules and the seed." in refused.text


async def test_users_without_access_to_a_channel_do_not_see_its_matches(harness: AppHarness) -> None:
    ana, ben, _, dan = harness.people
    elsewhere = harness.guild.channel("elsewhere")
    await _played(harness)
    harness.channel.deny(dan, Permission.VIEW_CHANNEL)
    for command in ("gang match", "gang verify"):
        assert NO_TABLE in private_text(await dan.slash(elsewhere, command, number=1))
        assert NO_TABLE not in private_text(await ben.slash(elsewhere, command, number=1))
    other = harness.world.guild("Other House").channel("cards")
    assert NO_TABLE in private_text(await ana.slash(other, "gang match", number=1))
    assert NO_TABLE in private_text(await dan.slash(elsewhere, "gang match"))


async def test_forged_presses_get_an_error_message(harness: AppHarness) -> None:
    ana = harness.people[0]
    await _played(harness)
    panel = await _open(harness, ana)
    for custom_id in (
        "g4:past:1:0",
        "g4:past:1:0:t",
        "g4:past:1:0:x:a:next",
        "g4:past:1:0:t:7:next",
        "g4:past:1:0:t:a:burn",
        "g4:past:1:9999999:t:a:next",
        "g4:history:0:0:theirs:next",
        "g4:history:0:9999999:mine:next",
        "g4:replay:1:0:77",
        "g4:replay:1:0:x",
        "g4:replay:1:0",
    ):
        assert UNKNOWN in private_text(await ana.press_old(custom_id, panel)), custom_id
    for verb, value in (("past:1:0:t:a:hand", "x"), ("past:1:0:t:a:eyes", "9"), ("history:0:0:mine:open", "x")):
        assert UNKNOWN in private_text(await choose_forged(ana, panel, f"g4:{verb}", value)), verb
    assert NO_TABLE in private_text(await ana.press_old("g4:past:99:0:t:a:next", panel))
    assert UNKNOWN in private_text(await ana.press_old("g4:past:1:0:t:a:next", harness.table()))
    reply = await ana.press_old("g4:past:1:999999:t:a:next", panel)
    assert reply.updated
    assert "The match is over." in panel.text


async def test_an_import_takes_a_file(harness: AppHarness) -> None:
    with pytest.raises(NotOffered):
        await harness.people[0].slash(harness.channel, "gang import")
    with pytest.raises(NotOffered):
        await harness.people[0].slash(harness.channel, "gang import", file="a text")
