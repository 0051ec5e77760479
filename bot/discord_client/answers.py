"""Discord's answers to requests: a success whose body isn't JSON comes from something in between, such as a proxy.

discord.py would pass it on as text, or raise an error of its parser. It counts as trouble with the network here.
"""

from typing import Any

import aiohttp
import discord.http
import discord.webhook.async_

NO_CONTENT, FIRST_ERROR = 204, 300
"""The status of a success without a body, and the first one that isn't a success."""
_read = discord.http.json_or_text


async def json_or_text(response: aiohttp.ClientResponse) -> dict[str, Any] | str:
    """The body of an answer. Raises `aiohttp.ClientPayloadError` for a success with a body that isn't JSON."""
    try:
        body = await _read(response)
    except ValueError:  # broken JSON, or text that isn't in UTF-8
        body = ""
    if isinstance(body, str) and response.status < FIRST_ERROR and response.status != NO_CONTENT:
        raise aiohttp.ClientPayloadError(f"{response.status} without readable JSON")
    return body


def install() -> None:
    """Let discord.py read answers like this."""
    discord.http.json_or_text = discord.webhook.async_.json_or_text = json_or_text  # type: ignore[attr-defined]
