"""The message after a gang is played."""

from typing import Final

import discord

from bot.engine.events import Played
from bot.presentation.text import labels
from bot.presentation.text.cards import gang_name
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import layout
from bot.table.snapshot import Table

MARKS: Final = {4: "🎉", 5: "🎉🎆", 6: "🎉🎆🔥", 7: "🎉🎆🔥🌋"}
ACCENTS: Final = {4: 0x2E9E6B, 5: 0x3B82C4, 6: 0xE0A526, 7: 0xD32F2F}
_TEXTS: Final = {
    4: translatable("{name} plays a Gang of Four! Only a higher gang can beat it now."),
    5: translatable("{name} plays a Gang of Five! Five! The table holds its breath."),
    6: translatable("{name} plays a Gang of Six! Six of a kind in one hand: people will talk about it for years."),
    7: translatable(
        "{name} plays a Gang of Seven! Nothing in this game is higher, and hardly anyone has ever seen it."
    ),
}


def celebration_message(table: Table, play: Played, words: Words) -> discord.ui.LayoutView:
    """Celebrate a gang. The table shows its cards as long as the cycle is open (R25)."""
    size, name = len(play.cards), labels.bold(labels.names(table, words)[play.seat])
    lines = [f"## {MARKS[size]} {gang_name(size)}!", words.say(_TEXTS[size], name=name)]
    return layout(discord.ui.Container(discord.ui.TextDisplay("\n".join(lines)), accent_color=ACCENTS[size]))
