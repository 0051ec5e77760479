"""The whole state of a playground: guilds, messages and interactions."""

from collections.abc import Callable

from playground.clock import Clock
from playground.world.activities import Activities
from playground.world.changes import TimeMoved
from playground.world.interactions import Interactions
from playground.world.oauth2 import OAuth2
from playground.world.places import Places
from playground.world.posting import Posting


class World(Places):
    """The state of a playground, and the methods that change it."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self.reaction = 0.01
        """Seconds that a person waits before each action."""
        self.posting = Posting(self)
        self.interactions = Interactions(self, self.posting)
        self.activities = Activities(self)
        self.activities_url = ""
        """The address of the app's page in a frame: the proxy's."""
        self.oauth2 = OAuth2(self.clock)
        self.advance_app: Callable[[float], None] | None = None
        """Moves the app's clock forward by some seconds. None if it can't be moved."""

    def advance(self, seconds: float) -> None:
        """Move the time forward, for people and for the app."""
        self.clock.advance(seconds)
        if self.advance_app is not None:
            self.advance_app(seconds)
        self.publish(TimeMoved())
