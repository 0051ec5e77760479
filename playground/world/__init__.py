"""The state of the simulated Discord: guilds, channels, messages and interactions, and the events they cause."""
