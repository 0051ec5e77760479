"""Alembic's entry point: run the migrations on the connection given by `Database`."""

from alembic import context

connection = context.config.attributes["connection"]
context.configure(connection=connection)
context.run_migrations()
