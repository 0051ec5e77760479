"""The slash commands: each parses, makes one service call and shows the answer."""
