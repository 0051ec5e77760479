"""Screens about matches and figures of the past."""
