"""The gallery: every screen as the playground shows it, built by `make gallery`."""
