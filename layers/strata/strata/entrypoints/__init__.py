"""Events in, one service call, responses out. Knows the services; wired by `strata.bootstrap`."""
