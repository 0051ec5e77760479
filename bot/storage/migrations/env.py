"""Alembic's entry point: run the migrations on the connection given by `Database`."""

from alembic import context

from bot.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
context.run_migrations()
