"""The addresses of the page and of Discord."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

DISCORD_API: Final = "https://discord.com/api/v10"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the page is, and where it may be shown."""

    web_url: str
    api_url: str | None
    """Discord's API unless it's the real one: then its server may show the page, too."""

    @property
    def discord_api(self) -> str:
        """The base of Discord's API."""
        return self.api_url or DISCORD_API

    @property
    def authorize(self) -> str:
        """The page at Discord where users log in."""
        return f"{_origin(self.discord_api)}/oauth2/authorize"

    @property
    def callback(self) -> str:
        """Where Discord sends them back."""
        return f"{self.web_url}/login/callback"

    @property
    def is_secure(self) -> bool:
        """True with HTTPS."""
        return self.web_url.startswith("https:")

    @property
    def frames(self) -> tuple[str, ...]:
        """The origins of pages that may show this one in a frame."""
        own = () if self.api_url is None else (_origin(self.api_url),)
        return ("https://discord.com", "https://*.discord.com", "https://*.discordsays.com", *own)

    @property
    def socket_origin(self) -> str:
        """The origin of the page's WebSockets, which not every browser takes for its own."""
        return self.web_url.replace("http", "ws", 1)

    def allows(self, origin: str | None, application_id: int) -> bool:
        """True if a page of this origin may connect: our own, or Discord's copy of it."""
        allowed = {self.web_url, f"https://{application_id}.discordsays.com"}
        return origin in (allowed if self.api_url is None else allowed | {_origin(self.api_url)})


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
