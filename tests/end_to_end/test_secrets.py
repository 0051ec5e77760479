"""What others can see never carries a card of a hand in play, a seed before the end, or the token."""

import json
import re
from dataclasses import dataclass

from bot.engine.cards import parse_card
from bot.engine.events import Dealt, Event, Gave, GaveBack, MatchEnded, Played
from playground.world.changes import Change, MessageShown
from tests.end_to_end.evidence import opened, record_of, whispered
from tests.end_to_end.room import Player, Room, cards, play_to_the_end, play_until

A_CARD = re.compile(r"(?<![0-9A-Za-z`])((?:10|[1-9])[GYR]|1M|Phoenix.[GY]|Dragon)(?![0-9A-Za-z])")
SPECIAL = {"Phoenix\N{NO-BREAK SPACE}G": "PG", "Phoenix\N{NO-BREAK SPACE}Y": "PY", "Dragon": "DR"}
A_HAND_IN_PLAY = re.compile(r"Hand (\d+) ·")
NO_CARDS = re.compile(r"(?:hands|replay):\d+:0:\d+|rematch:\d+:0:options")
"""What more than a table and a moment the id of a public button says: which hand is over, and which rematch."""
A_FINISHED_HAND = re.compile(r"hand (\d+) is over")


@dataclass(frozen=True)
class Seen:
    """What a public message showed once."""

    text: str
    raw: str
    is_over: bool


class Onlooker:
    """Somebody who reads along, and keeps every version of everything that is not private."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.versions: list[Seen] = []
        room.world.change_listeners.append(self._see)

    def _see(self, change: Change) -> None:
        if isinstance(change, MessageShown) and change.message.reader is None:
            seen = next(
                message for message in self.room.people[3].sees(self.room.channel) if message.message is change.message
            )
            self.versions.append(Seen(seen.text, json.dumps(seen.raw), "match is over" in seen.text))


def cards_in(text: str) -> set[int]:
    """Every card that a text names."""
    return {parse_card(SPECIAL.get(found, found)) for found in A_CARD.findall(text)}


def open_cards(events: list[Event]) -> dict[int, set[int]]:
    """For each hand, what everybody has seen of it before its end: what was played, given and given back."""
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


async def _playing(room: Room) -> list[Player]:
    ana, ben, cleo, _ = room.people
    await room.open(ana, target=15, seats=3)
    await room.seat([ben, cleo])
    await room.begin()
    return [Player(room, person) for person in (ana, ben, cleo)]


async def test_public_messages_show_only_what_lies_on_the_table(room: Room) -> None:
    onlooker = Onlooker(room)
    await play_to_the_end(room, await _playing(room))

    events = [line.event for line in record_of(room)]
    seen_of = open_cards(events)
    seed = next(event.seed for event in events if isinstance(event, MatchEnded))
    looked_at = 0
    for version in onlooker.versions:
        if hand := A_HAND_IN_PLAY.search(version.text):
            looked_at += 1
            assert cards_in(version.text) <= seen_of[int(hand[1])], version.text
        elif not A_FINISHED_HAND.search(version.text):
            assert not cards_in(version.text), version.text
        said = set(re.findall(r'"g4:(\w+:\d+:\d+:[^"]*)"', version.raw))
        assert all(NO_CARDS.fullmatch(more) for more in said), "no button of a public message carries cards"
        assert version.is_over or seed not in version.raw
    assert looked_at >= 10


async def test_no_answer_to_others_shows_cards(room: Room) -> None:
    players = await _playing(room)
    await play_until(room, players, lambda: sum(player.moves for player in players) > 4)
    dan = room.people[3]
    panel = players[0].panel
    assert panel is not None
    answers = [
        await dan.click(room.table(), "My hand"),
        await dan.slash(room.channel, "gang hand", table=1),
        await dan.slash(room.channel, "gang leave", table=1),
        await dan.slash(room.channel, "gang list"),
        await dan.slash(room.channel, "gang leaderboard"),
        *[await dan.press_old(custom_id, panel) for custom_id in cards(panel)],
    ]
    answers += [await dan.press_old(f"g4:{verb}:1:9:n:0:", panel) for verb in ("play", "pass", "declare", "give")]
    for answer in answers:
        assert not cards_in(whispered(answer))


async def test_the_log_tells_no_cards_no_seed_and_no_token(room: Room) -> None:
    await room.stop_app()
    await room.start_app(LOG_LEVEL="DEBUG")
    players = await _playing(room)
    await play_until(room, players, lambda: sum(player.moves for player in players) > 4)
    ana, panel = room.people[0], await room.hand(room.people[0])
    room.world.faults.next("POST", "/interactions/*/callback", status="reset")
    await ana.click(panel, custom_id=cards(panel)[0])
    await ana.press_old("g4:card:1:0:n:zz::0:1", panel)
    with opened(room) as connection:
        (seed,) = connection.execute("SELECT seed FROM tables").fetchone()

    log = room.log.read_text()
    assert "failed" in log
    assert "'card' at table 1" in log
    assert not cards_in(log)
    assert seed.hex() not in log
    assert repr(seed) not in log
    assert room.world.token not in log
