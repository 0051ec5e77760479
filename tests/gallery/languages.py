"""The same screens in every language: private ones for who reads it, public ones in a server that speaks it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

from bot.presentation.words import languages, words_in
from playground.people import Person
from playground.sight import Reply, SeenMessage
from tests.end_to_end.evidence import shown
from tests.end_to_end.room import Player, Room, play_on
from tests.gallery.camera import Row

Asking: TypeAlias = Callable[[], Awaitable[Reply]]


def private(name: str, title: str, reader: Person, *asking: Asking, draws: bool = False) -> Row:
    """What somebody gets to see who asks for something, in one step or several; `draws`: with a picture."""
    return Row(f"{name}-languages", f"{title} in every language", reader, _private(reader, asking, draws=draws))


async def _private(reader: Person, asking: tuple[Asking, ...], *, draws: bool) -> AsyncIterator[SeenMessage]:
    own = reader.locale
    for language in languages():
        reader.locale = language
        for ask in asking:
            message = shown(await ask())
        if draws:
            await is_drawn(reader, message)
        yield message
    reader.locale = own


def using(reader: Person, room: Room, command: str, **options: object) -> Asking:
    """A slash command."""
    return lambda: reader.slash(room.channel, f"gang {command}", **options)


def pressing(reader: Person, message: SeenMessage, label: str) -> Asking:
    """A button that a message has now, in English; it is pressed later, whatever it says then."""
    (custom_id,) = (button.custom_id or "" for button in message.buttons if button.label == label)
    return lambda: reader.press_old(custom_id, message)


async def is_drawn(reader: Person, message: SeenMessage) -> None:
    """Wait for the picture of a message."""
    await reader.until(lambda: bool(message.raw["attachments"]))


def tables(room: Room, manager: Person) -> Row:
    """The table of the channel."""
    return Row("table-languages", "The table in every language", room.people[0], _tables(room, manager))


async def _tables(room: Room, manager: Person) -> AsyncIterator[SeenMessage]:
    async for _ in _spoken(room, manager):
        yield room.table()


def sheets(room: Room, manager: Person) -> Row:
    """A hand is over, and another, and another; it takes a match of its own."""
    return Row("score-sheet-languages", "The score sheet in every language", room.people[0], _sheets(room, manager))


async def _sheets(room: Room, manager: Person) -> AsyncIterator[SeenMessage]:
    ana, *others = room.people[:3]
    await room.open(ana, seats=3, target=300)
    await room.seat(others)
    await room.begin()
    players = [Player(room, person) for person in room.people[:3]]
    for player in players:
        await player.open()
    before = len(_reports(room))
    async for number in _spoken(room, manager):
        await play_on(room, players, lambda: len(_reports(room)) > before + number)  # noqa: B023  # waited for here
        yield _reports(room)[-1]
    await ana.slash(room.channel, "gang close")


def _reports(room: Room) -> list[SeenMessage]:
    return [message for message in room.seen(room.people[0]) if message.raw["attachments"] and not message.ephemeral]


async def _spoken(room: Room, manager: Person) -> AsyncIterator[int]:
    """Have the server speak one language after the other; it comes with its number."""
    panel = shown(await manager.slash(room.channel, "gang settings"))
    await manager.click(panel, "This server …")
    menu = panel.selects[0].custom_id
    for number, language in enumerate(languages()):
        await manager.select(panel, language, custom_id=menu)
        await _table_speaks(room, manager, language)
        yield number
    await manager.select(panel, "discord", custom_id=menu)
    await _table_speaks(room, manager, "en")


async def _table_speaks(room: Room, reader: Person, language: str) -> None:
    begins, _, _ = words_in(language).say("Gang of Four · table {number}", number="\n").partition("\n")
    await reader.until(lambda: begins in room.table().text)
