"""Routes for application emojis and for downloading images and attachments."""

from aiohttp import web

from playground import payloads
from playground.checks.uploads import check_emoji_image, check_emoji_name, image_bytes
from playground.errors import TOO_MANY_EMOJIS, UNKNOWN_EMOJI, Refusal
from playground.rest.access import path_id
from playground.rest.bodies import json_response, read_object
from playground.rest.drafts import raise_if_invalid
from playground.world.assets import image_info
from playground.world.model import Attachment, Emoji, Json
from playground.world.world import World

MAX_EMOJIS = 2000
ROOT = "/api/v10/applications/{application_id}/emojis"


class EmojiRoutes:
    """Application emojis and files."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this resource and of files."""
        one = f"{ROOT}/{{emoji_id}}"
        return [
            web.get(ROOT, self.list, allow_head=False),
            web.post(ROOT, self.create),
            web.get(one, self.get, allow_head=False),
            web.patch(one, self.rename),
            web.delete(one, self.delete),
            web.get("/emojis/{emoji_id:\\d+}.{extension}", self.image, allow_head=False),
            web.get("/attachments/{channel_id}/{attachment_id}/{filename}", self.attachment, allow_head=False),
        ]

    async def list(self, request: web.Request) -> web.Response:  # noqa: ARG002 - there is one app
        """List the app's emojis."""
        return json_response({"items": [self._json(emoji) for emoji in self._world.emojis.values()]})

    async def create(self, request: web.Request) -> web.Response:
        """Upload an emoji."""
        body = await read_object(request)
        names = {emoji.name for emoji in self._world.emojis.values()}
        raise_if_invalid([*check_emoji_name(body, names), *check_emoji_image(body)])
        if len(self._world.emojis) >= MAX_EMOJIS:
            raise Refusal(TOO_MANY_EMOJIS)
        content = image_bytes(body) or b""
        info = image_info(content)
        assert info is not None  # noqa: S101 - checked above
        emoji = Emoji(self._world.snowflakes.next(), body["name"], content, info.content_type)
        self._world.emojis[emoji.id] = emoji
        return json_response(self._json(emoji), 201)

    async def get(self, request: web.Request) -> web.Response:
        """Get an emoji."""
        return json_response(self._json(self._find(request)))

    async def rename(self, request: web.Request) -> web.Response:
        """Rename an emoji."""
        emoji = self._find(request)
        body = await read_object(request)
        names = {each.name for each in self._world.emojis.values() if each is not emoji}
        raise_if_invalid([*check_emoji_name(body, names)])
        emoji.name = body["name"]
        return json_response(self._json(emoji))

    async def delete(self, request: web.Request) -> web.Response:
        """Delete an emoji. Messages keep their references to it."""
        del self._world.emojis[self._find(request).id]
        return json_response()

    async def image(self, request: web.Request) -> web.Response:
        """Download an emoji's image."""
        emoji = self._world.emojis.get(path_id(request, "emoji_id"))
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.image, content_type=emoji.content_type)

    async def attachment(self, request: web.Request) -> web.Response:
        """Download an attachment, as long as the URL is valid and the message exists."""
        expires, signature = request.query.get("ex", "0"), request.query.get("hm", "")
        found = self._find_attachment(request)
        if found is None or not self._world.assets.is_valid(request.rel_url.raw_path, expires, signature):
            raise web.HTTPNotFound(text="This content is no longer available.")
        return web.Response(body=found.content, content_type=found.content_type)

    def _find_attachment(self, request: web.Request) -> Attachment | None:
        channel = self._world.channels.get(path_id(request, "channel_id"))
        wanted = path_id(request, "attachment_id")
        messages = channel.messages.values() if channel else ()
        if wanted in self._world.uploads:
            return self._world.uploads[wanted]
        return next((each for message in messages for each in message.attachments if each.id == wanted), None)

    def _find(self, request: web.Request) -> Emoji:
        emoji = self._world.emojis.get(path_id(request, "emoji_id"))
        if emoji is None:
            raise Refusal(UNKNOWN_EMOJI)
        return emoji

    def _json(self, emoji: Emoji) -> Json:
        return payloads.emoji_json(emoji, self._world.app.bot)
