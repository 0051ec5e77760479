"""Help, rules and the tutorial."""
