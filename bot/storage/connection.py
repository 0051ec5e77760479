"""Connections to the database."""

from sqlalchemy.ext.asyncio import AsyncConnection as AsyncConnection  # noqa: PLC0414  # exported
