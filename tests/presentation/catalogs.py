"""The catalogs of translators: `make catalogs` brings them up to date with the code, and lists what isn't translated.

It adds new texts of the code to the catalog of each language, and removes old ones. English has no catalog: its texts
are those of the code. `make catalogs ARGS=pl` also begins the catalog of a new language, here Polish.
`python -m tests.presentation.catalogs --list` only lists what isn't translated.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import cogs
from bot import __version__
from bot.presentation.help.lessons import LESSONS
from bot.presentation.help.rule_pages import PAGES
from bot.presentation.text.i18n import LOCALES
from bot.presentation.text.option_texts import OPTIONS

ROOT: Final = Path(__file__).parents[2]
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
    """The texts of the rules, the tutorial and the options, which no function marks."""
    for page in PAGES.values():
        yield page.title
        for paragraph in page.paragraphs:
            yield from filter(None, (paragraph.text, paragraph.note))
    for lesson in LESSONS:
        yield from filter(None, (lesson.title, lesson.text, lesson.hint))
    for option in OPTIONS.values():
        yield option.name
        for value in option.values.values():
            yield from filter(None, (value.short, value.long, value.detail))


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


def missing() -> dict[str, list[str]]:
    """The texts of the code that a language doesn't translate, by language; only languages that miss some."""
    source = [message for message in template() if message.id]
    found = {}
    for language, file in languages().items():
        said = {message.id: message for message in read(file, language)}
        texts = [str(message.id) for message in source if not is_translated(said.get(message.id))]
        if texts:
            found[language] = texts
    return found


def is_translated(message: Message | None) -> bool:
    """True if a catalog has the text in all its plural forms."""
    if message is None:
        return False
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


def read(file: Path, language: str) -> Catalog:
    """The catalog in a file."""
    return read_po(BytesIO(file.read_bytes()), locale=language)


def update(begun: Iterable[str] = ()) -> None:
    """Bring all catalogs up to date, and begin those of some new languages."""
    source = template()
    for language in begun:
        file = LOCALES / language / "LC_MESSAGES" / "gang.po"
        file.parent.mkdir(parents=True)
        header = {"header_comment": source.header_comment, "project": source.project, "version": source.version}
        _write(Catalog(locale=language, fuzzy=False, **header), file)
    for language, file in languages().items():
        catalog = read(file, language)
        catalog.update(source, no_fuzzy_matching=True)  # similar texts may have different meanings
        _write(catalog, file)


def _write(catalog: Catalog, file: Path) -> None:
    text = BytesIO()
    write_po(text, catalog, width=110, no_location=True, sort_output=True, ignore_obsolete=True)
    lines = text.getvalue().decode().splitlines(keepends=True)
    kept = [line for line in lines if not _NOISE.match(line)]
    file.write_text("".join(kept), encoding="utf-8", newline="\n")


def main(*arguments: str) -> None:
    """Update the catalogs, unless the argument is `--list`, and list what isn't translated."""
    if arguments != ("--list",):
        update(arguments)
    found = missing()
    for language, texts in found.items():
        print(f"{languages()[language].relative_to(ROOT)} doesn't translate:")
        for text in texts:
            print(f"    {text}")
    print("Players read these texts in English." if found else "Every language has all texts.")


if __name__ == "__main__":
    main(*sys.argv[1:])
