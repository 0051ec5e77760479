"""Practice hands: within Discord's limits at every turn, and without the cards of others."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.analysis.practice import DEALS, Position, Practice, Source, deal, from_match
from bot.analysis.replay import ReplayedMatch
from bot.engine import Options, Pass, Play, parse_cards, read
from bot.engine.events import Dealt
from bot.players import simple
from bot.players.levels import Level
from bot.presentation.table.practice import parse_practice, practice_menu_message, practice_message
from bot.presentation.table.selection import HandState
from bot.presentation.text.i18n import Words
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from tests.presentation.sample_tables import READERS, WORDS
from tests.presentation.sent_messages import check, pressable, text_of

RECORDS = sorted((Path(__file__).parents[1] / "engine" / "records").glob("*.jsonl"))
NUMBER = 4_000_000_000_000
"""A number as long as any."""


def dealt(source: Source = Source.NEW, size: int = 4, level: Level = Level.SIMPLE) -> Practice:
    return Practice.begin(deal(source, "days-of-wonder", Options(), size, bytes(range(32))), level, NUMBER)


def from_record(path: Path, moment: int, seat: int) -> Practice:
    match = ReplayedMatch.of(2**31 - 1, read(path.read_text(encoding="utf-8")))
    return Practice.begin(from_match(match, moment, seat, Source.MATCH, match.number), Level.MASTER, NUMBER)


def moved(practice: Practice, rng: Random) -> Practice:
    """The hand after a random move of the seat to act."""
    seen = practice.ai_view or practice.view
    plays = seen.plays()
    if seen.may_give_back or not plays or (seen.may_pass and rng.random() < 0.3):
        return practice.after(simple.choose(seen))
    play = rng.choice(plays)
    return practice.after(Play(seen.seat, play.cards, last_card=len(seen.hand) == play.size + 1))


def turns(practice: Practice) -> list[Practice]:
    """The hand at each of the user's turns, and after its end."""
    rng, found = Random(5), []
    while not practice.is_over:
        found += [practice] if practice.ai_view is None else []
        practice = moved(practice, rng)
    return [*found, practice]


def labels(practice: Practice) -> dict[str, Press]:
    """The presses of the buttons by their labels."""
    shown = pressable(practice_message(practice, HandState(), WORDS))
    return {each["label"]: Press.parse(custom_id) for custom_id, each in shown.items() if "label" in each}


@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_every_turn_fits_into_a_message(words: Words) -> None:
    longest = from_record(next(path for path in RECORDS if path.stem == "days-of-wonder-4"), 300, 1)
    for practice in (*turns(longest)[::3], *turns(dealt(size=3))[::3], turns(dealt())[-1]):
        for selected in ((), practice.view.hand):
            check(practice_message(practice, HandState(selected), words, "A note. " * 40, "R15"))
    for last in (None, dealt()):
        check(practice_menu_message(last, Level.MASTER, words))


def test_every_press_belongs_to_the_turn_and_the_hand() -> None:
    for practice in turns(dealt()):
        for press in labels(practice).values():
            assert press.verb in (Verb.PRACTICE, Verb.PRACTICE_HAND, Verb.REPLAY)
            assert press.table == NUMBER
            assert press.moment == (practice.table.moment if press.verb is Verb.PRACTICE_HAND else 0)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_only_the_own_cards_are_shown(path: Path) -> None:
    practice = from_record(path, 0, 1)
    if practice.ai_view is None:
        cards = pressable(practice_message(practice, HandState(), WORDS))
        own = [each for each in cards if ":practice-hand:" in each and ":card:" in each]
        assert len(own) == len(practice.view.hand)
    text = text_of(practice_message(practice, HandState(), WORDS))
    assert not any(name in text for name in ReplayedMatch.of(1, read(path.read_text(encoding="utf-8"))).started.seats)


def test_a_hand_can_be_played_again_from_its_result() -> None:
    over = turns(dealt(Source.GANG))[-1]
    assert over.report is not None
    text = text_of(practice_message(over, HandState(), WORDS))
    assert "### Practice · with a gang" in text
    assert "🏁" in text
    pressed = {label: press.arguments for label, press in labels(over).items()}
    assert pressed == {
        "Same hand again": ("again", "simple"),
        "From the next seat": ("seat", "simple"),
        "With a gang": ("gang", "simple"),
        "Move by move": ("p", "a", "open"),
        "Another hand": ("menu", "simple"),
    }


def test_a_hand_of_a_match_is_followed_by_a_new_deal() -> None:
    over = turns(from_record(RECORDS[0], 0, 0))[-1]
    assert "### Practice · table 2147483647, hand 1" in text_of(practice_message(over, HandState(), WORDS))
    assert labels(over)["New deal"].arguments == ("new", "master")


def test_the_menu_offers_the_last_hand() -> None:
    def offered(last: Practice | None) -> set[str]:
        shown = pressable(practice_menu_message(last, Level.CLUB, WORDS))
        return {each["label"] for each in shown.values() if "label" in each}

    usual = {"New deal", "With a gang", "A bad hand", "Before the last card", "A whole match"}
    assert offered(None) == usual
    assert offered(dealt()) == usual | {"Continue"}
    assert offered(turns(dealt())[-1]) == usual | {"Same hand again"}


def test_the_moves_that_ended_a_cycle_are_told() -> None:
    hands = ("10G 10Y 3G 3R", "1M 4Y 4R", "5G 5Y 6G", "7G 8G 9G")
    match = dealt().start.log[0]
    start = Position(Source.NEW, 0, (match, Dealt(1, 1, tuple(map(parse_cards, hands)), ())))
    practice = Practice.begin(start, Level.SIMPLE, 1)
    practice = practice.after(Play(1, parse_cards("1M")))
    practice = practice.after(Play(2, parse_cards("6G"))).after(Play(3, parse_cards("9G")))
    text = text_of(practice_message(practice, HandState(), WORDS))
    assert "> " not in text
    assert "⭐ highest: **🤖 Lotus**" in text
    practice = practice.after(Play(0, parse_cards("10G")))
    for seat in (1, 2, 3):
        practice = practice.after(Pass(seat))
    text = text_of(practice_message(practice, HandState(), WORDS))
    assert "> 🤖 Jade, 🤖 Bamboo, and 🤖 Lotus pass." in text
    practice = practice.after(Play(0, parse_cards("3G"))).after(Pass(1)).after(Pass(2))
    practice = practice.after(Play(3, parse_cards("8G"), last_card=True))
    assert len(practice.answers) == 3
    assert "> " not in text_of(practice_message(practice, HandState(), WORDS))


def test_a_forgotten_last_card_is_told() -> None:
    hands = ("10G 10Y", "1M 4Y 4R", "5G 5Y 6G", "7G 8G 9G")
    match = dealt().start.log[0]
    start = Position(Source.NEW, 0, (match, Dealt(1, -1, tuple(map(parse_cards, hands)), ())))
    practice = (
        Practice.begin(start, Level.SIMPLE, 1).after(Play(1, parse_cards("1M"))).after(Play(0, parse_cards("10G")))
    )
    while not practice.is_over:
        seen = practice.ai_view
        assert seen is not None
        practice = practice.after(simple.choose(seen))
    text = text_of(practice_message(practice, HandState(), WORDS))
    assert 'You forgot "Last card!", so you were out of the hand.' in text
    assert "**you** · 1 point" in text


@pytest.mark.parametrize("arguments", [(), ("new",), ("new", "none"), ("new", "club", "x"), ("x", "club")])
def test_a_press_without_a_deal_or_a_level_is_refused(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InvalidCustomId):
        parse_practice(Press(Verb.PRACTICE, 1, 0, arguments))


def test_every_deal_has_a_title() -> None:
    titles = {text_of(practice_message(dealt(source), HandState(), WORDS)).split("\n")[0] for source in DEALS}
    assert len(titles) == len(DEALS)
    imported = replace(dealt().start, source=Source.IMPORT)
    shown = practice_message(Practice.begin(imported, Level.CLUB, 1), HandState(), WORDS)
    assert "### Practice · imported match, hand 1" in text_of(shown)
