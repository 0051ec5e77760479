"""The subcommands of the command line. Each returns the exit code."""

import asyncio
import logging
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import discord
import uvloop
from aiohttp import ClientError

from bot.app import App
from bot.discord_client import gateway
from bot.engine import Options
from bot.engine.options import BadOption
from bot.engine.record import BadRecord, Line, read, write
from bot.engine.verification import verify
from bot.players.levels import Level
from bot.players.simulation import SimulationSettings, simulate
from bot.process import health
from bot.process import settings as settings_module
from bot.process.error_reports import reporting_errors
from bot.process.logs import set_up_logging
from bot.process.settings import AddressError, DatabaseSettings, Settings, SettingsError
from bot.services import recount as recounting
from bot.storage.backup import BackupError, back_up, file_of, restore
from bot.storage.database import Database
from bot.storage.moving import MoveError, move, source_url, target_url
from bot.storage.session_locks import InUse, locked
from bot.table.errors import StorageError

log = logging.getLogger(__name__)

STOP_TIMEOUT: Final = 7.0
"""Seconds before the app is canceled. `docker stop` kills it after 10."""


def serve() -> int:
    """Serve Discord until interrupted."""
    try:
        settings = settings_module.load(Settings)
    except SettingsError as error:
        return _fail("The settings cannot be used:", *error.faults, "The file .env.example explains each.")
    with set_up_logging(settings.log_level, settings.log_format), reporting_errors(settings.sentry_dsn):
        return _run_app(settings)


def _run_app(settings: Settings) -> int:
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(_serve(settings))
    except StorageError as error:
        return _fail(f"The database cannot be used: {error}.")
    except AddressError as error:
        return _fail(f"{error.setting} cannot be used: {error}.")
    except discord.LoginFailure:
        return _fail_closed(gateway.TOKEN_REFUSED)
    except (discord.ConnectionClosed, discord.PrivilegedIntentsRequired) as error:
        return _fail_closed(gateway.close_code(error))
    except (ClientError, OSError, discord.DiscordServerError, discord.GatewayNotFound) as error:
        return _fail(f"Discord cannot be reached: {type(error).__name__}. Start me again when it can.", code=1)
    except KeyboardInterrupt:
        pass
    return 0


def _fail_closed(code: int) -> int:
    """Report that Discord closed the connection with a code after which it can't be opened again."""
    if code == gateway.TOKEN_REFUSED:
        return _fail("Discord refuses DISCORD_TOKEN. A new one comes from the page of your bot.")
    reason = gateway.close_reason(code)
    return _fail(f"Discord has closed the connection for good: code {code}, {reason}.", code=1)


async def _serve(settings: Settings) -> None:
    """Run the app. If another process takes its place, start again and wait for the end of that."""
    while True:
        app = App(settings)
        running = asyncio.ensure_future(app.run())
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, _stop, app, running)
        try:
            await running
        except InUse:
            log.warning("another process has taken over while the database didn't answer")
            continue
        except asyncio.CancelledError:
            if not running.cancelled():
                raise
        break


def _stop(app: App, running: asyncio.Future[None]) -> None:
    """Stop the app properly, or cancel it if it isn't running, takes too long, or is stopped a second time."""
    if not app.stop():
        running.cancel()
    asyncio.get_running_loop().call_later(STOP_TIMEOUT, _cancel, running)


def _cancel(running: asyncio.Future[None]) -> None:
    """Cancel repeatedly, because several steps of closing may hang."""
    if not running.done():
        running.cancel()
        asyncio.get_running_loop().call_later(0.3, _cancel, running)


def check_health() -> int:
    """Print whether all processes that serve Discord from this machine are healthy."""
    try:
        url = settings_module.load(DatabaseSettings).database_url.value
    except SettingsError as error:
        return _fail("The settings cannot be used:", *error.faults)
    problem = health.problem(url)
    if problem is not None:
        return _fail(problem, code=1)
    return _done("Healthy. It waits until another process ends." if health.is_waiting(url) else "Healthy.")


def back_up_database(file: Path) -> int:
    """Copy the database into a file, while the app runs."""
    try:
        back_up(_database_file(), file, _show_pages)
    except SettingsError as error:
        return _fail("No backup was made:", *error.faults)
    except BackupError as error:
        return _fail(f"No backup was made: {error}.")
    return _done(f"Backed up to {file}.")


def restore_database(file: Path) -> int:
    """Take the database back to a backup."""
    try:
        kept = restore(_database_file(), file, _show_pages)
    except SettingsError as error:
        return _fail("Nothing was restored:", *error.faults)
    except BackupError as error:
        return _fail(f"Nothing was restored: {error}.")
    return _done(f"Restored from {file}." + ("" if kept is None else f" What was there before is in {kept}."))


def move_data(source: str, target: str) -> int:
    """Copy a SQLite database into an empty PostgreSQL database. Both are given by file or URL."""
    try:
        rows = asyncio.run(_move(source_url(source), target_url(target)))
    except (MoveError, BackupError, InUse) as error:
        return _fail(f"The data was not moved: {error}.")
    except (StorageError, OSError) as error:
        return _fail(f"The data was not moved: {error}.", code=1)
    except KeyboardInterrupt:
        return _fail("Stopped. Nothing was moved.", code=1)
    return _done(f"Rows copied and compared: {rows}. Set DATABASE_URL to the target, and start the app.")


async def _move(source_url: str, target_url: str) -> int:
    source, target = Database(source_url), Database(target_url)
    try:
        with locked(file_of(source_url)):
            return await move(source, target, _show_rows)
    finally:
        await source.close()
        await target.close()


def _show_rows(what: str, table: str, done: int, of: int) -> None:
    _show_progress(f"{table}: {done} of {of} rows {what}", done, of)


def recount() -> int:
    """Compute leaderboards, titles, ratings and profiles again, while the app runs."""
    try:
        url = settings_module.load(DatabaseSettings).database_url.value
        asyncio.run(_recount(url))
    except SettingsError as error:
        return _fail("Nothing was recounted:", *error.faults)
    except StorageError as error:
        return _fail(f"The database cannot be used: {error}.", "Start the app once, so that its schema is up to date.")
    return 0


async def _recount(url: str) -> None:
    database = Database(url)
    try:
        await database.require()
        found = await recounting.guilds(database)
        for guild_id in found:
            print(_report_line(await recounting.recount(database, guild_id, int(time.time()), _show_matches)))  # noqa: T201
        print(f"Servers recounted: {len(found)}.")  # noqa: T201
    finally:
        await database.close()


def _report_line(report: recounting.Report) -> str:
    changes = {
        "matches corrected": report.corrected,
        "ratings": report.ratings,
        "leaderboard entries": report.entries,
        "titles": report.titles,
    }
    changed = ", ".join(f"{name}: {number}" for name, number in changes.items() if number)
    return f"Server {report.guild_id}, matches: {report.matches}. Changed: {changed or 'nothing'}."


def _show_matches(guild_id: int, done: int, of: int) -> None:
    _show_progress(f"server {guild_id}: {done} of {of} matches", done, of)


def _database_file() -> Path:
    return file_of(settings_module.load(DatabaseSettings).database_url.value)


def _show_pages(done: int, of: int) -> None:
    _show_progress(f"{done} of {of} ", done, of)


def verify_record(file: Path) -> int:
    """Deal and play the match of a record again."""
    try:
        lines = read(file.read_bytes().decode("utf-8-sig"))
        final = verify(lines)
    except (OSError, UnicodeDecodeError) as error:
        return _fail(f"{file} cannot be read: {error}.")
    except BadRecord as error:
        print(f"{file}, line {error.line}: {error.why}")  # noqa: T201
        return 1
    return _done(f"All is well: {len(lines)} lines, {final.hand_number} hands dealt and played again.")


def simulate_matches(
    matches: int, players: int, edition: str, changes: Sequence[str], seed: str, levels: tuple[Level, ...], out: Path
) -> int:
    """Play matches among AI players, and write their records into a folder. `changes`: such as `target=50`."""
    try:
        options = Options.of(edition, dict(change.split("=", 1) for change in changes))
        settings = SimulationSettings(players, edition, options, seed, levels)
    except BadOption as error:
        return _fail(f"{error}.")
    except ValueError:
        return _fail("--set takes OPTION=VALUE, such as --set target=50.")
    try:
        out.mkdir(parents=True, exist_ok=True)
        for number in range(1, matches + 1):
            _, events = simulate(settings, number)
            text = write(Line(event) for event in events)
            (out / f"match-{number:05}.jsonl").write_text(text, encoding="utf-8")
            _show_progress(f"{number} of {matches} matches", number, matches)
    except OSError as error:
        return _fail(f"The records cannot be written: {error}.")
    return _done(f"Records written to {out}: {matches}.")


def _show_progress(text: str, done: int, of: int) -> None:
    """Overwrite the last line of a terminal."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}" + ("\n" if done == of else ""))


def _done(sentence: str) -> int:
    print(sentence)  # noqa: T201
    return 0


def _fail(*sentences: str, code: int = 2) -> int:
    sys.stderr.write("\n".join(sentences) + "\n")
    return code
