"""What the app must be allowed in a channel, and why."""

from typing import Any, Final

import discord

from bot.presentation.words import Words, noted

NEEDED: Final = {
    "view_channel": noted("View Channel: to find its own messages again"),
    "send_messages": noted("Send Messages: to post the table and to say whose turn it is"),
}
IN_THREADS: Final = {
    "view_channel": NEEDED["view_channel"],
    "send_messages_in_threads": noted("Send Messages in Threads: to post the table and to say whose turn it is"),
}


def missing_permissions(permissions: discord.Permissions, channel: Any, words: Words) -> str:  # noqa: ANN401  # any kind
    """What is missing here, as a text for whoever wants to open a table; empty if nothing is."""
    needed = IN_THREADS if isinstance(channel, discord.Thread) else NEEDED
    missing = [why for name, why in needed.items() if not getattr(permissions, name)]
    if not missing:
        return ""
    lines = [words.say("No table can be opened here: I am not allowed to do what a table needs in this channel.")]
    lines += [f"- {words.say(why)}" for why in missing]
    lines.append(words.say("Somebody who manages this server can allow it in the channel's settings."))
    return "\n".join(lines)
