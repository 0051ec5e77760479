"""The files of the page."""

from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[2] / "web" / "page"
INDEX: Final = "index.html"
SDK: Final = "sdk.js"
"""The bundle of Discord's Embedded App SDK, which `make web` builds."""


def page_file(name: str) -> Path | None:
    """A file of the page; None if there is none with this name."""
    file = Path(PAGE, name)
    try:
        return file if file.parent == Path(PAGE) and file.is_file() else None
    except OSError:  # the name is too long
        return None


def has_sdk() -> bool:
    """True if the page can be opened as an Activity, too."""
    return page_file(SDK) is not None
