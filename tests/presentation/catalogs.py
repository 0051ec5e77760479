"""The catalogs of translators: `make catalogs` brings them up to date with the code.

It extracts every text into the template, `gang.pot`, and merges that into the catalog of each language. English has
no catalog: its texts are those of the code. A new language begins with
`pybabel init -i bot/presentation/locales/gang.pot -d bot/presentation/locales -D gang -l LANGUAGE`.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import cogs
from bot import __version__
from bot.presentation.help.lessons import LESSONS
from bot.presentation.help.rule_pages import PAGES
from bot.presentation.text.i18n import LOCALES

ROOT: Final = Path(__file__).parents[2]
TEMPLATE: Final = LOCALES / "gang.pot"
KEYWORDS: Final = {
    "say": None,
    "count": (1, 2),
    "translatable": None,
    "translatable_plural": (1, 2),
}
"""Functions with texts as arguments: all of them, or the first two as singular and plural."""
_NOISE: Final = re.compile(r'"(POT-Creation-Date|PO-Revision-Date|Generated-By|.*EMAIL@ADDRESS|.*LL@li\.org)')
"""Lines of a header that change automatically or are placeholders."""


def template() -> Catalog:
    """Every text of the code."""
    catalog = Catalog(
        header_comment="# The texts of Gang of Four on Discord.",
        project="gang-of-four-bot",
        version=__version__,
        fuzzy=False,
    )
    for package in ("bot", "cogs"):
        for _, _, text, comments, context in extract_from_dir(ROOT / package, [("**.py", "python")], None, KEYWORDS):
            catalog.add(text, auto_comments=comments, context=context)
    for text in (*written_texts(), *command_texts()):
        catalog.add(text)
    return catalog


def written_texts() -> Iterator[str]:
    """The texts of the rules and the tutorial, which no function marks."""
    for page in PAGES.values():
        yield page.title
        for paragraph in page.paragraphs:
            yield from filter(None, (paragraph.text, paragraph.note))
    for lesson in LESSONS:
        yield from filter(None, (lesson.title, lesson.text, lesson.hint))


def command_texts() -> Iterator[str]:
    """The names and descriptions of all commands and their options."""
    for module in iter_modules(cogs.__path__):
        members = vars(import_module(f"cogs.{module.name}")).values()
        for command in [each for cog in members for each in getattr(cog, "__cog_app_commands__", ())]:
            yield from (command.name, command.description)
            for option in command.parameters:
                yield from (option.display_name, str(option.description))


def languages() -> dict[str, Path]:
    """The catalogs by language."""
    return {file.parts[-3]: file for file in sorted(LOCALES.glob("*/LC_MESSAGES/gang.po"))}


def update() -> None:
    """Write the template, and add new texts to all catalogs."""
    source = template()
    _write(source, TEMPLATE)
    for language, file in languages().items():
        catalog = read_po(BytesIO(file.read_bytes()), locale=language)
        catalog.update(source, no_fuzzy_matching=True)  # similar texts may have different meanings
        _write(catalog, file)


def _write(catalog: Catalog, file: Path) -> None:
    text = BytesIO()
    write_po(text, catalog, width=110, no_location=True, sort_output=True, ignore_obsolete=True)
    lines = text.getvalue().decode().splitlines(keepends=True)
    kept = [line for line in lines if not _NOISE.match(line)]
    file.write_text("".join(kept), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    update()
