"""Draws pictures: card faces, score sheets, the end of a match, the chart of combinations, replays.

The caller passes all text already translated, so this package depends on neither languages nor Discord.
The app only describes pictures (`descriptions`). `render_worker` draws them in another process, off the event loop.
"""
