"""What the proxy of Activities changes in headers: names of hosts, cookies and the content security policy."""

from collections.abc import Iterable, Mapping

from multidict import CIMultiDict, CIMultiDictProxy

HOP_BY_HOP = frozenset(
    {
        "connection",
        "content-length",
        "host",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers of one connection, which a proxy doesn't pass on [RFC 9110]."""
API = ("https://discord.com/api/", "https://canary.discord.com/api/", "https://ptb.discord.com/api/")
CDN = tuple(
    f"https://{host}/{folder}/"
    for host in ("cdn.discordapp.com", "media.discordapp.net")
    for folder in ("attachments", "avatars", "icons")
)
"""With `API`, the only addresses that a page reaches outside its proxy [Discord's documentation, URL Mapping]."""
Pairs = CIMultiDict[str]


def passed_on(headers: Mapping[str, str] | CIMultiDictProxy[str], without: Iterable[str] = ()) -> Pairs:
    """The headers that a proxy passes on, without some more."""
    left_out = HOP_BY_HOP | {name.lower() for name in without}
    return CIMultiDict((name, value) for name, value in headers.items() if name.lower() not in left_out)


def policy(proxy: str, clients: Iterable[str]) -> str:
    """The content security policy that the proxy adds, for its origin and those of the clients that show its pages."""
    own = f"'self' {proxy} {proxy.replace('http', 'ws', 1)}"
    local = "data: blob:"
    return "; ".join(
        (
            f"default-src {own} {local}",
            f"script-src {own} blob: 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval'",
            f"style-src {own} 'unsafe-inline'",
            f"connect-src {own} {local} {' '.join(API + CDN)}",
            f"img-src {own} {local} {' '.join(CDN)}",
            f"media-src {own} {local} {' '.join(CDN)}",
            f"frame-ancestors {' '.join(clients)}",
        )
    )


def translated(text: str, proxy: str, clients: Iterable[str], application_id: int) -> str:
    """The app's own policy with the playground's addresses in the place of Discord's."""
    socket = proxy.replace("http", "ws", 1)
    addresses = {
        "https://discord.com": " ".join(clients),
        "https://*.discord.com": " ".join(clients),
        "https://*.discordsays.com": proxy,
        f"https://{application_id}.discordsays.com": proxy,
        "wss://*.discordsays.com": socket,
        f"wss://{application_id}.discordsays.com": socket,
    }
    directives = (directive.split() for directive in text.split(";"))
    return "; ".join(" ".join(addresses.get(word, word) for word in words) for words in directives if words)


def cookie_for_frame(cookie: str, domain: str) -> str | None:
    """A cookie as a browser keeps it for a frame of another site. None if it keeps none like this.

    It needs `SameSite=None`, `Partitioned`, which needs `Secure`, and if it has a domain, that of the proxy
    [Discord's documentation, Using Cookies].
    """
    value, *attributes = (part.strip() for part in cookie.split(";"))
    named = {each.partition("=")[0].strip().lower(): each.partition("=")[2].strip().lower() for each in attributes}
    if named.get("samesite") != "none" or not {"partitioned", "secure"} <= named.keys():
        return None
    if named.get("domain", domain).lstrip(".") != domain:
        return None
    kept = [each for each in attributes if not each.lower().startswith("domain")]
    return "; ".join([value, *kept])
