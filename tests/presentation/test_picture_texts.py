"""The texts of pictures have room in every language: with short names, nothing is cut."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.engine import Options
from bot.pictures import pages
from bot.pictures import still as still_page
from bot.pictures.animation import animation
from bot.pictures.chart import chart
from bot.pictures.descriptions import Animation, Page
from bot.pictures.ending import ending
from bot.pictures.fonts import ELLIPSIS, fitted, on_two_lines, width, wrapped
from bot.pictures.next_hand import next_hand
from bot.pictures.replay import MAX_PAGES
from bot.pictures.score_sheet import score_sheet
from bot.pictures.still import still
from bot.presentation.records.pictures import chart_of, ending_of, next_hand_of, replay_of, sheet_of
from bot.presentation.text import labels
from bot.presentation.text.i18n import languages, words_in
from bot.presentation.text.moves import move_text
from tests.presentation.sample_tables import Sheet, people, sheets

pytestmark = pytest.mark.parametrize("language", languages())
EDITIONS = ("days-of-wonder", "dargaud-1996")


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The texts that a picture has cut off."""
    found: set[str] = set()

    def watched(fitting: Callable[..., tuple[Any, int]]) -> Callable[..., tuple[Any, int]]:
        def fit(text: str, *max_width: float, **more: bool) -> tuple[Any, int]:
            shown, size = fitting(text, *max_width, **more)
            if ELLIPSIS in "".join(shown) and ELLIPSIS not in text:
                found.add(text)
            return shown, size

        return fit

    def wrap(text: str, max_width: float, size: int) -> list[str]:
        lines = wrapped(text, max_width, size)
        if any(width(line, size) > max_width for line in lines):
            found.add(text)
        return lines

    monkeypatch.setattr(pages, "fitted", watched(fitted))
    monkeypatch.setattr(pages, "on_two_lines", watched(on_two_lines))
    monkeypatch.setattr(still_page, "wrapped", wrap)
    return found


def named(sheet: Sheet) -> Sheet:
    table, report = sheet
    return replace(table, row=replace(table.row, seats=people("Ada", "Bo", "Cy", "Di"))), report


def test_the_score_sheet_and_the_ending_show_all_they_say(language: str, cut: set[str]) -> None:
    words = words_in(language)
    found = list(map(named, sheets(4)))
    hands = [report.ended for _, report in found]
    for number in (1, len(found)):
        table, report = found[number - 1]
        score_sheet(sheet_of(table, hands[:number], words))
        following = next_hand_of(table, report, words)
        if following is not None:
            next_hand(following)
        ending(ending_of(table, hands[:number], words))
    assert cut == set()


def test_the_chart_shows_all_it_says(language: str, cut: set[str]) -> None:
    chart(chart_of(words_in(language)))
    assert cut == set()


def test_a_hand_move_by_move_shows_all_it_says(language: str, cut: set[str]) -> None:
    words = words_in(language)
    table, report = max(map(named, sheets(4)), key=lambda sheet: len(sheet[1].moves))
    title = labels.capitalized(words.say("Table {number} · hand {hand}", number=12, hand=3))
    replay = replay_of(title, table, report, words)
    moves = list(replay.moves)
    passes = [number for number, move in enumerate(moves) if not move.cards]
    for number, edition in zip(passes, EDITIONS, strict=False):
        forgot = move_text((), Options.of(edition, {}), words, forgot=True)
        moves[number] = replace(moves[number], text=forgot)
    replay = replace(replay, moves=tuple(moves))
    for number in range(MAX_PAGES):
        still(Page(replay, number))
    animation(Animation(replay))
    assert cut == set()
