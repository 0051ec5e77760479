"""Why there is no picture."""


class RenderError(Exception):
    """The drawing failed, took too long or couldn't begin. Its cause says why."""
