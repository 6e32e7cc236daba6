"""Knowledge about people: their profiles."""
