"""Gang of Four on Discord: the rules, the store, the services and the client."""
