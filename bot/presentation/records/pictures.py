"""Pictures for messages, drawn in the reader's language, each with an alternative text."""

import logging
from collections.abc import Sequence

from bot.analysis.gangs import GangPlay
from bot.analysis.hand_reports import HandReport
from bot.base.fair_queue import QueueFull, Requester
from bot.engine.events import HandEnded
from bot.engine.scoring import ranked_seats
from bot.pictures.descriptions import (
    Animation,
    CombinationChart,
    Description,
    Ending,
    Gang,
    NextHand,
    Page,
    Plot,
    ScoreSheet,
    Standing,
    draw,
)
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.pictures.replay import MAX_MOVES, MAX_PAGES, Move, Replay
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES, gang_name, label
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import move_text, win_text
from bot.presentation.text.option_texts import goal
from bot.presentation.ui.files import Picture
from bot.table.refusals import HandTooLong, TooManyPictures
from bot.table.snapshot import Table

log = logging.getLogger(__name__)


class Illustrator:
    """Draws pictures. The methods return an empty list if a picture can't be drawn, also without a worker.

    Pictures that a user requests raise `TooManyPictures` while too many of the same user are waiting.
    """

    def __init__(self, worker: RenderWorker | None) -> None:
        self._worker = worker

    @property
    def has_pictures(self) -> bool:
        """False without a worker."""
        return self._worker is not None

    async def of_hand(
        self,
        table: Table,
        report: HandReport,
        hands: Sequence[HandEnded],
        words: Words,
        requester: Requester,
    ) -> list[Picture]:
        """The score sheet of `hands`, of which the last is reported, and the next hand or the end of the match."""
        title = words.say("Table {number} · hand {hand} is over", number=table.id, hand=report.ended.hand)
        names = labels.plain_names(table, words)
        totals = labels.totals_text(names, report.ended.totals, words)
        won = win_text(report.ended, names[report.ended.winner], words)
        sheet = sheet_of(table, hands, words)
        found = await self._draw("sheet.png", sheet, f"{title}. {won} {totals}", requester)
        following = next_hand_of(table, report, words)
        if following is not None:
            found += await self._draw("next.png", following, _next_hand_alt(following, words), requester)
        public = table.public
        if public is not None and public.ranking and report.gave is None:
            found += await self.of_ending(table, hands, words, requester)
        return found

    async def of_ending(
        self, table: Table, hands: Sequence[HandEnded], words: Words, requester: Requester | None = None
    ) -> list[Picture]:
        """The final result of a match."""
        result = ending_of(table, hands, words)
        return await self._draw("end.png", result, _ending_alt(result, words), requester)

    async def of_gang(self, table: Table, gang: GangPlay, words: Words) -> list[Picture]:
        """The cards of a gang."""
        where = words.say("Table {number}", number=table.id)
        title = gang_name(len(gang.cards))
        subtitle = f"{labels.plain_names(table, words)[gang.seat]} · {where}"
        cards = " ".join(label(card, words) for card in gang.cards)
        alt = f"{title}: {cards}. {subtitle}"
        return await self._draw("gang.png", Gang(title, subtitle, gang.cards), alt)

    async def of_replay(
        self, title: str, table: Table, report: HandReport, words: Words, requester: Requester, *, moving: bool
    ) -> list[Picture]:
        """All moves of a hand on pages, or as an animation. Raises `HandTooLong` or `TooManyPictures`."""
        if len(report.moves) > MAX_MOVES:
            raise HandTooLong
        replay = replay_of(title, table, report, words)
        alt = f"{title}. {hand_summary(report, replay.players, words)}"
        if moving:
            return await self._draw("replay.webp", Animation(replay), alt, requester)
        pages: list[Picture] = []
        for number in range(MAX_PAGES):
            page = await self._draw(f"hand-{number}.png", Page(replay, number), alt, requester)
            if not any(picture.content for picture in page):
                break
            pages += page
        return pages

    async def of_rules(self, words: Words, requester: Requester) -> list[Picture]:
        """The ranking of combinations. Raises `TooManyPictures`."""
        return await self._draw("chart.png", chart_of(words), ranking_of_kinds(words), requester)

    async def of_chart(
        self, plot: Plot | None, alt: str, requester: Requester, name: str = "chart.png"
    ) -> list[Picture]:
        """A chart of statistics, if there is one. Raises `TooManyPictures`."""
        return [] if plot is None else await self._draw(name, plot, alt, requester)

    async def _draw(self, name: str, what: Description, alt: str, requester: Requester | None = None) -> list[Picture]:
        if self._worker is None:
            return []
        try:
            return [Picture(name, await self._worker.draw(draw, what, requester=requester), alt)]
        except (RenderError, QueueFull) as error:
            if isinstance(error, QueueFull) and error.is_user_limit:
                raise TooManyPictures from None
            log.warning("could not draw the picture %s: %s", name, error)
            return []


def sheet_of(table: Table, hands: Sequence[HandEnded], words: Words) -> ScoreSheet:
    """The score sheet of a match after a hand."""
    target = table.row.options.target
    return ScoreSheet(
        legend=words.say("points of the hand, then the total"),
        players=labels.plain_names(table, words),
        hands=tuple(hands),
        star=words.say("won the hand"),
        goal=goal(target, words),
        target=target,
    )


def next_hand_of(table: Table, report: HandReport, words: Words) -> NextHand | None:
    """The exchange and the direction of the hand after this one. None after the last."""
    if report.gave is None:
        return None
    return NextHand(
        labels.hand_title(report.ended.hand + 1, -report.direction, words),  # R20
        words.say("First the loser gives their highest card to the winner:"),
        report.gave,
        -report.direction,  # R20
        labels.plain_names(table, words),
    )


def _next_hand_alt(following: NextHand, words: Words) -> str:
    gave, names = following.gave, following.players
    facts = {"giver": names[gave.seat], "card": label(gave.card, words), "winner": names[gave.to]}
    return f"{following.title}. {words.say('For the next hand, {giver} gives {card} to {winner}.', **facts)}"


def _ending_alt(result: Ending, words: Words) -> str:
    seats = [
        words.say("{place}. {name} {total}", place=place, name=result.standings[seat].name, total=total)
        for place, seat in ranked_seats(result.ranking)
        for total in [result.standings[seat].total]
    ]
    return f"{result.title} {words.list(seats)}."


def hand_summary(report: HandReport, names: Sequence[str], words: Words) -> str:
    """The winner of a hand and the number of moves."""
    moves = words.count("{number} move", "{number} moves", len(report.moves))
    return f"{win_text(report.ended, names[report.ended.winner], words)} {moves}."


def ranking_of_kinds(words: Words) -> str:
    """A short text of the picture of what beats what."""
    return words.say(
        "Any gang beats everything. Five cards: straight < flush < full house < straight flush. One to three cards: "
        "only the same number of cards, by number, then color."
    )


def ending_of(table: Table, hands: Sequence[HandEnded], words: Words) -> Ending:
    """The final result of a match."""
    public = table.public
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
        cards_at_start=report.cards_at_start,
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


def chart_of(words: Words) -> CombinationChart:
    """The ranking of combinations in words."""
    return CombinationChart(
        title=words.say("What beats what"),
        subtitle=words.say("Strongest at the top"),
        kinds=tuple(map(words.say, KIND_NAMES.values())),
        gangs=words.say("Beats everything else, on any turn"),
        five=words.say("Five cards: the higher kind beats the lower"),
        fewer=words.say("Fewer cards: beat as many, by number, then color"),
        numbers=words.say("Numbers from low to high, Phoenix, Dragon"),
        colors=words.say("Same number: green, then yellow, then red"),
    )
