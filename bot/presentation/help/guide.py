"""The welcome, the help, the first message in a guild, and information about the app."""

from dataclasses import dataclass
from typing import Final

from bot.presentation.table.opening import play_ai_button, play_ai_menu
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import Button, Item, Layout, button, link_button, rows
from bot.presentation.ui.custom_ids import Press, Verb

ROW: Final = 4
"""Buttons in a row of the help."""
TOPICS: Final = {
    translatable("**Play**: now against AI, with others, or today's hand"): {
        "new": translatable("Open a table"),
        "list": translatable("Open tables"),
        "daily": translatable("Hand of the day"),
        "hand": translatable("My hand"),
        "show": translatable("Show my table"),
        "leave": translatable("Leave my table"),
        "close": translatable("Close my table"),
    },
    translatable("**Learn**: a ten-minute lesson, practice hands, the rules"): {
        "tutorial": translatable("Learn by playing"),
        "practice": translatable("Practice"),
        "puzzle": translatable("Puzzle of the day"),
        "rules": translatable("Rules"),
        "beats": translatable("What beats what"),
        "about": translatable("About this app"),
    },
    translatable("**Look back**: who wins here, and finished matches move by move"): {
        "leaderboard": translatable("Leaderboard"),
        "profile": translatable("My profile"),
        "versus": translatable("Head to head"),
        "history": translatable("My matches"),
        "match": translatable("My last match"),
        "verify": translatable("Check its deals"),
    },
    translatable("**Yours**: your turns, settings and data"): {
        "turns": translatable("My turns"),
        "settings": translatable("My settings"),
        "privacy": translatable("My data"),
    },
}
"""The topics of the help, each with its commands and the labels of their buttons."""
AT_A_TABLE: Final = ("hand", "show", "leave", "close")
"""The commands for users who have a seat."""
AFTER_A_MATCH: Final = ("profile", "versus", "match", "verify")
"""The commands for users who have finished a match."""
COMMANDS: Final = frozenset(command for commands in TOPICS.values() for command in commands)
"""The commands that the help runs without options."""


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


def help_message(words: Words, *, has_table: bool, has_match: bool) -> Layout:
    """One screen of buttons, without commands that need a seat or a finished match if the user has none."""
    hidden = [*([] if has_table else AT_A_TABLE), *([] if has_match else AFTER_A_MATCH)]
    intro = words.say(
        "At a table, open your hand: only you see it. Tap the cards that you want to play, then press **Play**, or "
        "**Pass**."
    )
    items: list[Item | str] = ["### " + words.say("How to play here") + f"\n{intro}"]
    for number, (topic, commands) in enumerate(TOPICS.items()):
        buttons = [
            _command_button(command, label, words) for command, label in commands.items() if command not in hidden
        ]
        play = [] if number else [play_ai_button(words)]
        items += [words.say(topic), *rows([*play, *buttons], ROW), *([] if number else [play_ai_menu(words)])]
    return Layout(*items, labels.small(words.say("Every command is in the list that `/gang` shows.")))


def _command_button(command: str, label: str, words: Words) -> Button:
    return button(Press(Verb.HELP, arguments=(command,)), words.say(label))


def arrival_message(words: Words) -> Layout:
    """The app's first message in a guild."""
    lines = [
        "### " + words.say("👋 Gang of Four is here"),
        words.say("A climbing card game for three or four: be the first to play all your cards."),
    ]
    buttons = [
        play_ai_button(words),
        _command_button("new", translatable("Open a table"), words),
        _command_button("tutorial", translatable("Learn by playing"), words),
        button(Press(Verb.HELP), words.say("Help")),
    ]
    return Layout("\n".join(lines), *rows(buttons))


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
