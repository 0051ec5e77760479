"""A small Discord to develop and test against: the app above it is the real thing.

It speaks Discord's REST API and gateway on loopback, enforces what Discord enforces, and is inhabited by people
who can do only what a real client lets them. docs/playground.md tells how to drive it.
"""

from playground.client.person import Person
from playground.client.resolving import NotOffered
from playground.client.screen import Reply, SeenMessage, SeenModal
from playground.clock import Clock
from playground.playground import Playground
from playground.world.model import Channel, Guild, MessageFlags, Role, User
from playground.world.permissions import Permission

__all__ = [
    "Channel",
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
