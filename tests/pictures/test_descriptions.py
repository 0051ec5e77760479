"""Each description of a picture has a function that draws it."""

from importlib import import_module
from inspect import signature
from typing import get_args

import pytest

from bot.pictures.descriptions import DRAWN_BY, Description


def test_every_description_can_be_drawn() -> None:
    assert set(get_args(Description)) == DRAWN_BY.keys()


@pytest.mark.parametrize("kind", DRAWN_BY)
def test_its_function_takes_the_description(kind: type) -> None:
    module, function = DRAWN_BY[kind]
    (parameter,) = signature(getattr(import_module(f"bot.pictures.{module}"), function)).parameters.values()
    assert parameter.annotation is kind
