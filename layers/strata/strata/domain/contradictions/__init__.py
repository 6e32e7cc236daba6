"""Rules that decide by words whether two short notes about one person contradict each other."""
