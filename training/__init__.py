"""Self-play training of the computer players, in a flat compiled kernel (docs/training.md)."""

from pathlib import Path

from bot.players.compiled import machine_code

machine_code.keep_by(Path(machine_code.__file__).parent, Path(__file__).parent)
