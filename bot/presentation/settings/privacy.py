"""The data that the app stores about a user, and the buttons to hide, export or delete it."""

from typing import Final

import discord

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Layout, button, link_button, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.presentation.ui.files import Attachment
from bot.services.history import IMPORT_SECONDS
from bot.services.json_file import Content
from bot.services.practice import KEPT_SECONDS
from bot.table.user import StoredCounts

IMPORT_DAYS: Final = IMPORT_SECONDS // (24 * 3600)
PRACTICE_DAYS: Final = KEPT_SECONDS // (24 * 3600)
FILE: Final = "gang-of-four.json"


def privacy_message(stored_counts: StoredCounts, words: Words, *, hidden: bool, policy: str | None = None) -> Layout:
    """The stored data and the buttons, with a link to the operator's `policy`."""
    matches = labels.matches(stored_counts.matches, words)
    hands = labels.hands(stored_counts.hands, words)
    servers = words.count("{number} server", "{number} servers", stored_counts.guilds)
    facts = {"matches": matches, "hands": hands, "servers": servers}
    stored = [
        words.say("Your seats and invitations: your Discord id, your display name, your moves and when you made them."),
        words.say("Your results: {matches} and {hands} in {servers}, with scores and ratings.", **facts),
        words.say(
            "The record that you imported last, with the names in it, for at most {number} days.", number=IMPORT_DAYS
        ),
        words.say(
            "Your last practice hand, for at most {number} days, and your streak of solved puzzles.",
            number=PRACTICE_DAYS,
        ),
        words.say(
            "Your settings (`/gang settings`), your finished lessons, and what you changed in a server you manage."
        ),
        words.say("Your messages aren't kept, and nothing is passed on."),
    ]
    on_boards = words.say("You are on the leaderboards of your servers.")
    lines = [
        "### " + words.say("Your data"),
        *(f"- {line}" for line in stored),
        words.say("You are hidden from all leaderboards.") if hidden else on_boards,
    ]
    show = words.say("Show me on leaderboards") if hidden else words.say("Hide me from leaderboards")
    buttons = [
        button(_press(Part.EXPORT), words.say("Download my data")),
        button(_press(Part.SHOW if hidden else Part.HIDE), show),
        button(_press(Part.DELETE), words.say("Delete my data…"), discord.ButtonStyle.danger),
        *([] if policy is None else [link_button(words.say("Privacy"), policy)]),
    ]
    return Layout("\n".join(lines), *rows(buttons))


def deletion_message(words: Words) -> Layout:
    """Ask whether to delete the user's data."""
    effects = [
        words.say("An AI takes over your seat for good, as if you had conceded."),
        words.say('Finished matches stay for the others, with "a deleted player" in your place.'),
        words.say("You are no longer on any leaderboard, and the others' ratings are computed again without you."),
    ]
    lines = ["### " + words.say("Delete all your data, in every server?"), *(f"- {effect}" for effect in effects)]
    lines.append(words.say("This can't be undone."))
    buttons = [
        button(_press(Part.DELETE, Part.YES), words.say("Yes, delete my data"), discord.ButtonStyle.danger),
        button(_press(Part.OPEN), words.say("No, keep everything")),
    ]
    return Layout("\n".join(lines), *rows(buttons))


def deleting_message(words: Words) -> Layout:
    """The deletion is running."""
    lines = [
        words.say("Your data is being deleted."),
        words.say("It continues even if the app restarts. Until it is done, you can do nothing else here."),
    ]
    return Layout("\n".join(lines))


def deleted_message(words: Words) -> Layout:
    """The deletion has finished."""
    return Layout(words.say("Your data is deleted. Thank you for playing!"))


def export_message(content: Content, words: Words) -> Layout:
    """The file with all stored data, and a line about it."""
    if content.is_packed:
        text = words.say("All your data as JSON, packed with gzip because it was too large for Discord:")
        return Layout(text, Attachment(f"{FILE}.gz", content.data))
    return Layout(words.say("All your data as JSON:"), Attachment(FILE, content.data))


def _press(*arguments: Part) -> Press:
    return Press(Verb.PRIVACY, arguments=arguments)
