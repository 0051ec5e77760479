"""Self-play training of the computer players, in a flat compiled kernel (docs/training.md)."""
