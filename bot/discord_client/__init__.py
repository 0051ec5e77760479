"""The parts of the app that know discord.py's inside: the client, the gateway, requests and answers."""
