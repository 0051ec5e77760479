"""Pictures: card faces, score sheets, the end of a match, what beats what, replays.

Pure drawing. Every word that stands in a picture is handed in ready, so nothing here knows a language;
nothing here knows Discord. `render_worker` draws in a process of its own, off the event loop.
"""
