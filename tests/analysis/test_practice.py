"""Practice hands: positions of recorded matches and new deals, from any seat."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.analysis.hand_strength import percentile, strength
from bot.analysis.practice import DEALS, FEW_CARDS, MAX_EXCERPT, MOST_CARDS, Practice, Source, deal, from_match
from bot.analysis.replay import Origin, ReplayedMatch
from bot.engine import (
    Cards,
    Deal,
    Line,
    MatchStarted,
    Options,
    Pass,
    Phase,
    Play,
    State,
    advance,
    begin,
    commitment,
    read,
    replay,
    view,
)
from bot.engine.cards import DECK
from bot.engine.events import Declared, Event, HandEnded, MatchEnded, Played, Substituted, Undone
from bot.players.levels import Level, choose, seed_of
from tests.simulated_matches import longest_hand

RECORDS = sorted((Path(__file__).parents[1] / "engine" / "records").glob("*.jsonl"))
SEED = bytes(range(32))
SIZES = (3, 4)


def record(path: Path) -> ReplayedMatch:
    return ReplayedMatch.of(12, read(path.read_text(encoding="utf-8")))


def nameless(state: State) -> State:
    """A state without the names of players."""
    nobody = ("",) * state.size
    cycle = state.cycle._replace(players=("",) * len(state.cycle.players))
    exchange = state.exchange and state.exchange._replace(back_by="")
    match = replace(state.match, seats=nobody)
    return replace(state, match=match, players=nobody, cycle=cycle, exchange=exchange)


def state_at(match: ReplayedMatch, moment: int) -> State:
    state = match.at(moment).table.state
    assert state is not None
    return replace(nameless(state), undo=None)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_position_of_a_match_is_that_of_the_engine(path: Path) -> None:
    match, rng = record(path), Random(1)
    moments = {*match.first_moments().values(), *rng.choices(range(len(match.stops)), k=60), len(match.stops) - 1}
    for number in moments:
        state = state_at(match, number)
        start = state_at(match, match.first_moments()[state.hand_number])
        for seat in range(state.size):
            found = from_match(match, number, seat, Source.MATCH, 12)
            assert (found.source, found.seat, found.match_number) == (Source.MATCH, seat, 12)
            has_ended = state.turn is None or not all(state.hands)
            expected = start if has_ended or seat in state.out else state
            assert replace(nameless(replay(found.log)), undo=None) == expected


def test_moves_that_were_taken_back_are_not_in_a_position() -> None:
    match = ReplayedMatch.of(12, read(longest_hand().decode()), Origin.IMPORT)
    end = len(match.stops)
    for number in (*range(90, 100), end // 2, *range(end - 6, end - 3)):
        state = state_at(match, number)
        log = from_match(match, number, 0, Source.IMPORT).log
        assert replace(replay(log), undo=None) == state
        assert len(log) == len(("match", "deal", *state.history))


def played_silently(events: int) -> list[Event]:
    """A hand of three players who keep their last cards and never say "Last card!", which forbids them to win."""
    match = MatchStarted("dargaud-1996", Options.of("dargaud-1996"), ("", "", ""), 0, commitment(SEED), "")
    state, dealt = advance(begin(match), Deal(SEED), SEED)
    log: list[Event] = [match, *dealt]
    while len(log) < events:
        seen = view(state, state.turn or 0)
        plays = [play.cards for play in seen.plays() if play.size < len(seen.hand) or len(seen.hand) == 1]
        move = Play(seen.seat, plays[0]) if plays else Pass(seen.seat)
        state, following = advance(state, move, SEED)
        log += following
    return log


def test_a_position_after_very_many_moves_is_that_of_the_deal() -> None:
    match = ReplayedMatch.of(12, map(Line, played_silently(2 * MAX_EXCERPT)))
    deal, *_ = match.first_moments().values()
    assert len(from_match(match, MAX_EXCERPT - 5, 1, Source.MATCH).log) > MAX_EXCERPT - 5
    assert from_match(match, 2 * MAX_EXCERPT, 1, Source.MATCH) == from_match(match, deal, 1, Source.MATCH)


def test_a_declaration_is_taken_back_with_its_play() -> None:
    log = played_silently(MAX_EXCERPT)
    length, last = next(
        (length, event)
        for length, event in enumerate(log, 1)
        if isinstance(event, Played) and len(replay(log[:length]).hands[event.seat]) == 1
    )
    taken_back = (*log[:length], Declared(last.seat), Undone(last.seat))
    match = ReplayedMatch.of(12, map(Line, taken_back))
    found = from_match(match, len(taken_back), last.seat, Source.MATCH).log
    assert found == tuple(log[: length - 1])
    assert replace(replay(found), undo=None) == replay(taken_back)


def test_another_seat_sees_only_its_own_hand() -> None:
    match = record(RECORDS[0])
    position = from_match(match, 5, 0, Source.MATCH)
    state = replay(position.log)
    for _ in range(state.size):
        seen = Practice.begin(position, Level.SIMPLE, 1).view
        assert seen == view(state, position.seat, with_played=True)
        assert seen.hand == state.hands[position.seat]
        position = position.from_next_seat()
    assert position == from_match(match, 5, 0, Source.MATCH)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("source", DEALS)
def test_the_same_seed_deals_the_same_position(source: Source, size: int) -> None:
    first, second = (deal(source, "days-of-wonder", Options(), size, SEED) for _ in range(2))
    assert first == second
    assert first.source is source
    assert replay(first.log).size == size
    assert deal(source, "days-of-wonder", Options(), size, bytes(32)) != first


def dealt_hand(source: Source, number: int) -> Cards:
    position = deal(source, "days-of-wonder", Options(), SIZES[number % 2], bytes([number]) * 32)
    state = replay(position.log)
    hidden = sum(map(len, (*state.hands, state.dummy)))
    assert hidden == len(DECK)
    return state.hands[position.seat]


@pytest.mark.parametrize("number", range(6))
def test_a_deal_has_a_gang_or_a_bad_hand(number: int) -> None:
    gang, weak = dealt_hand(Source.GANG, number), dealt_hand(Source.WEAK, number)
    most, few = (max(Counter(card.rank for card in hand).values()) for hand in (gang, weak))
    assert (most >= 4, few >= 4) == (True, False)
    assert percentile(strength(weak)) <= 20


@pytest.mark.parametrize("number", range(6))
def test_an_endgame_is_close_to_its_end(number: int) -> None:
    position = deal(Source.ENDGAME, "dargaud-1996", Options.of("dargaud-1996"), SIZES[number % 2], bytes([number]) * 32)
    practice = Practice.begin(position, Level.SIMPLE, 1)
    seen = practice.view
    assert seen.may_play
    assert min(left for seat, left in enumerate(seen.public.left) if seat != seen.seat) <= FEW_CARDS
    assert FEW_CARDS < len(seen.hand) <= MOST_CARDS
    assert not any(play.size == len(seen.hand) for play in seen.plays())
    assert practice.ai_view is None


@pytest.mark.parametrize("source", DEALS)
def test_a_hand_is_played_to_its_end_and_again(source: Source) -> None:
    start = deal(source, "days-of-wonder", Options(), 4, SEED)
    ends = []
    for _ in range(2):
        practice = Practice.begin(start, Level.SIMPLE, 1)
        while not practice.is_over:
            seen = practice.ai_view or practice.view
            practice = practice.after(choose(Level.SIMPLE, seen, seed_of(seen)))
        assert practice.table.state is not None
        assert practice.table.state.phase is Phase.BETWEEN_HANDS
        assert practice == Practice.begin(start, Level.SIMPLE, 1, practice.moves)
        assert practice.report is not None
        assert practice.report.ended == practice.log[-1]
        ends.append(practice.report)
    assert ends[0] == ends[1]


def as_played(match: ReplayedMatch, hand: int) -> Practice:
    """A hand of a match as a practice hand of its winner, with the moves of the match."""
    first, *_, end = (each for each in match.moments() if each.hand == hand and not isinstance(each.event, MatchEnded))
    assert isinstance(end.event, HandEnded)
    events = match.events[match.stops[first.number] : match.stops[end.number]]
    moves = [event for event in events if not isinstance(event, Substituted)]
    return Practice.begin(from_match(match, first.number, end.event.winner, Source.MATCH), Level.CLUB, 5, moves)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_replay_of_a_practice_hand_is_that_of_its_match(path: Path) -> None:
    match = record(path)
    for hand in [hand for hand in match.deals if match.has_ended(hand)][-2:]:
        practice = as_played(match, hand)
        replayed = practice.replayed("Ada")
        assert (replayed.number, replayed.origin, replayed.is_over) == (5, Origin.PRACTICE, False)
        assert replayed.first_moments() == {hand: 0}
        shown, start = [moment.hands for moment in replayed.moments()], match.first_moments()[hand]
        assert shown == [match.at(start + number).hands for number in range(len(shown))]
        for report in (practice.report, replayed.report(hand)):
            assert report is not None
            assert report.ended == practice.log[-1]


def test_the_seats_of_a_replay_have_names() -> None:
    practice = Practice.begin(deal(Source.NEW, "days-of-wonder", Options(), 3, SEED).from_next_seat(), Level.CLUB, 5)
    match = practice.replayed("Ada")
    assert match.ai_players == {0, 1, 2} - {practice.start.seat}
    names = [seat.name for seat in match.at(0).table.seats]
    assert names[practice.start.seat] == "Ada"
    assert all(names)


def test_cards_are_not_written_to_logs() -> None:
    practice = Practice.begin(deal(Source.NEW, "days-of-wonder", Options(), 4, SEED), Level.SIMPLE, 1)
    assert "Card" not in repr(practice)
    assert "Dealt" not in repr(practice)
