"""The private panel of what players may do beside playing: pause, end, nudge, standing orders."""

import discord

from bot.engine import Phase
from bot.engine.cards import PHOENIX_RANK
from bot.presentation import texts
from bot.presentation.buttons import Press, button, layout, menu, rows
from bot.presentation.texts import wishes
from bot.presentation.words import Words
from bot.services import orders
from bot.services.table import Table


def more_message(table: Table, user_id: int, words: Words, note: str = "") -> discord.ui.LayoutView:
    """What this person may do at a running match."""
    number = table.seat_of(user_id)
    lines = [
        texts.bold(words.say("Table {number} · more", number=table.id)),
        note,
        *wishes(table, words),
    ]
    items: list[discord.ui.Item[discord.ui.LayoutView]] = [
        discord.ui.TextDisplay("\n".join(filter(None, lines))),
        *rows(_buttons(table, user_id, words)),
    ]
    if number is not None and table.row.paused_at is None:
        items.append(_orders(table, number, words))
    return layout(*items)


def _buttons(table: Table, user_id: int, words: Words) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    row, styles = table.row, discord.ButtonStyle
    pausing, ending = user_id in row.pausing, user_id in row.ending
    pause = words.say("No pause after all") if pausing else words.say("I would like a pause")
    end = words.say("Play on after all") if ending else words.say("I would like to end the match")
    waits_for_another = table.person_to_act not in (None, user_id) and row.paused_at is None
    return [
        button(Press("resume", row.id), words.say("Go on"), styles.success)
        if row.paused_at is not None
        else button(Press("pause", row.id), pause),
        button(Press("end", row.id), end),
        button(Press("nudge", row.id), words.say("Nudge"), disabled=not waits_for_another),
        button(Press("more", row.id, 0, ("again",)), words.say("Refresh")),
    ]


def _orders(table: Table, number: int, words: Words) -> discord.ui.ActionRow[discord.ui.LayoutView]:
    now = table.seats[number].orders
    public = table.public()
    in_cycle = public is not None and public.phase is Phase.PLAY and bool(public.cycle.plays)
    offered = [order for order in orders.ORDERS if order != orders.PASS or in_cycle or now == order]
    options = [
        discord.SelectOption(label=order_name(order, words), value=order or "none", default=order == now)
        for order in offered
    ]
    return menu(Press("orders", table.id), words.say("Standing order"), options)


def order_name(order: str, words: Words) -> str:
    """A standing order in words."""
    rank = orders.rank_of(order)
    if rank is None:
        return {
            orders.NONE: words.say("No standing order: I am asked each time"),
            orders.PASS: words.say("Pass for the rest of this cycle"),
        }[order]
    if rank == PHOENIX_RANK:
        return words.say("Pass on single cards above the Phoenixes")
    return words.say("Pass on single cards above {rank}", rank=rank)
