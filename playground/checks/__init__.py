"""Validation of request bodies as Discord does it. Pure functions that return the faults of a body.

What a rule depends on (the app's emoji, the message being edited) is passed in.
"""
