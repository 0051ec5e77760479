"""What can be done at tables, without a word of Discord."""
