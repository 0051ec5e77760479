"""The parts of every private hand: at a table, in the tutorial and in practice.

They differ in their presses. A feature without a table carries the verb and the arguments of a hand's button in presses
of its own verb (see `carried_by`).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Final

import discord

from bot.engine import Card, Cards, Combination, Declare, GiveBack, Pass, Play, View
from bot.engine.cards import format_cards, holds
from bot.engine.combinations import Combinations, Kind
from bot.engine.events import HandEnded
from bot.engine.legality import cheapest_with
from bot.presentation.table.selection import (
    ALL_PLAYS,
    HandState,
    PressFactory,
    after_choice,
    after_tap,
    encode,
    refusal_of,
)
from bot.presentation.text import labels
from bot.presentation.text.cards import KIND_NAMES, describe, face, faces, label, mark
from bot.presentation.text.i18n import Words
from bot.presentation.ui.components import MAX_OPTIONS, Button, Option, Row, button, menu, option, rows
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, Verb
from bot.table.play import SeatMove
from bot.table.snapshot import Table

CARDS_A_ROW: Final = 4
"""The number of buttons that fit into a row on a phone."""
MOVE_VERBS: Final = (Verb.PLAY, Verb.PLAY_LAST, Verb.PASS, Verb.DECLARE, Verb.GIVE_BACK)
"""The verbs of the buttons that move."""
_TOP: Final = f"k{ALL_PLAYS}"
"""The value of the option that leads to all plays."""


def carried_by(verb: Verb, number: int, moment: int) -> PressFactory:
    """Presses of `verb` that carry those of a hand's buttons."""
    return lambda hand_verb, more: Press(verb, number, moment, (hand_verb, *more))


def carried_press(press: Press) -> Press:
    """The press of a hand's button that another press carries. Raises `InvalidCustomId`."""
    match press.arguments:
        case (verb, *more) if verb in list(Verb):
            return replace(press, verb=Verb(verb), arguments=tuple(more))
    raise InvalidCustomId(str(press))


def state_after(press: Press, choice: str = "") -> HandState:
    """The state after a press of a hand's button, with the choice in its menu. Raises `InvalidCustomId`."""
    match press.verb:
        case Verb.CARD:
            return after_tap(press)
        case Verb.PLAYS_MENU:
            return after_choice(HandState.parse(press), choice)
    return HandState.parse(press)


def move_of(press: Press, seat: int) -> SeatMove | None:
    """The move of a press of a hand's button; None if it only changes the hand's state. Raises `InvalidCustomId`."""
    selected = HandState.parse(press).selected
    match press.verb:
        case Verb.PLAY | Verb.PLAY_LAST:
            return Play(seat, selected, last_card=press.verb is Verb.PLAY_LAST)
        case Verb.PASS:
            return Pass(seat)
        case Verb.DECLARE:
            return Declare(seat)
        case Verb.GIVE_BACK if len(selected) == 1:
            return GiveBack(seat, selected[0])
        case Verb.GIVE_BACK:
            raise InvalidCustomId(str(press))
    return None


def hand_rows(view: View, state: HandState, words: Words, press_of: PressFactory, *more: Button) -> list[Row]:
    """The cards, the buttons for a move with `more` buttons, and the menu of plays."""
    moves = [
        *move_buttons(view, state, words, press_of),
        *lowest_play_button(view, state, words, press_of),
        *more,
        *silent_play_button(view, state, words, press_of),
    ]
    return [
        *rows(card_buttons(view, state, words, press_of), CARDS_A_ROW),
        *rows(moves),
        *plays_menu(view, state, words, press_of(Verb.PLAYS_MENU, state.arguments())),
    ]


def table_with_you(table: Table, words: Words) -> Table:
    """The table of one user against AI players, with "you" as the user's name."""
    seats = tuple(replace(seat, name=words.say("you")) if seat.user_id is not None else seat for seat in table.seats)
    return replace(table, row=replace(table.row, seats=seats))


def card_buttons(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button for each card that selects or deselects it."""
    order = sorted(view.hand, key=lambda card: (card.color, card)) if words.by_color else view.hand
    start = str(press_of(Verb.CARD, state.arguments()))
    buttons = []
    for card, copies in groupby(order):
        chosen = state.selected.count(card)
        for copy, _ in enumerate(copies):
            argument, shown = _card_button(card, words, is_selected=copy < chosen)
            buttons.append({**shown, "custom_id": f"{start}:{argument}:{copy}"})
    return buttons


@lru_cache(1000)
def _card_button(card: Card, words: Words, *, is_selected: bool) -> tuple[str, Button]:
    """A card as an argument of a custom id, and its button, whose own id is to be replaced."""
    name, emoji, styles = label(card, words), mark(card, words), discord.ButtonStyle
    if is_selected:
        return encode((card,)), button("", f"✓ {name}", styles.primary, emoji=emoji)
    return encode((card,)), button("", name, emoji=emoji)


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
    legal = view.may_play and refusal_of(view, state.selected) is None
    if _leaves_last_card(view, state):
        text = words.say('Play and say "Last card!"')
        buttons.append(button(press(Verb.PLAY_LAST), text, styles.success, disabled=not legal))
    else:
        buttons.append(button(press(Verb.PLAY), words.say("Play"), styles.success, disabled=not legal))
    style = styles.primary if view.may_pass and not view.plays() else styles.secondary
    buttons.append(button(press(Verb.PASS), words.say("Pass"), style, disabled=not view.may_pass))
    return buttons


def lowest_play_button(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button that selects the lowest legal play. Empty if there is none."""
    if not view.plays():
        return []
    lowest = with_lowest_play(view, state)
    return [button(press_of(Verb.LOWEST_PLAY, lowest.arguments()), words.say("Lowest play"))]


def with_lowest_play(view: View, state: HandState) -> HandState:
    """The state with the lowest legal play selected; with nothing selected if there is none."""
    return state.with_selected(*(play.cards for play in view.plays()[:1]))


def silent_play_button(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button that plays all but one card without saying "Last card!". Empty unless that is a choice."""
    if not _leaves_last_card(view, state):
        return []
    legal = view.may_play and refusal_of(view, state.selected) is None
    return [button(press_of(Verb.PLAY, state.arguments()), words.say("Play"), disabled=not legal)]


def _leaves_last_card(view: View, state: HandState) -> bool:
    """True if the selected cards leave one, and the player must say so."""
    declares = view.public.match.options.last_card == "declared" and not view.may_give_back
    return declares and bool(state.selected) and len(view.hand) - len(state.selected) == 1


def completion_button(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button that plays the selected cards with one more. It keeps its place while no card completes a play.

    Empty if the player can't play.
    """
    if not view.plays():
        return []
    play = _completion(view, state.selected)
    if play is None:
        none = press_of(Verb.PLAY, state.arguments("more"))
        return [button(none, words.say("Play + 1 card"), disabled=True)]
    press = press_of(Verb.PLAY, replace(state, selected=play.cards).arguments("more"))
    cards = " ".join(label(card, words) for card in play.cards)
    return [button(press, words.say("Play {cards}", cards=cards), discord.ButtonStyle.success)]


def _completion(view: View, selected: Cards) -> Combination | None:
    """The lowest play of the selected cards and one more. It doesn't leave one card, which may need a declaration."""
    if not selected or len(view.hand) == len(selected) + 2:
        return None
    longer = (play for play in view.plays() if play.size == len(selected) + 1 and holds(play.cards, selected))
    return next(longer, None)


def declare_button(view: View, state: HandState, words: Words, press_of: PressFactory) -> list[Button]:
    """A button that says "Last card!", if that is allowed."""
    if not view.may_declare:
        return []
    press = press_of(Verb.DECLARE, state.arguments())
    return [button(press, words.say('Say "Last card!"'), discord.ButtonStyle.danger)]


def situation_line(table: Table, view: View, words: Words, *, shows_table: bool = False) -> str:
    """The facts that a player needs before a move. `shows_table`: the message shows the play to beat already."""
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
    to_beat = "" if shows_table else _to_beat_line(view, names, words)
    if not view.is_my_turn:
        waiting = words.say("It is {name}'s turn.", name=labels.bold(names[public.turn]))
        return "\n".join(filter(None, [to_beat, waiting]))
    if public.cycle.plays:
        return words.say("**Your turn.** {played}", played=to_beat).rstrip()
    if public.opening:
        return words.say("**You lead** the match: your play must include the multicolored 1.")
    if view.situation is not None and view.situation.blocked is not None:
        return words.say("**You lead.**")
    return words.say("**You lead:** play any combination.")


def _to_beat_line(view: View, names: Sequence[str], words: Words) -> str:
    """The play to beat, if there is one."""
    if not view.public.cycle.plays:
        return ""
    seat, combination = view.public.cycle.plays[-1]
    facts = {
        "what": describe(combination, words),
        "cards": faces(combination.cards, words),
        "name": names[seat],
    }
    return words.say("On the table: {what} {cards} by {name}.", **facts)


def counts_line(view: View, names: Sequence[str], words: Words) -> str:
    """The number of cards of the other players, in playing order, and who has passed. `names` are of all seats."""
    public = view.public
    others = [(view.seat + public.direction * step) % len(names) for step in range(1, len(names))]
    held = [
        words.say("{name} {total} (passed)", name=names[seat], total=public.left[seat])
        if seat in public.cycle.passed
        else words.say("{name} {total}", name=names[seat], total=public.left[seat])
        for seat in others
    ]
    return labels.small(words.say("Cards left: {names}.", names=words.list(held)))


def last_hand_line(view: View, names: Sequence[str], words: Words) -> str:
    """The result of the previous hand, until the player has played a card in this one."""
    ended = view.public.last_hand
    return "" if ended is None or view.has_played else hand_result_line(ended, view.seat, names, words)


def hand_result_line(ended: HandEnded, seat: int, names: Sequence[str], words: Words) -> str:
    """The result of a hand for the player of a seat."""
    if ended.winner == seat:
        return "🏁 " + words.say("You won hand {hand} and got no points.", hand=ended.hand)
    result = words.count(
        "{winner} won hand {hand}. You got {number} penalty point.",
        "{winner} won hand {hand}. You got {number} penalty points.",
        ended.points[seat],
        winner=labels.bold(names[ended.winner]),
        hand=ended.hand,
    )
    return f"🏁 {result}"


def plays_menu(view: View, state: HandState, words: Words, press: Press) -> list[Row]:
    """A menu of plays, or of their kinds if there are too many; empty if the player can't play.

    It's disabled if no other play has the selected cards.
    """
    if not view.plays():
        return []
    found = cheapest_with(view.plays(), () if state.menu else state.selected)
    if not state.menu:
        found = tuple(play for play in found if play.cards != state.selected)
    if not found:
        text = words.say("No other play with these cards")
        return [menu(press, text, [option(_TOP, text)], disabled=True)]
    placeholder = _placeholder(found, state, words)
    if len(found) <= MAX_OPTIONS:
        return [menu(press, placeholder, [_option(play, words) for play in found])]
    by_kind = {kind: tuple(same) for kind, same in groupby(found, key=lambda play: play.kind)}
    kind, _, page = state.menu.partition(".")
    if kind.isdecimal() and page.isdecimal() and state.menu.isascii() and int(kind) in by_kind:
        return [_plays_of_kind(press, by_kind[Kind(int(kind))], int(page), words)]
    return [menu(press, placeholder, [_kind_option(same, words) for same in by_kind.values()])]


def _placeholder(plays: Combinations, state: HandState, words: Words) -> str:
    if state.menu or not state.selected:
        return words.count("{number} play you can make", "{number} plays you can make", len(plays))
    return words.count("{number} play with these cards", "{number} plays with these cards", len(plays))


def _kind_option(plays: Combinations, words: Words) -> Option:
    """An option that selects the lowest play of a kind, and opens the others of this kind."""
    lowest = plays[0]
    name = words.say(KIND_NAMES[lowest.kind])
    text = words.say("{kind} ({number})", kind=name, number=len(plays))
    return option(f"p{encode(lowest.cards)}.{lowest.kind}.0", text, format_cards(lowest.cards))


def _plays_of_kind(press: Press, plays: Combinations, page: int, words: Words) -> Row:
    size = MAX_OPTIONS - 2
    pages, kind = -(-len(plays) // size), plays[0].kind
    page = min(page, pages - 1)
    options = [option(_TOP, words.say("◀ all kinds"))]
    options += [_option(play, words) for play in plays[page * size : (page + 1) * size]]
    if page + 1 < pages:
        options.append(option(f"k{kind}.{page + 1}", words.say("more ▶")))
    placeholder = words.say("{kind} ({number})", kind=words.say(KIND_NAMES[kind]), number=len(plays))
    return menu(press, placeholder, options)


@lru_cache(1000, typed=True)  # the combinations of both orders of flushes are equal as integers
def _option(play: Combination, words: Words) -> Option:
    value, label = f"p{encode(play.cards)}", describe(play, words)
    return option(value, label, format_cards(play.cards), emoji=mark(play.cards[-1], words))
