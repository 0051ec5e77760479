"""Lists of finished matches, and records that users import to replay them."""

from collections.abc import Callable
from typing import Final

from bot.analysis.history import FinishedMatch, HistoryFilter
from bot.analysis.replay import Origin, ReplayedMatch
from bot.base.fair_queue import Requester
from bot.engine import MatchStarted
from bot.engine.events import Event, Substituted
from bot.engine.record import BadRecord, Line, UnreadableLine, read, write
from bot.engine.verification import verify
from bot.services.archive import MAX_LINES
from bot.services.background import Background
from bot.services.caches import LruCache
from bot.storage import history
from bot.storage.database import Database
from bot.table.refusals import ImportExpired, RecordTooLong

PAGE_SIZE: Final = 10
"""Matches on a page."""
MAX_RECORD_BYTES: Final = 256 * 1024
"""Enough for a match of more than a thousand moves."""
IMPORT_SECONDS: Final = 7 * 24 * 3600
"""The time for which an imported record is kept."""
MAX_NAME_LENGTH: Final = 100
"""The longest name in a record. Discord's display names have at most 32 characters."""


class NameTooLong(BadRecord):
    """A record with a name of more than `MAX_NAME_LENGTH` characters."""


class History:
    """Reads finished matches and imported records."""

    def __init__(self, database: Database, background: Background, now: Callable[[], int]) -> None:
        self._database = database
        self._background = background
        self._imports = LruCache[tuple[int, str], ReplayedMatch](MAX_LINES, lambda match: len(match.lines))
        """By number and text, because the text changes when a name is deleted from it."""
        self._now = now
        """UTC milliseconds."""

    async def page(self, filters: HistoryFilter, number: int) -> tuple[list[FinishedMatch], bool]:
        """A page of finished matches (from 0), the newest first, and True if there is another page."""
        found = await self._database.fetch(history.finished, filters, number * PAGE_SIZE, PAGE_SIZE + 1)
        return found[:PAGE_SIZE], len(found) > PAGE_SIZE

    async def import_record(self, requester: Requester, content: bytes) -> ReplayedMatch:
        """Read and verify a record, and store it for the user for a week.

        Raises `RecordTooLong`, `BadRecord` or `TryAgainLater`.
        """
        if len(content) > MAX_RECORD_BYTES:
            raise RecordTooLong(MAX_RECORD_BYTES)
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UnreadableLine(len(content[: error.start].split(b"\n")), "this is not text in UTF-8") from None
        record, lines = await self._background.run(requester, _normalized, text)
        now = self._now() // 1000
        number = await self._database.commit(history.save_import, requester.user_id, record, now)
        return await self._load_import(requester, number, record, lines)

    async def get_import(self, requester: Requester, number: int) -> ReplayedMatch:
        """A record that the user has imported. Raises `ImportExpired` or `TryAgainLater`."""
        text = await self._database.fetch(
            history.load_import, requester.user_id, number, self._now() // 1000 - IMPORT_SECONDS
        )
        if text is None:
            raise ImportExpired
        return self._imports.get((number, text)) or await self._load_import(requester, number, text)

    async def _load_import(
        self, requester: Requester, number: int, text: str, lines: list[Line] | None = None
    ) -> ReplayedMatch:
        match = await self._background.run(requester, _match, number, text, lines)
        self._imports.put((number, text), match)
        return match


def _match(number: int, text: str, lines: list[Line] | None) -> ReplayedMatch:
    return ReplayedMatch.of(number, read(text) if lines is None else lines, Origin.IMPORT)


def _normalized(text: str) -> tuple[str, list[Line]]:
    """Verify a record. Returns it as the app would write it, and its lines. Raises `BadRecord`."""
    lines = verify_record(text)
    return write(lines), lines


def verify_record(text: str) -> list[Line]:
    """The lines of a record after checking its deals and moves. Raises `BadRecord`."""
    lines = read(text)
    for number, line in enumerate(lines, 1):
        longest = max(map(len, _names(line.event)), default=0)
        if longest > MAX_NAME_LENGTH:
            raise NameTooLong(number, f"a name has {longest} characters; at most {MAX_NAME_LENGTH} are accepted")
    verify(lines)
    return lines


def _names(event: Event) -> tuple[str, ...]:
    """The names in a line of a record."""
    match event:
        case MatchStarted():
            return event.seats
        case Substituted():
            return (event.by,)
        case _:
            return ()
