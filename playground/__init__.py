"""A simulated Discord for development and tests. The unmodified app connects to it.

It serves Discord's REST API and gateway on loopback and enforces Discord's rules. Simulated people can do only
what a real client allows. See docs/playground.md.
"""

from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage, SeenModal
from playground.clock import Clock
from playground.playground import Playground
from playground.world.model import Channel, ChannelType, Guild, MessageFlags, Role, User
from playground.world.permissions import Permission

__all__ = [
    "Channel",
    "ChannelType",
    "Clock",
    "Guild",
    "MessageFlags",
    "NotOffered",
    "Permission",
    "Person",
    "Playground",
    "Reply",
    "Role",
    "SeenMessage",
    "SeenModal",
    "User",
]
