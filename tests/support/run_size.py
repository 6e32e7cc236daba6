"""The length of the long property runs."""

import os

FULL = os.environ.get("STRATA_TEST_SIZE") == "full"


def size(full: int) -> int:
    """A tenth of the full size, or all of it with `STRATA_TEST_SIZE=full`."""
    return full if FULL else full // 10
