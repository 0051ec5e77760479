"""The one short message that says whose turn it is: whom it mentions, and what can be done with it."""

from dataclasses import dataclass

import discord

from bot.engine import Phase
from bot.presentation import texts
from bot.presentation.buttons import Press, button, layout, rows
from bot.presentation.words import Words
from bot.services.table import Table
from bot.storage.rows import Stage


@dataclass(frozen=True, slots=True)
class Notice:
    """What is to be told of the present turn, and to whom."""

    nonce: str
    """Which notice it is: of this turn, at this stage of its clock, since the last nudge and until this deadline.

    So a notice that was taken back never comes again under the same nonce.
    """
    view: discord.ui.LayoutView
    people: tuple[int, ...]
    """Who is mentioned."""
    is_personal: bool
    """Whether it is for whoever is to act alone, who may want to be told otherwise."""


def notice_of(table: Table, words: Words) -> Notice | None:
    """The notice that should stand in the channel now; None for none."""
    row, person = table.row, table.person_to_act
    if person is None or row.clock is None or row.paused_at is not None:
        return None
    stage = row.clock.stage
    moments = (row.clock.began, row.clock.due, row.nudged_at)  # a pause moves two of them, holidays one
    number = sum(moment or 0 for moment in moments) % 10_000_000
    nonce = f"{table.id}.{table.moment}.{list(Stage).index(stage)}{number}"  # Discord takes 25 characters
    people: tuple[int, ...] = (person,)
    if stage is Stage.ASKED:
        people = tuple(seat.person for seat in table.seats if seat.person is not None)
    elif stage is Stage.CALLED:
        people = ()
    text = "\n".join(filter(None, [_text(table, person, words), _mentions(people, person)]))
    view = layout(discord.ui.TextDisplay(text), *rows(_buttons(table, stage, words)))
    return Notice(nonce, view, people, is_personal=stage not in (Stage.ASKED, Stage.CALLED))


def _buttons(table: Table, stage: Stage, words: Words) -> list[discord.ui.Button[discord.ui.LayoutView]]:
    styles = discord.ButtonStyle
    my_hand = button(Press("hand", table.id), words.say("My hand"), styles.primary)
    if stage is Stage.ASKED:
        return [
            my_hand,
            button(Press("wait", table.id, table.moment), words.say("Wait")),
            button(Press("robotin", table.id, table.moment), words.say("An AI sits in")),
            button(Press("call", table.id, table.moment), words.say("Call a substitute")),
        ]
    if stage is Stage.CALLED:
        return [button(Press("sitin", table.id, table.moment), words.say("Sit in"), styles.success), my_hand]
    return [my_hand]


def _mentions(people: tuple[int, ...], named: int) -> str:
    """Those who are mentioned beside whom the text names."""
    return " ".join(f"<@{person}>" for person in people if person != named)


def _text(table: Table, person: int, words: Words) -> str:
    row, clock, public = table.row, table.row.clock, table.public()
    facts: dict[str, object] = {"name": f"<@{person}>", "number": table.id}
    stage = clock.stage if clock else Stage.RUNNING
    due = texts.relative(clock.due) if clock and clock.due is not None else None
    if stage is Stage.ASKED:
        return words.say("The time of {name} at table {number} is up. What shall the table do?", **facts)
    if stage is Stage.CALLED:
        return words.say("A substitute is wanted for {name} at table {number}: whoever likes may sit in.", **facts)
    if stage is Stage.WAITING:
        return words.say("{name}, your time is up at table {number}: everybody waits for you.", **facts)
    if row.nudged_at is not None:
        return words.say("{name}, the others ask you to go on at table {number}.", **facts)
    if stage is Stage.REMINDED and due is not None:
        return words.say("{name}, your time at table {number} is nearly up: it ends {when}.", when=due, **facts)
    if public is not None and public.phase is Phase.EXCHANGE:
        text = words.say("{name}, it is your turn to give a card back at table {number}.", **facts)
    else:
        text = words.say("{name}, it is your turn at table {number}.", **facts)
    if due is None:
        return text
    until = words.say("Time is up {when}.", when=due)
    return f"{text}\n{texts.small(until)}"
