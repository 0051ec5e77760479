"""Gangs and other moments of a match are shown to everyone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import discord
import pytest

from bot.analysis.gangs import GangPlay, gang_plays
from bot.analysis.hand_reports import HandReport
from bot.engine import MatchStarted, Options, parse_cards
from bot.engine.events import Dealt, Event, HandEnded, Passed, Played, Substituted
from bot.presentation.channel.gang_announcer import GangAnnouncer
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts, mark_of, nonce_in
from bot.presentation.records.pictures import Illustrator
from bot.presentation.table.hand_report import report_message
from bot.presentation.text.cards import faces
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Layout
from bot.presentation.ui.files import Picture
from bot.table.snapshot import Table
from tests.presentation.sample_tables import WORDS, dealt_table, sheets
from tests.presentation.sent_messages import payload, text_of

HANDS = tuple(map(parse_cards, ("1M 4G 4G 4Y 4Y 9G", "3G 7G 7G 7Y 7R 9Y", "8G 8G 8Y 8R 8R 9R")))
FOURS, SEVENS, EIGHTS = HANDS[0][1:5], HANDS[1][1:5], HANDS[2][:5]
PLAYS = (Played(0, HANDS[0][:1]), Played(1, SEVENS), Played(2, EIGHTS))

CAUGHT = "💥 **{}** · 16 × 5 = 80 points"
BACK = "🚀 Ada comes back from last place to first!"


def gangs_after(*events: Event) -> list[GangPlay]:
    match = MatchStarted("days-of-wonder", Options(), ("Ada", "Bo", "Cy"), 0, "", "")
    return gang_plays([match, Dealt(1, 1, HANDS, ()), *events], None)


def test_a_gang_knows_its_player_and_what_it_beat() -> None:
    first, second = gangs_after(Substituted(1, "ai:simple"), *PLAYS)
    assert (first.seat, first.cards, first.by_ai, first.follows) == (1, SEVENS, True, 0)
    assert first.beaten is not None
    assert first.beaten[1].cards == HANDS[0][:1]
    assert (second.seat, second.by_ai, second.follows) == (2, False, 1)
    assert second.beaten is not None
    assert second.beaten[0] == 1


class Channel:
    """A channel that keeps the texts of its messages and their files by nonce, and returns known messages."""

    def __init__(self) -> None:
        self.messages: dict[int, tuple[str, list[str]]] = {}
        self.id = 0

    def may_attach(self, _channel_id: int) -> bool:
        return True

    def get_partial_messageable(self, _channel_id: int) -> "Channel":
        return self

    def get_partial_message(self, message_id: int) -> "Channel":
        self.id = message_id
        return self

    async def send(self, view: Layout, files: Sequence[discord.File], **_: object) -> "Channel":
        self.id = payload(view)[0]["id"]
        self.messages.setdefault(self.id, (text_of(view), [file.filename for file in files]))
        return self

    async def edit(self, view: Layout, attachments: Sequence[discord.File], **_: object) -> None:
        self.messages[self.id] = text_of(view), [file.filename for file in attachments]


class Quick(Illustrator):
    """Draws at once."""

    def __init__(self) -> None:
        super().__init__(None)

    async def of_gang(self, _table: Table, _gang: GangPlay, _words: Words) -> list[Picture]:
        return [Picture("gang.png", b"", "cards")]


async def announced(seconds: float) -> tuple[Table, dict[int, tuple[str, list[str]]]]:
    """Announce two gangs in a row."""
    channel, table = Channel(), dealt_table(*HANDS).after(PLAYS)
    channels = cast("ChannelClient", channel)
    posts = IdempotentPosts(channels)
    announcer = GangAnnouncer(posts, channels, Quick(), seconds)
    for number, gang in enumerate(gangs_after(*PLAYS), 1):
        await announcer.post(table, gang, number, WORDS)
    return table, channel.messages


async def test_a_gang_that_beats_a_gang_replaces_its_message() -> None:
    table, messages = await announced(3600)
    ((mark, (text, files)),) = messages.items()
    assert mark == mark_of(nonce_in(table.row.place_id, f"{table.id}.gang1"))
    assert text.splitlines() == [
        "## 🎉🎆 Gang of Five!",
        f"## {faces(EIGHTS, WORDS)}",
        "**Cy** plays a Gang of Five! Five! The table holds its breath.",
        "Beaten: Gang of Four: 7s by **Bo**.",
        f"-# Table {table.id}",
    ]
    assert files == ["gang.png"]


async def test_a_gang_does_not_wait_for_its_picture() -> None:
    _, messages = await announced(0)
    assert [files for _, files in messages.values()] == [[]]


def test_gangs_after_a_pass_are_two_messages() -> None:
    led = (Played(0, HANDS[0][:1]), Played(1, SEVENS), Passed(2), Passed(0), Played(1, HANDS[1][:1]))
    again = (Played(2, EIGHTS),)
    assert [gang.follows for gang in gangs_after(*led, *again)] == [0, 0]


@pytest.mark.parametrize(
    ("left", "totals", "moments"),
    [
        ((0, 13, 1, 1), (90, 139, 1, 1), []),
        ((0, 14, 1, 1), (90, 156, 1, 1), ["💥 **Bo** · 14 × 4 = 56 points"]),
        ((0, 16, 16, 16), (90, 100, 110, 120), [*map(CAUGHT.format, ("Bo", "Cy", "Di")), BACK]),
    ],
)
def test_a_report_points_out_big_penalties_and_comebacks(
    left: tuple[int, ...], totals: tuple[int, ...], moments: list[str]
) -> None:
    table, report = sheets(4)[0]
    points = tuple(number * {0: 0, 1: 1, 13: 3, 14: 4, 16: 5}[number] for number in left)
    ended = HandEnded(1, 0, left, points, totals)
    seats = tuple(replace(seat, name=name) for seat, name in zip(table.seats, ("Ada", "Bo", "Cy", "Di"), strict=True))
    named = replace(table, row=replace(table.row, seats=seats))
    shown = replace(report, ended=ended, cards_left=((),) * 4, gave=None, moves=())
    assert isinstance(shown, HandReport)
    text = text_of(report_message(named, shown, [ended], WORDS))
    assert [line for line in text.splitlines() if line.startswith(("💥", "🚀"))] == moments
