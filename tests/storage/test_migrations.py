"""Migrations are frozen: they have created existing databases, so a changed one wouldn't reach them."""

from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bot.services.user_settings import Users
from bot.storage.database import MIGRATIONS
from bot.table.user import NotificationMode
from tests.conftest import opened
from tests.storage.test_database import differences

FROZEN: Final = {
    "0001_the_first_schema.py": "ad6e99042f0705aa",
    "0002_time_and_people.py": "489bf148127ac042",
    "0003_what_was_missing.py": "6a92204bab1c3fcb",
    "0004_readers.py": "6ac14460e4ebf471",
    "0005_tutorial.py": "2870394d859f4db3",
    "0006_turns.py": "259c45894cec7d6b",
    "0007_what_a_server_remembers.py": "19773016ff27801c",
    "0008_titles.py": "e960d638102449d1",
    "0009_history.py": "9214873e4914807e",
    "0010_privacy_and_servers.py": "83d2727230505d76",
    "0011_duplicate_matches.py": "d97233a5f0389ca6",
    "0012_invitations.py": "b07e2cf5120fdfab",
    "0013_open_tables.py": "c4a3eb6ea0b754ca",
    "0014_rated_matches.py": "3123a87f5f565b4e",
    "0015_who_closed.py": "e02a2b9a136669b2",
    "0016_instances.py": "c33d1d87d152075e",
    "0017_deletions_and_packed_logs.py": "c74edf2c72aca523",
    "0018_cuts.py": "4b1e24e8240bf546",
    "0019_daily_marks.py": "5885666a6b8f1ee1",
    "0020_clocks_of_old_tables.py": "3921a9b42511c8aa",
    "0021_deals_of_imports.py": "450d6514852a952b",
    "0022_turn_answers.py": "5bb5e8e14c63f965",
    "0023_turn_paused.py": "b1d290e091b0b589",
    "0024_users_of_tables.py": "07b56ae5a6deb3fb",
    "0025_plain_names.py": "b677a718f2c99abd",
    "0026_published_commands.py": "2975ad69052705bb",
    "0027_turn_calls.py": "3b62dcc8fd2d665e",
    "0028_table_alerts.py": "86a53d34a46cb570",
    "0029_text_cards_of_guilds.py": "89a3a3448e648cf5",
    "0030_celebrations.py": "970ac0ffb28db34f",
    "0031_index_of_channels.py": "9f57a1ddd7840675",
    "0032_newest_matches_of_users.py": "30f9ffddecf0f359",
    "0033_practices.py": "f4fa105754095421",
    "0034_styles_of_ai_players.py": "15e3686e429aea6f",
    "0035_pars.py": "0f1f957e9d1a10c4",
    "0036_puzzles.py": "ca35a666d1a4a65d",
}
"""The first 16 digits of the SHA-256 of each migration; a new one is added here, an old one never changes."""

INSERT_USER: Final = "INSERT INTO users (user_id, notifications, zone, language, text_cards, greeted, lesson, hidden)"


def test_no_migration_has_changed() -> None:
    files = sorted(MIGRATIONS.glob("versions/*.py"))
    assert {file.name: sha256(file.read_bytes()).hexdigest()[:16] for file in files} == FROZEN


def upgrade(connection: Connection, revision: str) -> None:
    """Migrate an empty database to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


async def test_settings_of_turn_calls_are_kept_as_far_as_they_exist(tmp_path: Path) -> None:
    old = {1: "mention", 2: "direct", 3: "nothing"}
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'gang.sqlite3'}") as database:
        async with database.write() as connection:
            await connection.run_sync(upgrade, "0026")
            for user_id, mode in old.items():
                await connection.execute(text(f"{INSERT_USER} VALUES ({user_id}, '{mode}', 'UTC', '', 0, 0, 0, 0)"))
        await database.upgrade()
        users = Users(database)
        found = [(await users.get(user_id)).notifications for user_id in old]
    assert found == [NotificationMode.AWAY, NotificationMode.DIRECT, NotificationMode.NEVER]


@pytest.mark.parametrize(
    "missing",
    ["ALTER TABLE tables DROP COLUMN ended", "DROP INDEX ix_tables_status_created_at", "DROP INDEX ix_tables_twin_id"],
)
async def test_later_migrations_add_what_early_ones_lacked(tmp_path: Path, missing: str) -> None:
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'gang.sqlite3'}") as database:
        async with database.write() as connection:
            await connection.run_sync(upgrade, "0012")
            await connection.execute(text(missing))
        await database.upgrade()
        async with database.read() as connection:
            assert await connection.run_sync(differences) == []
