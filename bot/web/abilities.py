"""The actions that a viewer can take at a table now. Each action checks again whether it is allowed."""

from collections.abc import Iterator

from bot.analysis.replay import reason_for_secrecy
from bot.engine import View
from bot.presentation.table.hand import may_ask_for_hint, may_take_back
from bot.presentation.table.lobby_options import PAGES, current_value
from bot.presentation.text.i18n import Words
from bot.presentation.text.option_texts import OPTIONS, choices
from bot.table import play
from bot.table.model import Status
from bot.table.refusals import HasSubstitute
from bot.table.snapshot import Table
from bot.web.card_json import Json


def abilities(table: Table, user_id: int, view: View | None, now: int) -> list[str]:
    """The actions, by the names of their requests (`now`: UTC milliseconds)."""
    match table.row.status:
        case Status.LOBBY:
            return list(_in_lobby(table, user_id))
        case Status.PLAYING:
            return [] if view is None else list(_in_match(table, user_id, view))
    return [] if table.public is None else list(_after_match(table, user_id, now))


def aids(table: Table) -> list[str]:
    """The aids that the table has in this match, by the names of their requests."""
    facts = {"hint": table.row.allows_hints, "undo": table.row.allows_undo}
    return [name for name, is_so in facts.items() if is_so]


def _after_match(table: Table, user_id: int, now: int) -> Iterator[str]:
    if table.row.daily is None and table.row.has_owner(user_id):
        yield "rematch"
    if reason_for_secrecy(table.row, now) is None:
        yield "replay"


def _in_lobby(table: Table, user_id: int) -> Iterator[str]:
    row, is_full = table.row, len(table.seats) == table.row.size
    has_ai = any(seat.is_ai for seat in table.seats)
    if row.has_owner(user_id):
        yield "leave"
    elif not is_full or has_ai:
        yield "join"
    if user_id == row.host_id:
        yield from ["option", *([] if is_full else ["add_ai"]), *(["remove_ai"] if has_ai else [])]
        if row.first_message_id is not None or row.first_table_id is not None:
            yield "start" if is_full else "fill"


def _in_match(table: Table, user_id: int, view: View) -> Iterator[str]:
    away = play.absence(table, user_id)
    if away is not None:
        yield from ["come_back"] if isinstance(away, HasSubstitute) else []
        return
    if table.row.paused_at is not None:
        yield "resume"
        return
    facts = {
        "play": view.may_play,
        "pass": view.may_pass,
        "give_back": view.may_give_back,
        "declare": view.may_declare,
        "undo": may_take_back(table, view),
        "cancel_orders": bool(table.seats[view.seat].orders),
        "hint": may_ask_for_hint(table, view),
        "why": bool(view.hand) and view.situation is not None,
    }
    yield from (name for name, is_so in facts.items() if is_so)


def options(table: Table, user_id: int, words: Words) -> list[Json]:
    """The options of a lobby that its host can change, with their values."""
    if table.row.status is not Status.LOBBY or user_id != table.row.host_id:
        return []
    return [_option(table, name, words) for names in PAGES.values() for name in names]


def _option(table: Table, name: str, words: Words) -> Json:
    row = table.row
    values = choices(name, row.options.target, words)
    return {
        "name": name,
        "text": words.say(OPTIONS[name].name),
        "value": current_value(row, name),
        "choices": [{"value": value, "text": text} for value, text in values.items()],
    }
