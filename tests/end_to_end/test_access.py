"""Only players, invited users and those who see its channel can find a table."""

import re
from collections.abc import Sequence

import discord
import pytest

from bot.presentation.ui.custom_ids import LobbyPage, Part, Press, Verb
from bot.table.model import Status
from cogs.guild_settings import GuildSettingsCog
from cogs.privacy import PrivacyCog
from cogs.routing import handlers
from playground.client.person import Person
from playground.client.screen import Reply
from playground.world.model import Channel, InteractionType
from playground.world.permissions import Permission
from tests.cogs.tree import cog_classes, number_options
from tests.end_to_end.app_harness import AppHarness, Player, play_until
from tests.end_to_end.inspection import menu_of, send_raw, shown, stored

NOT_THERE = "There is no such table in this server."
NONE = 99
"""The number of a table that doesn't exist."""
COMPONENT = discord.InteractionType.component
ARGUMENTS: dict[Verb, tuple[tuple[str, ...], ...]] = {
    Verb.HANDS: (("1",), ("1", Part.NEXT)),
    Verb.HAND_WHY: (("n", "", "", "R4"),),
    Verb.REPLAY_HAND: (("1",),),
    Verb.REPLAY: tuple(("t", "a", part) for part in (Part.FIRST, Part.RECORD, Part.VERIFY, Part.MOVING)),
    Verb.PRACTICE_FROM: (("t", "a", Part.PRACTICE),),
    Verb.OPTIONS: ((), (LobbyPage.BASICS,), (LobbyPage.PEOPLE,)),
    Verb.SET_OPTION: ((LobbyPage.BASICS, "size"), (LobbyPage.HOUSE_RULES, "private")),
    Verb.MATCH_MENU: ((), (Part.AGAIN,)),
    Verb.CLOSE: ((Part.OPEN,), (Status.LOBBY,)),
    Verb.PAUSE: ((Part.ON,), (Part.OFF,)),
    Verb.END: ((Part.ON,), (Part.OFF,)),
    Verb.HISTORY: (("mine", Part.OPEN),),
    Verb.PROFILE: (("1", Part.FIGURES),),
    Verb.REMATCH: ((), (Part.NEW_OPTIONS,)),
}
ON_CARDS = (
    Verb.CARD,
    Verb.SORT,
    Verb.LOWEST_PLAY,
    Verb.PLAYS_MENU,
    Verb.PLAY,
    Verb.PLAY_LAST,
    Verb.PASS,
    Verb.DECLARE,
    Verb.GIVE_BACK,
    Verb.UNDO,
    Verb.CANCEL_ORDERS,
)
VALUES = {
    Verb.HISTORY: "{number}",
    Verb.PLAYS_MENU: "k",
    Verb.SET_OPTION: "3",
    Verb.STANDING_ORDERS: "none",
    Verb.REMOVE: "1",
    Verb.INVITE: "1",
}


def _verbs() -> list[Verb]:
    """The verbs of all buttons and menus that name a table."""
    kinds = [kind for kind in cog_classes() if kind not in (GuildSettingsCog, PrivacyCog)]
    found = [
        handler.verb
        for kind in kinds
        for handler in handlers(kind.__new__(kind))
        if handler.kind is discord.InteractionType.component
        and handler.verb is not Verb.PLAY_AI  # it opens another table
    ]
    assert len(found) == len(set(found)) > 60
    return sorted(found)


def _hidden(harness: AppHarness, *people: Person) -> Channel:
    """A channel that only these people and the app see."""
    hidden = harness.guild.channel("back room")
    hidden.deny(harness.guild.everyone, Permission.VIEW_CHANNEL)
    for person in (*people, harness.world.bot):
        hidden.allow(person, Permission.VIEW_CHANNEL)
    return hidden


async def _lobby(harness: AppHarness, **options: object) -> Channel:
    """A lobby of Ana in a hidden channel, which Ben sees, too."""
    ana, ben, *_ = harness.people
    hidden = _hidden(harness, ana, ben)
    with harness.in_channel(hidden, [ana, ben]):
        await harness.open_table(ana, seats=3, **options)
    return hidden


async def _match(harness: AppHarness, *, ended: bool = False) -> Channel:
    """A match of Ana and Ben in a hidden channel: it is over, or its second hand waits for one of them."""
    ana, ben, *_ = harness.people
    hidden = await _lobby(harness, target=1 if ended else 1000)
    with harness.in_channel(hidden, [ana, ben]):
        await harness.seat([ben], ai_players=1)
        await harness.start_match()
        players = [Player(harness, person) for person in (ana, ben)]
        await play_until(
            harness, players, lambda: harness.is_over() if ended else _awaits_player(harness.table(ana).text, players)
        )
    return hidden


def _awaits_player(table: str, players: Sequence[Player]) -> bool:
    """The second hand is under way, and no AI is about to act."""
    return "Hand 2" in table and any(player.must_act() for player in players)


async def _press(harness: AppHarness, person: Person, verb: Verb, number: int, arguments: tuple[str, ...]) -> Reply:
    """Press a button or menu of a table from an own panel."""
    panels = [message for message in person.sees(harness.channel) if message.ephemeral]
    panel = panels[-1] if panels else shown(await person.slash(harness.channel, "gang help"))
    arguments = ("n", "", "", "5", "0") if verb in ON_CARDS else arguments
    value = VALUES.get(verb, "1").format(number=number)
    data = {"custom_id": str(Press(verb, number, 0, arguments)), "component_type": 3, "values": [value]}
    return await send_raw(person, InteractionType.COMPONENT, harness.channel, data, panel)


def _said(reply: Reply) -> tuple[str, object]:
    """A reply, without the numbers of the table and of the interaction."""
    assert reply.failed is None, reply
    text = "" if reply.message is None else re.sub(r"\d+", "#", reply.message.text)
    assert "Something broke" not in text
    return text, reply.updated


async def _has_no_way(harness: AppHarness, person: Person) -> None:
    """Nothing reveals table 1: every answer is the same as for a table that doesn't exist."""
    before, refused = stored(harness), 0
    for verb in _verbs():
        for arguments in ARGUMENTS.get(verb, ((),)):
            there, nowhere = [_said(await _press(harness, person, verb, number, arguments)) for number in (1, NONE)]
            assert there == nowhere, (verb, arguments)
            refused += NOT_THERE in there[0]
    assert refused > 35
    for command, option in number_options().items():
        assert _said(await person.slash(harness.channel, f"gang {command}", **{option: 1}))[0] == NOT_THERE, command
    for command in ("list", "turns", "hand", "history"):
        assert not re.search(r"Ana|Ben|table 1\b", _said(await person.slash(harness.channel, f"gang {command}"))[0])
    assert stored(harness) == before


@pytest.mark.parametrize("stage", ["in the lobby", "in play", "over"])
async def test_a_stranger_finds_no_table_of_a_hidden_channel(harness: AppHarness, stage: str) -> None:
    await (_lobby(harness) if stage == "in the lobby" else _match(harness, ended=stage == "over"))
    await _has_no_way(harness, harness.people[3])


async def test_a_user_in_another_server_finds_no_table(harness: AppHarness) -> None:
    await harness.open_table(harness.people[0], seats=3)
    elsewhere = harness.world.guild("Other House")
    eve = harness.world.person("Eve", permissions=Permission.ADMINISTRATOR, guilds=[elsewhere])
    harness.channel = elsewhere.channel("games")
    await _has_no_way(harness, eve)


async def test_managing_the_server_shows_no_hidden_table(harness: AppHarness) -> None:
    await _match(harness)
    mod = harness.world.person("Mod", permissions=Permission.MANAGE_GUILD, guilds=[harness.guild])
    for verb in (Verb.HANDS, Verb.TOTALS, Verb.MATCH_MENU, Verb.HAND, Verb.JOIN, Verb.REPLAY_HAND, Verb.SHOW_TABLE):
        reply = await _press(harness, mod, verb, 1, ("1",) if verb in (Verb.HANDS, Verb.REPLAY_HAND) else ())
        assert _said(reply)[0] == NOT_THERE, verb
    for command, option in number_options().items():
        assert _said(await mod.slash(harness.channel, f"gang {command}", **{option: 1}))[0] == NOT_THERE, command
    assert "No table is open" in _said(await mod.slash(harness.channel, "gang list"))[0]


async def test_users_who_may_know_of_a_table_reach_it_from_anywhere(harness: AppHarness) -> None:
    ana, ben, cleo, dan = harness.people
    hidden = await _lobby(harness)
    with harness.in_channel(hidden, [ana, ben]):
        options = shown(await ana.click(harness.table(ana), "Options"))
        await ana.click(options, custom_id="g4:options:1:0:people")
        await ana.select(options, cleo, custom_id=menu_of(options, "invite"))
    boss = harness.world.person("Boss", permissions=Permission.ADMINISTRATOR, guilds=[harness.guild])
    role = harness.guild.role("friends", Permission(0), dan)
    assert "you are invited" in _said(await cleo.slash(harness.channel, "gang turns"))[0]
    for person, knows in ((boss, True), (dan, False)):
        assert (
            "table 1" in _said(await person.slash(harness.channel, "gang list"))[0].lower().replace("#", "1")
        ) is knows
    hidden.allow(role, Permission.VIEW_CHANNEL)
    assert "Table #" in _said(await dan.slash(harness.channel, "gang list"))[0]
    for person in (cleo, dan):
        assert NOT_THERE not in _said(await _press(harness, person, Verb.JOIN, 1, ()))[0]
    hidden.deny(cleo, Permission.VIEW_CHANNEL)
    assert "has not started" in _said(await _press(harness, cleo, Verb.HAND, 1, ()))[0]


async def test_boards_and_profiles_name_members_but_no_hidden_channel_and_no_match(harness: AppHarness) -> None:
    """They are for the whole server, as docs/security.md says."""
    hidden = await _match(harness, ended=True)
    ana, *_, dan = harness.people
    board = shown(await dan.slash(harness.channel, "gang leaderboard"))
    profile = shown(await dan.slash(harness.channel, "gang profile", person=ana))
    kind = next(menu for menu in board.selects if any(option.label == "All matches" for option in menu.options))
    every = next(option.value for option in kind.options if option.label == "All matches")
    await dan.select(board, every, custom_id=kind.custom_id)
    assert "Ana" in board.text
    assert "Ana" in profile.text
    two = shown(await dan.slash(harness.channel, "gang profile", against=ana))
    answers = [
        board,
        profile,
        two,
        shown(await dan.slash(harness.channel, "gang history", whose="the matches of this channel")),
    ]
    for verb in (Verb.CURVE, Verb.PENALTIES, Verb.PROFILE):
        for more in ((), (Part.FIGURES,), (Part.TITLES,)):
            press = Press(verb, 0, 0, (str(ana.id), *more))
            answers.append(shown(await dan.press_old(str(press), profile)))
    answers.append(shown(await dan.press_old(str(Press(Verb.MAP)), profile)))
    for answer in answers:
        assert str(hidden.id) not in str(answer.raw), answer.text
        assert not re.search(r"[Tt]able \d", answer.text)
        assert all(Press.parse(button.custom_id).table == 0 for button in answer.buttons if button.custom_id)
