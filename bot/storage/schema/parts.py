"""The registry of all tables, and columns and indexes that several of them share."""

from dataclasses import fields
from typing import Final

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, String, text

from bot.analysis.titles import TitleStats

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)
TITLE_STATS: Final = tuple(field.name for field in fields(TitleStats))
"""The statistics that decide who holds titles."""
USER_LISTS: Final = ("invited", "awaited", "removed", "pausing", "ending")
"""Columns of `tables` that hold lists of user ids."""
HAS_LISTED_USERS: Final = " OR ".join(f"CAST({name} AS TEXT) <> '[]'" for name in USER_LISTS)
"""The condition that one of these lists isn't empty, which is rare. Queries with it use an index."""


def table_id_column() -> Column[int]:
    """The number of the table that a row belongs to. The row is deleted with the table."""
    return Column("table_id", Integer, ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True)


def day_columns() -> tuple[Column[int], Column[str]]:
    """The key of a hand of the day: the guild, and a date such as `2026-12-24`."""
    guild = Column("guild_id", BigInteger, primary_key=True, autoincrement=False)
    return guild, Column("day", String(10), primary_key=True)


def partial_index(name: str, *columns: str, where: str) -> Index:
    """An index of the rows that satisfy a condition.

    `migrating` gives the condition to PostgreSQL: naming it here would import its dialect, which takes 3 MiB.
    """
    return Index(name, *columns, sqlite_where=text(where))
