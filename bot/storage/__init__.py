"""The database: the log of every match, and what is counted from it."""
