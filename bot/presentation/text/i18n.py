"""Translations of all texts for players: gettext catalogs, one per language.

Call sites hold the English text, whole sentences with named facts: `words.say("{name} leads.", name=...)`. Catalogs are
read from their `.po` files, so nothing has to be compiled.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cache, lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from babel import Locale
from babel.dates import format_date, format_datetime, format_timedelta
from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal, format_percent

from bot.engine import Card

LOCALES: Final = Path(__file__).parents[1] / "locales"
SOURCE: Final = "en"
"""The language of the texts in the code, which needs no catalog."""
_OWN_NAMES: Final = {
    "de": "Deutsch",
    "en": "English",
    "es": "Español",
    "fi": "Suomi",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
}
"""The names of the languages in themselves. Babel would load the data of each for that, 1 MB."""
_REGIONS: Final = {"es-419": "es_419"}
"""Discord's locales whose numbers and dates differ from those of their language."""
_SOFT_AND: Final = {
    "es": ("y", "e", re.compile(r"[\W_]*h?[ií](?![aeou])", re.IGNORECASE)),
    "it": ("e", "ed", re.compile(r"[\W_]*[eèé]", re.IGNORECASE)),
}
"""The word for "and", the one in its place before a word with the same sound, and the beginning of such a word."""


def translatable(text: str) -> str:
    """Mark a text for the catalogs that another place passes to `Words.say`."""
    return text


def translatable_plural(one: str, many: str) -> tuple[str, str]:
    """Mark a text for the catalogs, in singular and plural, that another place passes to `Words.count`."""
    return one, many


Emojis: TypeAlias = Mapping[Card, str]
"""The emoji of cards as written in a text, such as `<:green_7_c:123>`: of all cards, or none."""
NO_EMOJIS: Final[Emojis] = MappingProxyType({})


class Words:
    """The texts of one language, and how cards look in them."""

    def __init__(
        self,
        language: str,
        catalog: NullTranslations,
        emojis: Emojis = NO_EMOJIS,
        region: str | None = None,
        *,
        by_color: bool = False,
        has_page: bool = False,
    ) -> None:
        self.language = language
        self.emojis = emojis
        """Empty for readers who prefer `7R`."""
        self.by_color = by_color
        """The reader's hands are sorted by color, then by number."""
        self.has_page = has_page
        """The reader can open tables as a page."""
        self._catalog = catalog
        self._region = region or language
        """The locale of numbers and dates."""
        self._locale = Locale.parse(self._region)
        self._other: Words | None = None
        """The result of the last call of `with_emojis`."""
        self._sorted: Words | None = None
        """The result of the last call of `in_order`."""
        self._with_page: Words | None = None
        """The result of `with_page`."""

    def with_page(self) -> "Words":
        """The same texts, for a reader who can open tables as a page. Always the same object."""
        if self._with_page is None:
            self._with_page = self if self.has_page else self._copy(has_page=True)
        return self._with_page

    def _copy(
        self, emojis: Emojis | None = None, *, by_color: bool | None = None, has_page: bool | None = None
    ) -> "Words":
        """A copy with changes."""
        return Words(
            self.language,
            self._catalog,
            self.emojis if emojis is None else emojis,
            self._region,
            by_color=self.by_color if by_color is None else by_color,
            has_page=self.has_page if has_page is None else has_page,
        )

    def in_order(self, *, by_color: bool) -> "Words":
        """The same texts, for a reader whose hands are sorted by color or by number. Always the same object."""
        if by_color is self.by_color:
            return self
        if self._sorted is None:
            self._sorted = self._copy(by_color=by_color)
            self._sorted._sorted = self  # noqa: SLF001  # of the same class
        return self._sorted

    def with_emojis(self, emojis: Emojis) -> "Words":
        """The same texts, with cards shown as these emoji. The same emoji give the same object."""
        if self._other is None or self._other.emojis is not emojis:
            self._other = self._copy(emojis)
        return self._other

    def in_region(self, region: str) -> "Words":
        """The same texts, with the numbers and dates of a region."""
        return Words(self.language, self._catalog, self.emojis, region)

    def say(self, text: str, **facts: object) -> str:
        """Translate a text and fill in its facts."""
        return self._catalog.gettext(text).format_map(facts) if facts else self._catalog.gettext(text)

    def count(self, one: str, many: str, number: int, **facts: object) -> str:
        """Translate a text in the plural form for `number`. `{number}` is among its facts."""
        text = self._catalog.ngettext(one, many, number)
        return text.format_map({"number": self.number(number), **facts})

    def forms(self, one: str, many: str) -> dict[str, str]:
        """A text with `{number}` for programs that count themselves: the plural forms `one` and `other` of CLDR."""
        return {form: self._catalog.ngettext(one, many, number) for form, number in (("one", 1), ("other", 2))}

    def list(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        pattern = _list_pattern(self.language, len(items))
        word, soft, sounds = _SOFT_AND.get(self.language, ("", "", None))
        if sounds is not None and len(items) > 1 and sounds.match(items[-1]):
            pattern = pattern.replace(f" {word} ", f" {soft} ")
        return pattern.format(*items)

    def either(self, items: Sequence[str]) -> str:
        """`a, b or c`."""
        return _list_pattern(self.language, len(items), "or").format(*items)

    def duration(self, milliseconds: int) -> str:
        """`2 minutes`, `1 day`."""
        return format_timedelta(timedelta(milliseconds=milliseconds), threshold=1.5, locale=self._locale)

    def number(self, value: float, decimals: int = 0) -> str:
        """A number in this language's notation."""
        return _number(self._region, value, decimals)

    def percent(self, share: float) -> str:
        """A share (0-1) in this language's notation, `60 %`."""
        return format_percent(share, locale=self._locale)

    def day(self, value: date) -> str:
        """A date, with its month in words."""
        text = format_date(value, "long", locale=self._locale)
        return text.replace("1 ", "1er ", 1) if self.language == "fr" and value.day == 1 else text

    def now(self, value: datetime) -> str:
        """The day of the week and the time of day."""
        return format_datetime(value, "cccc, HH:mm", locale=self._locale)


@lru_cache
def _list_pattern(language: str, length: int, style: Literal["standard", "or"] = "standard") -> str:
    """A list of this length as a format: `{0}, {1} and {2}`."""
    return format_list([f"{{{number}}}" for number in range(length)], style, locale=language)


@lru_cache(1000)
def _number(language: str, value: float, decimals: int) -> str:
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    is_short = language.startswith("es") and abs(value) < 9_999.5  # Spanish groups digits from five on
    return format_decimal(value, format=pattern, locale=language, group_separator=not is_short)


@cache
def languages() -> tuple[str, ...]:
    """The languages with a catalog and the source language, such as `de`, sorted by their own names."""
    translated = [file.parts[-3] for file in LOCALES.glob("*/LC_MESSAGES/gang.po")]
    return tuple(sorted([SOURCE, *translated], key=own_name))


def own_name(language: str) -> str:
    """The name of a language in that language."""
    return _OWN_NAMES[language]


def words_in(locale: str) -> Words:
    """The texts for a Discord locale such as `en-US`, `de` or `es-419`; English if it has no catalog."""
    language = locale.split("-", maxsplit=1)[0]
    words = read_catalog(language if language in languages() else SOURCE)
    return _in_region(words, _REGIONS[locale]) if locale in _REGIONS else words


@cache
def _in_region(words: Words, region: str) -> Words:
    return words.in_region(region)


@cache
def read_catalog(language: str) -> Words:
    """Read the texts of a language from its catalog; without one, use those in the code."""
    file = LOCALES / language / "LC_MESSAGES" / "gang.po"
    if not file.is_file():
        return Words(language, NullTranslations())
    with file.open("rb") as lines:
        catalog = read_po(lines, locale=language)
    for message in list(catalog):
        if isinstance(message.string, tuple | list) and not all(message.string):  # others are left out anyway
            catalog.delete(message.id)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    compiled.seek(0)
    return Words(language, GNUTranslations(compiled))
