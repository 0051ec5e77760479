"""The welcome, the help, the first message in a guild, and information about the app."""

from dataclasses import dataclass
from typing import Final

import discord

from bot.presentation.table.opening import play_ai_button, play_ai_menu
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.permissions import INVITED_WITH
from bot.presentation.ui.components import Button, Item, Layout, button, link_button, my_data_button, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb

ROW: Final = 4
"""Buttons in a row of the longer help."""
TOPICS: Final = {
    translatable("**Play**: now against AI, with others, or today's hand"): {
        "new": translatable("Open a table"),
        "list": translatable("Open tables"),
        "daily": translatable("Hand of the day"),
        "hand": translatable("My hand"),
    },
    translatable("**Learn**: a ten-minute lesson, practice hands, the rules"): {
        "tutorial": translatable("Learn by playing"),
        "practice": translatable("Practice"),
        "puzzle": translatable("Puzzle of the day"),
        "rules": translatable("Rules"),
    },
    translatable("**Look back**: who wins here, and finished matches move by move"): {
        "leaderboard": translatable("Leaderboard"),
        "profile": translatable("My profile"),
        "history": translatable("My matches"),
    },
    translatable("**Yours**: your turns, settings and data"): {
        "turns": translatable("My turns"),
        "settings": translatable("My settings"),
    },
}
"""The topics of the longer help, each with its commands and the labels of their buttons."""
AT_A_TABLE: Final = ("hand",)
"""The commands for users who have a seat."""
AFTER_A_MATCH: Final = ("profile",)
"""The commands for users who have finished a match."""
COMMANDS: Final = frozenset(command for commands in TOPICS.values() for command in commands)
"""The commands that the help runs without options."""
PLAY: Final = "play"
"""The command for a match against AI players. In servers, a button of the help does the same."""
ALONE: Final = ("practice", "puzzle", "daily", "tutorial", "rules", "profile")
"""The commands for a user alone, who may have added the app for themselves and not to a server."""


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses of the operator's pages, as far as they are set."""

    privacy: str | None = None
    terms: str | None = None
    source: str | None = None
    support: str | None = None


def welcome_text(words: Words, *, has_learned: bool) -> str:
    """The welcome for users who open their first hand. It names the tutorial unless the user `has_learned` the game."""
    first = words.say(
        "👋 Welcome! Tap the cards that you want to play, or choose from the menu; then press **Play**, or **Pass**."
    )
    if has_learned:
        return first
    new = words.say("New to the game? `/gang tutorial` teaches it in ten minutes: you play, and learn as you go.")
    return f"{first}\n{labels.small(new)}"


def help_message(words: Words, *, goes_on: bool = False) -> Layout:
    """The goal of the game, two ways to begin, and the way to everything else. It fits on half of a phone's screen.

    `goes_on`: the user's match against AI players can be continued.
    """
    begin = [play_ai_button(words, goes_on=goes_on), _command_button("tutorial", words, discord.ButtonStyle.primary)]
    more = button(_press(Part.MORE), words.say("More"))
    text = "### " + words.say("How to play here") + f"\n{labels.goal(words)}"
    return Layout(text, *rows(begin), *rows([_command_button("new", words), more]))


def alone_help_message(application_id: int, words: Words, *, goes_on: bool = False) -> Layout:
    """The help of users who have added the app for themselves: what they can play without others."""
    text = "### " + words.say("How to play here") + f"\n{labels.goal(words)}"
    begin = [play_ai_button(words, goes_on=goes_on), _command_button("tutorial", words, discord.ButtonStyle.primary)]
    others = [_command_button(command, words) for command in ALONE if command != "tutorial"]
    others.append(my_data_button(words))
    note = words.say("Only you see these messages. To play with people, add the app to a server.")
    url = discord.utils.oauth_url(application_id, permissions=INVITED_WITH)
    invitation = link_button(words.say("Add to a server"), url)
    return Layout(text, *rows(begin), *rows(others, ROW), labels.small(note), *rows([invitation]))


def more_help_message(words: Words, *, has_table: bool, has_match: bool) -> Layout:
    """All topics, without commands that need a seat or a finished match if the user has none."""
    hidden = [*([] if has_table else AT_A_TABLE), *([] if has_match else AFTER_A_MATCH)]
    intro = words.say(
        "At a table, open your hand: only you see it. Tap the cards that you want to play, then press **Play**, or "
        "**Pass**."
    )
    items: list[Item | str] = ["### " + words.say("How to play here") + f"\n{intro}"]
    for number, (topic, commands) in enumerate(TOPICS.items()):
        buttons = [_command_button(command, words) for command in commands if command not in hidden]
        items += [words.say(topic), *rows(buttons, ROW), *([] if number else [play_ai_menu(words)])]
    end = labels.small(words.say("Every command is in the list that `/gang` shows."))
    return Layout(*items, end, *rows([button(_press(Part.BACK), words.say("◀ Back"))]))


def _command_button(command: str, words: Words, style: discord.ButtonStyle = discord.ButtonStyle.secondary) -> Button:
    label = next(commands[command] for commands in TOPICS.values() if command in commands)
    return button(_press(command), words.say(label), style)


def _press(*arguments: str) -> Press:
    return Press(Verb.HELP, arguments=arguments)


def arrival_message(words: Words) -> Layout:
    """The app's first message in a guild."""
    lines = [
        "### " + words.say("👋 Gang of Four is here"),
        labels.goal(words),
        labels.small(words.say("A climbing card game for three or four.")),
    ]
    buttons = [
        play_ai_button(words),
        _command_button("new", words),
        _command_button("tutorial", words),
        button(_press(), words.say("Help")),
    ]
    threads = words.say("For managers: matches in threads of their own keep this channel calm.")
    use_threads = button(Press(Verb.USE_THREADS), words.say("Use threads"), discord.ButtonStyle.primary)
    return Layout("\n".join(lines), threads, *rows([use_threads]), *rows(buttons))


def about_message(version: str, links: Links, words: Words) -> Layout:
    """Information about the app."""
    lines = [
        "### " + words.say("About this app"),
        words.say("Gang of Four, Lee F. Yih's climbing card game, on Discord. App version {version}.", version=version),
        words.say(
            "The seed of the deals is fixed before anyone joins and revealed after the match, so you can check them."
        ),
        words.say("It is free software under the MIT license."),
        words.say('"Gang of Four" is a trademark of its owner; this project is not affiliated with it.'),
    ]
    names = {
        words.say("Privacy"): links.privacy,
        words.say("Terms"): links.terms,
        words.say("Source code"): links.source,
        words.say("Support"): links.support,
    }
    buttons = [link_button(label, url) for label, url in names.items() if url is not None]
    return Layout("\n".join(lines), *rows(buttons))
