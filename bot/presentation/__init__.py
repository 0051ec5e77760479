"""What people see: words, cards, messages and buttons."""
