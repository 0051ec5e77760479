"""Everything that players see: texts, cards, messages and buttons."""
