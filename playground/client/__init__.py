"""What a person's client does: it offers commands, buttons and forms, and shows messages."""
