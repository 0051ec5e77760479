"""The origin of a request, which the browser names."""

from urllib.parse import urlsplit

from aiohttp import web


def require_same_origin(request: web.Request) -> None:
    """Refuse requests from other web pages, so that they can't act for a person."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        raise web.HTTPForbidden(text="The request doesn't come from the playground's page.")
