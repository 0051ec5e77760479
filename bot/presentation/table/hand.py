"""The private hand: cards as toggle buttons, the selected combination, and the moves."""

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby, islice
from typing import Final, TypeAlias

import discord

from bot.analysis import hints
from bot.engine import Cards, View, check_play
from bot.engine.cards import format_cards, holds
from bot.engine.combinations import Combination, Kind
from bot.engine.errors import IllegalMove, NotACombination
from bot.engine.legality import identify
from bot.presentation.help.rulebook import rule_of
from bot.presentation.table.daily import daily_leaderboard_button, daily_lines, day_name
from bot.presentation.table.hand_state import HandState, encode
from bot.presentation.table.match_menu import order_name
from bot.presentation.table.message import ranking
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES, describe, face, faces, label, mark
from bot.presentation.text.errors import error_text
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import MAX_OPTIONS, Button, Row, button, layout, menu, rows
from bot.presentation.ui.custom_ids import Press, Verb
from bot.table import play as actions
from bot.table.model import Status
from bot.table.refusals import HasSubstitute, Refusal
from bot.table.snapshot import Table

CARDS_A_ROW: Final = 4
"""The number of buttons that fit into a row on a phone."""
MAX_COMPLETIONS: Final = 2
"""The number of buttons that play the selected cards with one more: together with the others they fit into a row."""
PressFactory: TypeAlias = Callable[[Verb, tuple[str, ...]], Press]
"""Makes a press from a verb and the arguments of the hand's custom ids."""


def hand_message(
    table: Table, user_id: int, state: HandState, words: Words, note: str = "", rule: str = ""
) -> discord.ui.LayoutView:
    """The private hand of a user, with `note` at its top. `rule` is the rule that forbade the last move.

    Raises `NotSeated`.
    """
    view = table.view_of(user_id)
    if not table.row.status.is_open:
        return _result_message(table, words, note)
    state = state.without_missing(view.hand)
    away = _absence(table, user_id)
    lines = [
        labels.bold(_title(table, words)),
        note,
        *([] if table.row.daily is None else daily_lines(table, words)),
        *labels.news_lines(table, words),
        error_text(away, words) if away else situation_line(table, view, words),
        selection_line(table, view, state, words) if view.hand else "",
        _orders_line(table, view, words),
    ]
    text = "\n".join(dict.fromkeys(filter(None, lines)))  # the note and the situation can be the same sentence
    items: list[Row] = []
    if view.hand:
        items += rows(card_buttons(view, state, words, lambda verb, more: Press(verb, table.id, 0, more)), CARDS_A_ROW)
        if table.row.paused_at is None and not away:
            items += rows(_turn_buttons(table, view, state, words))
        items += plays_menu(view, state, words, Press(Verb.PLAYS_MENU, table.id, 0, state.arguments()))
    rule = rule or (away.rule if away else _forbidding_rule(view, state))
    buttons = [*_view_buttons(table, view, state, words, rule), *_match_buttons(table, away, state, words)]
    if not away and hints.are_given(table, view):
        buttons.append(button(Press(Verb.HINT, table.id, table.moment, state.arguments()), words.say("Hint")))
    items += rows(buttons)
    return layout(text, *items)


def _result_message(table: Table, words: Words, note: str) -> discord.ui.LayoutView:
    """The result of a match that is over, and what can follow."""
    row = table.row
    result = ranking(table, words) if row.status is Status.OVER else labels.totals_lines(table, words)
    if row.daily is None:
        lines = [labels.closed_text(table, words), *result]
        buttons = [button(Press(Verb.REMATCH, row.id), words.say("Rematch"), discord.ButtonStyle.primary)]
        if row.status is Status.OVER:
            buttons.append(button(Press(Verb.TOTALS, row.id), words.say("Totals by hand")))
    else:
        lines, buttons = daily_lines(table, words), [daily_leaderboard_button(row.daily, words)]
    return layout("\n".join(filter(None, [labels.bold(_title(table, words)), note, *lines])), *rows(buttons))


def _title(table: Table, words: Words) -> str:
    if table.row.daily is None:
        return words.say("Table {number} · your hand", number=table.id)
    return words.say("Hand of the day, {day}", day=day_name(table.row.daily, words))


def _orders_line(table: Table, view: View, words: Words) -> str:
    """The active standing order."""
    order = table.seats[view.seat].orders
    return words.say("⏭️ Auto-pass: {order}", order=order_name(order, words)) if order else ""


def _absence(table: Table, user_id: int) -> Refusal | None:
    """The reason why the user doesn't play their own seat now, or None."""
    try:
        actions.active_seat(table, user_id)
    except Refusal as refusal:
        return refusal
    return None


def card_buttons(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button for each card that selects or deselects it."""
    order = sorted(view.hand, key=lambda card: (card.color, card)) if state.by_color else view.hand
    buttons = []
    for card, copies in groupby(order):
        for copy, _ in enumerate(copies):
            chosen = copy < state.selected.count(card)
            press = press_of(Verb.CARD, state.arguments(encode((card,)), str(copy)))
            text = f"✓ {label(card, words)}" if chosen else label(card, words)
            style = discord.ButtonStyle.primary if chosen else discord.ButtonStyle.secondary
            buttons.append(button(press, text, style, emoji=mark(card, words)))
    return buttons


def _turn_buttons(table: Table, view: View, state: HandState, words: Words) -> list[Button]:
    def press_of(verb: Verb, more: tuple[str, ...]) -> Press:
        return Press(verb, table.id, table.moment, more)

    buttons = [*move_buttons(view, state, words, press_of), *_play_buttons(table, view, state, words)]
    if view.may_take_back and table.row.settings.undo and not table.seats[view.seat].missed:
        buttons.append(button(press_of(Verb.UNDO, state.arguments()), words.say("Take back")))
    if view.may_declare:
        buttons.append(
            button(press_of(Verb.DECLARE, state.arguments()), words.say('Say "Last card!"'), discord.ButtonStyle.danger)
        )
    if table.seats[view.seat].orders:
        cancel = Press(Verb.CANCEL_ORDERS, table.id, 0, state.arguments())
        buttons.append(button(cancel, words.say("Cancel auto-pass")))
    return buttons


def _play_buttons(table: Table, view: View, state: HandState, words: Words) -> list[Button]:
    """Buttons that select the lowest play, and that play the selected cards with one more."""
    buttons = lowest_play_button(view, state, words, lambda verb, more: Press(verb, table.id, 0, more))
    for play in _completions(view, state.selected):
        press = Press(Verb.PLAY, table.id, table.moment, replace(state, selected=play.cards).arguments())
        cards = " ".join(label(card, words) for card in play.cards)
        buttons.append(button(press, words.say("Play {cards}", cards=cards), discord.ButtonStyle.success))
    return buttons


def _completions(view: View, selected: Cards) -> list[Combination]:
    """The lowest plays of the selected cards and one more. None leaves one card, which may need a declaration."""
    if not selected or len(view.hand) == len(selected) + 2:
        return []
    longer = (play for play in view.plays() if play.size == len(selected) + 1 and holds(play.cards, selected))
    return list(islice(longer, MAX_COMPLETIONS))


def move_buttons(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """Buttons to play the selected cards or pass, or to give the selected card back."""
    styles = discord.ButtonStyle

    def press(verb: Verb) -> Press:
        return press_of(verb, state.arguments())

    if view.may_give_back:
        return [
            button(press(Verb.GIVE_BACK), words.say("Give back"), styles.success, disabled=len(state.selected) != 1)
        ]
    buttons = []
    legal = view.may_play and _refusal(view, state.selected) is None
    declares = view.public.match.options.last_card == "declared"
    if declares and len(view.hand) - len(state.selected) == 1 and state.selected:
        text = words.say('Play and say "Last card!"')
        buttons.append(button(press(Verb.PLAY_LAST), text, styles.success, disabled=not legal))
        buttons.append(button(press(Verb.PLAY), words.say("Play"), disabled=not legal))
    else:
        buttons.append(button(press(Verb.PLAY), words.say("Play"), styles.success, disabled=not legal))
    style = styles.primary if view.may_pass and not view.plays() else styles.secondary
    buttons.append(button(press(Verb.PASS), words.say("Pass"), style, disabled=not view.may_pass))
    return buttons


def _view_buttons(table: Table, view: View, state: HandState, words: Words, rule: str) -> list[Button]:
    """Buttons that only change this message, or open the rules."""
    buttons = []
    if view.hand:
        other = replace(state, by_color=not state.by_color)
        sort = words.say("Sort by number") if state.by_color else words.say("Sort by color")
        buttons.append(button(Press(Verb.SORT, table.id, 0, other.arguments()), sort))
    buttons.append(button(Press(Verb.RULES, table.id), words.say("Rules")))
    if rule:
        buttons.append(button(Press(Verb.HAND_WHY, table.id, 0, state.arguments(rule)), words.say("Why?")))
    return buttons


def lowest_play_button(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button that selects the lowest legal play. Empty if there is none."""
    plays = view.plays()
    if not plays:
        return []
    lowest = replace(state, selected=plays[0].cards)
    return [button(press_of(Verb.LOWEST_PLAY, lowest.arguments()), words.say("Lowest play"))]


def _match_buttons(table: Table, away: Refusal | None, state: HandState, words: Words) -> list[Button]:
    """Buttons for other actions. They are repeated here because the table's message may be out of reach."""

    def press(verb: Verb) -> Press:
        return Press(verb, table.id, 0, state.arguments())

    if isinstance(away, HasSubstitute):
        return [button(press(Verb.HAND_COME_BACK), words.say("I'm back"), discord.ButtonStyle.success)]
    if away or table.row.daily is not None:
        return []
    more = button(Press(Verb.MATCH_MENU, table.id), words.say("More"))
    if table.row.paused_at is None:
        return [more]
    return [more, button(press(Verb.HAND_RESUME), words.say("Resume"), discord.ButtonStyle.success)]


def situation_line(table: Table, view: View, words: Words) -> str:
    """The facts that a player needs before a move."""
    public = view.public
    names = labels.names(table, words)
    if table.row.paused_at is not None:
        return words.say("⏸️ The match is paused. Any player may press **Resume**.")
    if view.may_give_back and public.exchange:
        gave = public.exchange.gave
        facts = {"giver": labels.bold(names[gave.seat]), "card": face(gave.card, words)}
        return words.say("{giver} gave you {card}. Select the card that you give back.", **facts)
    if view.seat in public.out:
        return words.say('You forgot "Last card!", so you are out until the next hand.')
    if public.turn is None:
        return words.say("No hand is being played.")
    if not view.is_my_turn:
        waiting = words.say("It is {name}'s turn.", name=labels.bold(names[public.turn]))
        return "\n".join(filter(None, [_to_beat_line(table, view, words), waiting]))
    if public.cycle.plays:
        return words.say("**Your turn.** {played}", played=_to_beat_line(table, view, words)).rstrip()
    if public.opening:
        return words.say("**You lead** the match: your play must include the multicolored 1.")
    if view.situation is not None and view.situation.blocked is not None:
        return words.say("**You lead.**")
    return words.say("**You lead:** play any combination.")


def _to_beat_line(table: Table, view: View, words: Words) -> str:
    """The play to beat. Empty for a daily hand, which shows it already."""
    if not view.public.cycle.plays or table.row.daily is not None:
        return ""
    seat, combination = view.public.cycle.plays[-1]
    facts = {
        "what": describe(combination, words),
        "cards": faces(combination.cards, words),
        "name": labels.names(table, words)[seat],
    }
    return words.say("On the table: {what} {cards} by {name}.", **facts)


def selection_line(table: Table, view: View, state: HandState, words: Words) -> str:
    """The selected combination, and the reason if it can't be played."""
    if not state.selected:
        return _hint_line(table, view, words)
    if view.may_give_back or view.situation is None:
        return words.say("Selected: {cards}", cards=faces(state.selected, words))
    combination = identify(view.situation, state.selected)
    if combination is None:
        refusal = NotACombination(state.selected)
        return words.say("Selected: {cards}: {why}", cards=faces(state.selected, words), why=error_text(refusal, words))
    what = labels.bold(describe(combination, words))
    if not view.may_play:
        return words.say("Selected: {what}.", what=what)
    why = _refusal(view, state.selected)
    if why is not None:
        return words.say("Selected: {what}. {why}", what=what, why=error_text(why, words, table))
    if view.public.cycle.plays:
        return words.say("Selected: {what}, which beats the table.", what=what)
    return words.say("Selected: {what}.", what=what)


def _hint_line(table: Table, view: View, words: Words) -> str:
    """A reminder of the block rule when it applies, or that the player can only pass."""
    situation = view.situation
    if not view.may_play or situation is None:
        return ""
    if view.may_pass and not view.plays():
        return words.say("Nothing in your hand beats this.")
    if situation.blocked is None:
        return ""
    name = labels.names(table, words)[situation.blocked]
    return words.say("❗ {name} is next with a declared last card: block if you can.", name=labels.bold(name))


def _forbidding_rule(view: View, state: HandState) -> str:
    """The rule that forbids the selected cards. During the turn of another player, only that of no combination."""
    if not state.selected or view.may_give_back or view.situation is None:
        return ""
    refusal = _refusal(view, state.selected)
    return rule_of(refusal) if refusal is not None and (view.may_play or isinstance(refusal, NotACombination)) else ""


def _refusal(view: View, selected: Cards) -> IllegalMove | None:
    if view.situation is None:
        return NotACombination(selected)
    try:
        check_play(view.situation, selected)
    except IllegalMove as refusal:
        return refusal
    return None


def plays_menu(view: View, state: HandState, words: Words, press: Press) -> list[Row]:
    """A menu of the legal plays, or of their kinds if there are too many plays."""
    plays = view.plays()
    if not plays:
        return []
    placeholder = words.count("{number} play you can make", "{number} plays you can make", len(plays))
    if len(plays) <= MAX_OPTIONS:
        return [menu(press, placeholder, [_option(play, words) for play in plays])]
    by_kind = {kind: list(same) for kind, same in groupby(plays, key=lambda play: play.kind)}
    kind, _, page = state.menu.partition(".")
    if kind.isdecimal() and page.isdecimal() and state.menu.isascii() and int(kind) in by_kind:
        return [_plays_of_kind(press, by_kind[Kind(int(kind))], Kind(int(kind)), int(page), words)]
    options = [
        discord.SelectOption(
            label=words.say("{kind} ({number})", kind=words.say(KIND_NAMES[kind]), number=len(same)), value=f"k{kind}.0"
        )
        for kind, same in by_kind.items()
    ]
    return [menu(press, placeholder, options)]


def _plays_of_kind(press: Press, plays: list[Combination], kind: Kind, page: int, words: Words) -> Row:
    size = MAX_OPTIONS - 2
    pages = -(-len(plays) // size)
    page = min(page, pages - 1)
    options = [discord.SelectOption(label=words.say("◀ all kinds"), value="k")]
    options += [_option(play, words) for play in plays[page * size : (page + 1) * size]]
    if page + 1 < pages:
        options.append(discord.SelectOption(label=words.say("more ▶"), value=f"k{kind}.{page + 1}"))
    placeholder = words.say("{kind} ({number})", kind=words.say(KIND_NAMES[kind]), number=len(plays))
    return menu(press, placeholder, options)


def _option(play: Combination, words: Words) -> discord.SelectOption:
    return discord.SelectOption(
        label=describe(play, words),
        description=format_cards(play.cards),
        value=f"p{encode(play.cards)}",
        emoji=mark(play.cards[-1], words),
    )
