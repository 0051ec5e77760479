"""The commands of the Embedded App SDK: what a page can ask the client around it.

https://docs.discord.com/developers/developer-tools/embedded-app-sdk
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from playground import payloads
from playground.activities.session import RpcError, RpcErrorCode, RpcSession
from playground.clock import isoformat
from playground.world.instance import ActivityInstance
from playground.world.model import Json
from playground.world.oauth2 import SCOPES, OAuth2Error, checked_challenge, checked_scopes

log = logging.getLogger(__name__)

EVENTS: Mapping[str, tuple[str, ...]] = {
    "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE": (),
    "ACTIVITY_JOIN": (),
    "ACTIVITY_LAYOUT_MODE_UPDATE": (),
    "CURRENT_GUILD_MEMBER_UPDATE": ("identify", "guilds.members.read"),
    "CURRENT_USER_UPDATE": ("identify",),
    "ENTITLEMENT_CREATE": (),
    "ORIENTATION_UPDATE": (),
    "QUEST_ENROLLMENT_STATUS_UPDATE": (),
    "RELATIONSHIP_UPDATE": ("relationships.read",),
    "SPEAKING_START": ("rpc.voice.read",),
    "SPEAKING_STOP": ("rpc.voice.read",),
    "THERMAL_STATE_UPDATE": (),
    "VOICE_STATE_UPDATE": ("rpc.voice.read",),
}
"""The events that a page can subscribe to, with the scopes that each needs."""
LONGEST_LINE = 128
"""Letters of a line in a person's status."""
Command = Callable[[RpcSession, Json], Awaitable[Json | None]]


async def authorize(session: RpcSession, args: Json) -> Json:
    """Ask the person to allow something, unless they have before. Returns a code."""
    world = session.world
    if str(args.get("client_id")) != str(world.app.id):
        raise RpcError(RpcErrorCode.INVALID_CLIENT_ID, "Invalid Client ID")
    if not world.app.redirect_uris:  # Discord needs one, although the client doesn't go there
        raise _oauth2_error(OAuth2Error("invalid_request", 'Missing "redirect_uri" in request.', is_violation=True))
    wanted = args.get("scope")
    try:
        scopes = checked_scopes(map(str, wanted if isinstance(wanted, list) else ()))
        challenge = checked_challenge(args.get("code_challenge"), args.get("code_challenge_method"))
    except OAuth2Error as error:
        raise _oauth2_error(error) from None
    if not world.oauth2.has_consented(session.user, scopes):
        question = {"kind": "authorize", "app": world.app.name, "allows": [SCOPES[scope] for scope in scopes]}
        if not await session.ask(question):
            raise _oauth2_error(
                OAuth2Error("access_denied", "The resource owner or authorization server denied the request")
            )
    return {"code": world.oauth2.authorize(session.user, scopes, None, challenge)}


def _oauth2_error(error: OAuth2Error) -> RpcError:
    return RpcError(RpcErrorCode.OAUTH2, f"OAuth2 Error: {error}", is_violation=error.is_violation)


async def authenticate(session: RpcSession, args: Json) -> Json:
    """Let the page act with a token of this person."""
    app = session.world.app
    token = session.world.oauth2.find(str(args.get("access_token")))
    if token is None or token.user is not session.user:
        raise RpcError(RpcErrorCode.INVALID_TOKEN, "Invalid OAuth2 token", is_violation=False)
    session.token = token
    return {
        "access_token": token.access,
        "user": payloads.user_json(token.user),
        "scopes": list(token.scopes),
        "expires": isoformat(datetime.fromtimestamp(token.expires_at, UTC)),
        "application": {"id": str(app.id), "name": app.name, "description": "", "icon": None, "rpc_origins": []},
    }


async def subscribe(session: RpcSession, args: Json) -> Json:
    """Send an event from now on. `args` has its name as `evt`."""
    event = args["evt"]
    session.require(*EVENTS[event])
    session.events.add(event)
    return {"evt": event}


async def unsubscribe(session: RpcSession, args: Json) -> Json:
    """Send an event no longer."""
    session.events.discard(args["evt"])
    return {"evt": args["evt"]}


async def capture_log(session: RpcSession, args: Json) -> None:
    """Write a line of the page's console into the log."""
    log.info("%s's Activity, %s: %s", session.user.name, args.get("level"), args.get("message"))


async def participants(session: RpcSession, _: Json) -> Json:
    """The users in this instance."""
    return participants_json(session.instance)


def participants_json(instance: ActivityInstance) -> Json:
    """The users in an instance, as the SDK lists them."""
    users = [payloads.user_json(user) for user in instance.users]
    return {"participants": [user | {"avatar_decoration_data": None, "premium_type": 0} for user in users]}


async def channel(session: RpcSession, args: Json) -> Json:
    """The channel that the Activity is in."""
    session.require("guilds")
    here = session.instance.channel
    if str(args.get("channel_id")) != str(here.id):
        raise RpcError(RpcErrorCode.INVALID_CHANNEL, "Invalid channel id")
    guild_id = str(here.guild.id) if here.guild else None
    data: Json = {"id": str(here.id), "type": int(here.type), "guild_id": guild_id, "name": here.name}
    return data | {"topic": None, "position": 0, "voice_states": [], "messages": []}


async def channel_permissions(session: RpcSession, _: Json) -> Json:
    """The person's permissions in the channel."""
    session.require("guilds.members.read")
    granted = session.world.permissions(session.user, session.instance.channel)
    return {"permissions": str(int(granted))}


async def set_activity(session: RpcSession, args: Json) -> Json:
    """Show in the person's status what they do."""
    session.require("rpc.activities.write")
    app, activity = session.world.app, args.get("activity") or {}
    if any(len(str(activity.get(name) or "")) > LONGEST_LINE for name in ("details", "state")):
        raise RpcError(RpcErrorCode.INVALID_PAYLOAD, f"A line of a status has at most {LONGEST_LINE} letters")
    return {"type": 0, **activity, "name": app.name, "application_id": str(app.id)}


async def locale(session: RpcSession, _: Json) -> Json:
    """The language of the person's client."""
    session.require("identify")
    return {"locale": session.user.locale}


async def open_link(session: RpcSession, args: Json) -> Json:
    """Ask the person whether to open a page outside."""
    url = str(args.get("url"))
    if not url.startswith(("https://", "http://")):
        raise RpcError(RpcErrorCode.INVALID_PAYLOAD, "Invalid URL")
    return {"opened": await session.ask({"kind": "link", "app": session.world.app.name, "url": url})}


async def invite(session: RpcSession, _: Json) -> None:
    """Show the form for invitations, which the playground's people close."""
    if session.instance.channel.guild is None:
        raise RpcError(RpcErrorCode.INVALID_CHANNEL, "Invalid channel")


async def configure(_: RpcSession, args: Json) -> Json:
    """Set whether the small frame can be used."""
    return {"use_interactive_pip": bool(args.get("use_interactive_pip"))}


def answering(data: Json | None) -> Command:
    """A command that always has the same answer."""

    async def answer(_session: RpcSession, _args: Json) -> Json | None:
        return data

    return answer


COMMANDS: Mapping[str, Command] = {
    "AUTHENTICATE": authenticate,
    "AUTHORIZE": authorize,
    "CAPTURE_LOG": capture_log,
    "ENCOURAGE_HW_ACCELERATION": answering({"enabled": True}),
    "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS": participants,
    "GET_CHANNEL": channel,
    "GET_CHANNEL_PERMISSIONS": channel_permissions,
    "GET_ENTITLEMENTS_EMBEDDED": answering({"entitlements": []}),
    "GET_PLATFORM_BEHAVIORS": answering({"iosKeyboardResizesView": False}),
    "GET_SKUS_EMBEDDED": answering({"skus": []}),
    "OPEN_EXTERNAL_LINK": open_link,
    "OPEN_INVITE_DIALOG": invite,
    "SET_ACTIVITY": set_activity,
    "SET_CONFIG": configure,
    "SET_ORIENTATION_LOCK_STATE": answering(None),
    "SUBSCRIBE": subscribe,
    "UNSUBSCRIBE": unsubscribe,
    "USER_SETTINGS_GET_LOCALE": locale,
}
UNSUPPORTED = frozenset(
    {
        "GET_QUEST",
        "GET_QUEST_ENROLLMENT_STATUS",
        "GET_RELATIONSHIPS",
        "GET_USER",
        "INITIATE_IMAGE_UPLOAD",
        "INVITE_USER_EMBEDDED",
        "OPEN_SHARE_MOMENT_DIALOG",
        "QUEST_START_TIMER",
        "REQUEST_PROXY_TICKET_REFRESH",
        "SHARE_INTERACTION",
        "SHARE_LINK",
        "START_PURCHASE",
    }
)
"""Commands of the SDK that the playground doesn't know how to answer."""
