"""Sign and verify the URLs of attachments, and recognize image types."""

import hashlib
import hmac
import secrets
import struct
from dataclasses import dataclass
from urllib.parse import quote

from playground.clock import Clock
from playground.world.model import Attachment

LIFETIME = 24 * 60 * 60
"""Seconds until an attachment's URL expires."""


class Assets:
    """Signs and verifies the URLs of attachments. `origin` is the server's base URL."""

    def __init__(self, clock: Clock) -> None:
        self.origin = "http://playground.invalid"
        self._clock = clock
        self._secret = secrets.token_bytes(16)

    def attachment_url(self, channel_id: int, attachment: Attachment) -> str:
        """A signed URL, valid for a day."""
        path = f"/attachments/{channel_id}/{attachment.id}/{quote(attachment.filename)}"
        expires = f"{int(self._clock.time()) + LIFETIME:x}"
        return f"{self.origin}{path}?ex={expires}&hm={self._signature(path, expires)}"

    def is_valid(self, path: str, expires: str, signature: str) -> bool:
        """True if the signature of the URL is right and it hasn't expired."""
        if not hmac.compare_digest(self._signature(path, expires), signature):
            return False
        return int(expires, 16) >= self._clock.time()

    def _signature(self, path: str, expires: str) -> str:
        return hmac.new(self._secret, f"{path}?{expires}".encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True, slots=True)
class ImageInfo:
    """The type and size of an image, read from its first bytes. The size is known for PNG and GIF only."""

    content_type: str
    size: tuple[int, int] | None = None


def image_info(content: bytes) -> ImageInfo | None:
    """Recognize an image. None if it isn't of a type that Discord accepts."""
    if content.startswith(b"\x89PNG\r\n\x1a\n") and len(content) >= 24:
        return ImageInfo("image/png", struct.unpack(">II", content[16:24]))
    if content[:6] in (b"GIF87a", b"GIF89a"):
        return ImageInfo("image/gif", struct.unpack("<HH", content[6:10]))
    if content.startswith(b"\xff\xd8\xff"):
        return ImageInfo("image/jpeg")
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return ImageInfo("image/webp")
    if content[4:12] in (b"ftypavif", b"ftypavis"):
        return ImageInfo("image/avif")
    return None
