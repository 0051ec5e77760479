"""Errors that aren't refusals: the database can't be used, or the table has changed."""


class StorageError(Exception):
    """The database can't be used: it's unreachable, unreadable, full, or locked for too long."""


class StaleTable(Exception):
    """The table has changed since it was read."""


class StaleDisplay(StorageError):
    """Another process has stored a display of the table since it was read."""

    def __init__(self) -> None:
        super().__init__("another process has shown it meanwhile")
