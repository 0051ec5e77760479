"""The files of the page."""

from contextlib import suppress
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "web" / "page"
INDEX: Final = "index.html"
BUILT: Final = "built"
"""The folder of what `make web` builds: the page in two files instead of 32, and Discord's Embedded App SDK."""
SDK: Final = "sdk.js"


def page_file(name: str) -> Path | None:
    """A file of the page, bundled if it is; None if there is none with this name."""
    for folder in (Path(PAGE, BUILT), Path(PAGE)):
        file = folder / name
        with suppress(OSError):  # the name is too long
            if file.parent == folder and file.is_file():
                return file
    return None


def has_sdk() -> bool:
    """True if the page can be opened as an Activity, too."""
    return page_file(SDK) is not None
