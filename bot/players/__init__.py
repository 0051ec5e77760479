"""Seats played by the computer; they see a seat's view only."""
