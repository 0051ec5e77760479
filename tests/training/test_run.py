"""A run resumes exactly where it stopped, and its players follow the rules.

These tests compile the whole program, which takes a minute or two: GANG_OF_FOUR_TRAINING=1 runs them.
"""

import os
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest

from bot.engine.cards import DECK
from bot.players.bits import from_bits
from bot.players.compiled.features import CARDS
from bot.players.compiled.lookups import make_lookups
from bot.players.compiled.weights import FILE, load_weights
from training import store
from training.__main__ import main
from training.arena import HEURISTIC, LEARNER, MONTE_CARLO, RANDOM, SIMPLE, new_arena
from training.learn_beliefs import Source
from training.run import Plan
from training.untrained import new_network, new_pool
from training.versus import Contest, Measure, hero_results, match_share, points_better

PLAN: Final = Plan(width=16, matches=4, batch=64, replay=4000)

pytestmark = pytest.mark.skipif("GANG_OF_FOUR_TRAINING" not in os.environ, reason="set GANG_OF_FOUR_TRAINING=1")


def test_a_run_goes_on_exactly_where_it_was_ended(tmp_path: Path) -> None:
    whole = store.start(tmp_path / "whole", PLAN, 1)
    for _ in range(3):
        whole.round()
    first = store.start(tmp_path / "halves", PLAN, 1)
    first.round()
    store.save(first, tmp_path / "halves")
    second = store.start(tmp_path / "halves", replace(PLAN, seed=99), 1)  # the plan of the folder counts
    for _ in range(2):
        second.round()
    assert second.progress == whole.progress
    for ours, theirs in zip(second.player.network, whole.player.network, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_the_settings_of_a_run_that_exists_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / store.STATE).touch()
    monkeypatch.setattr("sys.argv", ["training", str(tmp_path), "--rate", "0.001"])
    with pytest.raises(SystemExit):
        main()
    assert "the settings of a run are fixed at its start" in capsys.readouterr().err


def test_a_new_run_begins_with_the_weights_of_the_app(tmp_path: Path) -> None:
    run = store.start(tmp_path, replace(PLAN, width=512), 1, FILE)
    for learned, stored in zip(run.player.network, load_weights().network, strict=True):
        np.testing.assert_array_equal(learned, stored)
    with pytest.raises(ValueError, match="512 units in the first layer, not 16"):
        store.start(tmp_path / "other", PLAN, 1, FILE)


def results(measure: Measure, hero: int, other: int, deals: int, seats: int = 4) -> list[float]:
    network = new_network(8, 0)
    contest = Contest(hero, other, seats)
    lookups, arena = make_lookups(), new_arena(8)
    return list(hero_results(measure, contest, lookups, (network, network), arena, new_pool(), range(deals)))


@pytest.mark.parametrize("kind", [SIMPLE, HEURISTIC])
def test_a_player_against_itself_wins_its_share(kind: int) -> None:
    assert results(match_share, kind, kind, 3) == pytest.approx([0.25] * 3)
    assert results(match_share, kind, kind, 3, seats=3) == pytest.approx([1 / 3] * 3)
    for seats in (3, 4):
        assert results(points_better, kind, kind, 20, seats) == pytest.approx([0] * 20)


def test_the_players_are_as_strong_as_their_names() -> None:
    assert np.mean(results(match_share, SIMPLE, RANDOM, 10)) > 0.7
    assert np.mean(results(match_share, HEURISTIC, SIMPLE, 20)) > 0.7
    assert np.mean(results(points_better, HEURISTIC, SIMPLE, 100)) > 3


def test_every_player_plays_to_the_end() -> None:
    for hero in (LEARNER, MONTE_CARLO):
        assert len(results(match_share, hero, RANDOM, 1, seats=3)) == 1


def test_the_hands_of_a_recorded_position_fit_together() -> None:
    source = Source(new_network(16, 0))
    source.play()
    records, unknown = source._arena.records, 0
    for words, piles in zip(records.words[: records.size[0]], records.piles[: records.size[0]], strict=True):
        unknown += not piles.any()
        cards = [card for bits in (words[CARDS], *piles) for card in from_bits(int(bits))]
        assert not Counter(cards) - Counter(DECK)
    assert 0 < unknown < records.size[0] / 4  # in the exchange
