"""Hints are the moves with which the coach compares: it never finds a better one."""

import os
from typing import Final

import pytest

from bot.engine import Cards, Declare, GiveBack, Pass, Phase, Play, View
from bot.players.levels import seed_of
from bot.players.strongest import cost_of
from bot.services import hints
from bot.services.background import Background
from bot.services.hints import Hints
from bot.services.thinking import think_here
from tests.players.positions import seen, states
from tests.table_harness import ADA, requester

pytestmark = pytest.mark.usefixtures("machine_code")

NUMBER: Final = int(os.environ.get("GANG_OF_FOUR_HINTS", "10"))
"""Positions in which a hint is measured (`make soak`: 200)."""
MOST: Final = 1.0
"""Points that a hint may cost."""


def choices() -> list[View]:
    """Positions with a choice, from all editions."""
    found = [seen(state) for state in states("hints", 3 * NUMBER) if state.phase is Phase.PLAY]
    return [view for view in found if len(view.plays()) + view.may_pass > 1 and not view.may_declare][:NUMBER]


async def test_a_hint_never_loses_more_than_a_point_by_the_coachs_measure() -> None:
    ours, views = Hints(Background(), think_here), choices()
    assert len(views) == NUMBER
    for view in views:
        move = (await ours.find(requester(ADA.user_id), view)).move
        assert isinstance(move, Play | Pass)
        found = cost_of(view, move, seed_of(view))
        assert found is None or found.points <= MOST


def test_a_hint_is_compared_with_the_best_move_of_other_cards() -> None:
    views = [seen(state) for state in states("hints", 300)]
    given = next(view for view in views if view.may_give_back)
    other = hints._best_other(given, GiveBack(given.seat, given.hand[0]))
    assert isinstance(other, GiveBack)
    assert other.card != given.hand[0]
    silent = next(view for view in views if view.public.match.options.forgotten == "takes_back" and last_plays(view))
    for cards in last_plays(silent):
        other = hints._best_other(silent, Play(silent.seat, cards, last_card=True))
        assert not isinstance(other, Play) or other.cards != cards


def last_plays(view: View) -> list[Cards]:
    """The plays that leave one card."""
    return [play.cards for play in view.plays() if len(view.hand) - play.size == 1] if view.may_play else []


async def test_a_forgotten_last_card_comes_first() -> None:
    view = next(view for state in states("owing", 3000) if (view := seen(state)).may_declare)
    found = await Hints(Background(), think_here).find(requester(ADA.user_id), view)
    assert found.move == Declare(view.seat)
    assert found.reason is None
