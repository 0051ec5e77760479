"""The report of a table's last finished hand, read once for all pages that show it."""

from typing import Final

from bot.analysis.hand_reports import HandReport
from bot.services.archive import Archive
from bot.services.caches import LruCache
from bot.table.snapshot import Table

MAX_REPORTS: Final = 500


class Reports:
    """Reads reports, and keeps those that can't change."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._known: LruCache[tuple[int, int], HandReport] = LruCache(MAX_REPORTS, lambda _report: 1)

    async def last(self, table: Table) -> HandReport | None:
        """The report of the last finished hand; None before its end. Without cards while its deal is secret."""
        key = table.id, table.hands_over
        if not table.hands_over:
            return None
        known = self._known.get(key)
        if known is not None:
            return known
        (*_, report) = await self._archive.reports(table, table.hands_over - 1)
        if table.row.daily is None and table.row.duplicate_of is None:  # others may play the same deals
            self._known.put(key, report)
        return report
