"""The form for cutting the deck, in every language."""

import pytest

from bot.presentation.table.cut import cut_form, typed_cut
from bot.presentation.text.i18n import Words, languages, words_in
from bot.table.model import Seat
from bot.table.refusals import BadCut
from bot.table.salt import CUTS
from bot.table.snapshot import Table
from tests.presentation.sample_tables import row
from tests.presentation.sent_messages import check_form

LARGEST = 2**63 - 1


@pytest.mark.parametrize("words", [words_in(language) for language in languages()], ids=lambda words: words.language)
def test_the_form_fits(words: Words) -> None:
    form = cut_form(Table(row((Seat("Ada", user_id=101, cut=63),))), 101, LARGEST, words)
    check_form(form)
    (part,) = form.to_dict()["components"]
    line = part["component"]
    assert line["value"] == "63"
    assert line["required"] is False


@pytest.mark.parametrize("number", CUTS)
def test_every_number_is_read(number: int) -> None:
    assert typed_cut(f" {number} ") == number


@pytest.mark.parametrize("typed", ["", " "])
def test_an_empty_form_removes_the_cut(typed: str) -> None:
    assert typed_cut(typed) is None


@pytest.mark.parametrize("typed", ["0", "00", "64", "-1", "+1", "1.5", "1_0", "x", "٣", "²", "007", "1" * 4000])
def test_anything_else_is_refused(typed: str) -> None:
    with pytest.raises(BadCut):
        typed_cut(typed)
