"""The daily hand: the lines above the player's cards, and the leaderboard of the day."""

from collections.abc import Sequence
from datetime import date
from typing import Final

import discord

from bot.analysis.daily import Result
from bot.engine import commitment
from bot.presentation.records.replay import ReplayState
from bot.presentation.table.message import match_texts, ranking
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import Button, button, layout, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.services.daily import DailyBoard, Offer
from bot.table.days import day_after, day_before
from bot.table.snapshot import Table

MAX_RESULTS: Final = 20
"""Results shown besides the reader's own."""
FIRST_DAY: Final = date(2026, 1, 1)
"""The first day that can have a daily hand."""


def day_name(day: str, words: Words) -> str:
    """The name of a day."""
    return words.day(date.fromisoformat(day))


def day_of_press(press: Press) -> str:
    """The day in a press. Raises `InvalidCustomId`."""
    try:
        day = date.fromisoformat(press.arguments[0])
    except (IndexError, ValueError):
        raise InvalidCustomId(str(press)) from None
    if day < FIRST_DAY:
        raise InvalidCustomId(str(press))
    return day.isoformat()


def daily_lines(table: Table, words: Words) -> list[str]:
    """The table of a daily hand, for the private hand: no public message shows it."""
    seats, cycle, _turn = match_texts(table, words)
    return [*ranking(table, words), *filter(None, [seats, cycle])]


def daily_offer_message(offer: Offer, words: Words) -> discord.ui.LayoutView:
    """Today's hand before it's dealt, with its commitment."""
    lines = [
        "### " + words.say("Hand of the day, {day}", day=day_name(offer.day, words)),
        words.say("Everyone in this server gets the same cards, once."),
        finished_note(offer.finished, words),
        labels.small(words.say("Fingerprint of the deal: {commitment}", commitment=f"`{offer.commitment}`")),
    ]
    deal = button(Press(Verb.DEAL, arguments=(offer.day,)), words.say("Deal"), discord.ButtonStyle.primary)
    return layout("\n".join(lines), *rows([deal]))


def finished_note(finished: int, words: Words) -> str:
    """The number of players who have finished today's hand."""
    return words.count("{number} player has finished it.", "{number} players have finished it.", finished)


def daily_leaderboard_button(day: str, words: Words) -> Button:
    """A button that opens the leaderboard of a day."""
    return button(Press(Verb.DAILY, arguments=(day,)), words.say("The day's leaderboard"), discord.ButtonStyle.primary)


def daily_leaderboard_message(board: DailyBoard, reader: int, words: Words) -> discord.ui.LayoutView:
    """The results of a day, best first. The reader's own result is always shown."""
    lines = ["### " + words.say("Hand of the day, {day}", day=day_name(board.day, words))]
    placed = enumerate(zip(_places(board.results), board.results, strict=True))
    shown = [line for number, line in placed if number < MAX_RESULTS or line[1].user_id == reader]
    lines += [_line(place, result, reader, words) for place, result in shown]
    if not board.results:
        lines.append(words.say("Nobody has finished it yet."))
    if board.seed is not None:
        committed = words.say("Fingerprint of the deal: {commitment}", commitment=f"`{commitment(board.seed)}`")
        lines.append(labels.small(committed))
        if board.is_over:
            lines.append(labels.small(words.say("Seed of the deals: {seed}", seed=f"`{board.seed.hex()}`")))
    if board.next_commitment is not None:
        following = words.say(
            "Fingerprint of the hand of {day}: {commitment}",
            day=day_name(day_after(board.day), words),
            commitment=f"`{board.next_commitment}`",
        )
        lines.append(labels.small(following))
    previous = Press(Verb.DAILY, arguments=(day_before(board.day), "turn"))
    more = [button(previous, words.say("◀ The day before"), disabled=board.day == FIRST_DAY.isoformat())]
    if board.is_over and board.own_table is not None:
        more.append(button(ReplayState(board.own_table).press("open"), words.say("Replay my hand")))
    return layout("\n".join(lines), *rows(more))


def _places(results: Sequence[Result]) -> list[int]:
    """The places of sorted results. Equal results share a place, and unfinished hands share the last one."""
    places: list[int] = []
    for number, result in enumerate(results):
        is_equal = number > 0 and _sort_key(result) == _sort_key(results[number - 1])
        places.append(places[-1] if is_equal else number + 1)
    return places


def _sort_key(result: Result) -> tuple[int | None, int | None]:
    return (result.points, result.others)


def _line(place: int, result: Result, reader: int, words: Words) -> str:
    name = labels.player_name(result.name, words)
    name = labels.bold(words.say("{name} (you)", name=name) if result.user_id == reader else name)
    what = words.say("not finished")
    if result.points is not None:
        points = words.count("{number} point", "{number} points", result.points)
        others = words.count("{number} point", "{number} points", result.others or 0)
        what = words.say("{points}, the AI players {others}", points=points, others=others)
    return words.say("{place}. {name}: {what}", place=labels.place_number(place), name=name, what=what)
