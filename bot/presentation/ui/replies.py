"""Private replies, and the one place that answers all refusals and errors of interactions."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Literal, Self

import aiohttp
import discord

from bot.base.press_context import record_outcome
from bot.engine.errors import IllegalMove
from bot.presentation.text.errors import error_text, is_refusal
from bot.presentation.text.readers import words_of
from bot.presentation.ui.components import Layout, rows, why_button
from bot.presentation.ui.custom_ids import InvalidCustomId, Press
from bot.table.errors import StorageError
from bot.table.refusals import MessageGone, Refusal, UnknownButton

log = logging.getLogger(__name__)

PROGRESS_SECONDS: Final = 2.0
"""The time between two updates of a progress."""
_TOO_LATE: Final = (10062, 40060)
"""Discord's error codes for interactions that can't be answered any more.

"Unknown interaction": the answer took longer than 3 seconds. "Already acknowledged": an earlier attempt arrived, but
its confirmation didn't.
"""
_UNKNOWN_MESSAGE: Final = 10008
"""Discord's error code if the message of the pressed button was deleted while the app answered."""
UNREACHABLE: Final = (discord.DiscordServerError, aiohttp.ClientError, TimeoutError)
"""Errors of Discord or of the network rather than of the app."""


async def show(interaction: discord.Interaction, view: Layout) -> None:
    """Send the user a private message of components, or fill the one that waits for it."""
    if interaction.response.type is discord.InteractionResponseType.deferred_channel_message:
        await interaction.edit_original_response(view=view, attachments=view.files())
    elif interaction.response.is_done():
        await interaction.followup.send(view=view, files=view.files(), ephemeral=True)
    else:
        await interaction.response.send_message(view=view, files=view.files(), ephemeral=True)


async def edit_message(interaction: discord.Interaction, view: Layout) -> None:
    """Replace the message of the pressed button, before or after the press is acknowledged."""
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view)
    else:
        await interaction.response.edit_message(view=view)


class ProgressMessage:
    """Shows the progress of slow work in the private message that waits for its result. Use it with `async with`."""

    def __init__(self, interaction: discord.Interaction, message_of: Callable[[int, int], Layout]) -> None:
        """`message_of` gets the number of parts done, and of all. The answer must be deferred."""
        self._interaction = interaction
        self._message_of = message_of
        self._next_at = 0.0
        self._sending: asyncio.Task[None] | None = None

    def update(self, done: int, total: int) -> None:
        """Show the progress, at most once in `PROGRESS_SECONDS`. The work doesn't wait for Discord or fail with it."""
        now = asyncio.get_running_loop().time()
        if now >= self._next_at and (self._sending is None or self._sending.done()):
            self._next_at = now + PROGRESS_SECONDS
            self._sending = asyncio.create_task(self._send(self._message_of(done, total)), name="showing progress")

    async def _send(self, view: Layout) -> None:
        with suppress(discord.HTTPException, *UNREACHABLE):
            await self._interaction.edit_original_response(view=view)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        if self._sending is not None:
            await self._sending


@asynccontextmanager
async def handling_errors(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Answer any error of the block. Errors of interactions end here."""
    try:
        yield
    except InvalidCustomId:
        log.warning("received a custom id that the app never offers")
        await _answer_error(interaction, UnknownButton())
    except Exception as error:
        await _answer_error(interaction, error)


async def _answer_error(interaction: discord.Interaction, error: Exception) -> None:
    """Answer a refusal with its text. Log any other error once, and say that something broke."""
    if isinstance(error, discord.HTTPException) and is_too_late(error):
        record_outcome("failed", "late")
        log.warning("could not answer %s: %s", _describe(interaction), error.text)
        return
    if isinstance(error, discord.HTTPException) and error.code == _UNKNOWN_MESSAGE:
        if interaction.response.is_done():
            return
        error = MessageGone()
    record_outcome(*outcome_of(error))
    if isinstance(error, (StorageError, *UNREACHABLE)):
        log.warning("%s failed: %s", _describe(interaction), error)
    elif not is_refusal(error):
        log.error("%s failed", _describe(interaction), exc_info=error)
    words = words_of(interaction)
    rule = error.rule if isinstance(error, (IllegalMove, Refusal)) else ""
    view = Layout(error_text(error, words), *rows([why_button(rule, words)] if rule else []))
    try:
        await show(interaction, view)
    except (discord.HTTPException, *UNREACHABLE, RuntimeError) as send_error:  # RuntimeError: client closing
        log.warning("could not send the error message: %s", send_error)


def is_too_late(error: discord.HTTPException) -> bool:
    """True if an interaction can't be answered any more."""
    return error.code in _TOO_LATE


def outcome_of(error: Exception) -> tuple[Literal["refused", "failed"], str]:
    """The outcome of an action in the metrics, and its reason."""
    if isinstance(error, StorageError):
        return "failed", "database"
    if isinstance(error, UNREACHABLE):
        return "failed", "discord"
    return ("refused", type(error).__name__) if is_refusal(error) else ("failed", "bug")


def _describe(interaction: discord.Interaction) -> str:
    """The command or press without typed or selected values, which may be cards of a hand."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    try:
        press = Press.parse(interaction.custom_id or "")
    except InvalidCustomId:
        return "an unknown button"
    return f"{press.verb.value!r} at table {press.table}, moment {press.moment}"
