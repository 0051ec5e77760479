"""Typography of the catalogs: spaces and quotation marks as the language writes them."""

import re
from collections.abc import Iterator

import pytest

from bot.presentation.text.i18n import words_in
from tests.presentation.catalogs import languages, read
from tests.presentation.test_i18n import forms, texts

FRENCH_BREAK = re.compile(r"(?<![\u00a0\u202f])(?:[;!?»]|:(?!\d))|«(?![\u00a0\u202f])")
"""French punctuation without its no-break space, where a line could break; `22:30` is a time."""


def said(language: str) -> Iterator[str]:
    """Every text of the catalog of a language."""
    return (form for text in texts(read(languages()[language], language)).values() for form in forms(text))


def test_french_punctuation_keeps_its_line() -> None:
    assert [text for text in said("fr") if FRENCH_BREAK.search(text)] == []


@pytest.mark.parametrize("text", ["Pourquoi ?", "« Carte »", "Attends: passe", "(quoi?)"])
def test_an_ordinary_space_or_none_is_found(text: str) -> None:
    assert FRENCH_BREAK.search(text)


@pytest.mark.parametrize(("language", "marks"), [("de", "„“"), ("fi", "””"), ("fr", "«»")])
def test_quotation_marks_are_those_of_the_language(language: str, marks: str) -> None:
    used = {mark for text in said(language) for mark in re.findall("[\"'„“”«»‘]", text)}
    assert used <= set(marks)


ARTICLE_BEFORE_FACT = re.compile(r"\b(?:dal|del|al|nel|il|sul) \{(?!name|title|what|high|low|tried|played|card)")
"""Italian articles before a number or a date: before 8, 11 and 80 it is dall', dell', l'."""


def test_italian_has_no_article_before_a_number_or_date() -> None:
    assert [text for text in said("it") if ARTICLE_BEFORE_FACT.search(text)] == []


@pytest.mark.parametrize("text", ["Classifica dal {first}", "nel {dealt} dei casi", "mano del {day}"])
def test_an_article_before_a_fact_is_found(text: str) -> None:
    assert ARTICLE_BEFORE_FACT.search(text)


def test_french_has_no_de_before_a_name() -> None:
    """It would be d' before a vowel."""
    assert [text for text in said("fr") if re.search(r"\bde \{(?:names?|giver|winner|host|late|before)\}", text)] == []


@pytest.mark.parametrize("language", languages())
def test_a_gang_is_cheered_with_the_marks_of_the_language(language: str) -> None:
    cheer = words_in(language).say("{gang}!", gang="Gang of Four")
    assert cheer == {"fr": "Gang of Four\u202f!", "es": "¡Gang of Four!"}.get(language, "Gang of Four!")
