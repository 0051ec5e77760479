"""The command line: `python -m bot` serves Discord; the other commands don't need Discord."""

import argparse
import sys
from collections.abc import Callable, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Final

from bot import commands
from bot.engine.excerpt import excerpt
from bot.engine.options import DEFAULT_EDITION, EDITIONS
from bot.players.levels import Level

MAX_MATCHES: Final = 1_000_000
"""Matches that `simulate` plays at most."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand. Returns the exit code: 0 for success, 1 for failure, 2 if it couldn't be tried."""
    options = vars(_parser().parse_args(arguments))
    run: Callable[..., int] = options.pop("run")
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal may not have every letter of a quoted line
        sys.stdout.reconfigure(errors="backslashreplace")
    return run(**options)


def _parser() -> argparse.ArgumentParser:
    """Each subcommand with its function in `commands`, whose parameters are the arguments."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="Gang of Four on Discord.")
    parser.set_defaults(run=commands.serve)
    sub = parser.add_subparsers(title="without Discord")

    verify = sub.add_parser("verify", help="deal and play a match record again")
    verify.add_argument("file", type=Path, help="a record, as JSON lines")
    verify.set_defaults(run=commands.verify_record)

    _add_simulate(sub.add_parser("simulate", help="play matches among AI players and write their records"))

    backup = sub.add_parser("backup", help="copy the database into a file, while the app runs")
    backup.add_argument("file", type=Path, help="where the copy goes; an older one is replaced")
    backup.set_defaults(run=commands.back_up_database)

    restore = sub.add_parser("restore", help="take the database back to a backup while the app is stopped")
    restore.add_argument("file", type=Path, help="a backup")
    restore.set_defaults(run=commands.restore_database)

    move = sub.add_parser("move-data", help="copy a SQLite database into an empty PostgreSQL database")
    move.add_argument("source", help="the SQLite database: its file, or its URL")
    move.add_argument("target", help="an empty PostgreSQL database: postgresql+asyncpg://user@host/database")
    move.set_defaults(run=commands.move_data)

    again = "compute leaderboards, titles, ratings and profiles again from the logs, while the app runs"
    sub.add_parser("recount", help=again).set_defaults(run=commands.recount)
    sub.add_parser("health", help="say whether the app is healthy, and why not").set_defaults(run=commands.check_health)
    return parser


def _add_simulate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--matches", type=_count, default=1, help="how many (1)")
    parser.add_argument("--players", type=int, choices=(3, 4), default=4, help="3 or 4 (4)")
    parser.add_argument("--edition", choices=list(EDITIONS), default=DEFAULT_EDITION, help=f"({DEFAULT_EDITION})")
    parser.add_argument(
        "--set", action="append", default=[], dest="changes", metavar="OPTION=VALUE", help="set an option otherwise"
    )
    parser.add_argument("--seed", default="0", help="any text; the same one plays the same matches (0)")
    levels = ", ".join(Level)
    parser.add_argument(
        "--levels", type=_levels, default=(), help=f"of the seats in turn, such as expert,club: {levels}"
    )
    parser.add_argument("--out", type=Path, default=Path("records"), help="a folder for the records (records)")
    parser.set_defaults(run=commands.simulate_matches)


def _levels(text: str) -> tuple[Level, ...]:
    try:
        return tuple(Level(name) for name in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a list of {', '.join(Level)}") from None


def _count(text: str) -> int:
    number = int(text) if text.isdecimal() and len(text) <= len(str(MAX_MATCHES)) else 0
    if not 1 <= number <= MAX_MATCHES:
        raise argparse.ArgumentTypeError(f"{excerpt(text)} is not a whole number from 1 to {MAX_MATCHES}")
    return number


if __name__ == "__main__":
    sys.exit(main())
