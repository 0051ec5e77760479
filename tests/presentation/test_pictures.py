"""A picture that can't be drawn is left out; only a user with too many in the queue is refused."""

from dataclasses import replace

import pytest

from bot.analysis.hand_reports import HandMove
from bot.base.fair_queue import QueueFull, QueueLimits, Requester
from bot.pictures.render_worker import RenderError, RenderWorker
from bot.pictures.replay import MAX_MOVES
from bot.presentation.records.pictures import Illustrator, hand_summary
from bot.presentation.text import labels
from bot.table.refusals import HandTooLong, TooManyPictures
from tests.presentation.sample_tables import WORDS, sheets
from tests.presentation.sent_messages import is_isolated

USER = Requester(1, 2)


class Failing(RenderWorker):
    """Raises one error."""

    def __init__(self, why: Exception) -> None:
        super().__init__(QueueLimits(1, 1, 1))
        self._why = why

    async def draw(self, *_: object, requester: Requester | None = None) -> bytes:
        assert requester == USER
        raise self._why


async def test_a_user_is_told_that_their_pictures_are_queued() -> None:
    illustrator = Illustrator(Failing(QueueFull(2, is_user_limit=True)))
    with pytest.raises(TooManyPictures):
        await illustrator.of_rules(WORDS, USER)


@pytest.mark.parametrize("moving", [False, True])
async def test_a_hand_of_too_many_moves_is_not_drawn(moving: bool) -> None:
    table, report = sheets(4)[0]
    long = replace(report, moves=(HandMove(0),) * (MAX_MOVES + 1))
    with pytest.raises(HandTooLong):
        await Illustrator(Failing(RenderError())).of_replay("Hand 1", table, long, WORDS, USER, moving=moving)


class Instant(RenderWorker):
    """Draws at once."""

    def __init__(self) -> None:
        super().__init__(QueueLimits(1, 1, 1))

    async def draw(self, *_: object, requester: Requester | None = None) -> bytes:
        return b"a picture"


async def test_the_alternative_text_says_who_won_and_by_how_much() -> None:
    (table, report), *_ = sheets(4)
    names = labels.plain_names(table, WORDS)
    illustrator = Illustrator(Instant())
    sheet, following = await illustrator.of_hand(table, report, [report.ended], WORDS, USER)
    assert names[report.ended.winner] in sheet.alt
    assert all(str(total) in sheet.alt for total in report.ended.totals)
    assert "For the next hand," in following.alt
    replay, *_ = await illustrator.of_replay("Hand 1", table, report, WORDS, USER, moving=False)
    assert replay.alt == f"Hand 1. {hand_summary(report, names, WORDS)}"
    assert f" {len(report.moves)} moves." in replay.alt
    assert all(is_isolated(picture.alt) for picture in (sheet, following, replay))


async def test_the_chart_of_combinations_says_what_beats_what() -> None:
    (chart,) = await Illustrator(Instant()).of_rules(WORDS, USER)
    assert chart.alt.startswith("Any gang beats everything. Five cards: straight < flush < full house")


@pytest.mark.parametrize("why", [QueueFull(8), RenderError("it took too long")], ids=str)
async def test_other_messages_go_without_their_picture(why: Exception) -> None:
    assert await Illustrator(Failing(why)).of_rules(WORDS, USER) == []
