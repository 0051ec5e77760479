"""Migrations are frozen: they have created existing databases, so a changed one wouldn't reach them."""

import ast
import asyncio
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

from bot.services.guild_settings import Guilds
from bot.services.user_settings import Users
from bot.storage import database as database_module
from bot.storage.database import MIGRATIONS
from bot.table.errors import StorageError
from bot.table.user import NotificationMode
from tests.conftest import opened
from tests.storage.test_database import differences

FROZEN: Final = {
    "0001_the_first_schema.py": "0e15de0b19bc4b34",
    "0002_time_and_people.py": "d281dcccec63057d",
    "0003_what_was_missing.py": "9e4427c142a1d23d",
    "0004_readers.py": "afb0e1e68ffb0680",
    "0005_tutorial.py": "2c24a4318cf0e758",
    "0006_turns.py": "b4da74eb8a2a192d",
    "0007_what_a_server_remembers.py": "6b2f69f194891160",
    "0008_titles.py": "91a2ff94dacaf61c",
    "0009_history.py": "5312febc88763d71",
    "0010_privacy_and_servers.py": "8b6bcd7de648cd9b",
    "0011_duplicate_matches.py": "ab2a83ba5a978aa8",
    "0012_invitations.py": "fb252cd3d5278398",
    "0013_open_tables.py": "5751dab46f4f0774",
    "0014_rated_matches.py": "d616223dc0a31a74",
    "0015_who_closed.py": "0a2db2790bdf7f96",
    "0016_instances.py": "8d1f44f6b463dc34",
    "0017_deletions_and_packed_logs.py": "13888076e62bf05e",
    "0018_cuts.py": "a8f308a0c889aec4",
    "0019_daily_marks.py": "af75b5b4c3ced40d",
    "0020_clocks_of_old_tables.py": "af60c6da731148a7",
    "0021_deals_of_imports.py": "5e4fffb1e7eb2c68",
    "0022_turn_answers.py": "26040252ac88e4e5",
    "0023_turn_paused.py": "1c93bee79a9ce2f0",
    "0024_users_of_tables.py": "a3ee4c66d6dc5512",
    "0025_plain_names.py": "76ba143e0eb111b2",
    "0026_published_commands.py": "006fa2f70d8c1001",
    "0027_turn_calls.py": "a892717027383589",
    "0028_table_alerts.py": "0f3587d79b64babd",
    "0029_text_cards_of_guilds.py": "a0829e3b2a57ea92",
    "0030_celebrations.py": "55eada0da38883c9",
    "0031_index_of_channels.py": "34dafea4c28d5b5d",
    "0032_newest_matches_of_users.py": "ae6de45abd42f8bd",
    "0033_practices.py": "b15d5bcd05d34caf",
    "0034_styles_of_ai_players.py": "239ceb8f7e423d39",
    "0035_pars.py": "e0eff0dfb16e0d2b",
    "0036_puzzles.py": "33a86c077d242de4",
    "0037_leases.py": "1973bab9f7fa9ebd",
    "0038_likely_ranges_and_conceded_ends.py": "fb35f60562365255",
    "0039_downtime.py": "03512ee1272b4971",
    "0040_second_downtime.py": "180f827a9745234d",
    "0041_defaults_nobody_chose.py": "2386e6dccca9b271",
}
"""The first 16 digits of the SHA-256 of each migration's code; a new one is added here, an old one never changes."""

INSERT_GUILD: Final = (
    "INSERT INTO guilds (id, locale, language, celebrations, text_cards, channels, roles, defaults, limits, post_every)"
)
INSERT_USER: Final = "INSERT INTO users (user_id, notifications, zone, language, text_cards, greeted, lesson, hidden)"


def test_no_migration_has_changed() -> None:
    files = sorted(MIGRATIONS.glob("versions/*.py"))
    assert {file.name: sha256(code_of(file).encode()).hexdigest()[:16] for file in files} == FROZEN


def code_of(file: Path) -> str:
    """The code of a module without docstrings and comments."""
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
    return ast.unparse(tree)


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


@pytest.mark.parametrize("is_running", [True, False])
async def test_a_database_is_not_migrated_under_a_running_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_running: bool
) -> None:
    monkeypatch.setattr(database_module, "OBSERVED_SECONDS", 0.5)
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'gang.sqlite3'}") as database:
        async with database.write() as connection:
            await connection.run_sync(upgrade, "0036")
            await connection.execute(text("INSERT INTO instances VALUES ('a', 'process 7 on garnet', 1, 1, NULL)"))
        migrating = asyncio.create_task(database.upgrade())
        if is_running:
            await asyncio.sleep(0.1)
            async with database.write() as connection:
                await connection.execute(text("UPDATE instances SET seen_at = 2"))
            with pytest.raises(StorageError, match="process 7 on garnet still uses it with another version"):
                await migrating
        else:
            await migrating
            await database.require()


async def test_defaults_that_nobody_chose_are_forgotten(tmp_path: Path) -> None:
    async with opened(f"sqlite+aiosqlite:///{tmp_path / 'gang.sqlite3'}") as database:
        async with database.write() as connection:
            await connection.run_sync(upgrade, "0039")
            for guild_id, locale in enumerate(["en-US", "en-GB", "de"], 1):
                values = f"{guild_id}, '{locale}', '', 'all', false, '[]', '[]', '{{}}', '{{}}', ''"
                await connection.execute(text(f"{INSERT_GUILD} VALUES ({values})"))
            for user_id, zone in enumerate(["UTC", "Europe/Rome"], 1):
                values = f"{user_id}, 'away', '{zone}', '', false, false, 0, false"
                await connection.execute(text(f"{INSERT_USER} VALUES ({values})"))
        await database.upgrade()
        guilds, users = Guilds(database, lambda: 0), Users(database)
        assert [(await guilds.get(guild_id)).locale for guild_id in (1, 2, 3)] == ["", "en-GB", "de"]
        assert [(await users.get(user_id)).zone for user_id in (1, 2)] == ["", "Europe/Rome"]


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
