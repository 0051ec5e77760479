"""The command line: exit codes, sentences, and never a traceback. One of each kind runs as a process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from bot.__main__ import main
from bot.engine import Options
from bot.engine.events import Dealt, Forgot, HandEnded, MatchStarted, Substituted
from bot.engine.options import EDITIONS
from bot.engine.record import read
from bot.engine.verification import verify
from bot.players.simulation import SimulationSettings, simulate

ROOT = Path(__file__).parent.parent
TOKEN = "MTIzNDU2Nzg5.very.secret"
BOUND = 60
"""The timeout of a command in seconds."""


Ran: TypeAlias = subprocess.CompletedProcess[str]
Command: TypeAlias = Callable[..., Ran]


def process(folder: Path, *arguments: str, **environment: str) -> Ran:
    """Run `python -m bot` in a folder, with no settings but these."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "SYSTEMROOT")}
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        timeout=BOUND,
        check=False,
    )


@pytest.fixture
def command(clean_environment: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, in an empty folder."""

    def run(*arguments: str) -> Ran:
        try:
            code = main(arguments)
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        said = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, code, said.out, said.err)

    return run


def assert_ended(ran: Ran, code: int, *sentences: str) -> None:
    said = ran.stdout + ran.stderr
    assert ran.returncode == code, said
    assert "Traceback" not in said
    assert TOKEN not in said
    for sentence in sentences:
        assert sentence in said


def test_missing_settings_are_named(tmp_path: Path) -> None:
    assert_ended(process(tmp_path), 2, "The settings cannot be used:", "DISCORD_TOKEN is missing", ".env.example")


def test_all_faults_of_the_settings_are_reported_without_secrets(tmp_path: Path) -> None:
    ran = process(
        tmp_path, DISCORD_TOKEN=TOKEN, AI_DELAY_SECONDS="soon", LOG_LEVEL="chatty", DATABASE_URL="mysql://u:pw@x"
    )
    assert_ended(ran, 2, "AI_DELAY_SECONDS is not usable", "LOG_LEVEL is not usable", "DATABASE_URL is not usable")
    assert "pw@x" not in ran.stderr


def test_an_unusable_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "gang.sqlite3").write_text("no database " * 1000)
    ran = process(tmp_path, DISCORD_TOKEN=TOKEN, DATABASE_URL="sqlite+aiosqlite:///gang.sqlite3")
    assert_ended(ran, 2, "The database cannot be used: file is not a database.")


def test_an_unreachable_discord_is_reported(tmp_path: Path) -> None:
    ran = process(tmp_path, DISCORD_TOKEN=TOKEN, DISCORD_API_URL="http://127.0.0.1:1/api/v10")
    assert_ended(ran, 1, "Discord cannot be reached")
    assert (tmp_path / "data" / "gang.sqlite3").is_file()


def test_without_a_process_it_is_not_healthy(tmp_path: Path) -> None:
    assert_ended(process(tmp_path, "health"), 1, "No process on this machine uses this database.")
    assert_ended(process(tmp_path, "health", DATABASE_URL="mysql://u:pw@x"), 2, "DATABASE_URL is not usable")


def test_a_backup_is_made_and_restored(tmp_path: Path, migrated: Path) -> None:
    shutil.copy(migrated, tmp_path / "gang.sqlite3")
    settings = {"DATABASE_URL": "sqlite+aiosqlite:///gang.sqlite3"}  # a backup needs no token
    assert_ended(process(tmp_path, "backup", "copy.sqlite3", **settings), 0, "Backed up to copy.sqlite3.")
    restored = process(tmp_path, "restore", "copy.sqlite3", **settings)
    assert_ended(restored, 0, "Restored from copy.sqlite3. What was there before is in gang.before-")


def test_failed_backups_and_restores_are_reported(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_ended(command("restore", "copy"), 2, "there is no backup at copy.")
    monkeypatch.setenv("DATABASE_URL", "postgresql+asyncpg://u:pw@x/gang")
    assert_ended(command("backup", "copy"), 2, "No backup was made: ", "pg_dump")
    assert_ended(command("restore", "copy"), 2, "Nothing was restored: ", "pg_restore")
    monkeypatch.setenv("DATABASE_URL", "mysql://u:pw@x")
    for name, nothing in (("backup", "No backup was made:"), ("restore", "Nothing was restored:")):
        ran = command(name, "copy")
        assert_ended(ran, 2, f"{nothing}\nDATABASE_URL is not usable", "ssl.\n")
        assert "pw@x" not in ran.stderr


def test_data_is_moved_to_postgresql(tmp_path: Path, migrated: Path, empty_postgresql_url: str) -> None:
    shutil.copy(migrated, tmp_path / "gang.sqlite3")
    moved = process(tmp_path, "move-data", "gang.sqlite3", empty_postgresql_url)
    assert_ended(moved, 0, "Rows copied and compared: 0. Set DATABASE_URL to the target, and start the app.")
    recounted = process(tmp_path, "recount", DATABASE_URL=empty_postgresql_url)
    assert_ended(recounted, 0, "Servers recounted: 0.")


def test_failed_moves_are_reported_without_passwords(command: Command, migrated: Path) -> None:
    for arguments, code, sentences in (
        (("none.sqlite3", "postgresql+asyncpg://u:pw@127.0.0.1/x"), 2, "the file none.sqlite3 doesn't exist."),
        ((str(migrated), "postgresql+asyncpg://u:pw@127.0.0.1:1/x"), 1, "Connect call failed"),
        ((str(migrated), "mysql://u:pw@127.0.0.1/x"), 2, "the target isn't a PostgreSQL database"),
        (
            ("mysql://u:pw@127.0.0.1/x", "postgresql+asyncpg://u:pw@127.0.0.1/x"),
            2,
            "the source isn't a SQLite database",
        ),
    ):
        ran = command("move-data", *arguments)
        assert_ended(ran, code, "The data was not moved: ", sentences)
        assert "pw" not in ran.stdout + ran.stderr


def test_help_names_the_commands(command: Command) -> None:
    assert_ended(command("--help"), 0, "verify", "simulate", "backup", "restore", "move-data")


@pytest.mark.parametrize("arguments", [["nonsense"], ["verify"], ["simulate", "--players", "5"], ["simulate", "--odd"]])
def test_an_unknown_command_is_reported(command: Command, arguments: list[str]) -> None:
    assert_ended(command(*arguments), 2, "usage:")


@pytest.mark.parametrize("number", ["0", "-1", "two", "1.5", "", "1000001", "9" * 5000, "x" * 5000])
def test_an_unusable_number_of_matches_is_reported_briefly(command: Command, number: str) -> None:
    ran = command("simulate", f"--matches={number}")
    assert_ended(ran, 2, "argument --matches: '", "' is not a whole number from 1 to 1000000")
    assert len(ran.stderr.splitlines()[-1]) < 200
    assert not Path("records").exists()


def test_an_unusable_list_of_levels_is_reported_briefly(command: Command) -> None:
    ran = command("simulate", "--levels", "expert," * 1000)
    assert_ended(ran, 2, "is not a list of beginner, simple")
    assert len(ran.stderr.splitlines()[-1]) < 200


def simulated(command: Command, *arguments: str, out: str = "records") -> list[str]:
    """Simulate two short matches; their records."""
    ran = command("simulate", "--matches", "2", "--set", "target=20", "--out", out, *arguments)
    assert_ended(ran, 0, f"Records written to {out}: 2.")
    return [file.read_text(encoding="utf-8") for file in sorted(Path(out).glob("*.jsonl"))]


def test_simulated_records_verify_and_are_as_asked(command: Command) -> None:
    records = simulated(command, "--players", "3", "--edition", "dargaud-1996", "--set", "deal=chinese")
    assert len(records) == 2
    for text in records:
        lines = read(text)
        verify(lines)
        match = lines[0].event
        assert isinstance(match, MatchStarted)
        assert match.options == Options.of("dargaud-1996", {"target": 20, "deal": "chinese"})
        assert (match.edition, len(match.seats)) == ("dargaud-1996", 3)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_edition_can_be_simulated(command: Command, edition: str) -> None:
    for text in simulated(command, "--edition", edition):
        verify(read(text))


@pytest.mark.parametrize("edition", EDITIONS)
def test_simulated_players_sometimes_forget_to_declare(edition: str) -> None:
    setting = SimulationSettings(4, edition, Options.of(edition), seed="tea")
    assert any(isinstance(event, Forgot) for number in range(20) for event in simulate(setting, number)[1])


def test_the_same_seed_plays_the_same_matches(command: Command) -> None:
    first = simulated(command, "--seed", "tea", out="a")
    again, other = simulated(command, "--seed", "tea", out="b"), simulated(command, "--seed", "coffee", out="c")
    assert first == again
    assert not set(first) & set(other)
    assert first[0] != first[1]


def test_a_seed_may_be_any_bytes(command: Command) -> None:
    assert simulated(command, "--seed", "\udcff") != simulated(command, "--seed", "\udcfe")


def test_levels_take_their_seats_in_turn(command: Command) -> None:
    (text, _) = simulated(command, "--levels", "expert,beginner")
    players = [line.event.by for line in read(text) if isinstance(line.event, Substituted)]
    assert players == ["ai:expert", "ai:beginner"] * 2
    assert "is not a list of beginner, simple" in command("simulate", "--levels", "expert,chess").stderr


def test_it_simulates_and_verifies_as_a_process(tmp_path: Path) -> None:
    assert_ended(process(tmp_path, "simulate", "--set", "target=20"), 0, "Records written to records: 1.")
    file = tmp_path / "records" / "match-00001.jsonl"
    assert_ended(process(tmp_path, "verify", str(file)), 0, "All is well: ")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ("target", "--set takes OPTION=VALUE"),
        ("target=0", "target: 0 is not a number from 1 to 1000."),
        ("target=many", "target: 'many' is not a number"),
        ("tie=maybe", "tie: 'maybe' is not one of shared, deciding_hand."),
        ("color=red", "color: is not one of the options"),
    ],
)
def test_an_unknown_option_is_reported(command: Command, setting: str, sentence: str) -> None:
    assert_ended(command("simulate", "--set", setting), 2, sentence)
    assert not list(Path().rglob("*.jsonl"))


def test_a_read_only_folder_is_reported(command: Command) -> None:
    Path("records").write_text("no folder", encoding="utf-8")
    assert_ended(command("simulate"), 2, "The records cannot be written")


@pytest.fixture
def record(command: Command) -> Path:
    """A good record."""
    simulated(command)
    return Path("records") / "match-00001.jsonl"


def test_a_good_record_is_verified(command: Command, record: Path) -> None:
    lines = read(record.read_text(encoding="utf-8"))
    hands = sum(isinstance(line.event, Dealt) for line in lines)
    assert_ended(command("verify", str(record)), 0, f"All is well: {len(lines)} lines, {hands} hands")
    record.write_text(record.read_text(), encoding="utf-8-sig")  # as some editors do
    assert_ended(command("verify", str(record)), 0, f"All is well: {len(lines)} lines, {hands} hands")


def test_a_changed_record_is_detected(command: Command, record: Path) -> None:
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    number = next(at for at, line in enumerate(read("".join(lines)), 1) if isinstance(line.event, HandEnded))
    lines[number - 1] = lines[number - 1].replace('"winner": ', '"winner": 1')
    record.write_text("".join(lines), encoding="utf-8")
    assert_ended(command("verify", str(record)), 1, f"match-00001.jsonl, line {number}: ")


def test_a_terminal_without_the_letters_of_a_wrong_line_gets_escapes(tmp_path: Path) -> None:
    (tmp_path / "wrong.jsonl").write_text('{"t": "père"}\n', encoding="utf-8")
    ran = process(tmp_path, "verify", "wrong.jsonl", PYTHONIOENCODING="ascii")
    assert_ended(ran, 1, "p\\xe8re")


@pytest.mark.parametrize(("content", "code"), [(b"\xff\xfe\x00\x80", 2), (b"", 1), (b"not JSON\n", 1), (b"[1]\n", 1)])
def test_a_file_without_a_record_is_reported(command: Command, content: bytes, code: int) -> None:
    Path("file").write_bytes(content)
    assert_ended(command("verify", "file"), code, "file")


def test_a_missing_file_is_reported(command: Command) -> None:
    assert_ended(command("verify", "nowhere.jsonl"), 2, "nowhere.jsonl cannot be read: ")
