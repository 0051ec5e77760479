"""A private screen in every language."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

from bot.presentation.text.i18n import languages
from playground.client.person import Person
from playground.client.screen import Reply, SeenMessage
from tests.end_to_end.app_harness import AppHarness
from tests.end_to_end.inspection import shown
from tests.gallery.camera import Row

Ask: TypeAlias = Callable[[], Awaitable[Reply]]


def private(name: str, title: str, reader: Person, *asks: Ask, draws: bool = False) -> Row:
    """A private screen and the steps to it; `draws` if it has a picture."""
    return Row(f"{name}-languages", f"{title} in every language", reader, _private(reader, asks, draws=draws))


async def _private(reader: Person, asks: tuple[Ask, ...], *, draws: bool) -> AsyncIterator[SeenMessage]:
    own = reader.locale
    for language in languages():
        reader.locale = language
        for ask in asks:
            message = shown(await ask())
        if draws:
            await is_drawn(reader, message)
        yield message
    reader.locale = own


def using(reader: Person, harness: AppHarness, command: str, **options: object) -> Ask:
    """A slash command."""
    return lambda: reader.slash(harness.channel, f"gang {command}", **options)


def pressing(reader: Person, message: SeenMessage, label: str) -> Ask:
    """A button of a message, found by its English label and pressed later in any language."""
    (custom_id,) = (button.custom_id or "" for button in message.buttons if button.label == label)
    return lambda: reader.press_old(custom_id, message)


async def is_drawn(reader: Person, message: SeenMessage) -> None:
    """Wait for the picture of a message."""
    await reader.until(lambda: bool(message.raw["attachments"]))
