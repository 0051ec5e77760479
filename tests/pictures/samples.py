"""Samples for drawing: simulated matches, and hands with extreme values."""

from dataclasses import replace
from functools import cache

from bot.analysis.hand_reports import hand_reports
from bot.engine import Options, State, evolve
from bot.engine.events import Dealt, Declared, Event, Forgot, HandEnded, Passed, Played
from bot.engine.scoring import hand_points, ranking
from bot.pictures.chart import Chart
from bot.pictures.ending import Ending, Standing
from bot.pictures.replay import Move, Replay
from bot.pictures.score_sheet import ScoreSheet
from bot.players.simulation import SimulationSettings, simulate

NAMES = ("Ada", "Bo Zimmermann", "Cyrille", "Dmitri 🐉")
LONG_NAMES = ("Wilhelmina Wassermann-Mühlenbeck", "W" * 32, "i" * 32, "Maximiliana von und zu Hohenlohe")
ODD_NAMES = ("田中太郎", "👩‍👩‍👧‍👦 🏳️‍🌈", "محمد علي", "Z̶̢̛̗͖͋a̷̡͉͑l̵̦̈́g̸̠̈́o\n\u202e\x00\ud800")


def score_sheet_of(hands: tuple[HandEnded, ...], names: tuple[str, ...]) -> ScoreSheet:
    return ScoreSheet(
        "points of the hand, then the total",
        names,
        hands,
        "won the hand",
        "The match is over at 100 points",
        100,
    )


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
    return score_sheet_of(tuple(hands), names)


CHART = Chart(
    "What beats what",
    "Strongest at the top",
    (
        "Single card",
        "Pair",
        "Three of a kind",
        "Straight",
        "Flush",
        "Full house",
        "Straight flush",
        "Gang of Four and more",
    ),
    "Beats everything, at any time",
    "Five cards: the higher kind beats the lower",
    "Fewer cards: beat as many, by number, then color",
    "Numbers from low to high, Phoenix, Dragon",
    "Same number: green, then yellow, then red",
)


def ending_of(names: tuple[str, ...], totals: tuple[int, ...], won: tuple[int, ...]) -> Ending:
    standings = tuple(map(Standing, names, totals, won))
    return Ending("The match is over", "Table 12 · 9 hands", "hands won", "points", standings, ranking(totals))


@cache
def simulated(seats: int, edition: str = "days-of-wonder") -> tuple[Event, ...]:
    """The log of a simulated match, in which players sometimes forget to declare."""
    return tuple(simulate(SimulationSettings(seats, edition, Options.of(edition), "pictures"), 1)[1])


def replays(events: tuple[Event, ...], names: tuple[str, ...]) -> list[Replay]:
    """The replays of all hands of a log."""
    reports = hand_reports(events)
    found: list[Replay] = []
    moves: list[Move] = []
    state: State | None = None
    for event in events:
        leads = state is not None and not state.cycle.plays
        match event:
            case Dealt():
                moves = []
            case Played(seat, cards, last_card):
                moves.append(Move(seat, cards, f"{len(cards)} cards", leads, last_card))
            case Passed(seat):
                moves.append(Move(seat, (), "pass"))
            case Declared(seat):
                mine = max(at for at, move in enumerate(moves) if move.seat == seat)
                moves[mine] = replace(moves[mine], last_card=True)
            case Forgot(seat):
                moves.append(Move(seat, (), 'forgot "Last card!"', leads))
            case HandEnded():
                report = next(reports)
                title, finale = (
                    f"Table 12 · hand {event.hand}",
                    f"{names[event.winner]} has played all cards and wins the hand.",
                )
                found.append(
                    Replay(title, names, report.cards_at_start, report.direction, tuple(moves), "Last card!", finale)
                )
        state = evolve(state, event)
    return found
