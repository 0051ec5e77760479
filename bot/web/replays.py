"""Requests about finished hands: the replay of a match, and the coach's review."""

from dataclasses import dataclass

from bot.analysis.replay import ReplayedMatch
from bot.base.fair_queue import Requester
from bot.base.press_context import record_table
from bot.engine.events import HandEnded
from bot.presentation.records.coaching import accuracy_text, as_played, mistake_text
from bot.presentation.records.replay import hand_title
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words
from bot.presentation.text.moves import event_text
from bot.table.limits import Action
from bot.table.refusals import MatchNotOver
from bot.web.card_json import Json, cards_json
from bot.web.parts import Parts
from bot.web.plain_text import plain
from bot.web.routing import BadRequest, Fields, Page, does, guild_of
from bot.web.table_json import Viewer, table_json

NOBODY = -1
"""A viewer without a seat."""


@dataclass(frozen=True)
class Replays:
    """Requests about the public part of a match: all of it if it's over, else its finished hands (R26)."""

    parts: Parts

    @does("replay", costs=Action.REPLAY, is_slow=True)
    async def replay(self, page: Page, fields: Fields) -> Json:
        """A moment of a match, with the hand of a seat or with all hands."""
        match, seat = await self._match(page, fields), fields.optional_number("seat")
        _require_seat(match, seat)
        words = await self.parts.words(page)
        return replay_json(match, fields.number("moment"), seat, words)

    @does("coach", costs=Action.COACH, is_slow=True)
    async def review(self, page: Page, fields: Fields) -> Json:
        """The most expensive moves of a seat in a finished hand."""
        match, hand, seat = await self._match(page, fields), fields.number("hand"), fields.number("seat")
        _require_seat(match, seat)
        if not match.has_ended(hand):
            raise MatchNotOver
        requester = Requester(guild_of(page), page.user_id)
        reviewed = (await self.parts.coach.review(requester, match, hand, seat, lambda _done, _all: None)).review
        words = await self.parts.words(page)
        table = match.at(match.first_moments()[hand]).table
        is_own = (await self.parts.tables.get(match.number)).seat_of(page.user_id) == seat
        moves = [
            {
                "moment": cost.decision.moment,
                "text": plain(mistake_text(cost, table, words, is_own=is_own)),
            }
            for cost in as_played(reviewed)
        ]
        return {"text": plain(accuracy_text(labels.names(table, words)[seat], reviewed, words)), "moves": moves}

    async def _match(self, page: Page, fields: Fields) -> ReplayedMatch:
        """The public part of a match that the user may know about."""
        table = await self.parts.access.table(page.user_id, fields.number("match"))
        record_table(table.id)
        return await self.parts.archive.match(table.id, Requester(table.row.guild_id, page.user_id))


def _require_seat(match: ReplayedMatch, seat: int | None) -> None:
    if seat is not None and seat >= len(match.started.seats):
        raise BadRequest(str(seat))


def replay_json(match: ReplayedMatch, number: int, seat: int | None, words: Words) -> Json:
    """The state at a moment; `seat` is the one whose hand it has, None for all."""
    moment = match.at(number)
    before = match.at(moment.number - 1).table if moment.number else None
    report = match.report(moment.hand) if isinstance(moment.event, HandEnded) else None
    state = table_json(moment.table, Viewer(NOBODY, words), 0, before, report)
    return {
        **state,
        "title": hand_title(match, moment.hand, words),
        "you": seat,
        "moment": moment.number,
        "moments": len(match.stops),
        "text": plain(event_text(moment, labels.names(moment.table, words), words)),
        "hand": [] if seat is None else cards_json(moment.hands[seat], words),
        "hands": [
            cards_json(hand, words) if seat in (None, number) else [] for number, hand in enumerate(moment.hands)
        ],
    }
