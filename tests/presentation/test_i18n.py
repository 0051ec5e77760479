"""The translations are right in every language. `make release` checks that they are complete."""

import ast
import re
import string
from datetime import date, datetime
from pathlib import Path

import discord
import pytest
from babel.messages.catalog import Catalog, Message

from bot.presentation.help.guide import TOPICS, Links, about_message, arrival_message, help_message, more_help_message
from bot.presentation.text.i18n import SOURCE, Words, read_catalog, words_in
from bot.presentation.text.permissions import CHANNEL_PERMISSIONS, THREAD_PERMISSIONS, missing_permissions
from tests.cogs.tree import all_commands
from tests.presentation.catalogs import ROOT, is_translated, languages, read, template
from tests.presentation.sample_tables import EMOJIS, WORDS
from tests.presentation.sent_messages import check

LANGUAGES = sorted(languages().items())
TEXT_FUNCTIONS = ("say", "translatable")
"""Their first argument is a text for players."""


def texts(catalog: Catalog) -> dict[object, object]:
    """The texts of a catalog with their translations, as far as it has them."""
    return {message.id: message.string for message in catalog if message.id and is_translated(message)}


def source_texts() -> list[object]:
    """The texts of the code."""
    return [message.id for message in template() if message.id]


def forms(text: object) -> tuple[str, ...]:
    """The singular and plural of a text, or its only form."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def facts(text: str) -> set[str]:
    """The names in braces."""
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_translators_are_shown_every_text_of_the_code() -> None:
    """Unlike Babel, `ast` looks into f-strings."""
    known = {form for text in source_texts() for form in forms(text)}
    said = {
        call.args[0].value
        for folder in ("bot", "cogs")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and (getattr(call.func, "attr", "") or getattr(call.func, "id", "")) in TEXT_FUNCTIONS
    }
    assert said <= known


@pytest.mark.parametrize(("language", "file"), LANGUAGES)
def test_no_catalog_has_a_fuzzy_translation(language: str, file: Path) -> None:
    assert [message.id for message in read(file, language) if message.fuzzy and message.id] == []


@pytest.mark.parametrize(("language", "file"), LANGUAGES)
def test_commands_are_called_by_names_that_discord_takes_and_that_texts_use(language: str, file: Path) -> None:
    said = texts(read(file, language))
    called = {name: str(said.get(name, name)) for name in all_commands()}
    assert all(re.fullmatch(r"[-_\w]{1,32}", name) and name == name.lower() for name in called.values())
    assert len(set(called.values())) == len(called)
    for text, translation in said.items():
        for source, form in zip(forms(text)[-1:], forms(translation)[-1:], strict=True):
            meant = [called[name] for name in re.findall(r"/gang (\w+)", source)]
            assert re.findall(r"/gang ([-_\w]+)", form) == meant, source


def messages(file: Path, language: str) -> list[Message]:
    return [message for message in read(file, language) if message.id and is_translated(message)]


@pytest.mark.parametrize(("language", "file"), LANGUAGES)
def test_a_translation_names_the_facts_of_its_text_and_no_others(language: str, file: Path) -> None:
    for message in messages(file, language):
        asked = [facts(form) for form in forms(message.id)]
        for form in forms(message.string):
            assert facts(form) <= set.union(*asked), form
        assert facts(forms(message.string)[-1]) == asked[-1], message.string


@pytest.mark.parametrize(("language", "file"), LANGUAGES)
def test_a_text_names_a_button_as_the_button_does(language: str, file: Path) -> None:
    said = texts(read(file, language))
    for text, translation in said.items():
        for name in re.findall(r"\*\*([^*{}]+)\*\*", forms(text)[-1]):
            assert name not in said or f"**{said[name]}**" in forms(translation)[-1], text


def test_italian_has_one_apostrophe() -> None:
    said = texts(read(languages()["it"], "it")).values()
    assert [form for text in said for form in forms(text) if "'" in form] == [], "write ’"


def test_placeholders_are_plain_names() -> None:
    for text in source_texts():
        for form in forms(text):
            assert all(re.fullmatch(r"[a-z]+", name) for name in facts(form)), form


def test_a_text_without_a_translation_is_shown_in_english() -> None:
    assert WORDS.say("A text that nobody has extracted") == "A text that nobody has extracted"


@pytest.mark.parametrize("number", [1, 2])
def test_a_text_that_waits_for_its_translation_is_shown_in_english(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "pl" / "LC_MESSAGES" / "gang.po"
    file.parent.mkdir(parents=True)
    file.write_text(POLISH + WAITING, encoding="utf-8")
    monkeypatch.setattr("bot.presentation.text.i18n.LOCALES", tmp_path)
    words = read_catalog.__wrapped__("pl")
    assert words.say("Leave") == "Leave"
    assert words.count("{number} hand", "{number} hands", number) == ("1 hand" if number == 1 else "2 hands")


def test_a_text_without_facts_may_hold_braces() -> None:
    assert WORDS.say("{not a fact}") == "{not a fact}"


def test_values_are_not_parsed_as_placeholders() -> None:
    assert WORDS.say("{name} leads.", name="{other} {0}") == "{other} {0} leads."


@pytest.mark.parametrize(("number", "text"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (1234, "1,234 cards")])
def test_numbers_have_their_plural(number: int, text: str) -> None:
    assert WORDS.count("{number} card", "{number} cards", number) == text


def test_lists_and_numbers_are_written_as_the_language_does() -> None:
    assert WORDS.list(["a"]) == "a"
    assert WORDS.list(["a", "b"]) == "a and b"
    assert WORDS.list(["{0}", "b", "c"]) in ("{0}, b, and c", "{0}, b and c")
    assert WORDS.number(1234.56, 1) == "1,234.6"


@pytest.mark.parametrize(
    ("language", "items", "text"),
    [
        ("es", ["Ana", "Bea"], "Ana y Bea"),
        ("es", ["Ana", "Iris"], "Ana e Iris"),
        ("es", ["Ana", "Hilda", "Inés"], "Ana, Hilda e Inés"),
        ("es", ["fácil", "intermedio"], "fácil e intermedio"),
        ("es", ["Inés", "**Hilda**"], "Inés e **Hilda**"),
        ("es", ["Ana", "🤖 Íñigo"], "Ana e 🤖 Íñigo"),
        ("es", ["agua", "hielo"], "agua y hielo"),
        ("es", ["Iris"], "Iris"),
        ("it", ["Ana", "Elena"], "Ana ed Elena"),
        ("it", ["Elena", "Ana"], "Elena e Ana"),
        ("fr", ["Ana", "Iris"], "Ana et Iris"),
    ],
)
def test_and_is_written_as_the_next_word_asks(language: str, items: list[str], text: str) -> None:
    assert words_in(language).list(items) == text


@pytest.mark.parametrize(
    ("locale", "numbers"),
    [
        ("es-ES", ["3,5", "1234", "12.345"]),
        ("es-419", ["3.5", "1234", "12,345"]),
        ("de", ["3,5", "1.234", "12.345"]),
        ("en-GB", ["3.5", "1,234", "12,345"]),
    ],
)
def test_numbers_are_written_as_in_the_readers_country(locale: str, numbers: list[str]) -> None:
    for words in (words_in(locale), words_in(locale).with_emojis(EMOJIS)):
        assert [words.number(3.5, 1), words.number(1234), words.number(12_345)] == numbers


@pytest.mark.parametrize(
    ("language", "day", "now"),
    [
        ("fr", "1er janvier 2026", "jeudi, 21:05"),
        ("fi", "1. tammikuuta 2026", "torstai, 21:05"),
        ("de", "1. Januar 2026", "Donnerstag, 21:05"),
        ("es", "1 de enero de 2026", "jueves, 21:05"),
        ("it", "1 gennaio 2026", "giovedì, 21:05"),
        ("nl", "1 januari 2026", "donderdag, 21:05"),
        ("en", "January 1, 2026", "Thursday, 21:05"),
    ],
)
def test_days_are_written_as_the_language_does(language: str, day: str, now: str) -> None:
    first = datetime(2026, 1, 1, 21, 5)  # noqa: DTZ001  # the text has no time zone
    assert words_in(language).day(first.date()) == day
    assert words_in(language).now(first) == now
    assert words_in("fr").day(date(2026, 1, 21)) == "21 janvier 2026"


@pytest.mark.parametrize("locale", [locale.value for locale in discord.Locale])
def test_every_language_of_discord_has_words(locale: str) -> None:
    words = words_in(locale)
    assert isinstance(words, Words)
    assert words.language in (SOURCE, locale.split("-", maxsplit=1)[0])
    assert words.say("My hand")


def test_a_language_without_a_catalog_uses_english() -> None:
    assert words_in("xx") is words_in(SOURCE)


def test_a_catalog_of_another_language_is_found_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "pl" / "LC_MESSAGES" / "gang.po"
    file.parent.mkdir(parents=True)
    file.write_text(POLISH, encoding="utf-8")
    monkeypatch.setattr("bot.presentation.text.i18n.LOCALES", tmp_path)
    words = read_catalog.__wrapped__("pl")
    assert [words.count("{number} card", "{number} cards", number) for number in (1, 2, 5)] == [
        "1 karta",
        "2 karty",
        "5 kart",
    ]
    assert words.say("Join") == "Join"


POLISH = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);\n"

msgid "{number} card"
msgid_plural "{number} cards"
msgstr[0] "{number} karta"
msgstr[1] "{number} karty"
msgstr[2] "{number} kart"
"""
WAITING = r"""
msgid "Leave"
msgstr ""

msgid "{number} hand"
msgid_plural "{number} hands"
msgstr[0] ""
msgstr[1] ""
msgstr[2] ""
"""


def button_labels() -> set[str]:
    """The texts in calls of `button`, and those of the help's buttons."""
    files = sorted((ROOT / "bot" / "presentation").rglob("*.py"))
    calls = [call for file in files for call in calls_in(ast.parse(file.read_text(encoding="utf-8")))]
    inner = [said for call in calls if getattr(call.func, "id", "") == "button" for said in calls_in(call)]
    found = {said.args[0].value for said in inner if said.args and isinstance(said.args[0], ast.Constant)}
    return {str(text) for text in found if text} | {label for topic in TOPICS.values() for label in topic.values()}


def calls_in(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("language", [SOURCE, *languages()])
def test_a_button_leaves_room_for_another_beside_it(language: str) -> None:
    """About 25 letters are half the width of a phone."""
    labels = button_labels()
    assert len(labels) > 80
    assert [label for label in map(words_in(language).say, sorted(labels)) if len(label) > 25] == []


@pytest.mark.parametrize("language", [language for language, _ in LANGUAGES])
def test_the_help_fits(language: str) -> None:
    words = words_in(language)
    for message in (
        help_message(words),
        more_help_message(words, has_table=True, has_match=True),
        more_help_message(words, has_table=False, has_match=False),
        arrival_message(words),
        about_message("10.10.10", Links(), words),
    ):
        check(message)


def test_missing_permissions_in_a_channel_are_named() -> None:
    allowed = discord.Permissions(view_channel=True, send_messages=True)
    assert missing_permissions(allowed, None, WORDS) == ""
    for name, why in CHANNEL_PERMISSIONS.items():
        said = missing_permissions(
            discord.Permissions(allowed.value & ~getattr(discord.Permissions, name).flag), None, WORDS
        )
        assert why in said
        assert all(other not in said for other in CHANNEL_PERMISSIONS.values() if other != why)
    assert set(CHANNEL_PERMISSIONS) != set(THREAD_PERMISSIONS)


def test_about_links_to_the_pages_of_the_operator() -> None:
    links = Links("https://a.example", "https://b.example", "https://c.example", "https://d.example")
    buttons = [part for row in about_message("1", links, words_in("de")).components[1:] for part in row["components"]]
    assert [(each["label"], each["url"]) for each in buttons] == [
        ("Datenschutz", "https://a.example"),
        ("Nutzungsbedingungen", "https://b.example"),
        ("Quellcode", "https://c.example"),
        ("Support", "https://d.example"),
    ]
