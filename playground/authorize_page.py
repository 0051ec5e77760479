"""The page on which a person allows the app to know who they are, as `discord.com/oauth2/authorize`.

In the playground nobody is logged in, so the page also asks who is sitting at the browser.
"""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template

from aiohttp import web
from yarl import URL

from playground.client.person import Person
from playground.origins import require_same_origin
from playground.world.oauth2 import SCOPES, OAuth2Error, checked_challenge, checked_scopes
from playground.world.world import World

FOLDER = Path(__file__).parent / "page"
PATH = "/oauth2/authorize"
UNFRAMED = {"Content-Security-Policy": "frame-ancestors 'none'", "Cache-Control": "no-store"}
"""Another web page can't show this one in a frame and lead someone to press its button."""
DENIED = OAuth2Error("access_denied", "The resource owner or authorization server denied the request")


class AuthorizePage:
    """The page and the answer to its question."""

    def __init__(self, world: World) -> None:
        self._world = world

    def routes(self) -> list[web.RouteDef]:
        """The routes of this page."""
        return [
            web.get(PATH, self.show, allow_head=False),
            web.post(PATH, self.answer),
            web.get(f"/api{PATH}", self.move, allow_head=False),
        ]

    async def move(self, request: web.Request) -> web.Response:
        """Go to the page from its address in the API."""
        raise web.HTTPFound(URL(PATH).with_query(request.query))

    async def show(self, request: web.Request) -> web.Response:
        """Ask the person, or say what is wrong with the app's request."""
        redirect_uri = self._redirect_uri(request)
        try:
            scopes = self._scopes(request)
        except OAuth2Error as error:
            raise self._refused(request, redirect_uri, error) from None
        text = Template((FOLDER / "authorize.html").read_text(encoding="utf-8")).substitute(
            app=escape(self._world.app.name),
            scopes="".join(f"<li>{escape(SCOPES[scope])}</li>" for scope in scopes),
            people="".join(self._choice(user) for user in self._people()),
            target=escape(URL(redirect_uri).host or ""),
        )
        return web.Response(text=text, content_type="text/html", headers=UNFRAMED)

    async def answer(self, request: web.Request) -> web.Response:
        """Go back to the app with a code, or with the person's refusal."""
        require_same_origin(request)
        redirect_uri = self._redirect_uri(request)
        form = await request.post()
        person = self._world.users.get(int(number) if (number := str(form.get("person", ""))).isdecimal() else 0)
        try:
            scopes = self._scopes(request)
            challenge = checked_challenge(
                request.query.get("code_challenge"), request.query.get("code_challenge_method")
            )
            if form.get("answer") != "authorize" or not isinstance(person, Person):
                raise DENIED
        except OAuth2Error as error:
            raise self._refused(request, redirect_uri, error) from None
        code = self._world.oauth2.authorize(person, scopes, redirect_uri, challenge)
        raise _back(request, redirect_uri, {"code": code})

    def _people(self) -> list[Person]:
        return [user for user in self._world.users.values() if isinstance(user, Person)]

    @staticmethod
    def _choice(user: Person) -> str:
        return f'<option value="{user.id}">{escape(user.name)}</option>'

    def _redirect_uri(self, request: web.Request) -> str:
        """The address to go back to. Without a valid one, Discord shows the error itself."""
        app, query = self._world.app, request.query
        if query.get("client_id") != str(app.id):
            raise self._invalid("Unknown Application")
        redirect_uri = query.get("redirect_uri")
        if redirect_uri not in app.redirect_uris:
            raise self._invalid("Invalid OAuth2 redirect_uri")
        return redirect_uri

    def _invalid(self, sentence: str) -> web.HTTPBadRequest:
        self._world.report_violation(f"GET {PATH}: {sentence}")
        return web.HTTPBadRequest(text=sentence, headers=UNFRAMED)

    @staticmethod
    def _scopes(request: web.Request) -> tuple[str, ...]:
        """The scopes of a valid request. Raises OAuth2Error."""
        query = request.query
        if query.get("response_type") != "code":
            raise OAuth2Error("unsupported_response_type", is_violation=True)
        checked_challenge(query.get("code_challenge"), query.get("code_challenge_method"))
        return checked_scopes(query.get("scope", "").split())

    def _refused(self, request: web.Request, redirect_uri: str, error: OAuth2Error) -> web.HTTPFound:
        if error.is_violation:
            self._world.report_violation(f"GET {PATH}: {error}")
        described = {"error_description": error.description} if error.description else {}
        return _back(request, redirect_uri, {"error": error.error, **described})


def _back(request: web.Request, redirect_uri: str, result: Mapping[str, str]) -> web.HTTPFound:
    state = {"state": request.query["state"]} if "state" in request.query else {}
    return web.HTTPFound(URL(redirect_uri).update_query({**result, **state}), headers=UNFRAMED)
