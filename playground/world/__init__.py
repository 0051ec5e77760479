"""What Discord knows: guilds, channels, messages and interactions, and who is told of each change."""
