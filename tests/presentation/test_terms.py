"""One word per concept: the tables of docs/terms.md against the catalogs."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.presentation.catalogs import ROOT, languages, read
from tests.presentation.test_i18n import forms, source_texts, texts

COLUMNS = ("en", "de", "fi", "fr", "es", "it", "nl")


def rows() -> Iterator[list[str]]:
    """The cells of all tables, without headings."""
    for line in (ROOT / "docs" / "terms.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("| ") and not line.startswith(("| English |", "| Language |", "| --- |")):
            yield [cell.strip() for cell in line.strip("|").split("|")]


TERMS = [row for row in rows() if len(row) == len(COLUMNS)]
GANG_TERMS = next(row for row in TERMS if row[0] == "gang")
WRONG = [(language, word) for language, words, *_ in (r for r in rows() if len(r) == 4) for word in words.split(", ")]


@cache
def said(language: str) -> str:
    """All texts of a language, in lower case and with ordinary spaces. English texts are keys."""
    found = texts(read(languages()[language], language)).values() if language in languages() else source_texts()
    return re.sub(r"\s", " ", "\n".join(form for text in found for form in forms(text))).casefold()


@pytest.mark.parametrize(("column", "language"), list(enumerate(COLUMNS)))
def test_every_term_is_used(column: int, language: str) -> None:
    """Its last letter may differ: endings change with the sentence."""
    terms = [re.sub(r" \(.*\)", "", row[column]).casefold() for row in TERMS]
    assert [term for term in terms if term[:-1] not in said(language)] == []


@pytest.mark.parametrize(("language", "word"), WRONG)
def test_a_misleading_word_is_not_used(language: str, word: str) -> None:
    assert not re.search(rf"\b{re.escape(word.casefold())}", said(language))


CAPITAL_GANG = [language for language, term in zip(COLUMNS, GANG_TERMS, strict=True) if term.startswith("Gang")]


@pytest.mark.parametrize("language", CAPITAL_GANG)
def test_a_gang_has_a_capital_letter_where_its_term_has_one(language: str) -> None:
    """Commands such as `/gang new` have none."""
    small = [form for text in texts(read(languages()[language], language)).values() for form in forms(text)]
    assert [text for text in small if re.search(r"(?<![/{])\bgang", text)] == []


def test_terms_and_words_to_avoid_are_read() -> None:
    assert len(TERMS) > 60
    assert CAPITAL_GANG == ["de", "fi", "es", "it", "nl"]
    assert {language for language, _ in WRONG} <= set(languages())
