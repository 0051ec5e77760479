"""The parts of the app that the page uses: the same that the cogs use."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import discord

from bot.base.press_context import record_table
from bot.presentation.text.i18n import Words
from bot.presentation.text.readers import Readers
from bot.services.archive import Archive
from bot.services.coaching import Coach
from bot.services.daily import Daily
from bot.services.guild_settings import Guilds
from bot.services.hints import Hints
from bot.services.rate_limiter import RateLimiter
from bot.services.tables import Tables
from bot.services.user_settings import Users
from bot.table.snapshot import Table
from bot.web.access import Access
from bot.web.launches import Launches
from bot.web.reports import Reports
from bot.web.routing import Fields, Page
from bot.web.sessions import Session, Sessions
from bot.web.watchers import Watchers


@dataclass(frozen=True, kw_only=True)
class Parts:
    """The services that the handlers of requests use."""

    client: discord.Client
    tables: Tables
    archive: Archive
    reports: Reports
    coach: Coach
    daily: Daily
    guilds: Guilds
    hints: Hints
    users: Users
    readers: Readers
    limiter: RateLimiter
    access: Access
    sessions: Sessions
    watchers: Watchers
    launches: Launches
    admit: Callable[[int], Awaitable[None]]
    """Raises a refusal if the app can't do anything for a user now."""
    record_action: Callable[[int, int], None]
    """Told the table and the user of each action, so that nobody is called who is playing."""

    async def table(self, page: Page, fields: Fields) -> Table:
        """The table of a request. Raises `NoSuchTable`."""
        table = await self.access.table(page.user_id, fields.number("table"))
        record_table(table.id)
        return table

    async def words(self, page: Page) -> Words:
        """The texts of a page in its user's language."""
        return await self.readers.page_words(page.user_id, page.locale)

    async def goes_on(self, session: Session) -> bool:
        """True until a session has expired or its user has logged out. Raises `StorageError`."""
        return self.sessions.goes_on(session, await self.users.logged_out_at(session.user_id))
