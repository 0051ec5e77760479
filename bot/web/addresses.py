"""The addresses of the page and of Discord."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

DISCORD_API: Final = "https://discord.com/api/v10"


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the page is, and where Discord is."""

    web_url: str
    api_url: str | None
    """The address of another API than Discord's; None for Discord's."""

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
    def session_cookie(self) -> str:
        """The name of the session's cookie. With its prefix, no other server of the domain can set it."""
        return "__Host-session" if self.is_secure else "session"

    @property
    def login_cookie(self) -> str:
        """The name of the cookie of a login under way."""
        return "__Host-login" if self.is_secure else "login"

    def allows(self, origin: str | None, application_id: int) -> bool:
        """True if a page of this origin may connect: our own, or Discord's copy of it."""
        return origin in (self.web_url, f"https://{_in_discord(application_id)}")

    def frames(self, application_id: int) -> str:
        """The origins of pages that may show ours in a frame: Discord's clients, and its copy of our page."""
        return f"https://discord.com https://*.discord.com https://{_in_discord(application_id)}"

    def sockets(self, application_id: int) -> str:
        """The origins of the page's WebSockets, which not every browser takes for its own."""
        return f"{self.web_url.replace('http', 'ws', 1)} wss://{_in_discord(application_id)}"


def _in_discord(application_id: int) -> str:
    return f"{application_id}.discordsays.com"


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
