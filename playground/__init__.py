"""A small Discord to develop and test against: the app above it is the real thing.

It speaks Discord's REST API and gateway on loopback, enforces what Discord enforces, and is inhabited by people
who can do only what a real client lets them. docs/playground.md tells how to drive it.
"""

from playground.clock import Clock
from playground.model import Channel, Guild, MessageFlags, Role, User
from playground.people import Person
from playground.permissions import Permission
from playground.playground import Playground
from playground.resolving import NotOffered
from playground.sight import Reply, SeenMessage, SeenModal

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
