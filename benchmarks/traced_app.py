"""Runs the app and lists the modules whose functions run: `python -m benchmarks.traced_app FILE`.

SIGUSR1 begins the list. SIGUSR2 writes it into the file, a module a line, and ends it.
"""

import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Final

from bot.__main__ import main

ROOT: Final = Path(__file__).parents[1]
OURS: Final = (f"{ROOT / 'bot'}/", f"{ROOT / 'cogs'}/")


def run(file: Path) -> None:
    """Run the app until it is stopped."""
    files = set[str]()

    def see(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>":
            files.add(code.co_filename)

    def begin(*_: object) -> None:
        files.clear()
        sys.setprofile(see)

    def write(*_: object) -> None:
        sys.setprofile(None)
        ours = sorted(Path(name).relative_to(ROOT).as_posix() for name in files if name.startswith(OURS))
        unfinished = file.with_suffix(".new")
        unfinished.write_text("".join(f"{name}\n" for name in ours))
        unfinished.rename(file)

    threading.setprofile(see)  # for threads that start later
    signal.signal(signal.SIGUSR1, begin)
    signal.signal(signal.SIGUSR2, write)
    main([])


if __name__ == "__main__":
    run(Path(sys.argv[1]))
