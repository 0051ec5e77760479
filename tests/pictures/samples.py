"""Score sheets to draw, and names that are hard to draw."""

from bot.engine.events import HandEnded
from bot.engine.scoring import hand_points
from bot.pictures.descriptions import ScoreSheet

NAMES = ("Ada", "Bo Zimmermann", "Cyrille", "Dmitri 🐉")
LONG_NAMES = ("Wilhelmina Wassermann-Mühlenbeck", "W" * 32, "i" * 32, "Maximiliana von und zu Hohenlohe")
ODD_NAMES = ("田中太郎", "👩‍👩‍👧‍👦 🏳️‍🌈", "محمد علي", "Z̶̢̛̗͖͋a̷̡͉͑l̵̦̈́g̸̠̈́o\n\u202e\x00\ud800")


def sheet_of(names: tuple[str, ...], number: int, most: int = 16) -> ScoreSheet:
    """A sheet of `number` hands in which the last one leaves up to `most` cards in each losing hand."""
    seats = len(names)
    hands: list[HandEnded] = []
    totals = (0,) * seats
    left: tuple[int, ...] = ()
    for hand in range(1, number + 1):
        winner = hand * 5 % seats
        last = hand == number
        left = tuple(
            0 if seat == winner else (most if last else 1 + (hand * 7 + seat * 5) % 11) for seat in range(seats)
        )
        points = hand_points(left, winner)
        totals = tuple(map(sum, zip(totals, points, strict=True)))
        hands.append(HandEnded(hand, winner, left, points, totals))
    legend, goal = "points of the hand, then the total", "The match is over at 100 points"
    return ScoreSheet(legend, names, tuple(hands), "won the hand", goal, 100)
