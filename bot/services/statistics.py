"""What a server remembers."""

from bot.storage import scores
from bot.storage.database import Database
from bot.storage.scores import Standing


class Statistics:
    """Answers from finished matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(self, guild_id: int) -> list[Standing]:
        """Standings of a server's people, best first."""
        async with self._database.read() as connection:
            return await scores.leaderboard(connection, guild_id)
