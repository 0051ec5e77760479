"""The features of the app: each function creates the cogs of one from what all share."""

from collections.abc import Callable
from dataclasses import dataclass

from discord.ext import commands

from bot.discord_client.client import GangBot
from bot.presentation.channel.announcer import Announcer
from bot.presentation.channel.open_hands import OpenHands
from bot.presentation.channel.table_alerts import TableAlertPosts
from bot.presentation.help.guide import Links
from bot.presentation.records.pictures import Illustrator
from bot.presentation.text.readers import Readers
from bot.process.settings import Settings
from bot.services import clock
from bot.services.archive import Archive
from bot.services.background import Background, RequestLock
from bot.services.coaching import Coach
from bot.services.daily import Daily
from bot.services.deletions import Deletions
from bot.services.guild_export import GuildExports
from bot.services.guild_settings import Guilds
from bot.services.hints import Hints
from bot.services.history import History
from bot.services.leaderboard import Leaderboards
from bot.services.practice import Practices
from bot.services.privacy import Privacy
from bot.services.profile import Profiles
from bot.services.puzzle import Puzzles
from bot.services.rate_limiter import RateLimiter
from bot.services.table_alerts import TableAlerts
from bot.services.tables import Tables
from bot.services.thinking import Thinking
from bot.services.titles import Titles
from bot.services.user_settings import Users
from bot.storage.database import Database
from bot.table import limits
from bot.web.open_pages import OpenPages
from cogs.closing import ClosingCog
from cogs.daily import DailyCog
from cogs.guild_settings import GuildSettingsCog
from cogs.help import HelpCog
from cogs.history import HistoryCog
from cogs.leaderboard import LeaderboardCog
from cogs.lobby import LobbyCog
from cogs.match import MatchCog
from cogs.play import PlayCog
from cogs.posting import Posting
from cogs.practice import PracticeCog
from cogs.presence import PresenceCog
from cogs.privacy import PrivacyCog
from cogs.profile import ProfileCog
from cogs.puzzle import PuzzleCog
from cogs.recovery import RecoveryCog
from cogs.tables import TablesCog
from cogs.tutorial import TutorialCog
from cogs.user_settings import UserSettingsCog
from cogs.web import WebCog


@dataclass(frozen=True, kw_only=True)
class Shared:
    """The parts that several features use."""

    settings: Settings
    database: Database
    client: GangBot
    limiter: RateLimiter
    background: Background
    thinking: Thinking | None
    """None if the AI players don't think in a process of their own."""
    users: Users
    guilds: Guilds
    tables: Tables
    archive: Archive
    history: History
    hints: Hints
    coach: Coach
    practices: Practices
    daily: Daily
    titles: Titles
    leaderboards: Leaderboards
    deletions: Deletions
    readers: Readers
    illustrator: Illustrator
    hands: OpenHands
    posting: Posting
    pages: OpenPages


def all_cogs(shared: Shared, announcer: Announcer, post_scheduled: Callable[[], None]) -> list[commands.Cog]:
    """The cogs of all features. `post_scheduled` posts the leaderboards that are due."""
    return [
        *tables(shared, announcer),
        *matches(shared),
        *solo_hands(shared),
        *records(shared),
        *help_and_tutorial(shared),
        *stored_data(shared, announcer, post_scheduled),
        *presence(shared, announcer),
    ]


def tables(shared: Shared, announcer: Announcer) -> list[commands.Cog]:
    """Tables before the first deal, and the settings of users, such as alerts about new tables."""
    alerts = TableAlerts(shared.database, clock.milliseconds)
    return [
        TablesCog(
            tables=shared.tables,
            guilds=shared.guilds,
            announcer=announcer,
            hands=shared.hands,
            alerts=TableAlertPosts(alerts, shared.limiter),
            readers=shared.readers,
            limiter=shared.limiter,
        ),
        ClosingCog(shared.tables),
        LobbyCog(tables=shared.tables, guilds=shared.guilds, hands=shared.hands, limiter=shared.limiter),
        UserSettingsCog(tables=shared.tables, users=shared.users, alerts=alerts, readers=shared.readers),
    ]


def matches(shared: Shared) -> list[commands.Cog]:
    """The private hand, the way to the page, and the menu of a match."""
    return [
        PlayCog(tables=shared.tables, hands=shared.hands, hints=shared.hints),
        WebCog(shared.tables, shared.pages.launches, shared.settings.web_url if shared.pages.is_set_up else None),
        MatchCog(
            tables=shared.tables,
            archive=shared.archive,
            users=shared.users,
            open_hands=shared.hands,
            readers=shared.readers,
            illustrator=shared.illustrator,
        ),
    ]


def solo_hands(shared: Shared) -> list[commands.Cog]:
    """Hands that a user plays alone."""
    puzzles = Puzzles(shared.database, clock.milliseconds)
    return [
        DailyCog(daily=shared.daily, hands=shared.hands, posting=shared.posting),
        PracticeCog(practices=shared.practices, guilds=shared.guilds, hints=shared.hints),
        PuzzleCog(puzzles=puzzles, posting=shared.posting),
    ]


def records(shared: Shared) -> list[commands.Cog]:
    """Finished matches and what they add up to."""
    return [
        HistoryCog(
            tables=shared.tables,
            archive=shared.archive,
            history=shared.history,
            background=shared.background,
            illustrator=shared.illustrator,
            posting=shared.posting,
            coach=shared.coach,
            practices=shared.practices,
        ),
        ProfileCog(
            tables=shared.tables,
            archive=shared.archive,
            profiles=Profiles(shared.database),
            titles=shared.titles,
            illustrator=shared.illustrator,
            posting=shared.posting,
        ),
        LeaderboardCog(shared.leaderboards, has_skill=shared.thinking is not None),
    ]


def help_and_tutorial(shared: Shared) -> list[commands.Cog]:
    """The help, the rules and the tutorial."""
    settings = shared.settings
    links = Links(
        privacy=settings.privacy_url,
        terms=settings.terms_url,
        source=settings.source_url,
        support=settings.support_url,
    )
    return [
        HelpCog(
            open_tables=shared.tables.open,
            history=shared.history,
            illustrator=shared.illustrator,
            links=links,
            limiter=shared.limiter,
        ),
        TutorialCog(shared.users),
    ]


def stored_data(shared: Shared, announcer: Announcer, post_scheduled: Callable[[], None]) -> list[commands.Cog]:
    """The settings and the export of a guild, and the data of a user. Exports run one at a time."""
    exports = RequestLock("exports", limits.EXPORTS)
    return [
        GuildSettingsCog(
            tables=shared.tables,
            guilds=shared.guilds,
            exports=GuildExports(shared.database, exports),
            wake=post_scheduled,
            redraw=announcer.redraw,
        ),
        PrivacyCog(
            kept=Privacy(shared.database, exports, clock.milliseconds),
            deletions=shared.deletions,
            policy=shared.settings.privacy_url,
        ),
    ]


def presence(shared: Shared, announcer: Announcer) -> list[commands.Cog]:
    """Events of guilds: joins and removals, and changes after which a channel can be shown again."""
    return [
        PresenceCog(guilds=shared.guilds, readers=shared.readers, client=shared.client),
        RecoveryCog(tables=shared.tables, announcer=announcer),
    ]
