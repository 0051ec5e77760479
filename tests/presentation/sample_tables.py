"""Tables to draw: every state of random matches, with difficult names."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TypeAlias

from bot.analysis.hand_reports import HandReport, hand_reports
from bot.analysis.replay import ReplayedMatch
from bot.engine import Cards, MatchStarted, Options, commitment, parse_cards
from bot.engine.cards import ALL_CARDS, DECK
from bot.engine.events import Dealt, Event, Gave, HandEnded, Played
from bot.engine.record import Line
from bot.pictures.emoji_names import card_name
from bot.players.simulation import SimulationSettings, simulate
from bot.presentation.text.i18n import Words, languages, words_in
from bot.table.duplicates import Comparison
from bot.table.model import ClockStage, Pace, Seat, Status, TableRow, TableSettings, TakingBack, TurnClock
from bot.table.snapshot import Table
from tests.engine.random_play import Probabilities, RandomMatch

WORDS = words_in("en-US")
SNOWFLAKE = 2**63 - 1
WIDE = tuple(f"{'＊*_א'[number]}" * 32 for number in range(4))
"""Names of maximum length: wide characters, characters to escape, and letters written from right to left."""
SEED = bytes(range(32))
DEFAULTS = Options()
EMOJIS = {card: f"<:{card_name(card)}_bb:{SNOWFLAKE}>" for card in ALL_CARDS}
"""Cards as emoji with tags of maximum length."""
READERS: dict[str, Words] = {
    **{f"{language}, text": words_in(language).with_page() for language in languages()},
    **{f"{language}, pictures": words_in(language).with_page().with_emojis(EMOJIS) for language in languages()},
}
"""Every language, with cards as text and as emoji."""
CLOCK = TurnClock(3_900_000_000_000, 4_000_000_000_000)


def row(
    seats: tuple[Seat, ...],
    status: Status = Status.LOBBY,
    options: Options | None = None,
    number: int = 2**31 - 1,
    pace: Pace = Pace.SLOW,
    clock: TurnClock | None = CLOCK,
) -> TableRow:
    """A table with numbers of maximum length."""
    return TableRow(
        id=number,
        guild_id=SNOWFLAKE,
        channel_id=SNOWFLAKE,
        host_id=seats[0].user_id or 0,
        status=status,
        size=max(len(seats), 3),
        edition="days-of-wonder",
        options=options or Options(),
        pace=pace,
        seed=b"",
        commitment=commitment(SEED),
        created_at=1_700_000_000,
        seats=seats,
        clock=clock,
    )


def people(*names: str) -> tuple[Seat, ...]:
    """People in their seats, users 101, 102, …"""
    return tuple(Seat(name, user_id) for user_id, name in enumerate(names, 101))


def dealt_table(
    *hands: Cards, seats: tuple[Seat, ...] = (), more: tuple[Event, ...] = (), options: Options = DEFAULTS
) -> Table:
    """A table just after these hands were dealt."""
    seats = seats or people(*("Ada", "Bo", "Cy", "Di")[: len(hands)])
    match = MatchStarted("days-of-wonder", options, tuple(seat.name for seat in seats), 0, commitment(SEED), "1-2")
    return Table(row(seats, Status.PLAYING)).after((match, Dealt(1, 1, hands, ()), *more))


def at_every_stage(table: Table) -> Iterator[Table]:
    """A running match at every stage of its clock, with an absent player, paused, and with undo."""
    away = replace(table.seats[0], ai_level="simple", substitute_id=None)
    for stage in ClockStage:
        yield replace(table, row=replace(table.row, clock=replace(CLOCK, stage=stage)))
    yield replace(table, row=replace(table.row, seats=(away, *table.seats[1:])))
    yield replace(table, row=replace(table.row, paused_at=1))
    yield replace(
        table,
        row=replace(table.row, settings=TableSettings(undo=TakingBack.ON), nudged_at=1, pausing=(101,), ending=(101,)),
    )


def random_tables(seed: int, size: int, options: Options | None = None) -> Iterator[Table]:
    """The lobby, and the table after each move of a random match to its end."""
    rng = Random(seed)
    options = options or Options(target=rng.choice((20, 60)))
    match = RandomMatch(rng, "days-of-wonder", options, size, Probabilities(forget=0.5))
    ai_players = (None, None, "simple", "simple")
    seats = tuple(
        Seat(name, 101 + number if number < 3 else None, ai_players[number] if number else None)
        for number, name in enumerate(rng.sample(WIDE, size))
    )
    yield Table(row(seats, options=options))
    table = Table(row(seats, Status.PLAYING, options))
    for _, events in match:
        table = table.after(events)
        yield table
    yield Table(row(seats, Status.OVER, options), table.state, table.length, table.moment)
    yield Table(row(seats, Status.CLOSED, options), table.state, table.length, table.moment)


def played(table: Table, *texts: str) -> Table:
    """Cards played by the seats in turn."""
    return table.after(Played(number % 4, parse_cards(text)) for number, text in enumerate(texts))


def long_cycle() -> Table:
    """Twelve straights in one cycle."""
    seats = tuple(replace(seat, ai_level="simple") for seat in people(*WIDE))
    fives = [f"{low}G {low + 1}Y {low + 2}R {low + 3}G {low + 4}Y" for low in range(1, 7)]
    every = [text for text in fives for text in (text, text.translate(str.maketrans("GYR", "RGY")))]
    hands = tuple(parse_cards(" ".join(every[seat::4])) for seat in range(4))
    return played(dealt_table(*hands, seats=seats), *every)


def gang_of_seven() -> tuple[Table, Played]:
    """All the 1s, just played."""
    played_gang = Played(0, parse_cards("1G 1G 1Y 1Y 1R 1R 1M"))
    hands = played_gang.cards, *(parse_cards(text) for text in ("2G", "2Y", "2R"))
    return dealt_table(*hands, seats=people(*WIDE)).after((played_gang,)), played_gang


Sheet: TypeAlias = tuple[Table, HandReport]


def sheets(seats: int, edition: str = "days-of-wonder") -> list[Sheet]:
    """The ends of all hands of a match."""
    state, events = simulate(SimulationSettings(seats, edition, Options.of(edition), "sheets"), 3)
    table = Table(row(people(*WIDE[:seats]), Status.OVER), state, len(events), len(events))
    return [(table, report) for report in hand_reports(events)]


def longest_sheet() -> Sheet:
    """Three players with all their cards and totals of maximum length."""
    held = ((), DECK[:16], DECK[16:32], DECK[-16:])
    ended = HandEnded(999, 0, (0, 16, 16, 16), (0, 80, 80, 80), (99_999,) * 4)
    dealt = Dealt(999, 1, held, ())
    match = MatchStarted("days-of-wonder", Options(), WIDE, 0, "", "")
    report = next(hand_reports([match, dealt, ended, Dealt(1000, -1, held, ()), Gave(1, 0, DECK[-1])]))
    table = Table(row(tuple(replace(seat, ai_level="simple") for seat in people(*WIDE)), Status.PLAYING))
    return table, report


def longest_comparison() -> Comparison:
    """Two tables of four with substitutes, more hands than are listed, and points of maximum length."""
    state, _ = simulate(SimulationSettings(4, "days-of-wonder", Options(target=300), "duplicates"), 1)
    seats = tuple(
        replace(seat, substitute_id=SNOWFLAKE, substitute_name=name)
        for seat, name in zip(people(*WIDE), WIDE, strict=True)
    )
    first, second = (Table(row(seats, Status.OVER, number=2**31 - 2 + number), state) for number in range(2))
    ended = HandEnded(1, 0, (16,) * 4, (80,) * 4, (99_999,) * 4)
    return Comparison((first, second), ((ended, ended),) * 999)


def long_match() -> ReplayedMatch:
    """A match of four to 300 points, with names of maximum length."""
    _, events = simulate(SimulationSettings(4, "days-of-wonder", Options(target=300), "past"), 1)
    match = events[0]
    assert isinstance(match, MatchStarted)
    return ReplayedMatch.of(2**31 - 1, tuple(Line(event) for event in (replace(match, seats=WIDE), *events[1:])))
