"""Replays, statistics, ratings and fairness checks, computed from the logs of matches without the database."""
