"""Slash commands and presses: each handler parses the input, calls one service and shows the answer."""
