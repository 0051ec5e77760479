"""Parts of which the tables of the database are made: columns and indexes of one kind."""

from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, String, text

TITLE_STATS: Final = (
    *("gangs", "beaten", "blocked", "forgot", "gifts", "given", "hardest", "comebacks"),
    *("streak", "longest"),
)
"""What counts for titles."""

USER_LISTS: Final = ("invited", "awaited", "removed", "pausing", "ending")
"""Columns of `tables`, each a list of ids of users."""
HAS_LISTED_USERS: Final = " OR ".join(f"CAST({name} AS TEXT) <> '[]'" for name in USER_LISTS)
"""The condition that one of these lists isn't empty, which few tables fulfil. Queries use an index with it."""


def table_id_column() -> Column[int]:
    """The number of the table to which a row belongs; the row is deleted with it."""
    return Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def day_columns() -> tuple[Column[int], Column[str]]:
    """The key of the hand of a day: the guild, and the day such as `2026-12-24`."""
    guild = Column("guild_id", BigInteger, primary_key=True, autoincrement=False)
    return guild, Column("day", String(10), primary_key=True)


def partial_index(name: str, *columns: str, where: str) -> Index:
    """An index of the rows for which a condition holds."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))
