"""Pictures of many tables: complete, legal, and without what their viewer may not see."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.engine import View
from bot.engine.legality import cheapest_with
from bot.presentation.text.i18n import Words, languages, words_in
from bot.table.model import Status
from bot.table.snapshot import Table
from bot.web.card_json import Json
from bot.web.connection import dumps
from bot.web.table_json import Viewer, table_json
from tests.presentation.sample_tables import random_tables

STRANGER = 999


def tables() -> Iterator[Table]:
    for size in (3, 4):
        for table in random_tables(7, size):
            if table.row.status is Status.LOBBY or table.public is not None:
                yield table


def views(table: Table) -> Iterator[tuple[int, View]]:
    if table.row.status is Status.PLAYING:
        for seat in table.seats:
            if seat.user_id is not None:
                yield seat.user_id, table.view_of(seat.user_id)


def plays_now(table: Table, user_id: int) -> bool:
    """True if a user plays their seat, and the match isn't paused."""
    return table.row.paused_at is None and user_id in (seat.player_id for seat in table.seats)


def update(table: Table, user_id: int, words: Words) -> Json:
    return table_json(table, Viewer(user_id, words), 0)


@pytest.mark.parametrize("language", languages())
def test_every_table_has_a_picture_for_everyone(language: str) -> None:
    words = words_in(language)
    for number, table in enumerate(tables()):
        if number % 20 == 0:
            for user_id in (STRANGER, *(seat.user_id or 0 for seat in table.seats)):
                shown = json.loads(dumps(update(table, user_id, words)))
                assert shown["language"] == language
                assert len(dumps(shown)) < 20_000
                assert not markup_in(shown)


def markup_in(part: Any) -> bool:  # noqa: ANN401  # JSON
    """True if a text has Discord's markdown, apart from names."""
    if isinstance(part, dict):
        return any(markup_in(value) for name, value in part.items() if name not in ("name", "text", "notice", "note"))
    if isinstance(part, list):
        return any(map(markup_in, part))
    return isinstance(part, str) and ("**" in part or "<@" in part or "<t:" in part)


def test_the_plays_offered_are_legal_and_complete() -> None:
    words = words_in("en")
    for table in tables():
        for user_id, view in views(table):
            shown, plays = update(table, user_id, words), view.plays()
            offered = {tuple(choice["cards"]) for choice in shown["choices"]}
            assert offered <= {tuple(map(int, play.cards)) for play in plays}
            if plays_now(table, user_id):
                assert shown["playable"] == sorted({int(card) for play in plays for card in play.cards})
            cheapest = [choice["cards"] for choice in shown["choices"] if choice["is_cheapest"]]
            if plays_now(table, user_id):
                assert cheapest == [list(map(int, play.cards)) for play in cheapest_with(plays, ())]
            for card in view.hand:
                with_it = {tuple(map(int, play.cards)) for play in cheapest_with(plays, (card,))}
                assert with_it <= offered or not plays_now(table, user_id)
            assert ("pass" in shown["can"]) is (view.may_pass and plays_now(table, user_id))
            assert bool(offered) is (bool(plays) and plays_now(table, user_id))
            assert [card["id"] for card in shown["hand"]] == list(map(int, view.hand))


def test_spectators_see_no_hand_and_can_do_nothing() -> None:
    words = words_in("en")
    for table in tables():
        shown = update(table, STRANGER, words)
        assert (shown["you"], shown["hand"], shown["choices"], shown["playable"]) == (None, [], [], [])
        if table.row.status is not Status.LOBBY:
            assert shown["can"] == []


def test_hands_are_in_their_readers_order() -> None:
    by_color = words_in("en").in_order(by_color=True)
    for table in tables():
        for user_id, view in views(table):
            shown = update(table, user_id, by_color)
            assert shown["sort"] == "color"
            ids = [card["id"] for card in shown["hand"]]
            assert ids == [int(card) for card in sorted(view.hand, key=lambda card: (card.color, card))]
