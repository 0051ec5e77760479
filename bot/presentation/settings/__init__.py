"""Messages for the settings of users and guilds, and for privacy."""
