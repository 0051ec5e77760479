"""The size and shape of the project: `make shape`. Each line says how many there are, and how many there may be."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from benchmarks.entered import is_apart, modules_entered
from benchmarks.private_names import private_names

APP, TESTS = ("bot", "cogs"), ("tests",)
DOCUMENTS: Final = ("*.md", "docs/**/*.md")
KNOWS_PROCESSES: Final = ("bot/app.py", "bot/process/", "bot/discord_client/")
"""Where the words about processes belong."""
PROCESS_WORDS: Final = re.compile(r"(?<![a-z])(shards?|leases?|served|(?<=\.)certain|standby)(?![a-z])", re.IGNORECASE)
PRESENTATION: Final = "bot.presentation"
FLOORS: Final = {"ui": 0, "text": 0, "table": 1, "records": 2, "help": 2, "settings": 2, "channel": 3}
"""The folders of the presentation from bottom to top."""


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
    return [
        f"{path} imports {name}"
        for path in modules("bot/presentation")
        for name in _imports(path)
        if name.startswith(f"{PRESENTATION}.")
        if FLOORS[path.parts[2]] < FLOORS[name.split(".")[2]]
    ]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def show(what: str, found: int | Iterable[str], limit: int) -> None:
    """Print a count and its limit; if it's too high, also the names of what was counted."""
    number, names = (found, []) if isinstance(found, int) else (len(each := sorted(found)), each)
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
