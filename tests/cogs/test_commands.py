"""The commands as Discord gets them, from the real client with every cog, without a network."""

import re
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import discord
import pytest

from bot.discord_client.client import CatalogTranslator, GangBot, _mentions
from bot.players.levels import Level
from bot.presentation.channel.notices import current_notice
from bot.presentation.help.comparison import EXAMPLE, comparison_message
from bot.presentation.help.guide import (
    AFTER_A_MATCH,
    ALONE,
    AT_A_TABLE,
    COMMANDS,
    PLAY,
    arrival_message,
    help_message,
    more_help_message,
)
from bot.presentation.help.lessons import LESSONS
from bot.presentation.help.rulebook import rules_message
from bot.presentation.help.tutorial import after_press, opening_page, tutorial_message
from bot.presentation.records.leaderboard import LeaderboardState, leaderboard_message
from bot.presentation.records.profile import all_figures_message, profile_message
from bot.presentation.settings.guild_settings import (
    GuildSettingsState,
    guild_settings_message,
    season_confirmation,
    season_form,
)
from bot.presentation.settings.privacy import deletion_message, privacy_message
from bot.presentation.settings.user_settings import FORMS, user_settings_form, user_settings_message
from bot.presentation.table.closing import closing_form, hidden_closing_message
from bot.presentation.table.cut import cut_form
from bot.presentation.table.daily import daily_offer_message
from bot.presentation.table.hand import hand_message
from bot.presentation.table.lists import list_message, pending_message
from bot.presentation.table.lobby_options import lobby_options_message
from bot.presentation.table.match_menu import match_menu_message
from bot.presentation.table.message import table_message
from bot.presentation.table.practice import practice_menu_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import SOURCE, languages, words_in
from bot.presentation.ui.components import Layout
from bot.presentation.ui.custom_ids import GuildPage, LobbyPage, Part, Press, Verb
from bot.services.daily import Offer
from bot.services.open_tables import PAGE_SIZE as PAGE_OF_TABLES
from bot.services.open_tables import Listed, Page
from bot.table.guild import GuildSettings, PostInterval, Schedule, Season
from bot.table.model import Seat, Status
from bot.table.snapshot import Table
from bot.table.user import StoredCounts, UserSettings
from cogs.routing import handlers
from tests.cogs.tree import all_commands
from tests.presentation.catalogs import template
from tests.presentation.sample_tables import WORDS, at_every_stage, people, random_tables, row
from tests.presentation.sent_messages import pressable, text_of
from tests.presentation.test_profile import HELD, LONGEST

MAX_SUBCOMMANDS = 14
"""Discord allows 25, but nobody reads such a list."""


async def commands_of(client: GangBot, name: str = "gang") -> dict[str, Any]:
    """A command and its subcommands as they are sent to Discord."""
    command = client.tree.get_command(name)
    assert command is not None
    return await command.get_translated_payload(client.tree, CatalogTranslator())


async def test_every_command_of_a_cog_is_one_of_the_group(client: GangBot) -> None:
    family = await commands_of(client)
    assert {command["name"] for command in family["options"]} == all_commands().keys() - {PLAY}
    assert len(family["options"]) <= MAX_SUBCOMMANDS


async def test_the_commands_of_a_user_are_those_that_one_person_needs(client: GangBot) -> None:
    alone = await commands_of(client, "gof")
    assert {command["name"] for command in alone["options"]} == {PLAY, "help", *ALONE}
    assert alone["contexts"] == [0, 1, 2]  # GUILD, BOT_DM, PRIVATE_CHANNEL
    assert alone["integration_types"] == [1]  # USER_INSTALL


async def test_no_command_requires_an_argument(client: GangBot) -> None:
    family = await commands_of(client)
    options = [option for command in family["options"] for option in command["options"]]
    assert not any(option.get("required") for option in options)


async def test_tables_are_for_servers_only(client: GangBot) -> None:
    family = await commands_of(client)
    assert family["contexts"] == [0]  # GUILD
    assert family["integration_types"] == [0]  # GUILD_INSTALL


async def test_the_apps_menu_has_few_commands_with_short_names_in_every_language(client: GangBot) -> None:
    found = dict[discord.AppCommandType, list[dict[str, Any]]]()
    for command in client.tree.get_commands():
        sent: dict[str, Any] = await command.get_translated_payload(client.tree, CatalogTranslator())
        assert sent["name"] == "gof" or (sent["contexts"], sent["integration_types"]) == ([0], [0])
        found.setdefault(discord.AppCommandType(sent["type"]), []).append(sent)
    of_people, of_messages = found[discord.AppCommandType.user], found[discord.AppCommandType.message]
    assert {each["name"] for each in of_people} == {"Profile", "Compare with me", "Invite to my table"}
    assert {each["name"] for each in of_messages} == {"My hand"}
    locales = {locale.value for locale in discord.Locale if words_in(locale.value).language != SOURCE}
    for menu in (of_people, of_messages):
        assert all(each["name_localizations"].keys() <= locales for each in menu)  # others have no translation yet
        for locale in locales:
            names = [each["name_localizations"].get(locale, each["name"]) for each in menu]
            assert len(set(names)) == len(names)
            assert all(1 <= len(name) <= 32 for name in names)


async def test_names_and_descriptions_keep_to_discords_limits(client: GangBot) -> None:
    for family in (await commands_of(client), await commands_of(client, "gof")):
        check_family(family)


def check_family(family: dict[str, Any]) -> None:
    for command in (family, *family["options"]):
        check_named(command)
        for option in command.get("options", []) if command is not family else []:
            check_named(option)
            assert len(option.get("choices", [])) <= 25
            assert all(1 <= len(choice["name"]) <= 100 for choice in option.get("choices", []))
    assert total(family) <= 8000


def check_named(thing: dict[str, Any]) -> None:
    for name in (thing["name"], *(thing.get("name_localizations") or {}).values()):
        assert re.fullmatch(r"[-_'\w]{1,32}", name)
        assert name == name.lower()
    texts = [thing["description"], *(thing.get("description_localizations") or {}).values()]
    assert all(1 <= len(text) <= 100 for text in texts)


def total(command: dict[str, Any]) -> int:
    """The characters that Discord counts: the longest names, descriptions and values."""
    lengths = [
        max(map(len, [command.get(field, ""), *(command.get(f"{field}_localizations") or {}).values()]))
        for field in ("name", "description")
    ]
    lengths += [len(str(choice["value"])) + len(choice["name"]) for choice in command.get("choices", [])]
    return sum(lengths) + sum(map(total, command.get("options", [])))


def messages_of_a_match(table: Table) -> list[Layout]:
    """The buttons of a running match, apart from cards."""
    notice = current_notice(table, WORDS)
    ordered = replace(table, row=table.row.with_seat(0, replace(table.seats[0], orders="pass")))
    hands = [hand_message(each, user, HandState(), WORDS) for each in (table, ordered) for user in (101, 102, 103)]
    turns = pending_message([Listed(table)], 101, WORDS, lambda _: False, [table])
    more = [table_message(table, WORDS.with_page()), match_menu_message(table, 101, 2**43, WORDS), turns, *hands]
    return more if notice is None else [*more, notice.view(notice.user_ids)]


async def test_every_button_of_every_message_has_a_handler(client: GangBot) -> None:
    handled = [handler.verb for cog in client.cogs.values() for handler in handlers(cog)]
    assert len(handled) == len(set(handled))
    pressed = {
        Verb.CONCEDE,
        Verb.OPTIONS,
        Verb.HANDS,
        Verb.REPLAY_HAND,
        Verb.SHEET,
    }  # the cogs send these in their answers
    pressed |= {
        Verb.HISTORY,
        Verb.REPLAY,
        Verb.COACH,
        Verb.PRACTICE_FROM,
        Verb.PRACTICE_HAND,
        Verb.COACH_MATCH,
        Verb.PUZZLE_HAND,
        Verb.DAILY,
    }  # and these in panels with tests of their own
    with_ai = Table(row((*people("Ada"), Seat("Jade", ai_level="club"))))
    pressed |= {
        Press.parse(custom_id).verb
        for custom_id in pressable(lobby_options_message(with_ai, LobbyPage.PEOPLE, with_ai.row.host_id, WORDS))
    }
    for number, table in enumerate(random_tables(2, 3)):
        if number % 4 and table.row.status is Status.PLAYING:
            continue
        messages = [lobby_options_message(table, page, table.row.host_id, WORDS) for page in LobbyPage]
        if table.row.status is not Status.PLAYING or table.public is not None:
            messages.append(table_message(table, WORDS))
        if table.public is not None:
            for user in (101, 102, 103):
                view = table.view_of(user)
                messages += [hand_message(table, user, HandState(view.hand[:-1]), WORDS)]
        if table.row.status is Status.PLAYING and table.public is not None:
            messages += [message for stage in at_every_stage(table) for message in messages_of_a_match(stage)]
        pressed |= {Press.parse(custom_id).verb for message in messages for custom_id in pressable(message)}
    day = date(2026, 12, 24)
    settings = UserSettings(away=(day, day))
    now = datetime(2026, 12, 1)  # noqa: DTZ001  # what clocks show
    panels = [
        rules_message(WORDS),
        more_help_message(WORDS, has_table=True, has_match=True),
        table_message(Table(row(people("Ada"))), WORDS),
        hidden_closing_message(Table(row(people("Ada"))), WORDS),
        list_message(Page([], 3 * PAGE_OF_TABLES, 1), 1, WORDS, lambda _: False),
        comparison_message(EXAMPLE, WORDS),
        user_settings_message(settings, now, WORDS, suggestions=["UTC"], may_manage=True),
        *every_server_panel(),
        privacy_message(StoredCounts(1, 1, 1), WORDS, hidden=True),
        deletion_message(WORDS),
        daily_offer_message(Offer("2026-12-24", "00" * 32, 0), WORDS),
        leaderboard_message(LeaderboardState(), [], 1, WORDS),
        practice_menu_message(None, Level.CLUB, WORDS),
        profile_message(LONGEST, HELD, 1, WORDS),
        all_figures_message(LONGEST, HELD, 1, WORDS),
        arrival_message(WORDS),
    ]
    pressed |= {Press.parse(custom_id).verb for panel in panels for custom_id in pressable(panel)}
    shown = [
        after_press(Press(Verb.TUTORIAL_SHOW, 0, step, HandState().arguments()), step, WORDS)
        for step in range(len(LESSONS) + 1)
    ]
    panels = [tutorial_message(page, WORDS) for page in shown]
    pressed |= {Press.parse(custom_id).verb for panel in panels for custom_id in pressable(panel)}
    pressed |= {Press.parse(user_settings_form(name, settings, 1, WORDS).custom_id).verb for name in FORMS}
    pressed.add(Press.parse(season_form(1, WORDS).custom_id).verb)
    pressed.add(Press.parse(closing_form(1, WORDS).custom_id).verb)
    pressed.add(Press.parse(cut_form(Table(row(people("Ada"))), 101, 1, WORDS).custom_id).verb)
    assert pressed == set(handled)


def test_texts_name_only_buttons_of_messages_in_their_language() -> None:
    """Messages in channels are in the server's language, private ones in their reader's, and so are their buttons."""
    public: list[Layout] = []
    private = [daily_offer_message(Offer("2026-12-24", "00" * 32, 0), WORDS)]
    private += [tutorial_message(opening_page(step, WORDS), WORDS) for step in range(len(LESSONS))]
    lobby, *match = random_tables(2, 3)
    for table in (lobby, *match[-2:], *(stage for played in match[4:-2:8] for stage in at_every_stage(played))):
        notice = current_notice(table, WORDS)
        public += [table_message(table, WORDS), *([] if notice is None else [notice.view(notice.user_ids)])]
        if table.state is not None:
            private += [hand_message(table, user, HandState(), WORDS) for user in (101, 102, 103)]
    labels = {
        seen: {button["label"] for view in views for button in pressable(view).values() if "label" in button}
        for seen, views in (("private", private), ("public", public))
    }
    every = labels["private"] | labels["public"]
    texts = [str(message.id) for message in template() if message.id]
    assert {name for text in texts for name in bold(text)} & every <= labels["private"]
    assert {name for view in public for name in bold(text_of(view))} & every <= labels["public"]


def bold(text: str) -> list[str]:
    return re.findall(r"\*\*([^*{}]+)\*\*", text)


@pytest.mark.parametrize("has_table", [True, False])
@pytest.mark.parametrize("has_match", [True, False])
def test_the_longer_help_has_a_button_for_every_command_that_can_be_used(has_table: bool, has_match: bool) -> None:
    view = more_help_message(WORDS, has_table=has_table, has_match=has_match)
    pressed = {press.argument for press in map(Press.parse, pressable(view)) if press.verb is Verb.HELP}
    hidden = {*(() if has_table else AT_A_TABLE), *(() if has_match else AFTER_A_MATCH)}
    assert all_commands().keys() - pressed == {PLAY, "help", *hidden}
    assert "the list that `/gang` shows" in text_of(view)


def test_the_help_is_the_goal_and_four_buttons() -> None:
    view = help_message(WORDS)
    assert [each["label"] for each in pressable(view).values()] == [
        "Play against AI",
        "Learn by playing",
        "Open a table",
        "More",
    ]
    assert "penalty points, and the fewest points win" in text_of(view)


def test_no_command_of_the_help_is_one_of_its_pages() -> None:
    assert not COMMANDS & {Part.MORE, Part.BACK}


def test_each_name_of_a_command_means_the_same_command_in_every_language() -> None:
    copy = {"name": "gang", "id": "1", "options": [{"name": name} for name in all_commands()]}
    mentions = _mentions([copy])
    for language in languages():
        for name in all_commands():
            assert mentions[words_in(language).say(name)] == f"</gang {name}:1>"


def every_server_panel() -> list[Layout]:
    shown = GuildSettingsState(GuildSettings(schedule=Schedule(PostInterval.WEEK, 1, 1)), Season(1, "Spring", 1), 2)
    pages = [guild_settings_message(shown, WORDS, page) for page in GuildPage]
    return [*pages, *(season_confirmation(what, Season(1, "Spring", 1), WORDS) for what in (Part.END, Part.RESET))]


async def test_the_client_asks_for_no_privileged_intent(client: GangBot) -> None:
    assert client.intents == discord.Intents(guilds=True)
    allowed = client.allowed_mentions
    assert allowed is not None
    assert [allowed.everyone, allowed.users, allowed.roles, allowed.replied_user] == [False] * 4


async def test_texts_that_are_the_same_in_a_language_are_not_sent(client: GangBot) -> None:
    family = await commands_of(client)
    for command in family["options"]:
        assert command["description"] not in (command.get("description_localizations") or {}).values()
