"""The command line: `python -m bot` serves Discord; the other commands don't need Discord."""

import argparse
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from bot import commands


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a subcommand. Returns the exit code: 0 for success, 1 for failure, 2 if it couldn't be tried."""
    parser = argparse.ArgumentParser(prog="python -m bot", description="Gang of Four on Discord.")
    parser.set_defaults(run=commands.serve)
    sub = parser.add_subparsers(title="without Discord")
    commands.add_verify(sub.add_parser("verify", help="deal and play a match record again"))
    commands.add_simulate(sub.add_parser("simulate", help="play matches among AI players and write their records"))
    commands.add_backup(sub.add_parser("backup", help="copy the database into a file, while the app runs"))
    commands.add_restore(sub.add_parser("restore", help="take the database back to a backup while the app is stopped"))
    moving = sub.add_parser("move-data", help="copy a SQLite database into an empty PostgreSQL database")
    commands.add_move_data(moving)
    again = "compute leaderboards, titles, ratings and profiles again from the logs, while the app runs"
    sub.add_parser("recount", help=again).set_defaults(run=commands.recount)
    sub.add_parser("health", help="say whether the app is healthy, and why not").set_defaults(run=commands.check_health)
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # a terminal may not have every letter of a quoted line
        sys.stdout.reconfigure(errors="backslashreplace")
    return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())
