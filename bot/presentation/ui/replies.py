"""Private replies, and the one place that answers all refusals and errors of interactions."""

import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
import discord

from bot.engine.errors import IllegalMove
from bot.presentation.help.rulebook import why_button
from bot.presentation.text.errors import error_text, is_refusal
from bot.presentation.text.readers import words_of
from bot.presentation.ui.custom_ids import InvalidCustomId, Press, layout, rows
from bot.table.errors import StorageError
from bot.table.refusals import Refusal, UnknownButton
from bot.table.snapshot import Table

log = logging.getLogger(__name__)

_UNKNOWN_INTERACTION: Final = 10062
"""Discord's "unknown interaction": the answer took longer than 3 seconds."""
_UNKNOWN_MESSAGE: Final = 10008
"""Discord's "unknown message": the message of the pressed button was deleted."""
_ALREADY_ACKNOWLEDGED: Final = 40060
"""Discord's "already acknowledged": an earlier attempt arrived, but its confirmation didn't."""
_CONNECTION_ERRORS: Final = (discord.DiscordServerError, aiohttp.ClientError, TimeoutError)
"""Errors of Discord or of the network rather than of the app."""


async def reply_privately(interaction: discord.Interaction, text: str) -> None:
    """Send the user a private text."""
    await show(interaction, layout(text))


async def show(
    interaction: discord.Interaction, view: discord.ui.LayoutView, files: Sequence[discord.File] = ()
) -> None:
    """Send the user a private message of components."""
    nobody = discord.AllowedMentions.none()
    if interaction.response.is_done():
        await interaction.followup.send(view=view, files=files, ephemeral=True, allowed_mentions=nobody)
    else:
        await interaction.response.send_message(view=view, files=files, ephemeral=True, allowed_mentions=nobody)


async def change(interaction: discord.Interaction, view: discord.ui.LayoutView) -> None:
    """Replace the message of the pressed button, before or after the press is acknowledged."""
    if interaction.response.is_done():
        await interaction.edit_original_response(view=view)
    else:
        await interaction.response.edit_message(view=view)


@asynccontextmanager
async def handling_errors(interaction: discord.Interaction) -> AsyncIterator[None]:
    """Answer any error of the block. Errors of interactions end here."""
    try:
        yield
    except InvalidCustomId:
        log.warning("received a custom id that the app never offers")
        await answer_error(interaction, UnknownButton())
    except Exception as error:
        await answer_error(interaction, error)


async def answer_error(interaction: discord.Interaction, error: BaseException, table: Table | None = None) -> None:
    """Answer a refusal with its text. Log any other error once, and say that something broke."""
    if isinstance(error, discord.HTTPException) and error.code in (
        _UNKNOWN_INTERACTION,
        _UNKNOWN_MESSAGE,
        _ALREADY_ACKNOWLEDGED,
    ):
        log.warning("could not answer %s: %s", _describe(interaction), error.text)
        return
    if isinstance(error, (StorageError, *_CONNECTION_ERRORS)):
        log.warning("%s failed: %s", _describe(interaction), error)
    elif not isinstance(error, Exception) or not is_refusal(error):
        log.error("%s failed", _describe(interaction), exc_info=error)
    words = words_of(interaction)
    text = error_text(error if isinstance(error, Exception) else Exception(), words, table)
    rule = error.rule if isinstance(error, (IllegalMove, Refusal)) else ""
    try:
        await show(interaction, layout(text, *rows([why_button(rule, words)] if rule else [])))
    except (
        discord.HTTPException,
        aiohttp.ClientError,
        TimeoutError,
        RuntimeError,
    ) as send_error:  # RuntimeError: the client is closing
        log.warning("could not send the error message: %s", send_error)


def _describe(interaction: discord.Interaction) -> str:
    """The command or press without typed or selected values, which may be cards of a hand."""
    if interaction.command is not None:
        return f"/{interaction.command.qualified_name}"
    try:
        press = Press.parse(interaction.custom_id or "")
    except InvalidCustomId:
        return "an unknown button"
    return f"{press.verb.value!r} at table {press.table}, moment {press.moment}"
