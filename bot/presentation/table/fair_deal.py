"""The facts that prove a table's deals: their fingerprint, the first message, the cuts, and later the seed."""

from typing import Final

from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, Layout, button
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table.model import TableRow
from bot.table.snapshot import Table

SHOWN_DIGITS: Final = 8


def fair_deal_button(row: TableRow, words: Words) -> Button:
    """A button that shows what is needed to check the deals."""
    return button(Press(Verb.FAIR_DEAL, row.id), words.say("Fair deal"))


def shortened(fingerprint: str) -> str:
    """The beginning of a fingerprint."""
    return f"{fingerprint[:SHOWN_DIGITS]}…"


def fingerprint_line(fingerprint: str, words: Words) -> str:
    """A fingerprint, perhaps shortened."""
    return words.say("Fingerprint {commitment}", commitment=f"`{fingerprint}`")


def cuts_text(row: TableRow, words: Words) -> str:
    """The players' cuts, or an empty string without any."""
    cuts = [
        words.say("{name} cut at {number}", name=labels.seat_name(seat, words), number=seat.cut)
        for seat in row.seats
        if seat.cut is not None
    ]
    return f"✂️ {words.list(cuts)}" if cuts else ""


def fair_deal_message(table: Table, seed: str, words: Words) -> Layout:
    """All that is needed to check the deals, with the seed unless it's empty, which means secret."""
    title = "### " + words.say("Table {number} · fair deal", number=table.id)
    return Layout("\n".join([title, fair_deal_text(table.row, seed, words)]))


def fair_deal_text(row: TableRow, seed: str, words: Words) -> str:
    """The whole fingerprint, the first message, the cuts, and the seed unless it's empty."""
    lines = [fingerprint_line(row.commitment, words)]
    if row.first_message_id:
        lines.append(words.say("First message of the table: {message}", message=f"`{row.first_message_id}`"))
    if row.first_table_id is not None:
        lines.append(words.say("Duplicate match: the same deals as table {number}.", number=row.first_table_id))
    lines.append(cuts_text(row, words))
    if seed:
        lines.append(words.say("Seed of the deals: {seed}", seed=f"`{seed}`"))
    how = words.say(
        "The fingerprint was fixed before anyone joined. Copy it before the match, and check the deals afterwards "
        "under **More**."
    )
    return "\n".join([*filter(None, lines), labels.small(how)])
