"""The moment of a match that its end shows."""

from dataclasses import replace

from bot.analysis.hand_reports import HandMove, HandReport
from bot.analysis.highlights import Highlight, highlight
from bot.engine import Cards, parse_cards
from bot.engine.events import HandEnded

FOUR, FIVE = parse_cards("4G 4G 4Y 4Y"), parse_cards("2G 2G 2Y 2Y 2R")


def hand(number: int, points: tuple[int, ...], totals: tuple[int, ...], *gangs: tuple[int, Cards]) -> HandReport:
    """A hand with these gangs."""
    ended = HandEnded(number, points.index(0), points, points, totals)
    moves = tuple(HandMove(seat, cards) for seat, cards in gangs)
    return HandReport(ended, 1, ((),) * 3, ((),) * 3, None, moves)


def test_the_largest_gang_comes_before_a_comeback_and_that_before_a_gang_of_four() -> None:
    hands = [hand(1, (9, 0, 3), (9, 0, 3), (1, FOUR)), hand(2, (0, 60, 50), (9, 60, 53))]
    assert highlight(hands, (0,)) == Highlight(1, 0)
    assert highlight(hands, (2,)) == Highlight(1, 1, FOUR)
    five = replace(hands[1], moves=(HandMove(2, FIVE),))
    assert highlight([hands[0], five], (0,)) == Highlight(2, 2, FIVE)


def test_otherwise_it_is_the_most_expensive_hand() -> None:
    hands = [hand(1, (0, 2, 3), (0, 2, 3)), hand(2, (0, 60, 4), (0, 62, 7))]
    assert highlight(hands, (0,)) == Highlight(2, 1, left=60, points=60)
    assert highlight([], ()) is None
