"""Messages that the app posts in channels by itself and keeps up to date."""
