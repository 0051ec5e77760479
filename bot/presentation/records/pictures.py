"""Pictures for messages, drawn in the reader's language, each with an alternative text."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Final, TypeVar

import discord

from bot.analysis.hand_reports import HandReport
from bot.engine import Kind
from bot.engine.events import HandEnded
from bot.fair_queue import QueueFull, Requester
from bot.pictures.animation import animation
from bot.pictures.chart import Chart, KindText, chart
from bot.pictures.ending import Ending, Standing, ending
from bot.pictures.next_hand import NextHand
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.pictures.replay import MAX_MOVES, Move, Replay
from bot.pictures.score_sheet import ScoreSheet, score_sheet
from bot.pictures.still import still
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.moves import move_text, win_text
from bot.table.refusals import HandTooLong, TooManyPictures
from bot.table.snapshot import Table

log = logging.getLogger(__name__)

MAX_ALT_LENGTH: Final = 1024
"""Discord's limit for the description of a picture."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing with an alternative text. The message also says in text what it shows."""

    name: str
    """The file name, `sheet.png`."""
    drawing: bytes
    alt: str

    def file(self) -> discord.File:
        """The file to send. It can be sent once."""
        return discord.File(BytesIO(self.drawing), self.name)

    def item(self) -> discord.MediaGalleryItem:
        """The picture as part of a message."""
        return discord.MediaGalleryItem(f"attachment://{self.name}", description=self.alt[:MAX_ALT_LENGTH])


class Illustrator:
    """Draws pictures. The methods return None if a picture can't be drawn or there is no worker.

    Pictures that a user requests raise `TooManyPictures` while too many of the same user are waiting.
    """

    def __init__(self, worker: RenderWorker | None) -> None:
        self._worker = worker

    @property
    def has_pictures(self) -> bool:
        """False without a worker."""
        return self._worker is not None

    async def of_hand(
        self, table: Table, report: HandReport, hands: Sequence[HandEnded], words: Words
    ) -> list[Picture]:
        """The score sheet of `hands`, of which the last is reported. After the last hand also the end of the match."""
        title = words.say("Table {number} · hand {hand} is over", number=table.id, hand=report.ended.hand)
        totals = labels.totals_text(labels.plain_names(table, words), report.ended.totals, words)
        sheet = sheet_of(table, report, hands, words)
        found = [await self._draw("sheet.png", score_sheet, sheet, f"{title}. {totals}")]
        public = table.public()
        if public is not None and public.ranking and report.gave is None:
            alt = words.say("The match is over.")
            found.append(await self._draw("end.png", ending, ending_of(table, hands, words), f"{alt} {totals}"))
        return [picture for picture in found if picture is not None]

    async def of_replay(
        self, title: str, table: Table, report: HandReport, words: Words, requester: Requester, *, moving: bool
    ) -> Picture | None:
        """All moves of a hand on one page, or as an animation. Raises `HandTooLong` or `TooManyPictures`."""
        if len(report.moves) > MAX_MOVES:
            raise HandTooLong
        alt = words.say("{hand}, move by move.", hand=title)
        replay = replay_of(title, table, report, words)
        if moving:
            return await self._draw("replay.webp", animation, replay, alt, requester)
        return await self._draw("hand.png", still, replay, alt, requester)

    async def of_rules(self, words: Words, requester: Requester) -> Picture | None:
        """The ranking of combinations. Raises `TooManyPictures`."""
        title, kinds = words.say("What beats what"), " < ".join(words.say(name) for name in KIND_NAMES.values())
        return await self._draw("chart.png", chart, chart_of(words), f"{title}: {kinds}", requester)

    async def of_chart(self, draw: Callable[[T], bytes], what: T, alt: str, requester: Requester) -> Picture | None:
        """A chart of statistics. Raises `TooManyPictures`."""
        return await self._draw("chart.png", draw, what, alt, requester)

    async def _draw(
        self, name: str, draw: Callable[[T], bytes], what: T, alt: str, requester: Requester | None = None
    ) -> Picture | None:
        if self._worker is None:
            return None
        try:
            return Picture(name, await self._worker.draw(draw, what, requester=requester), alt)
        except (RenderError, QueueFull) as error:
            if isinstance(error, QueueFull) and error.is_user_limit:
                raise TooManyPictures from None
            log.warning("could not draw a picture: %s", error)
            return None


def sheet_of(table: Table, report: HandReport, hands: Sequence[HandEnded], words: Words) -> ScoreSheet:
    """The score sheet of a match after a hand."""
    number, target = report.ended.hand, table.row.options.target
    following = None
    if report.gave is not None:
        way = labels.hand_title(number + 1, -report.direction, words)
        following = NextHand(
            way, words.say("First the loser gives their highest card to the winner:"), report.gave, -report.direction
        )
    return ScoreSheet(
        title=words.say("Table {number} · hand {hand} is over", number=table.id, hand=number),
        legend=words.say("cards left × points a card = points, then the total"),
        players=labels.plain_names(table, words),
        hands=tuple(hands),
        star=words.say("won the hand"),
        goal=labels.goal(target, words),
        target=target,
        left=words.say("Cards left"),
        held=report.held,
        following=following,
    )


def ending_of(table: Table, hands: Sequence[HandEnded], words: Words) -> Ending:
    """The final result of a match."""
    public = table.public()
    standings = tuple(
        Standing(name, total, sum(hand.winner == seat for hand in hands))
        for seat, (name, total) in enumerate(zip(labels.plain_names(table, words), hands[-1].totals, strict=True))
    )
    return Ending(
        title=words.say("The match is over."),
        subtitle=words.say("Gang of Four · table {number}", number=table.id),
        won=words.say("hands won"),
        points=words.say("points"),
        standings=standings,
        ranking=(public.ranking if public is not None else None) or (),
    )


def replay_of(title: str, table: Table, report: HandReport, words: Words) -> Replay:
    """All moves of a hand."""
    names, options = labels.plain_names(table, words), table.row.options
    return Replay(
        title=title,
        players=names,
        began=report.began,
        direction=report.direction,
        moves=tuple(
            Move(
                move.seat,
                move.cards,
                move_text(move.cards, options, words, forgot=move.forgot),
                move.leads,
                move.declared,
            )
            for move in report.moves
        ),
        last_card=words.say("Last card!"),
        finale=win_text(report.ended, names[report.ended.winner], words),
    )


_KIND_NOTES: Final = {
    Kind.SINGLE: translatable("any card"),
    Kind.PAIR: translatable("two of a number, or the two Phoenixes"),
    Kind.TRIPLE: translatable("three of a number"),
    Kind.STRAIGHT: translatable("five numbers in a row"),
    Kind.FLUSH: translatable("five of a color"),
    Kind.FULL_HOUSE: translatable("three and two; the three count"),
    Kind.STRAIGHT_FLUSH: translatable("a straight in one color"),
    Kind.GANG: translatable("four to seven of a number; more cards beat fewer"),
}


def chart_of(words: Words) -> Chart:
    """The ranking of combinations in words."""
    return Chart(
        title=words.say("What beats what"),
        subtitle=words.say("Strongest at the top"),
        kinds=tuple(KindText(words.say(KIND_NAMES[kind]), words.say(note)) for kind, note in _KIND_NOTES.items()),
        gangs=words.say("Beats everything, at any time"),
        five=words.say("Five cards: the higher kind beats the lower"),
        fewer=words.say("Fewer cards: beat as many, by number, then color"),
        numbers=words.say("Numbers from low to high, Phoenix, Dragon"),
        colors=words.say("Same number: green, then yellow, then red"),
        ones=words.say("The multicolored 1 is the highest 1"),
    )
