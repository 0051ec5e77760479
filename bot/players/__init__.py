"""AI players. They choose moves from their seat's view alone."""
