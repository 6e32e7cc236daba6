"""Rules for what is known about a person: from their words to sightings, from sightings to conclusions."""
