"""Gang of Four on Discord: rules, tables, database, services, screens, and the process that runs them."""

__version__ = "1.0.0"
