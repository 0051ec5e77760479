"""The process: settings, logs, health, monitoring and error reports."""
