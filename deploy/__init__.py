"""Files for hosts: what runs the app, and what watches it."""
