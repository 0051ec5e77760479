"""Permissions from roles, overwrites and threads."""

import pytest

from playground import Guild, Permission, Playground
from playground.world.effective_permissions import channel_permissions, guild_permissions

VIEW, SEND, PIN = Permission.VIEW_CHANNEL, Permission.SEND_MESSAGES, Permission.PIN_MESSAGES


@pytest.fixture
def guild(world: Playground) -> Guild:
    return world.guild("Tea House")


def test_members_have_the_ordinary_permissions(world: Playground, guild: Guild) -> None:
    ana = world.person("Ana")
    assert guild_permissions(guild, guild.members[ana.id]) == Permission.ordinary()


def test_owners_and_administrators_have_all_permissions(world: Playground, guild: Guild) -> None:
    chief = world.person("Chief", permissions=Permission.ADMINISTRATOR)
    channel = guild.channel("games")
    channel.deny(chief, VIEW)
    for user in (world.owner, chief):
        assert channel_permissions(guild, guild.members[user.id], channel) == Permission.everything()


def test_overwrites_apply_to_everyone_then_roles_then_the_member(world: Playground, guild: Guild) -> None:
    ana, channel = world.person("Ana"), guild.channel("games")
    member = guild.members[ana.id]
    role = guild.role("players", Permission(0), ana)
    channel.deny(guild.everyone, SEND)
    assert not channel_permissions(guild, member, channel) & SEND
    channel.allow(role, SEND)
    assert channel_permissions(guild, member, channel) & SEND
    channel.deny(ana, SEND)
    assert not channel_permissions(guild, member, channel) & SEND


def test_hidden_channels_grant_no_permissions(world: Playground, guild: Guild) -> None:
    ana, channel = world.person("Ana", permissions=PIN), guild.channel("games")
    assert world.permissions(ana, channel) & PIN
    channel.deny(ana, VIEW)
    assert not world.permissions(ana, channel)


def test_non_members_have_no_permissions(world: Playground, guild: Guild) -> None:
    stranger = world.person("Eve", guilds=[])
    assert not world.permissions(stranger, guild.channel("games"))
    guild.add(stranger)
    assert world.permissions(stranger, guild.channel("more games")) & VIEW
    guild.remove(stranger)
    assert not world.permissions(stranger, guild.channel("even more games"))


def test_people_get_their_privileges_in_later_guilds(world: Playground) -> None:
    ana = world.person("Ana", permissions=PIN)
    channel = world.guild("Tea House").channel("games")
    assert world.permissions(ana, channel) & PIN
