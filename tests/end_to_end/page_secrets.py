"""What a page may show: checks every frame against the log, and that the log's moves are told once, in order."""

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any, Final

from bot.engine import State, evolve
from bot.engine.cards import is_gang
from bot.engine.events import Dealt, Event, Gave, GaveBack, HandEnded, MatchStarted, Passed, Played
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import app_database
from tests.end_to_end.page_client import SECRET, Page
from tests.end_to_end.test_secrets import cards_in

PRIVATE: Final = ("hand", "choices")
"""The parts of an update about the viewer's own hand."""
APART: Final = (*PRIVATE, "result", "events", "settings")
"""The parts that may name other cards than those of the table in this hand; rules among the options name some."""


class Truth:
    """What the log of a match says at each of its lengths."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self._states: list[State | None] = [None]
        for event in events:
            self._states.append(evolve(self._states[-1], event))

    def hand(self, length: int, seat: int | None) -> tuple[int, ...]:
        """The cards of a seat."""
        state = self._states[length]
        return () if state is None or seat is None or not state.hands else tuple(map(int, state.hands[seat]))

    def own(self, length: int, seat: int) -> set[int]:
        """The cards of a seat, and those that it had at the end of the hand before: a late message shows them."""
        ends = (n for n in range(length, 0, -1) if isinstance(self.events[n - 1], HandEnded))
        return {*self.hand(length, seat), *self.hand(next(ends, 0), seat)}

    def open(self, length: int, hands: int = 1) -> set[int]:
        """The cards that everyone has seen in the last hands."""
        found, left = set[int](), hands
        for event in reversed(self.events[:length]):
            match event:
                case Dealt():
                    left -= 1
                    if not left:
                        break
                case Played(cards=cards):
                    found.update(map(int, cards))
                case Gave(card=card) | GaveBack(card=card):
                    found.add(int(card))
        return found

    def left(self, hand: int) -> list[tuple[int, ...]]:
        """The cards that each seat had at the end of a hand."""
        (state,) = (
            state for event, state in zip(self.events, self._states, strict=False) if _ends(event, hand) and state
        )
        return [tuple(map(int, cards)) for cards in state.hands]

    def moves(self, start: int, end: int) -> list[tuple[str, int, tuple[int, ...]]]:
        """The plays and passes between two lengths, as events of pages name them."""
        found: list[tuple[str, int, tuple[int, ...]]] = []
        for event in self.events[start:end]:
            if isinstance(event, Played):
                kind = "gang" if is_gang(event.cards) else "play"
                found.append((kind, event.seat, tuple(map(int, event.cards))))
            elif isinstance(event, Passed):
                found.append(("pass", event.seat, ()))
        return found


def _ends(event: Event, hand: int) -> bool:
    return isinstance(event, HandEnded) and event.hand == hand


class FrameCheck:
    """Checks the frames of pages at one table."""

    def __init__(
        self, harness: AppHarness, events: Sequence[Event], table: int = 1, *, hides_results: bool = False
    ) -> None:
        """`hides_results`: others may play the same deals, so the cards left in a hand aren't shown after it."""
        assert isinstance(events[0], MatchStarted)
        self.truth = Truth(events)
        self._table = table
        self._hides_results = hides_results
        with app_database(harness) as connection:
            seeds = [seed for (seed,) in connection.execute("SELECT seed FROM tables")]
        self._secrets = [SECRET, *(text for seed in seeds for text in _spellings(seed))]

    def check(self, page: Page) -> None:
        """Check all frames of a page, and that they contain every move."""
        self.check_frames(page)
        shown = [update for update in page.updates if update["number"] == self._table]
        assert shown[-1]["length"] == len(self.truth.events)
        told = [event for update in shown for event in update["events"]]
        assert list(_moves(told)) == self.truth.moves(shown[0]["length"], len(self.truth.events))

    def check_frames(self, page: Page) -> None:
        """Check that no frame of a page shows a secret."""
        updates = iter(page.updates)
        for text, frame in zip(page.texts, page.frames, strict=True):
            assert not [secret for secret in self._secrets if secret in text]
            update = next(updates) if "table" in frame or "changes" in frame else {}
            if update.get("number") == self._table:
                self.check_update(update)
            else:
                assert not cards_in(text), text

    def check_update(self, update: dict[str, Any]) -> None:
        """Check that an update names the viewer's own cards and those that lay on the table, nothing else."""
        length, seat = update["length"], update["you"]
        own = self.truth.hand(length, seat) if update["status"] == "playing" else ()
        assert tuple(sorted(card["id"] for card in update["hand"])) == own
        assert [card["id"] for card in update["hand"]] == sorted(own), "the order of the deal shows"
        for name in PRIVATE:
            assert named({name: update[name]}) <= set(own), (name, update)
        on_table = self.truth.open(length)
        rest = {name: value for name, value in update.items() if name not in APART}
        assert named(rest) <= on_table, (named(rest) - on_table, rest)
        assert named(update["events"]) <= self.truth.open(length, hands=2), update
        result = update["result"]
        if result is not None:
            left = self.truth.left(result["hand"])
            for row in result["rows"]:
                cards = () if self._hides_results else left[row["seat"]]
                assert tuple(sorted(card["id"] for card in row["cards"])) == cards


def named(part: object) -> set[int]:
    """Every card that a part of an update names, as an object, by its id or in a text."""
    return cards_in(json.dumps(part, ensure_ascii=False)) | _objects(part)


def _objects(part: object) -> set[int]:
    """The cards that are objects or ids."""
    match part:
        case dict():
            found = {int(part["id"])} if "sign" in part else set[int]()
            return found.union(*(_ids(name, value) | _objects(value) for name, value in part.items()))
        case list():
            return set[int]().union(*map(_objects, part))
    return set()


def _ids(name: str, value: object) -> set[int]:
    """The cards of a list of ids."""
    if name != "cards" or not isinstance(value, list):
        return set()
    return {each for each in value if isinstance(each, int)}


def _moves(told: Sequence[dict[str, Any]]) -> Iterator[tuple[str, int, tuple[int, ...]]]:
    for event in told:
        if event["kind"] in {"play", "gang", "pass"}:
            yield event["kind"], event["seat"], tuple(card["id"] for card in event["cards"])


def _spellings(secret: bytes) -> list[str]:
    """A secret as texts in which it could leave the server."""
    return [secret.hex(), secret.hex().upper(), b64encode(secret).decode().rstrip("="), repr(secret)]
