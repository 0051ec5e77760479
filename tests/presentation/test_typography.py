"""Typography of the catalogs: spaces and quotation marks as the language writes them."""

import re
from collections.abc import Iterator

import pytest

from tests.presentation.catalogs import languages
from tests.presentation.test_i18n import forms, stored, texts

FRENCH_BREAK = re.compile(r"(?<![\u00a0\u202f])(?:[;!?»]|:(?!\d))|«(?![\u00a0\u202f])")
"""French punctuation without its no-break space, where a line could break; `22:30` is a time."""


def said(language: str) -> Iterator[str]:
    """Every text of the catalog of a language."""
    return (form for text in texts(stored(languages()[language], language)).values() for form in forms(text))


def test_french_punctuation_keeps_its_line() -> None:
    assert [text for text in said("fr") if FRENCH_BREAK.search(text)] == []


@pytest.mark.parametrize("text", ["Pourquoi ?", "« Carte »", "Attends: passe", "(quoi?)"])
def test_an_ordinary_space_or_none_is_found(text: str) -> None:
    assert FRENCH_BREAK.search(text)


@pytest.mark.parametrize(("language", "marks"), [("de", "„“"), ("fi", "””"), ("fr", "«»")])
def test_quotation_marks_are_those_of_the_language(language: str, marks: str) -> None:
    used = {mark for text in said(language) for mark in re.findall("[\"'„“”«»‘]", text)}
    assert used <= set(marks)
