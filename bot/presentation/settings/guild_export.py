"""The message with the export of a guild."""

from typing import Final

from bot.presentation.text.i18n import Words
from bot.presentation.ui.attachments import Attachment
from bot.presentation.ui.components import Layout, button, rows
from bot.presentation.ui.custom_ids import Part, Press, Verb
from bot.services.guild_export import GuildExport

FILE: Final = "gang-of-four-server.zip"


def guild_export_message(export: GuildExport, words: Words) -> Layout:
    """A list of the contents of the file, the file, and a button for the records that didn't fit."""
    lines = [
        words.say("The data of this server: settings, changes, seasons, leaderboards, ratings, titles and matches."),
        words.say("Matches in channels that you can't see are left out. Hidden members are not listed."),
        words.count(
            "It holds the record of {number} match.", "It holds the records of {number} matches.", export.records
        ),
    ]
    if export.missing:
        lines.append(
            words.count(
                "There was no room for the record of the oldest match.",
                "There was no room for the records of the {number} oldest matches.",
                export.missing,
            )
        )
    view = Layout("\n".join(lines), Attachment(FILE, export.data))
    if export.missing and export.oldest is not None:
        press = Press(Verb.GUILD_SETTINGS, arguments=(Part.EXPORT, str(export.oldest)))
        view.append(*rows([button(press, words.say("Download older records"))]))
    return view
