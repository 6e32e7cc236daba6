"""`python -m evals.relevance fit` fits the weights."""

import sys

from evals.relevance.fit import write

if __name__ == "__main__":
    print(write())
    sys.exit(0)
