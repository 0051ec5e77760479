"""Finished matches: listed, replayed, exported, imported and verified."""

import gzip
import re
from collections.abc import Awaitable
from pathlib import Path

from bot.engine.events import HandEnded
from bot.engine.record import read, write
from bot.engine.verification import verify
from bot.table.limits import RATES, Action
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from playground.components import ComponentType, flatten
from tests.end_to_end.app_harness import AppHarness, Player, can_press, play_to_the_end, play_until, running_app
from tests.end_to_end.inspection import choose, choose_forged, private_text, record_of

RECORD = Path(__file__).parents[1] / "engine" / "records" / "days-of-wonder-4.jsonl"
EXPORTS_A_MINUTE = next(rate.number for rate in RATES if rate.action is Action.EXPORT)
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


async def _changed(person: Person, panel: SeenMessage, press: Awaitable[Reply]) -> None:
    """Wait until a press in a panel has changed it: while the app does other work, it answers later."""
    before = panel.raw["components"]
    if (await press).deferred:
        await person.until(lambda: panel.raw["components"] != before)


async def _open(harness: AppHarness, person: Person, number: int = 1) -> SeenMessage:
    return await _answer(await person.slash(harness.channel, "gang history", number=number))


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
    opened = await _answer(await dan.select(here, "1"))
    assert opened.text.startswith("### Table 1 · hand 1")
    assert "doesn't work any more" in private_text(await dan.press_old("g4:past:1:0:t:a:next", harness.table()))
    await dan.click(here, "Your matches in this server")
    assert "You haven't finished a match here yet" in here.text
    elsewhere = harness.guild.channel("elsewhere")
    assert "No match" in private_text(await ana.slash(elsewhere, "gang history", whose="channel"))
    found = await _answer(await ana.slash(elsewhere, "gang history", number=1))
    assert found.text == (await _open(harness, ana)).text


async def test_a_replay_continues_after_a_restart(harness: AppHarness) -> None:
    ana, *_ = harness.people
    await _played(harness, target=12)
    events = [line.event for line in record_of(harness)]
    ends = [event for event in events if isinstance(event, HandEnded)]
    panel = await _open(harness, ana)
    assert "The cards are dealt." in panel.text
    assert panel.text.count("**Ana**: ") == 1
    assert not can_press(panel, "◀ Back")
    await _changed(ana, panel, ana.click(panel, "Next ▶"))
    assert "led: " in panel.text

    await harness.kill_app()
    await harness.start_app()

    await _changed(ana, panel, ana.click(panel, "Last"))
    assert "**The match is over.**" in panel.text
    assert re.search(r"🥇 1\. ", panel.text)
    assert not can_press(panel, "Next ▶")
    await _changed(ana, panel, ana.click(panel, "◀ Back"))
    assert "wins the hand" in panel.text
    await _changed(ana, panel, choose(ana, panel, "As seen by Ben"))
    assert [name for name in ("Ana", "Ben", "Cleo") if f"**{name}**: " in panel.text] in ([], ["Ben"])
    await _changed(ana, panel, ana.click(panel, "First"))
    assert panel.text.startswith("### Table 1 · hand 1")
    assert "**Ben**: " in panel.text
    assert "**Ana**: " not in panel.text
    if len(ends) > 1:
        await _changed(ana, panel, ana.click(panel, "Hand ▶"))
        assert panel.text.startswith("### Table 1 · hand 2")
        assert "🔁 Exchange: " in panel.text
        await _changed(ana, panel, choose(ana, panel, "Hand 1"))
        assert panel.text.startswith("### Table 1 · hand 1")


async def test_a_match_can_be_downloaded_as_record_and_text(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    panel = await _open(harness, ben)
    record = await _answer_of(ben, await choose(ben, panel, "Record"))
    lines = read(_content(record, "table-1.jsonl"))
    assert lines == record_of(harness)
    (shown,) = [part for part in flatten(record.raw["components"]) if part["type"] == ComponentType.FILE]
    assert (shown["name"], shown["size"]) == ("table-1.jsonl", len(_content(record, "table-1.jsonl").encode()))
    assert verify(lines).hand_number >= 1
    text = _content(await _answer_of(ben, await choose(ben, panel, "As text")), "table-1.txt")
    assert text.startswith("Gang of Four · table 1\n")
    assert text.count(" wins the hand.") == verify(lines).hand_number
    assert all(name in text for name in (ana.name, ben.name, verify(lines).match.salt))
    assert "**" not in text


async def test_the_coach_asks_whose_moves_and_says_that_it_is_getting_ready(tmp_path: Path) -> None:
    async with running_app(tmp_path, AI_WORKER="true") as harness:
        ana, record = harness.people[0], ("match.jsonl", RECORD.read_bytes())
        brought = await _answer_of(ana, await ana.slash(harness.channel, "gang history", file=record))
        for asked in (await ana.click(brought, "Coach"), await choose(ana, brought, "Coach: whole match")):
            question = await _answer_of(ana, asked)
            assert question.text == "Whose moves should the coach review?"
        answer = await _answer_of(ana, await ana.click(question, "Cy"))
        assert "the coach is getting ready" in answer.text


async def test_a_choice_in_the_menu_of_buttons_is_a_press_of_one(tmp_path: Path) -> None:
    async with running_app(tmp_path, LIMITS_SCALE="1") as harness:
        ana, record = harness.people[0], ("match.jsonl", RECORD.read_bytes())
        panel = await _answer_of(ana, await ana.slash(harness.channel, "gang history", file=record))
        for value in ("g4:buttons:0:0", "g4:nothing:1:0", "7"):
            forged = await choose_forged(ana, panel, "g4:buttons:0:0", value)
            assert "doesn't work any more" in private_text(forged), value
        for _ in range(EXPORTS_A_MINUTE):
            assert "record of the match" in (await _answer_of(ana, await choose(ana, panel, "Record"))).text
        assert "Try again in" in private_text(await choose(ana, panel, "Record"))


async def test_only_finished_hands_of_a_running_match_can_be_replayed(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    await harness.begin_match(3, target=1000)
    still = "This match is still running; its record is available when it is over."
    assert still in private_text(await dan.slash(harness.channel, "gang history", number=1))
    players = [Player(harness, person) for person in (ana, ben, cleo)]
    await play_until(
        harness, players, lambda: any("hand 1 is over" in message.text for message in harness.messages(dan))
    )
    (report,) = [message for message in harness.messages(dan) if "hand 1 is over" in message.text]
    hands = await _answer(await dan.click(report, "All hands"))
    panel = await _answer(await dan.click(hands, "Move by move"))
    assert panel.text.startswith("### Table 1 · hand 1")
    await dan.click(panel, "Last")
    assert "wins the hand" in panel.text
    steps = ["First", "◀ Back", "Next ▶", "Last", "◀ Hand", "Hand ▶", "Post here"]
    assert [button.label for button in panel.buttons] == steps
    (menu,) = panel.selects
    assert [option.label for option in menu.options] == [
        *(f"As seen by {name}" for name in ["Ana", "Ben", "Cleo"]),
        "Play from here",
    ]
    for what in ("record", "text", "verify"):
        assert still in (await _answer_of(dan, await dan.press_old(f"g4:past:1:0:t:a:{what}", panel))).text


async def test_an_imported_record_can_be_replayed(harness: AppHarness) -> None:
    ana, ben, *_ = harness.people
    await _played(harness)
    record = write(record_of(harness))
    brought = await _answer_of(
        ana, await ana.slash(harness.channel, "gang history", file=("match.jsonl", record.encode()))
    )
    assert brought.text.startswith("### Imported match · hand 1")

    await harness.kill_app()
    await harness.start_app()

    await ana.click(brought, "Next ▶")
    await ana.until(lambda: "led: " in brought.text)
    assert _content(await _answer_of(ana, await choose(ana, brought, "Record")), "match.jsonl") == record
    checked = await _answer_of(ana, await choose(ana, brought, "Check the deals"))
    assert "✅ Everything matches" in checked.text
    foreign = await _open(harness, ben)
    gone = "This record has expired. `/gang history` reads it again."
    assert gone in private_text(await ben.press_old("g4:past:1:0:i:a:next", foreign))
    assert "Leaderboard" in private_text(await ana.slash(harness.channel, "gang leaderboard"))
    listed = await _answer(await ana.slash(harness.channel, "gang history"))
    assert listed.text.count("**Table ") == 1


async def test_a_file_without_a_record_is_refused_in_a_sentence(harness: AppHarness) -> None:
    ana = harness.people[0]
    for content, expected in (
        (b"hello\n", "Line 1 is not a line of a record.\n-# `this is not JSON`"),
        (b"", "Line 1: the record ends here, but the match is not over."),
        (b" " * 300_000, "This file is too long for a record: at most 256 KB."),
        (gzip.compress(b"0" * 20_000_000), "`this is not text in UTF-8`"),
    ):
        refused = await _answer_of(ana, await ana.slash(harness.channel, "gang history", file=("notes.txt", content)))
        assert expected in refused.text
