"""Why there is no picture."""


class RenderError(Exception):
    """The drawing failed, took too long or couldn't begin. Its cause says why."""


class QueueFull(RenderError):
    """As many pictures as allowed are waiting; `of_user`: those of the user who asked for one more."""

    def __init__(self, waiting: int, *, of_user: bool = False) -> None:
        super().__init__(f"{waiting} pictures are waiting")
        self.of_user = of_user
