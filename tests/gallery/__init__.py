"""The gallery in `docs/gallery`: every screen as the playground shows it, taken anew by `make gallery`."""
