"""The levels of AI players, from a child's match to the strongest."""

from enum import StrEnum
from hashlib import sha256
from typing import Final

from bot.engine import View
from bot.engine.moves import ChosenMove
from bot.players import beginner, simple
from bot.players.styles import Style


class Level(StrEnum):
    """A level, weakest first. The record names an AI player `ai:LEVEL`, so values must not change."""

    BEGINNER = "beginner"
    SIMPLE = "simple"
    CLUB = "club"
    EXPERT = "expert"
    MASTER = "master"

    @property
    def is_quick(self) -> bool:
        """True if choosing a move takes less than a millisecond and needs no memory."""
        return self in (Level.BEGINNER, Level.SIMPLE)

    @property
    def has_style(self) -> bool:
        """True if a style changes how the level plays: the quick ones don't weigh their moves."""
        return not self.is_quick

    @property
    def below(self) -> "Level":
        """The next lower level; the lowest for the lowest."""
        levels = tuple(Level)
        return levels[max(levels.index(self) - 1, 0)]


DEFAULT_LEVEL: Final = Level.SIMPLE
"""The level of opponents, wherever nobody has chosen another."""


def seed_of(view: View) -> int:
    """A seed for the random choices of a move, from what everyone may know of the match so far."""
    public, moves = view.public, len(view.history or ())
    text = f"{public.match.commitment} {public.match.salt} {public.hand_number} {moves} {view.seat}"
    return int.from_bytes(sha256(text.encode(errors="surrogateescape")).digest()[:8])


def choose(level: Level, view: View, seed: int, style: Style = Style.STEADY) -> ChosenMove:
    """The move of a level for the seat to act, in a style. The same arguments give the same move.

    The view must have its history (see `bot.engine.view`). Without numba, a master plays as an expert does.
    """
    # The stronger levels are imported when they first play, because numpy and numba take time and memory.
    match level:
        case Level.BEGINNER:
            return beginner.choose(view, seed)
        case Level.SIMPLE:
            return simple.choose(view)
        case Level.CLUB | Level.EXPERT:
            from bot.players import expert  # noqa: PLC0415  # see above

            return expert.choose_for_club(view, seed, style) if level is Level.CLUB else expert.choose(view, style)
        case Level.MASTER:
            return _master(view, seed, style)


def _master(view: View, seed: int, style: Style) -> ChosenMove:
    try:
        from bot.players.compiled.master import master  # noqa: PLC0415  # see above
    except ImportError:
        return choose(Level.EXPERT, view, seed, style)
    return master().choose(view, seed, style)
