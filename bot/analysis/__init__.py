"""What can be computed from the log of a match: replays, statistics, ratings, fairness. No database."""
