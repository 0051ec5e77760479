"""One word per concept: docs/terms.csv and docs/words_to_avoid.csv against the catalogs.

A translation uses the word of docs/terms.csv for its concept, and for no other. Where the term for a gang is `Gang`, it
has a capital letter. A word to avoid is the beginning of a word: `luokitel` finds `luokiteltu`.
"""

import csv
import re
from functools import cache

import pytest

from tests.presentation.catalogs import ROOT, languages, read
from tests.presentation.test_i18n import forms, source_texts, texts


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table in `docs`, by the names of its columns."""
    with (ROOT / "docs" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


TERMS = table("terms")
GANG_TERMS = next(row for row in TERMS if row["en"] == "gang")
WRONG = [(row["language"], word) for row in table("words_to_avoid") for word in row["not"].split(", ")]


@cache
def said(language: str) -> str:
    """All texts of a language, in lower case and with ordinary spaces. English texts are keys."""
    found = texts(read(languages()[language], language)).values() if language in languages() else source_texts()
    return re.sub(r"\s", " ", "\n".join(form for text in found for form in forms(text))).casefold()


@pytest.mark.parametrize("language", GANG_TERMS)
def test_every_term_is_used(language: str) -> None:
    """Its last letter may differ: endings change with the sentence."""
    terms = [re.sub(r" \(.*\)", "", row[language]).casefold() for row in TERMS]
    assert [term for term in terms if term[:-1] not in said(language)] == []


@pytest.mark.parametrize(("language", "word"), WRONG)
def test_a_misleading_word_is_not_used(language: str, word: str) -> None:
    assert not re.search(rf"\b{re.escape(word.casefold())}", said(language))


CAPITAL_GANG = [language for language, term in GANG_TERMS.items() if term.startswith("Gang")]


@pytest.mark.parametrize("language", CAPITAL_GANG)
def test_a_gang_has_a_capital_letter_where_its_term_has_one(language: str) -> None:
    """Commands such as `/gang new` have none."""
    small = [form for text in texts(read(languages()[language], language)).values() for form in forms(text)]
    assert [text for text in small if re.search(r"(?<![/{])\bgang", text)] == []


def test_terms_and_words_to_avoid_are_read() -> None:
    assert len(TERMS) > 60
    assert set(CAPITAL_GANG) >= {"de", "fi", "es", "it", "nl"}
    assert {language for language, _ in WRONG} <= set(languages())
