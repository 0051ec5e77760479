"""The numbers of taps in docs/taps.md."""

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from bot.presentation.channel.turn_notices import ACTIVE_FOR, MAX_CALLS
from bot.presentation.table.selection import decode
from playground.client.person import Person
from playground.client.screen import SeenMessage
from tests.end_to_end.app_harness import (
    LAST,
    MY_HAND,
    PASS,
    PLAY,
    AppHarness,
    Player,
    can_press,
    cards,
    play_on,
    play_until,
    running_app,
)
from tests.end_to_end.app_process import Control
from tests.end_to_end.inspection import shown

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "taps.md"
MENU: Final = 2
"""Taps: to open it, and to choose."""
LOWEST: Final = "Play the lowest card(s) that beat the table"
OPEN_PASS: Final = "Pass, the hand still open"
NEXT: Final = "My next turn, the hand still open"
ON_CALL: Final = "Pass on the call"
AWAY: Final = "Three people who close their hands and look elsewhere"
LATE: Final = "Three people, one of whom never moves"
PLAYING: Final = {
    "One person against three AI players, playing": 1,
    "Two people against two AI players, playing": 2,
}
"""The number of people who play, by situation."""
FIRST: Final = "Play my first card, from `/gang help`"
ON_SIGHT: Final = {
    FIRST,
    "Join a table",
    "Start a match of my own against AI players",
    "Show my match against AI in the channel",
    "Give the free seats of my table to AI players and start",
    "Play again with the same people",
    "See why the selected cards can't be played",
    "Look something up in the rules",
}
"""Tasks that other tests do."""


def written_down(part: int = 0, column: int = 1) -> dict[str, int]:
    """The numbers in a column of a table of the document, by situation: of taps or of mentions."""
    text = DOCUMENT.read_text().split("\n## ")[part]
    rows = re.findall(rf"^\| ([^|]+?) (?:\|[^|]+){{{column - 1}}}\| (\d+) \|", text, re.MULTILINE)
    return {situation: int(taps) for situation, taps in rows}


class Thumb(Player):
    """Plays in ways that haven't been counted yet, if the cards allow it, and counts the taps."""

    counted: dict[str, int]
    panel: SeenMessage
    taps = 0

    async def act(self) -> None:
        """Make one move."""
        self.taps = 0
        is_open = LOWEST in self.counted and not {NEXT, OPEN_PASS} <= self.counted.keys()
        if ON_CALL not in self.counted and can_press(self.harness.notices()[-1], PASS):
            await self.person.click(self.harness.notices()[-1], PASS)
            self.counted[ON_CALL] = 1
            await self.person.until(lambda: not self.must_act())  # the open hand shows the pass a moment later
            return
        if not is_open:
            reply = await self.person.click(self.harness.notices()[-1], MY_HAND)
            assert reply.message is not None
            self.panel, self.taps = reply.message, 1
        situation = await self._give_back() or await self._chosen(is_open) or await self._lowest(is_open)
        self.counted.setdefault(situation, self.taps)

    async def _chosen(self, is_open: bool) -> str:
        return "" if is_open else await self._pair() or await self._five() or await self._single()

    async def _tap(self, label: str | None = None, *, custom_id: str | None = None) -> None:
        self.taps += 1
        await self.person.click(self.panel, label, custom_id=custom_id)

    async def _give_back(self) -> str:
        if "give back" not in self.panel.text:
            return ""
        await self._tap(custom_id=cards(self.panel)[0])
        await self._tap("Give back")
        return "Give a card back after a hand" if self.taps > 2 else "Give a card back, the hand still open"

    async def _five(self) -> str:
        """Play five cards from the menu, if that hasn't been counted."""
        options = self.panel.selects[0].options if self.panel.selects else []
        kinds = [option for option in options if re.match("straight|flush|full house", option.label)]
        fives = [option for option in options if len((option.description or "").split()) == 5]
        situation = "Play five cards, with more than 25 plays to choose from"
        if not any("." in option.value for option in options):
            situation, kinds = "Play five cards", fives
        if not kinds or situation in self.counted or len(cards(self.panel)) <= 6:
            return ""
        await self._select(kinds[0].value)
        await self._tap(PLAY)
        return situation

    async def _pair(self) -> str:
        """Lead a pair by one of its cards, if that has not been counted."""
        situation = "Play a pair of my choice"
        held = [decode(custom_id.rsplit(":", 2)[1])[0] for custom_id in cards(self.panel)]
        pairs = [number for number, (one, two) in enumerate(pairwise(held)) if one.rank == two.rank]
        if not pairs or situation in self.counted or len(held) <= 4 or "play any combination" not in self.panel.text:
            return ""
        await self._tap(custom_id=cards(self.panel)[pairs[0]])
        await self._tap(next(button.label for button in self.panel.buttons if button.label.startswith(f"{PLAY} ")))
        return situation

    async def _select(self, value: str) -> None:
        self.taps += MENU
        await self.person.select(self.panel, value)

    async def _single(self) -> str:
        """Play a single card, if that hasn't been counted."""
        situation = "Play a single card of my choice"
        plays = self.panel.selects[0].options if self.panel.selects else []
        singles = [play for play in plays if "." not in play.value and len((play.description or "").split()) == 1]
        if not singles or situation in self.counted or len(cards(self.panel)) <= 2:
            return ""
        (card,) = [each for each in cards(self.panel) if each.rsplit(":", 2)[1] == singles[0].value[1:]][:1]
        await self._tap(custom_id=card)
        await self._tap(PLAY)
        return situation

    async def _lowest(self, is_open: bool) -> str:
        if not self.panel.selects:
            await self._tap(PASS)
            return "Pass in the hand" if not is_open else OPEN_PASS
        await self._tap("Lowest play")
        says = can_press(self.panel, LAST)
        await self._tap(LAST if says else PLAY)
        if is_open:
            return NEXT
        return "Play all but one card, and say so" if says else LOWEST


async def cut(harness: AppHarness, host: Person, number: int) -> int:
    """Cut the deck. Returns the taps, without typing."""
    panel = shown(await host.click(harness.table(host), "Options"))
    await host.click(panel, "Fairness")
    modal = (await host.click(panel, "Cut")).modal
    await host.submit(modal, {"number": number})
    await host.until(lambda: f"{host.name} cut at {number}" in harness.table(host).text)
    return 4


async def cancel_orders(player: Thumb) -> int:
    """Cancel an order in the hand. Returns the taps."""
    person, panel = player.person, player.panel
    more = shown(await person.click(panel, "More"))
    await person.select(more, "above:10")
    await person.until(lambda: "Auto-pass: Pass on single cards above 10" in panel.text)
    await person.click(panel, "Cancel auto-pass")
    assert "Auto-pass" not in panel.text
    return 1


async def look_back(player: Thumb) -> int:
    """See all hands of the match so far. Returns the taps."""
    person, panel = player.person, player.panel
    more = shown(await person.click(panel, "More"))
    hands = shown(await person.click(more, "All hands so far"))
    assert "hand 1: the hands as dealt" in hands.text
    totals = shown(await person.click(more, "Totals per hand"))
    await person.until(lambda: "hand" in totals.text)
    return 2


async def test_no_task_takes_more_taps_than_documented(harness: AppHarness) -> None:
    ana = harness.people[0]
    await harness.open_table(ana, seats=4, target=1000)
    await harness.seat(harness.people[1:])
    written, counted = written_down(), dict[str, int]()
    counted["Cut the deck, as the host"] = await cut(harness, ana, 63)
    await harness.start_match()
    players = [Thumb(harness, person) for person in harness.people]
    for player in players:
        player.counted = counted
        await player.open()

    def to_act() -> list[Thumb]:
        called = harness.notices()[-1].text if harness.notices() else ""
        return [player for player in players if player.must_act() and player.person.mention in called]

    counted["Cancel auto-pass"] = await cancel_orders(players[0])
    back = "See the totals or all hands of the match so far"
    while written.keys() - ON_SIGHT - counted.keys():
        mover, *_ = await ana.until(to_act)
        await mover.act()
        if back not in counted and "Hand 2" in harness.table().text:
            counted[back] = await look_back(players[0])
    assert {situation: counted[situation] for situation in counted.keys() & written.keys()} == {
        situation: written[situation] for situation in counted.keys() & written.keys()
    }


async def test_the_first_card_is_played_after_three_taps(harness: AppHarness) -> None:
    ana = harness.people[0]
    panel = shown(await ana.slash(harness.channel, "gang help"))
    player = Player(harness, ana)
    player.panel = hand = shown(await ana.click(panel, "Play against AI"))
    assert hand.id == panel.id
    taps = 1
    await ana.until(player.must_act)
    while not can_press(hand, "Lowest play"):
        await ana.click(hand, PASS)
        await ana.until(player.must_act)
    for label in ("Lowest play", PLAY):
        await ana.click(hand, label)
        taps += 1
    assert len(cards(hand)) < 16
    assert taps == written_down()[FIRST]


def hand_is_over(harness: AppHarness) -> Callable[[], bool]:
    """A condition that is true after the first hand."""
    return lambda: "Hand 1" not in harness.table().text


@pytest.mark.parametrize("situation", sorted(PLAYING))
async def test_active_players_are_not_mentioned(tmp_path: Path, situation: str) -> None:
    number, active = PLAYING[situation], {"bot.presentation.channel.turn_notices.ACTIVE_FOR": ACTIVE_FOR}
    async with running_app(tmp_path, constants=active) as harness:
        players = await harness.begin_match(number, ai_players=4 - number)
        await play_until(harness, players, hand_is_over(harness))
        assert sum(len(player.person.pings) for player in players) == written_down(part=1)[situation]


async def test_absent_players_are_mentioned_twice_in_a_hand(tmp_path: Path) -> None:
    few = {"bot.presentation.channel.turn_notices.MAX_CALLS": MAX_CALLS}
    async with running_app(tmp_path, constants=few) as harness:
        players = await harness.begin_match(3, pace="live")
        await play_until(harness, players, lambda: all(player.moves > MAX_CALLS for player in players))
        assert "Hand 1" in harness.table().text
        assert {len(player.person.pings) for player in players} == {written_down(part=1)[AWAY]}


async def test_a_late_player_lets_nobody_be_mentioned_more_than_twice_in_a_hand(tmp_path: Path) -> None:
    constants = {
        "bot.presentation.channel.turn_notices.MAX_CALLS": MAX_CALLS,
        "bot.services.deadlines.MAX_SLEEP": 0.05,
    }
    async with running_app(tmp_path, constants) as harness:
        late, *others = await harness.begin_match(3, pace="live", target=1)  # one hand
        asked = set[int]()

        def is_late() -> bool:
            return f"👉 **{late.person.name}**" in harness.table().text

        def question() -> int:
            messages = harness.messages(late.person)
            return next((message.id for message in messages if "What should happen now?" in message.text), 0)

        while not harness.is_over():
            for player in others:
                await player.open()  # the app's clock goes on, so open hands expire
            await play_on(harness, others, lambda: is_late() or harness.is_over())
            while is_late():
                before = harness.table().text
                if "Time ran out" in before:
                    asked.add(await late.person.until(question))
                harness.controls[Control.CLOCK_OFFSET] += 300_000
                await late.person.until(lambda: harness.table().text != before)  # noqa: B023  # awaited at once
        assert len(asked) >= MAX_CALLS  # besides a call to each
        most = written_down(part=1)[LATE]
        assert {len(player.person.pings) for player in (late, *others)} == {most}


@pytest.mark.parametrize("situation", sorted(written_down()))
def test_each_number_of_taps_matches_its_list(situation: str) -> None:
    table, *_ = DOCUMENT.read_text().split("\n## ")
    (row,) = [line for line in table.splitlines() if line.startswith(f"| {situation} |")]
    _, _, number, _, taps, _ = row.split("|")
    assert int(number) == len(taps.split("·"))
