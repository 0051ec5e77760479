"""The moments of a replay on the page."""

from pathlib import Path
from typing import Final

import pytest

from bot.analysis.replay import ReplayedMatch
from bot.engine.events import Dealt, Undone
from bot.engine.record import read
from bot.presentation.text.i18n import words_in
from bot.web.replays import replay_json

RECORDS: Final = sorted((Path(__file__).parents[1] / "engine" / "records").glob("*.jsonl"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_every_moment_is_shown_with_what_has_happened(path: Path) -> None:
    match, words = ReplayedMatch.of(12, tuple(read(path.read_text(encoding="utf-8")))), words_in("en")
    for number in range(len(match.stops)):
        shown, event = replay_json(match, number, 0, words), match.at(number).event
        is_cut = isinstance(event, Dealt) and event.first is not None
        assert shown["text"].startswith("✂️ Cut: ") is is_cut
        assert shown["text"]
        assert ([each["kind"] for each in shown["events"]] == ["undo"]) is isinstance(event, Undone)
        if isinstance(event, Undone):
            assert [each["seat"] for each in shown["events"]] == [event.seat]
