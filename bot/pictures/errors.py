"""The error of the render worker."""


class RenderError(Exception):
    """The drawing failed, took too long or couldn't start. Its cause says why."""
