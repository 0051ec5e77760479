"""The schema of version 1.0.0. New databases get the latest one from `bot.storage.schema`, so nothing is done here."""

revision, down_revision = "0001", None
