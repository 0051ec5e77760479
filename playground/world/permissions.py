"""Discord's permission bits."""

from __future__ import annotations

from enum import IntFlag
from typing import Final


class Permission(IntFlag):
    """Discord's permission bits for text channels."""

    KICK_MEMBERS = 1 << 1
    BAN_MEMBERS = 1 << 2
    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_NICKNAMES = 1 << 27
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    USE_EXTERNAL_STICKERS = 1 << 37
    SEND_MESSAGES_IN_THREADS = 1 << 38
    USE_EMBEDDED_ACTIVITIES = 1 << 39
    USE_EXTERNAL_APPS = 1 << 50
    PIN_MESSAGES = 1 << 51

    @classmethod
    def everything(cls) -> Permission:
        """All permissions, as owners and administrators have them."""
        return cls((1 << 52) - 1)

    @classmethod
    def ordinary(cls) -> Permission:
        """The permissions of @everyone in a new guild."""
        return (
            cls.ADD_REACTIONS | cls.VIEW_CHANNEL | cls.SEND_MESSAGES | cls.EMBED_LINKS | cls.ATTACH_FILES
            | cls.READ_MESSAGE_HISTORY | cls.USE_EXTERNAL_EMOJIS | cls.CHANGE_NICKNAME
            | cls.USE_APPLICATION_COMMANDS | cls.CREATE_PUBLIC_THREADS | cls.CREATE_PRIVATE_THREADS
            | cls.SEND_MESSAGES_IN_THREADS | cls.USE_EMBEDDED_ACTIVITIES
        )  # fmt: skip


NOTHING: Final = Permission(0)
