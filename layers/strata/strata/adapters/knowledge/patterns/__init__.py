"""Groups a person's messages by fitted weights over sentence vectors, words, topics and times of day."""
