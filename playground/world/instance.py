"""A running Activity: the app's web page, opened by users in a channel."""

from dataclasses import dataclass, field

from playground.world.model import Channel, Json, User


@dataclass(eq=False, slots=True)
class ActivityInstance:
    """An Activity that runs in a channel until the last user has left. Its id isn't used again."""

    launch_id: int
    channel: Channel
    users: list[User] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The instance's id, which holds those of the launch and of the location."""
        return f"i-{self.launch_id}-{self.location_id}"

    @property
    def location_id(self) -> str:
        """The id of the location: a channel of a guild, or a direct channel."""
        guild = self.channel.guild
        return f"pc-{self.channel.id}" if guild is None else f"gc-{guild.id}-{self.channel.id}"

    def location_json(self) -> Json:
        """The location as an API object."""
        guild, channel_id = self.channel.guild, str(self.channel.id)
        if guild is None:
            return {"id": self.location_id, "kind": "pc", "channel_id": channel_id}
        return {"id": self.location_id, "kind": "gc", "channel_id": channel_id, "guild_id": str(guild.id)}
