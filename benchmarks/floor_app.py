"""An app on bare discord.py that makes prepared requests: `python -m benchmarks.floor_app`.

For each interaction it reads a line of JSON from its standard input, a list of `[method, path, body]`, and writes an
empty line. It makes these requests in this order when the interaction arrives. `{id}` and `{token}` in a path are those
of the interaction. It uses discord.py for the gateway and for HTTP, with its rate limits, and nothing else: neither
uvloop nor orjson, which `pip install discord.py` doesn't bring.
"""

import asyncio
import json
import os
import sys
from collections import deque
from functools import partial
from typing import Any, TypeAlias

import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.webhook.async_ import async_context

PreparedRequest: TypeAlias = tuple[str, str, Any]
"""Method, path and JSON body."""


class FloorApp(discord.AutoShardedClient):
    """Answers each interaction with the next prepared requests."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True))
        self.prepared: deque[list[PreparedRequest]] = deque()

    async def setup_hook(self) -> None:
        """Connect to the gateway that the API names, and register a command."""
        found = await self.http.request(Route("GET", "/gateway"))
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(found["url"])
        command: Any = {"name": "floor", "description": "None"}
        await self.http.bulk_upsert_global_commands(self.application_id or 0, [command])

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Make the requests for an interaction."""
        for method, path, body in self.prepared.popleft():
            await self._send(interaction, method, path, body)

    async def _send(self, interaction: discord.Interaction, method: str, path: str, body: Any) -> None:  # noqa: ANN401  # JSON
        session = interaction._session  # noqa: SLF001  # as discord.py's own responses do
        match path.strip("/").split("/"):
            case ["interactions", *_]:
                template = "/interactions/{webhook_id}/{webhook_token}/callback"
                route = Route(method, template, webhook_id=interaction.id, webhook_token=interaction.token)
                await async_context.get().request(route, session, payload=body)
            case ["webhooks", app, token, *_]:
                token = interaction.token if token == "{token}" else token
                template = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
                route = Route(method, template, webhook_id=int(app), webhook_token=token)
                await async_context.get().request(route, session, payload=body)
            case ["channels", channel, "messages"]:
                route = Route(method, "/channels/{channel_id}/messages", channel_id=int(channel))
                await self.http.request(route, json=body)
            case ["channels", channel, "messages", message]:
                template = "/channels/{channel_id}/messages/{message_id}"
                route = Route(method, template, channel_id=int(channel), message_id=int(message))
                await self.http.request(route, **({} if body is None else {"json": body}))


async def listen(app: FloorApp) -> None:
    """Take the prepared requests from the standard input."""
    reader = asyncio.StreamReader(limit=2**24)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        app.prepared.append(json.loads(line))
        print(flush=True)


async def serve() -> None:
    """Run until killed."""
    Route.BASE = os.environ["DISCORD_API_URL"]
    discord.utils._from_json = json.loads  # type: ignore[assignment] # noqa: SLF001  # as without orjson
    discord.utils._to_json = partial(json.dumps, separators=(",", ":"))  # noqa: SLF001
    async with asyncio.TaskGroup() as group, FloorApp() as app:
        group.create_task(listen(app))
        await app.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(serve())
