"""Text: translations, names, cards, permissions and error messages."""
