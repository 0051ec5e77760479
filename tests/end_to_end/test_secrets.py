"""No other user sees a card of a hand in play, a seed before the end, or the token."""

import json
import re
from dataclasses import dataclass

import pytest

from bot.engine.cards import parse_card
from bot.engine.events import Dealt, Event, Gave, GaveBack, MatchEnded, Played
from playground.world.changes import Change, MessageShown
from tests.end_to_end.app_harness import MY_HAND, AppHarness, cards, play_to_the_end, play_until
from tests.end_to_end.inspection import app_database, private_text, record_of, shown, wait_for_log

A_CARD = re.compile(
    r"(?<![0-9A-Za-z`])((?:10|[1-9])[GYR]|1M|(?:green|yellow)\N{NO-BREAK SPACE}Phoenix|Dragon)(?![0-9A-Za-z])"
)
SPECIAL = {"green\N{NO-BREAK SPACE}Phoenix": "PG", "yellow\N{NO-BREAK SPACE}Phoenix": "PY", "Dragon": "DR"}
A_HAND_IN_PLAY = re.compile(r"Hand (\d+) ·")
NO_CARDS = re.compile(
    r"(?:hands|sheet|replay):\d+:0:\d+|rematch:\d+:0:options|options:\d+:0:people|"
    r"(?:why:0:0:R\d+|rules:0:0:brief):[01]{8}-\d+"
)
"""Arguments in the ids of public buttons: a finished hand, the rematch, a page, a rule with the table's options."""
BUG = {"bot.presentation.table.hand.CARDS_A_ROW": "four"}
"""A constant with which drawing a hand fails, in functions whose local variables hold the cards."""
A_FINISHED_HAND = re.compile(r"hand (\d+) is over")


@dataclass(frozen=True)
class Seen:
    """A version of a public message."""

    text: str
    raw: str
    is_over: bool


class Onlooker:
    """A spectator who keeps every version of every public message."""

    def __init__(self, harness: AppHarness) -> None:
        self.harness = harness
        self.versions: list[Seen] = []
        harness.world.change_listeners.append(self._see)

    def _see(self, change: Change) -> None:
        if isinstance(change, MessageShown) and change.message.reader is None:
            seen = next(
                message
                for message in self.harness.people[3].sees(self.harness.channel)
                if message.message is change.message
            )
            self.versions.append(Seen(seen.text, json.dumps(seen.raw), "match is over" in seen.text))


def cards_in(text: str) -> set[int]:
    """Every card that a text names."""
    return {parse_card(SPECIAL.get(found, found)) for found in A_CARD.findall(text)}


def open_cards(events: list[Event]) -> dict[int, set[int]]:
    """The public cards of each hand before its end: played, given and given back."""
    found: dict[int, set[int]] = {}
    hand = 0
    for event in events:
        if isinstance(event, Dealt):
            hand = event.hand
            found[hand] = set()
        elif isinstance(event, Played):
            found[hand].update(event.cards)
        elif isinstance(event, Gave | GaveBack):
            found[hand].add(event.card)
    return found


async def test_public_messages_show_only_played_cards(harness: AppHarness) -> None:
    onlooker = Onlooker(harness)
    await play_to_the_end(harness, await harness.begin_match(3, target=15))

    events = [line.event for line in record_of(harness)]
    seen_of = open_cards(events)
    seed = next(event.seed for event in events if isinstance(event, MatchEnded))
    looked_at = 0
    for version in onlooker.versions:
        if hand := A_HAND_IN_PLAY.search(version.text):
            looked_at += 1
            assert cards_in(version.text) <= seen_of[int(hand[1])], version.text
        elif not A_FINISHED_HAND.search(version.text):  # a call or the announcement of a play
            assert cards_in(version.text) <= set().union(*seen_of.values()), version.text
        said = set(re.findall(r'"g4:(\w+:\d+:\d+:[^"]*)"', version.raw))
        assert not [more for more in said if not NO_CARDS.fullmatch(more)], (
            "no button of a public message carries cards"
        )
        assert version.is_over or seed not in version.raw
    assert looked_at >= 10


async def test_no_answer_to_others_shows_cards(harness: AppHarness) -> None:
    players = await harness.begin_match(3, target=15)
    await play_until(harness, players, lambda: sum(player.moves for player in players) > 4)
    dan = harness.people[3]
    panel = players[0].panel
    assert panel is not None
    answers = [
        await dan.click(harness.table(), "My hand"),
        await dan.slash(harness.channel, "gang hand", table=1),
        await harness.under_more(dan, "leave-match:1:0"),
        await dan.slash(harness.channel, "gang list"),
        await dan.slash(harness.channel, "gang leaderboard"),
        *[await dan.press_old(custom_id, panel) for custom_id in cards(panel)],
    ]
    answers += [await dan.press_old(f"g4:{verb}:1:9:n:0:", panel) for verb in ("play", "pass", "declare", "give")]
    for answer in answers:
        assert not cards_in(private_text(answer))


@pytest.mark.parametrize("line_format", ["text", "json"])
async def test_the_log_tells_no_cards_no_seed_and_no_token(harness: AppHarness, line_format: str) -> None:
    await harness.stop_app()
    await harness.start_app(LOG_LEVEL="DEBUG", LOG_FORMAT=line_format)
    players = await harness.begin_match(3, target=15)
    await play_until(harness, players, lambda: sum(player.moves for player in players) > 4)
    ana, panel = harness.people[0], await harness.open_hand(harness.people[0])
    harness.world.faults.next("POST", "/interactions/*/callback", status="reset")
    await ana.click(panel, custom_id=cards(panel)[0])
    await ana.press_old("g4:card:1:0:n:zz::0:1", panel)

    log = await wait_for_log(harness, "'card' at table 1")
    assert "failed" in log
    assert_no_secret(harness, log)
    if line_format == "json":
        lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
        (failed,) = (line for line in lines if "'card' at table 1" in line["message"])
        assert (failed["kind"], failed["verb"], failed["table"]) == ("press", "card", 1)
        assert int(failed["request"]) > 2**53


@pytest.mark.parametrize("line_format", ["text", "json"])
async def test_the_log_of_a_bug_tells_no_cards_no_seed_and_no_token(harness: AppHarness, line_format: str) -> None:
    await harness.stop_app()
    harness.constants |= BUG
    await harness.start_app(LOG_LEVEL="DEBUG", LOG_FORMAT=line_format)
    await meet_the_bug(harness)

    log = await wait_for_log(harness, "TypeError")
    assert "Traceback" in log
    assert_no_secret(harness, log)
    harness.log.write_text("")  # this traceback is expected


def assert_no_secret(harness: AppHarness, text: str) -> None:
    """Check that a text has no card, no seed and not the token."""
    with app_database(harness) as connection:
        (seed,) = connection.execute("SELECT seed FROM tables").fetchone()
    assert not cards_in(text)
    assert seed.hex() not in text
    assert repr(seed) not in text
    assert harness.world.token not in text


async def meet_the_bug(harness: AppHarness) -> None:
    """Open a hand, which fails with `BUG`."""
    await harness.begin_match(1, ai_players=2)
    assert "Something broke" in shown(await harness.people[0].click(harness.table(), MY_HAND)).text
