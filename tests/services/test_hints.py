"""Hints are the moves with which the coach compares: it never finds a better one."""

import os
from typing import Final

import pytest

from bot.engine import Declare, Pass, Phase, Play, View
from bot.players.levels import seed_of
from bot.players.strongest import cost_of
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


async def test_a_forgotten_last_card_comes_first() -> None:
    view = next(view for state in states("owing", 3000) if (view := seen(state)).may_declare)
    found = await Hints(Background(), think_here).find(requester(ADA.user_id), view)
    assert found.move == Declare(view.seat)
    assert found.reason is None
