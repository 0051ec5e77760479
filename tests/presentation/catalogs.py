"""The catalogs of translators: `make catalogs` brings them up to date with the code.

It extracts every text into the template, `gang.pot`, merges that into the catalog of each language, and writes the
English one, which says every text as it stands in the code. A new language begins with
`pybabel init -i bot/presentation/locales/gang.pot -d bot/presentation/locales -D gang -l LANGUAGE`.
"""

import re
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from bot import __version__
from bot.presentation.words import LOCALES, SOURCE

ROOT: Final = Path(__file__).parents[2]
TEMPLATE: Final = LOCALES / "gang.pot"
KEYWORDS: Final = {"say": None, "count": (1, 2), "noted": None, "locale_str": None}
"""Functions whose arguments are texts: all of them, or the first two as singular and plural."""
_NOISE: Final = re.compile(r'"(POT-Creation-Date|PO-Revision-Date|Generated-By|.*EMAIL@ADDRESS|.*LL@li\.org)')
"""Lines of a header that change by themselves, or that nobody has filled in."""


def template() -> Catalog:
    """Every text of the code, with the modules in which it stands."""
    catalog = _catalog()
    for package in ("bot", "cogs"):
        for file, _, text, comments, context in extract_from_dir(ROOT / package, [("**.py", "python")], None, KEYWORDS):
            catalog.add(text, None, [(f"{package}/{file}", 0)], auto_comments=comments, context=context)
    return catalog


def english(source: Catalog) -> Catalog:
    """The catalog of the language in which the texts are written."""
    catalog = _catalog(SOURCE)
    for message in source:
        if message.id:
            catalog.add(message.id, message.id, message.locations, context=message.context)
    return catalog


def languages() -> dict[str, Path]:
    """The catalogs that there are, by their language."""
    return {file.parts[-3]: file for file in sorted(LOCALES.glob("*/LC_MESSAGES/gang.po"))}


def update() -> None:
    """Write the template, the English catalog, and what is new into all others."""
    source = template()
    _write(source, TEMPLATE)
    _write(english(source), LOCALES / SOURCE / "LC_MESSAGES" / "gang.po")
    for language, file in languages().items():
        if language != SOURCE:
            catalog = read_po(BytesIO(file.read_bytes()), locale=language)
            catalog.update(source, no_fuzzy_matching=True)  # what is like a text need not mean the same
            _write(catalog, file)


def _catalog(language: str | None = None) -> Catalog:
    return Catalog(
        locale=language,
        header_comment="# The texts of Gang of Four on Discord.",
        project="gang-of-four-bot",
        version=__version__,
        fuzzy=False,
    )


def _write(catalog: Catalog, file: Path) -> None:
    text = BytesIO()
    write_po(text, catalog, width=110, include_lineno=False, ignore_obsolete=True)
    lines = text.getvalue().decode().splitlines(keepends=True)
    kept = [line for line in lines if not _NOISE.match(line)]
    file.write_text("".join(kept), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    update()
