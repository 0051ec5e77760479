"""A person's Discord client: it checks commands, components and modals as a real client does, and shows messages."""
