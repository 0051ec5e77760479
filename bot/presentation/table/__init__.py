"""Messages of a table: the lobby, the public table, private hands and menus."""
