"""The app's posts against the playground, where a nonce holds for all channels and longer than its message."""

from dataclasses import replace
from typing import cast

import discord
import pytest

from bot.engine import parse_cards
from bot.presentation.channel.idempotent_posts import ChannelClient, IdempotentPosts, nonce_in
from bot.presentation.ui.components import Call, Layout, button
from bot.table.snapshot import Table
from playground import Channel, Person, Playground
from tests.playground.conftest import Launch, TestApp
from tests.presentation.sample_tables import dealt_table

NONCE_LENGTH = 25
"""Discord's limit."""


@pytest.fixture
async def posts(launch: Launch) -> IdempotentPosts:
    app = TestApp()

    @app.tree.command(description="Does nothing.")  # the playground waits for a command
    async def idle(_: discord.Interaction) -> None:
        pass

    await launch(app)
    return IdempotentPosts(cast("ChannelClient", app))


@pytest.fixture
def table(channel: Channel) -> Table:
    found = dealt_table(parse_cards("1M"), parse_cards("2G"), parse_cards("3G"))
    return replace(found, row=replace(found.row, channel_id=channel.id, thread_id=None))


async def test_the_same_post_is_made_once_in_each_place(
    world: Playground, posts: IdempotentPosts, table: Table, channel: Channel, ana: Person
) -> None:
    assert channel.guild
    other = channel.guild.channel("other")
    here = {await posts.post(table, Layout("the table"), "1.table") for _ in range(2)}
    there = await posts.post(table, Layout("the table"), "1.table", place_id=other.id)
    assert [message.id for message in ana.sees(channel)] == [*here]
    assert [message.id for message in ana.sees(other)] == [there]


async def test_a_post_is_made_again_after_a_moderator_has_deleted_it(
    world: Playground, posts: IdempotentPosts, table: Table, channel: Channel, ana: Person
) -> None:
    first = await posts.post(table, Layout("a gang"), "1.gang1")
    await posts.delete(channel.id, first)
    second = await posts.post(table, Layout("a gang"), "1.gang1")
    assert [message.id for message in ana.sees(channel)] == [second] != [first]


async def test_a_push_notification_shows_the_text_of_a_call_only(
    world: Playground, posts: IdempotentPosts, table: Table, channel: Channel, ana: Person
) -> None:
    await posts.post(table, Call("Your turn!", button("x", "My hand")), "1.call")
    await posts.post(table, Layout("Your turn!"), "1.layout")
    assert [message.content for message in ana.sees(channel)] == ["Your turn!", ""]


def test_a_nonce_with_its_place_is_short_enough() -> None:
    table, snowflake = 9_999_999, 2**63 - 1
    for nonce in (
        f"{table}.table",
        f"new{snowflake:x}",
        f"{table}.9999.4fffff",
        f"{table}.comparison",
        "s9999.9999999999",
        "2026-W53",
    ):
        assert len(nonce_in(snowflake, nonce)) <= NONCE_LENGTH
