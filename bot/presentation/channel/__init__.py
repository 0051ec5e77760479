"""Messages that the app posts in channels without being asked and keeps up to date."""
