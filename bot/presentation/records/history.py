"""Lists of finished matches. The state is stored in custom ids."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from bot.analysis.history import FinishedMatch, FinishedPlayer
from bot.presentation.table.opening import play_ai_button
from bot.presentation.text import labels
from bot.presentation.text.i18n import Words, translatable
from bot.presentation.text.names import AI_MARK, truncated
from bot.presentation.text.option_texts import short_text
from bot.presentation.ui.components import Layout, Option, button, menu, option, page_buttons, rows
from bot.presentation.ui.custom_ids import MAX_PAGES, InvalidCustomId, Part, Press, Verb

MINE, HERE = "mine", "channel"
SCOPE_NAMES: Final = {
    MINE: translatable("my matches"),
    HERE: translatable("the matches of this channel"),
}
_NONE: Final = {
    MINE: translatable("You haven't finished a match here yet. `/gang new` opens a table."),
    HERE: translatable("No match has been finished here yet. `/gang new` opens a table."),
}
MAX_LINE_LENGTH: Final = 100
"""UTF-16 units of a description in a menu."""


@dataclass(frozen=True, slots=True)
class HistoryState:
    """The state of a list."""

    scope: str = MINE
    page: int = 0

    @classmethod
    def parse(cls, press: Press) -> Self:
        """Read the state from the ids of a press. Raises `InvalidCustomId`."""
        match press.arguments:
            case (scope, *_) if scope in SCOPE_NAMES and press.moment <= MAX_PAGES:
                return cls(scope, press.moment)
        raise InvalidCustomId(str(press))

    def press(self, what: Part, page: int | None = None) -> Press:
        """The press of a button or menu of the list. `page` defaults to the present one."""
        return Press(Verb.HISTORY, 0, self.page if page is None else page, (self.scope, what))


def history_message(state: HistoryState, found: Sequence[FinishedMatch], words: Words, *, more: bool) -> Layout:
    """A page of finished matches, with a menu to open one."""
    titles = {MINE: words.say("Your matches in this server"), HERE: words.say("The matches of this channel")}
    none = [] if found else [words.say(_NONE[state.scope])]
    text = "\n".join([f"### {titles[state.scope]}", *(_line(match, words) for match in found), *none])
    other = HistoryState(HERE if state.scope == MINE else MINE)
    options = [_option(match, words) for match in found]
    turn = page_buttons(state.press, state.page, words, is_last=not more)
    return Layout(
        text,
        *([menu(state.press(Part.OPEN), words.say("Open a match"), options)] if found else []),
        *rows(
            [*turn, button(other.press(Part.OTHER), titles[other.scope]), *([] if found else [play_ai_button(words)])]
        ),
    )


def _line(match: FinishedMatch, words: Words) -> str:
    ranking = [
        words.say("{place}. {name} {total}", place=each.place, name=_name(each, words), total=each.total)
        for each in match.players
    ]
    parts = [
        labels.bold(words.say("Table {number}", number=match.number)),
        f"<t:{match.at}:d>",
        *ranking,
        labels.hands(match.hands, words),
        words.say(short_text("edition", match.edition)),
    ]
    return " · ".join(parts)


def _name(player: FinishedPlayer, words: Words) -> str:
    return _marked(player, labels.player_name(player.name, words))


def _marked(player: FinishedPlayer, name: str) -> str:
    """The name, marked for an AI player. A deleted player has no user id either, but an empty name."""
    return f"{AI_MARK} {name}" if player.is_ai and player.name else name


def _plain_name(player: FinishedPlayer, words: Words) -> str:
    return _marked(player, labels.plain_name(player.name, words))


def plain_ranking(match: FinishedMatch, words: Words) -> str:
    """The players with their points, best first, without markdown."""
    return ", ".join(f"{_plain_name(player, words)} {player.total}" for player in match.players)


def _option(match: FinishedMatch, words: Words) -> Option:
    label = words.say("Table {number}", number=match.number)
    return option(str(match.number), label, truncated(plain_ranking(match, words), MAX_LINE_LENGTH))
