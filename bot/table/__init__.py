"""The game table: its model, and what may happen at it. No database, no Discord, no clock of its own."""
