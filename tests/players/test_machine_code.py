"""Machine code that isn't used any more is deleted."""

import os
from pathlib import Path

from bot.players.compiled.machine_code import delete_unused

OLD, RECENT, USED, OTHER = "0" * 16, "1" * 16, "2" * 16, "another-program"


def test_machine_code_of_old_versions_is_deleted(tmp_path: Path) -> None:
    for name in (OLD, RECENT, USED, OTHER):
        (tmp_path / name).mkdir()
    for name in (OLD, USED, OTHER):
        os.utime(tmp_path / name, (0, 0))
    delete_unused(tmp_path, tmp_path / USED)
    assert sorted(path.name for path in tmp_path.iterdir()) == [RECENT, USED, OTHER]
    delete_unused(tmp_path, tmp_path / USED)
    assert (tmp_path / USED).is_dir()
