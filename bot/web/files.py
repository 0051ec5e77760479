"""The files of the page."""

from contextlib import suppress
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "web" / "page"
INDEX: Final = "index.html"
BUILT: Final = "built"
"""The folder that `make web` fills: the page as one script and one style sheet, and Discord's Embedded App SDK."""
SDK: Final = "sdk.js"


def page_file(name: str) -> Path | None:
    """The path of a file of the page; None if there's no such file. It's bundled if the bundle isn't out of date."""
    sources, built = Path(PAGE), Path(PAGE, BUILT)
    for folder in (built, sources):
        file = folder / name
        with suppress(OSError):  # the name is too long
            if file.parent == folder and file.is_file() and (folder == sources or name == SDK or _is_current(file)):
                return file
    return None


def _is_current(file: Path) -> bool:
    """True if a built file isn't older than the files of the page, which an update may have changed."""
    return file.stat().st_mtime >= max(each.stat().st_mtime for each in Path(PAGE).iterdir() if each.is_file())


def has_sdk() -> bool:
    """True if the page can be opened as an Activity, too."""
    return page_file(SDK) is not None
