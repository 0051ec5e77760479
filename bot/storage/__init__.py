"""The database: the logs of matches, and the results computed from them."""
