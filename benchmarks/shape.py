"""The size and shape of the project: `make shape`. Each line says how many there are, and how many there may be."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from benchmarks.entered import is_apart, modules_entered
from benchmarks.private_names import private_names
from tests.test_architecture import PRESENTATION, importing, of

APP, TESTS = ("bot", "cogs"), ("tests",)
DOCUMENTS: Final = ("*.md", "docs/**/*.md")
KNOWS_PROCESSES: Final = ("bot/app.py", "bot/process/", "bot/discord_client/")
"""Where the words about processes belong."""
PROCESS_WORDS: Final = re.compile(r"(?<![a-z])(shards?|leases?|served|standby)(?![a-z])", re.IGNORECASE)


def modules(*folders: str) -> list[Path]:
    """The Python files in some folders."""
    return sorted(path for folder in folders for path in Path(folder).rglob("*.py"))


def lines(paths: Iterable[Path]) -> int:
    """The lines of some files, with blank ones."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def words_of_documents() -> int:
    """The words of the documents in the main folder and in `docs`, as `wc -w` counts them: with tables and code."""
    documents = [path for pattern in DOCUMENTS for path in Path().glob(pattern)]
    return sum(len(path.read_text(encoding="utf-8").split()) for path in documents)


def modules_about_processes() -> list[str]:
    """The modules that use words about processes, except for those where these belong."""
    return [
        path.as_posix()
        for path in modules(*APP)
        if not path.as_posix().startswith(KNOWS_PROCESSES) and PROCESS_WORDS.search(path.read_text(encoding="utf-8"))
    ]


def arrows_up() -> list[str]:
    """The imports inside the presentation that run from a lower folder to a higher one."""
    floors = {folder: number for number, folders in enumerate(PRESENTATION) for folder in folders}
    return [
        f"{module} imports {name}"
        for folder, floor in floors.items()
        for module, names in importing(of(f"bot.presentation.{folder}"), "bot.presentation").items()
        for name in names
        if floors[name.split(".")[2]] > floor
    ]


def show(what: str, found: int | Iterable[str], limit: int) -> None:
    """Print a count and its limit; if it's too high, also the names of what was counted."""
    names = [] if isinstance(found, int) else sorted(found)
    number = found if isinstance(found, int) else len(names)
    print(f"{what:<58}{number:>8,}  at most {limit:>6,}  {'ok' if number <= limit else 'too many'}", flush=True)
    for name in names if number > limit else ():
        print(f"    {name}")


def main() -> None:
    """Print the whole shape."""
    show("lines in bot/ and cogs/", lines(modules(*APP)), 36_500)
    show("lines in tests/", lines(modules(*TESTS)), 40_000)
    show("words of documents", words_of_documents(), 20_000)
    show("migrations", (path.name for path in Path("bot/storage/migrations/versions").glob("0*.py")), 1)
    show("imports that run up inside the presentation", arrows_up(), 0)
    show("modules elsewhere with words about processes or shards", modules_about_processes(), 6)
    private = private_names(modules(*APP))
    show("private names of discord.py", (f"{name} in {path}" for name, path in private.items()), 10)
    entered = modules_entered()
    show("modules that a play enters", len(entered), 50)
    show("  of them about processes, connections or measuring", filter(is_apart, entered), 8)


if __name__ == "__main__":
    main()
