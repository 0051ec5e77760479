"""Errors that aren't refusals: the database can't be used, or a table has changed since it was read."""


class StorageError(Exception):
    """The database can't be used: it's unreachable, unreadable, full, or locked for too long."""


class StaleRead(StorageError):
    """A table has changed since it was read."""

    def __init__(self) -> None:
        super().__init__("the table has changed in the meantime")
