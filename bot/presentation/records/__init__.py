"""Messages about finished matches and statistics."""
