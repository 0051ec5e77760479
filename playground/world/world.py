"""The whole state of a playground: guilds, messages and interactions."""

from playground.clock import Clock
from playground.world.interactions import Interactions
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
