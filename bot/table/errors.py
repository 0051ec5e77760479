"""Errors that are no refusals: the database can't be used, or the table has changed meanwhile."""


class StorageError(Exception):
    """The database cannot be used: unreachable, unreadable, full, or locked for too long."""


class StaleTable(Exception):
    """Somebody else has changed the table since it was read."""


class StaleDisplay(StorageError):
    """Another process has shown the table since it was read."""

    def __init__(self) -> None:
        super().__init__("another process has shown it meanwhile")
