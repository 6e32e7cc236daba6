"""The project that a folder belongs to."""

import os

LONGEST_PROJECT = 200


def project_at(folder: str) -> str:
    """The name of the checkout that a folder is in, else of the folder."""
    here = place = os.path.abspath(folder)
    while not os.path.exists(os.path.join(place, ".git")):
        if place == (place := os.path.dirname(place)):
            place = here
            break
    return os.path.basename(place)[:LONGEST_PROJECT] or "default"
