"""Read request bodies, JSON or multipart, and write JSON responses."""

import json
import re

from aiohttp import web

from playground.errors import INVALID_JSON, Fault, InvalidForm, Refusal
from playground.world.model import Json
from playground.world.posting import Draft, Upload

FILE_FIELD = re.compile(r"files\[(\d+)\]")


def json_response(data: object = None, status: int = 200) -> web.Response:
    """A JSON response, or an empty 204. The content type has no charset, as on Discord."""
    if data is None:
        return web.Response(status=204)
    return web.Response(body=json.dumps(data).encode(), status=status, content_type="application/json")


async def read_json(request: web.Request) -> object:
    """The body as any JSON value."""
    if request.content_type != "application/json":
        raise Refusal(INVALID_JSON, f"the content type is {request.content_type}")
    return _parse(await request.text())


async def read_object(request: web.Request) -> Json:
    """The body as a JSON object."""
    return _as_object(await read_json(request))


async def read_draft(request: web.Request) -> Draft:
    """The body of a message request: JSON, or multipart with `payload_json` and `files[n]`."""
    if request.content_type != "multipart/form-data":
        return Draft(await read_object(request))
    form = await request.post()
    uploads = {}
    for name, value in form.items():
        number = FILE_FIELD.fullmatch(name)
        if number and isinstance(value, web.FileField):
            value.file.seek(0)
            uploads[int(number[1])] = Upload(value.filename, value.file.read())
    return Draft(_as_object(_parse(str(form.get("payload_json", "{}")))), uploads)


def _parse(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError as error:
        raise Refusal(INVALID_JSON, f"the body isn't JSON: {error}") from error


def _as_object(value: object) -> Json:
    if not isinstance(value, dict):
        raise InvalidForm([Fault((), "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")])
    return value
