"""Results of hands are posted in time; late pictures are added to them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import discord
import pytest

from bot.engine.events import HandEnded
from bot.presentation.channel.hand_reporter import HandReporter
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts, mark_of, nonce_in
from bot.presentation.records.pictures import Illustrator
from bot.presentation.ui.components import Layout
from bot.presentation.ui.files import Picture
from bot.services.archive import Archive
from tests.presentation.sample_tables import WORDS, sheets
from tests.presentation.sent_messages import payload

PATIENT, IMPATIENT = 3600.0, 0.0


@dataclass
class Channel:
    """A channel that keeps its messages by number."""

    messages: list[tuple[Layout, list[str]]] = field(default_factory=list)
    fails: bool = False
    id: int = 0

    def may_attach(self, _channel_id: int) -> bool:
        return True

    def get_partial_messageable(self, _channel_id: int, /) -> discord.PartialMessageable:
        return cast("discord.PartialMessageable", self)

    async def send(self, view: Layout, files: Sequence[discord.File], **_: object) -> "Channel":
        if self.fails:
            raise ConnectionResetError
        self.messages.append((view, [file.filename for file in files]))
        self.id = len(self.messages)
        return self

    def get_partial_message(self, message_id: int) -> "Channel":
        assert message_id == len(self.messages)
        return self

    async def edit(self, view: Layout, attachments: Sequence[discord.File], **_: object) -> None:
        if self.fails:
            raise TimeoutError
        self.messages[-1] = view, [file.filename for file in attachments]


class Hands(Archive):
    """Has no hands."""

    def __init__(self) -> None:
        pass

    async def hands(self, *_: object) -> list[HandEnded]:
        return [report.ended for _, report in sheets(4)]


class Easel(Illustrator):
    """Draws when it is released."""

    def __init__(self) -> None:
        super().__init__(None)
        self.may_draw = asyncio.Event()
        self.given_up = False

    async def of_ending(self, *_: object) -> list[Picture]:
        try:
            await self.may_draw.wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise
        return [Picture("end.png", b"", "all points")]


@pytest.fixture
def channel() -> Channel:
    return Channel()


@pytest.fixture
def easel() -> Easel:
    return Easel()


def reporter_of(channel: Channel, easel: Easel, picture_timeout: float) -> HandReporter:
    channels = cast("ChannelClient", channel)
    return HandReporter(
        Hands(),
        IdempotentPosts(channels),
        channels,
        easel,
        picture_timeout,
    )


async def post(reporter: HandReporter, hand: int = -1) -> int:
    """Post the result of a hand, by default of the last one. Returns the mark of the message."""
    table, report = sheets(4)[hand]
    await reporter.post(table, report, WORDS)
    return mark_of(nonce_in(table.row.place_id, f"{table.id}.hand{report.ended.hand}"))


async def settle() -> None:
    """Run all tasks that can continue."""
    for _ in range(10):
        await asyncio.sleep(0)


def shown(channel: Channel) -> tuple[int, int, list[str]]:
    """The mark of the only message, the number of its galleries, and its files."""
    ((view, files),) = channel.messages
    box = payload(view)[0]
    return box["id"], sum(part["type"] == 12 for part in box["components"]), files


async def test_pictures_that_are_drawn_in_time_are_posted_with_the_result(channel: Channel, easel: Easel) -> None:
    easel.may_draw.set()
    mark = await post(reporter_of(channel, easel, PATIENT))
    assert shown(channel) == (mark, 1, ["end.png"])


async def test_a_result_has_pictures_at_the_end_of_the_match_only(channel: Channel, easel: Easel) -> None:
    easel.may_draw.set()
    mark = await post(reporter_of(channel, easel, PATIENT), 0)
    assert shown(channel) == (mark, 0, [])


async def test_a_result_does_not_wait_for_its_pictures(channel: Channel, easel: Easel) -> None:
    mark = await post(reporter_of(channel, easel, IMPATIENT))
    assert shown(channel) == (mark, 0, [])
    easel.may_draw.set()
    await settle()
    assert shown(channel) == (mark, 1, ["end.png"])


async def test_late_pictures_that_cannot_be_added_leave_the_result_in_text(
    channel: Channel, easel: Easel, caplog: pytest.LogCaptureFixture
) -> None:
    mark = await post(reporter_of(channel, easel, IMPATIENT))
    channel.fails = True
    easel.may_draw.set()
    await settle()
    assert shown(channel) == (mark, 0, [])
    assert "without its pictures" in caplog.text


async def test_pictures_that_cannot_be_posted_are_not_drawn(channel: Channel, easel: Easel) -> None:
    channel.fails = True
    with pytest.raises(ConnectionResetError):
        await post(reporter_of(channel, easel, IMPATIENT))
    await settle()
    assert easel.given_up


async def test_closing_gives_up_late_pictures(channel: Channel, easel: Easel) -> None:
    reporter = reporter_of(channel, easel, IMPATIENT)
    mark = await post(reporter)
    await settle()
    await reporter.close()
    assert easel.given_up
    assert shown(channel) == (mark, 0, [])
