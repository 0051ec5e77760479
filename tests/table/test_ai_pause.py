"""The pause before AI players move: from public facts only, and never long."""

from dataclasses import replace
from random import Random
from statistics import mean

from bot.engine import Phase, PublicView, public_view
from bot.table.ai_pause import CHANCE, FORCED, ai_pause
from bot.table.timing import LAST_CARD_DELAY
from tests.players.positions import dealt_again, states


def pauses(positions: list[PublicView]) -> list[float]:
    return [ai_pause(public, str(number)) for number, public in enumerate(positions)]


def test_a_pause_reveals_nothing_about_hidden_cards() -> None:
    chance = Random("pause")
    for state in states("pause", 300):
        assert ai_pause(public_view(state), "7 12") == ai_pause(public_view(dealt_again(state, chance)), "7 12")


def test_pauses_are_about_as_long_as_the_usual_one() -> None:
    found = pauses([public_view(state) for state in states("usual", 1000)])
    assert 0.8 < mean(found) < 1.3
    assert min(found) >= FORCED * (1 - CHANCE)
    assert max(found) < LAST_CARD_DELAY


def test_leads_take_longer_than_passes_that_everyone_foresees() -> None:
    positions = [public_view(state) for state in states("kinds", 2000)]
    leads = [public for public in positions if not public.cycle.plays]
    forced = [replace(public, left=(1,) * len(public.left)) for public in positions if long_answer(public)]
    assert min(pauses(leads)) > max(pauses(forced))


def long_answer(public: PublicView) -> bool:
    return public.cycle.to_beat is not None and public.cycle.to_beat.size >= 5


def test_a_pause_is_longer_when_another_player_has_few_cards() -> None:
    public = next(
        public
        for state in states("few", 100)
        if min((public := public_view(state)).left) > 5 and public.phase is Phase.PLAY
    )
    assert public.turn is not None
    near = replace(public, left=tuple(left if seat == public.turn else 3 for seat, left in enumerate(public.left)))
    assert ai_pause(near, "1 2") > ai_pause(public, "1 2")
