"""Gang of Four on Discord: the rules, the store, the services and the client."""

__version__ = "0.1.0"
