"""The world of a playground: its places, and the messages and interactions in them."""

from playground.clock import Clock
from playground.world.interactions import Interactions
from playground.world.places import Places
from playground.world.posting import Posting


class World(Places):
    """Everything there is, and the one way to change it."""

    def __init__(self, clock: Clock | None = None) -> None:
        super().__init__(clock)
        self.reaction = 0.01
        """Seconds a person takes to react: nobody clicks faster than a client can show."""
        self.posting = Posting(self)
        self.interactions = Interactions(self, self.posting)
