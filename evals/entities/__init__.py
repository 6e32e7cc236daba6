"""Named entities that rules find in labelled turns."""
