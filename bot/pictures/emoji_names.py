"""Names of the card faces that are application emoji, for screen readers."""

import re
from typing import Final

from bot.engine import Card
from bot.engine.cards import ALL_CARDS, DRAGON_RANK, PHOENIX_RANK

VERSION: Final = "c"
"""One or two letters that change with the drawings, so that new drawings replace the uploaded ones."""
_COLORS: Final = ("green", "yellow", "red", "multicolored")


def card_name(card: Card) -> str:
    """`green_7`."""
    if card.rank == DRAGON_RANK:
        return "dragon"
    return f"{_COLORS[card.color]}_{'phoenix' if card.rank == PHOENIX_RANK else card.rank}"


def emoji_name(spoken: str) -> str:
    """`green_7_c`: the spoken name and the version, short because screen readers read it aloud.

    Discord accepts 2 to 32 letters, digits and underscores.
    """
    return f"{spoken}_{VERSION}"


def is_from_any_version(name: str) -> bool:
    """True for the name of an emoji that this or another version of the app has made."""
    spoken, _, version = name.rpartition("_")
    return spoken in map(card_name, ALL_CARDS) and re.fullmatch(r"[a-z]{1,2}", version) is not None
