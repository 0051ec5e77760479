"""The message after a gang is played."""

from collections.abc import Sequence
from typing import Final

from bot.analysis.gangs import GangPlay
from bot.presentation.text import labels
from bot.presentation.text.cards import describe, faces, gang_name
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.ui.components import Box, Layout
from bot.presentation.ui.files import Picture
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


def celebration_message(table: Table, gang: GangPlay, words: Words, pictures: Sequence[Picture] = ()) -> Layout:
    """Celebrate a gang: its cards, its player, and the play that it beat."""
    size, names = len(gang.cards), labels.names(table, words)
    lines = [
        f"## {MARKS[size]} " + words.say("{gang}!", gang=gang_name(size)),
        f"## {faces(gang.cards, words)}",
        words.say(_TEXTS[size], name=labels.bold(names[gang.seat])),
    ]
    if gang.beaten is not None:
        seat, combination = gang.beaten
        facts = {"name": labels.bold(names[seat]), "what": describe(combination, words)}
        lines.append(words.say("Beaten: {what} by {name}.", **facts))
    lines.append(labels.small(words.say("Table {number}", number=table.id)))
    return Layout(Box(ACCENTS[size], "\n".join(lines), *pictures))
