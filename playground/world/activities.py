"""Activities: the running instances of the app's web page in channels, and who is in them."""

from __future__ import annotations

from playground.errors import MISSING_PERMISSIONS, Refusal
from playground.world.changes import ActivityChanged, Change, PlacesChanged
from playground.world.instance import ActivityInstance
from playground.world.model import Channel, User
from playground.world.permissions import Permission
from playground.world.places import Places


class Activities:
    """Opens Activities for users. A user is in one at a time, and all in a channel are in the same one."""

    def __init__(self, world: Places) -> None:
        self._world = world
        self._instances: dict[str, ActivityInstance] = {}
        world.change_listeners.append(self._on_change)

    def launch(self, user: User, channel: Channel) -> ActivityInstance:
        """Let a user into the channel's Activity, which starts if there is none. Refuse without the permission."""
        if not self._world.permissions(user, channel) & Permission.USE_EMBEDDED_ACTIVITIES:
            raise Refusal(MISSING_PERMISSIONS, f"{user.name} may not use Activities in {channel.name}")
        running = (each for each in self.running if each.channel is channel)
        instance = next(running, None) or ActivityInstance(self._world.snowflakes.next(), channel)
        if self.of(user) is not instance:
            self.leave(user)
            self._instances[instance.id] = instance
            instance.users.append(user)
        self._world.publish(ActivityChanged(instance, user))
        return instance

    def leave(self, user: User) -> None:
        """Close the Activity that a user is in, if any."""
        instance = self.of(user)
        if instance is None:
            return
        instance.users.remove(user)
        if not instance.users:
            del self._instances[instance.id]
        self._world.publish(ActivityChanged(instance, user))

    def of(self, user: User) -> ActivityInstance | None:
        """The Activity that a user is in."""
        return next((each for each in self.running if user in each.users), None)

    @property
    def running(self) -> list[ActivityInstance]:
        """All running instances, the oldest first."""
        return list(self._instances.values())

    def find(self, instance_id: str) -> ActivityInstance | None:
        """A running instance."""
        return self._instances.get(instance_id)

    def _on_change(self, change: Change) -> None:
        """Close the Activity of users who no longer see its channel."""
        if not isinstance(change, PlacesChanged):
            return
        for instance in [each for each in self.running if each.channel.guild is change.guild]:
            for user in [each for each in instance.users if not self._sees(each, instance.channel)]:
                self.leave(user)

    def _sees(self, user: User, channel: Channel) -> bool:
        is_there = channel.id in self._world.channels
        return is_there and bool(self._world.permissions(user, channel) & Permission.VIEW_CHANNEL)
