"""Self-play training of the computer players, in a flat compiled kernel (docs/training.md)."""

from pathlib import Path

from bot.players.compiled import jit

jit.cache_by(Path(jit.__file__).parent, Path(__file__).parent)
