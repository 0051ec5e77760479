"""The rules of Gang of Four: a library without I/O, clock or randomness.

    >>> from bot.engine import parse_cards, combination_table
    >>> combination_table().identify(parse_cards("7R 7R 10G 10G 10Y"))
    <FULL_HOUSE 7R 7R 10G 10G 10Y>

`docs/engine.md` shows the whole library at a prompt.
"""

from bot.engine.cards import Card, Cards, format_cards, parse_card, parse_cards
from bot.engine.combinations import Combination, Kind, combination_table, find
from bot.engine.errors import IllegalMove
from bot.engine.events import MatchStarted
from bot.engine.legality import Situation, check_play, may_pass, plays
from bot.engine.moves import Abandon, Deal, Declare, GiveBack, Pass, Play, Reveal, Substitute, TakeBack
from bot.engine.options import EDITIONS, Options
from bot.engine.record import BadRecord, Line, read, write
from bot.engine.rules import advance, begin, decide, situation
from bot.engine.shuffle import commitment
from bot.engine.state import Phase, State, evolve, replay
from bot.engine.verification import verify
from bot.engine.view import PublicView, View, public_view, view

__all__ = [
    "EDITIONS",
    "Abandon",
    "BadRecord",
    "Card",
    "Cards",
    "Combination",
    "Deal",
    "Declare",
    "GiveBack",
    "IllegalMove",
    "Kind",
    "Line",
    "MatchStarted",
    "Options",
    "Pass",
    "Phase",
    "Play",
    "PublicView",
    "Reveal",
    "Situation",
    "State",
    "Substitute",
    "TakeBack",
    "View",
    "advance",
    "begin",
    "check_play",
    "combination_table",
    "commitment",
    "decide",
    "evolve",
    "find",
    "format_cards",
    "may_pass",
    "parse_card",
    "parse_cards",
    "plays",
    "public_view",
    "read",
    "replay",
    "situation",
    "verify",
    "view",
    "write",
]
