"""Whether two short notes about one person contradict each other, differ, or say the same."""
