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
    """The path of a file of the page, bundled if there is a bundle; None if there's no such file."""
    for folder in (Path(PAGE, BUILT), Path(PAGE)):
        file = folder / name
        with suppress(OSError):  # the name is too long
            if file.parent == folder and file.is_file():
                return file
    return None


def has_sdk() -> bool:
    """True if the page can be opened as an Activity, too."""
    return page_file(SDK) is not None
