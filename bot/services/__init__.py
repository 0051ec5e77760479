"""Everything that needs I/O, apart from Discord."""
