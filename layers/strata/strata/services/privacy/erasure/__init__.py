"""What belongs to a person, found, given out and erased.

`registry` says what of each kind of row is a person's; `jobs` begins erasures and tells of them, `erasing`
does them step by step, `access` gives everything out.
"""
