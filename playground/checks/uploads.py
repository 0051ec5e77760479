"""Validate uploads of application emoji: the name, and an image of at most 256 KiB as data URI."""

import base64
import binascii
import re
from collections.abc import Collection

from playground.checks import fields
from playground.checks.fields import Faults
from playground.components import Json
from playground.errors import Fault
from playground.world.assets import image_info

MAX_BYTES = 256 * 1024
NAME = re.compile(r"\w{2,32}", re.ASCII)
DATA_URI = re.compile(r"data:(image/[a-z+]+);base64,(.*)", re.DOTALL)


def check_emoji_name(body: Json, taken: Collection[str]) -> Faults:
    """Check the name: 2 to 32 letters, digits and underscores, and not in use."""
    yield from fields.required_text(body, "name", (), 2, 32)
    name = body.get("name")
    if isinstance(name, str) and 2 <= len(name) <= 32 and not NAME.fullmatch(name):
        message = "String value did not match validation regex."
        yield Fault(("name",), "STRING_TYPE_REGEX", message)
    if name in taken:
        message = "An emoji with this name already exists."
        yield Fault(("name",), "APPLICATION_EMOJI_NAME_ALREADY_TAKEN", message)


def check_emoji_image(body: Json) -> Faults:
    """Check the type and size of the image."""
    yield from fields.required(body, "image", ())
    content = image_bytes(body)
    if body.get("image") is not None and (content is None or image_info(content) is None):
        yield Fault(("image",), "IMAGE_INVALID", "Invalid image data")
    elif content is not None and len(content) > MAX_BYTES:
        yield Fault(("image",), "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 256.0 kb.")


def image_bytes(body: Json) -> bytes | None:
    """The content of the data URI, or None if it is invalid."""
    match = DATA_URI.fullmatch(str(body.get("image")))
    if match is None:
        return None
    try:
        return base64.b64decode(match[2], validate=True)
    except binascii.Error:
        return None
