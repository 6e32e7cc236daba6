"""numpy's names, imported at the first use of one: a cold start need not wait for what only a search needs.

if TYPE_CHECKING:
    import numpy as np
else:
    from strata.domain import arrays as np
"""

from typing import Any


def __getattr__(name: str) -> Any:
    import numpy  # noqa: PLC0415 - the point of this module

    globals()[name] = value = getattr(numpy, name)
    return value
