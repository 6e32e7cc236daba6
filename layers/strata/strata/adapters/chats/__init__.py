"""What other tools keep of conversations, read from their files as they are on disk."""
