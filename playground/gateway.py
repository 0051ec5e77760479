"""Discord's gateway: the WebSocket protocol with its sessions, heartbeats, events and resuming."""

import asyncio
import json
import secrets

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from playground import payloads
from playground.compression import compressor
from playground.sessions import (
    HEARTBEAT,
    HEARTBEAT_ACK,
    HELLO,
    IDENTIFY,
    INVALID_SESSION,
    PRESENCE,
    RECONNECT,
    RESUME,
    VOICE_STATE,
    Connection,
    Session,
)
from playground.world.intents import Dispatch, Intent
from playground.world.model import Json
from playground.world.world import World

UNKNOWN_OPCODE = 4001
DECODE_ERROR = 4002
NOT_AUTHENTICATED = 4003
AUTHENTICATION_FAILED = 4004
ALREADY_AUTHENTICATED = 4005
INVALID_SEQUENCE = 4007
RATE_LIMITED = 4008
SESSION_TIMED_OUT = 4009
INVALID_SHARD = 4010
DISALLOWED_INTENTS = 4014

MAX_PAYLOAD_BYTES = 4096
MAX_SENDS, SENDS_SECONDS = 120, 60.0
IDENTIFY_SECONDS = 5.0
SESSIONS_A_DAY = 1000
HEARTBEAT_MILLISECONDS = 41_250
ROUND_TRIP = 0.02
"""Seconds until a heartbeat is acknowledged, at least until discord.py has returned from sending it."""


class GatewayClosed(Exception):
    """The gateway closes the connection because of what the app sent."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Gateway:
    """All gateway sessions and connections."""

    def __init__(
        self, world: World, *, shards: int = 1, heartbeat_ms: int = HEARTBEAT_MILLISECONDS, is_paced: bool = False
    ) -> None:
        self.url = ""
        self.shards = shards
        self.granted = Intent.NONE
        """The privileged intents granted to the app."""
        self.sessions: dict[str, Session] = {}
        self.connections: set[Connection] = set()
        self.is_open = True
        """False to refuse new connections."""
        self.heartbeat_ms = heartbeat_ms
        self.is_paced = is_paced
        """True to accept one IDENTIFY in five seconds, from all processes together."""
        self.sessions_left = SESSIONS_A_DAY
        """How many sessions the app may still start today. Discord resets the token after that."""
        self._identified_at = 0.0
        self._world = world
        world.dispatch_listeners.append(self._deliver)

    # Controls for tests

    def drop(self) -> None:
        """Drop all connections without a close frame. Their sessions can be resumed."""
        for connection in self.connections:
            connection.abort()

    async def close(self, code: int = WSCloseCode.GOING_AWAY) -> None:
        """Close all connections with a code."""
        await asyncio.gather(*(each.close(code) for each in self.connections))

    def invalidate(self) -> None:
        """Invalidate all sessions: the app must identify again."""
        for session in list(self.sessions.values()):
            if session.connection is not None:
                session.connection.send(INVALID_SESSION, data=False)
        self.sessions.clear()

    def request_reconnect(self) -> None:
        """Ask the app to reconnect and resume."""
        for connection in self.connections:
            connection.send(RECONNECT)

    def send_raw(self, content: str | bytes) -> None:
        """Send any text or bytes over all connections, even what Discord would never send."""
        for connection in self.connections:
            connection.send_raw(content)

    def push(self, event: str, data: object) -> None:
        """Send any event to all sessions, numbered and kept like the others."""
        for session in self.sessions.values():
            session.push(event, data)

    def is_complete(self) -> bool:
        """True if all shards of the app are connected."""
        live = [session.shard for session in self.sessions.values() if session.connection is not None]
        return bool(live) and {index for index, _ in live} == set(range(live[0][1]))

    # Connections

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection until it ends."""
        if not self.is_open:
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(max_msg_size=0, compress=False, timeout=1.0)
        compress = compressor(request.query.get("compress"))
        await socket.prepare(request)
        connection = Connection(socket, request.transport, compress)
        self.connections.add(connection)
        connection.send(HELLO, {"heartbeat_interval": self.heartbeat_ms})
        code, reason = WSCloseCode.OK.value, ""
        try:
            await self._listen(connection)
        except GatewayClosed as closed:
            code, reason = closed.code, str(closed)
            self._world.report_violation(f"gateway: closed with {code}: {reason}")
        except TimeoutError:
            code, reason = SESSION_TIMED_OUT, "no heartbeat"
        finally:
            self._detach(connection)
            await connection.close(code, reason)
        return socket

    async def _listen(self, connection: Connection) -> None:
        timeout = self.heartbeat_ms / 1000 * 1.5
        while not connection.socket.closed:
            message = await connection.socket.receive(timeout=timeout)
            if message.type is WSMsgType.TEXT:
                self._check_rate(connection)
                await self._handle(connection, _parse(message))
                self._world.wake_waiters()
            elif message.type in (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR):
                return

    def _detach(self, connection: Connection) -> None:
        self.connections.discard(connection)
        session = connection.session
        if session is None or session.connection is not connection:
            return
        session.connection = None
        if connection.socket.close_code in (WSCloseCode.OK, WSCloseCode.GOING_AWAY):
            self.sessions.pop(session.id, None)  # a normal close ends the session
        self._world.wake_waiters()

    def _check_rate(self, connection: Connection) -> None:
        now = self._world.clock.time()
        connection.received.append(now)
        while connection.received[0] < now - SENDS_SECONDS:
            connection.received.popleft()
        if len(connection.received) > MAX_SENDS:
            raise GatewayClosed(RATE_LIMITED, f"more than {MAX_SENDS} payloads in {SENDS_SECONDS:.0f} seconds")

    async def _handle(self, connection: Connection, payload: Json) -> None:
        op, data = payload.get("op"), payload.get("d")
        if op == HEARTBEAT:
            # discord.py measures latency from when its send returned: an earlier ACK would count as very late
            await asyncio.sleep(ROUND_TRIP)
            connection.send(HEARTBEAT_ACK)
        elif op == IDENTIFY:
            self._identify(connection, data or {})
        elif op == RESUME:
            self._resume(connection, data or {})
        elif connection.session is None:
            raise GatewayClosed(NOT_AUTHENTICATED, f"opcode {op} before IDENTIFY")
        elif op not in (PRESENCE, VOICE_STATE):
            raise GatewayClosed(UNKNOWN_OPCODE, f"opcode {op} is unknown")

    # Sessions

    def _identify(self, connection: Connection, data: Json) -> None:
        if connection.session is not None:
            raise GatewayClosed(ALREADY_AUTHENTICATED, "IDENTIFY twice on one connection")
        if data.get("token") != self._world.app.token:
            raise GatewayClosed(AUTHENTICATION_FAILED, "the token is wrong")
        if self.sessions_left == 0:
            raise GatewayClosed(AUTHENTICATION_FAILED, f"the token was reset after {SESSIONS_A_DAY} sessions in a day")
        self.sessions_left -= 1
        shard = tuple(data.get("shard") or (0, 1))
        if len(shard) != 2 or not 0 <= shard[0] < shard[1]:
            raise GatewayClosed(INVALID_SHARD, f"shard {shard} doesn't exist")
        intents = Intent(data.get("intents") or 0)
        if intents & Intent.privileged() & ~self.granted:
            raise GatewayClosed(DISALLOWED_INTENTS, f"privileged intents were not granted: {intents!r}")
        now = self._world.clock.time()
        if self.is_paced and now < self._identified_at + IDENTIFY_SECONDS:
            connection.send(INVALID_SESSION, data=False)
            return
        self._identified_at = now
        session = Session(secrets.token_hex(16), (shard[0], shard[1]), intents, connection=connection)
        self._drop_disconnected(session.shard)
        self.sessions[session.id] = session
        connection.session = session
        self._send_ready(session)

    def _drop_disconnected(self, shard: tuple[int, int]) -> None:
        """Drop the shard's earlier sessions without a connection: it has identified, so it won't resume them."""
        lost = [each for each in self.sessions.values() if each.shard == shard and each.connection is None]
        for session in lost:
            del self.sessions[session.id]

    def _send_ready(self, session: Session) -> None:
        me = self._world.app.bot
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if me.id in guild.members and session.wants(Dispatch("GUILD_CREATE", {}, guild.id))
        ]
        ready = {
            "v": 10,
            "user": payloads.user_json(me) | {"verified": True, "email": None, "mfa_enabled": False},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(self._world.app.id), "flags": 0},
            "session_type": "normal",
            "private_channels": [],
            "relationships": [],
        }
        session.push("READY", ready)
        if session.intents & Intent.GUILDS:
            for guild in guilds:
                session.push("GUILD_CREATE", payloads.guild_create_json(guild, me) | {"unavailable": False})

    def _resume(self, connection: Connection, data: Json) -> None:
        session = self.sessions.get(str(data.get("session_id")))
        if data.get("token") != self._world.app.token:
            raise GatewayClosed(AUTHENTICATION_FAILED, "the token is wrong")
        if session is None:
            connection.send(INVALID_SESSION, data=False)
            return
        sequence = data.get("seq")
        if not isinstance(sequence, int) or sequence > session.sequence:
            raise GatewayClosed(INVALID_SEQUENCE, f"sequence number {sequence} was never sent")
        connection.session = session
        session.resume(connection, sequence)

    # Events

    def _deliver(self, dispatch: Dispatch) -> None:
        for session in self.sessions.values():
            if session.wants(dispatch):
                session.push(dispatch.event, self._hide_content(session, dispatch))

    def _hide_content(self, session: Session, dispatch: Dispatch) -> Json:
        """Without the intent MESSAGE_CONTENT, empty the messages of others in guilds that don't mention the app."""
        data = dispatch.data
        if dispatch.event not in ("MESSAGE_CREATE", "MESSAGE_UPDATE") or dispatch.guild_id is None:
            return data
        me = str(self._world.app.bot.id)
        is_mine = data["author"]["id"] == me or any(each["id"] == me for each in data["mentions"])
        if is_mine or session.intents & Intent.MESSAGE_CONTENT:
            return data
        return data | {"content": "", "embeds": [], "attachments": [], "components": []}


def _parse(message: WSMessage) -> Json:
    if len(message.data.encode()) > MAX_PAYLOAD_BYTES:
        raise GatewayClosed(DECODE_ERROR, f"a payload of more than {MAX_PAYLOAD_BYTES} bytes")
    try:
        payload = json.loads(message.data)
    except ValueError as error:
        raise GatewayClosed(DECODE_ERROR, f"invalid JSON: {error}") from error
    if not isinstance(payload, dict):
        raise GatewayClosed(DECODE_ERROR, "a payload must be an object")
    return payload
