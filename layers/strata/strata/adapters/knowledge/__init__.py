"""What is known about people, by weights in this package."""
