"""The OpenAPI document of the whole API, which `make openapi` writes from the routes."""

import json
from functools import cache
from importlib.resources import files


@cache
def document(*, keyless: bool = True) -> str:
    """The document that ships with the package; a test compares it with the routes.

    Args:
        keyless: whether the server lets calls without credentials in.
    """
    text = files("strata").joinpath("openapi.json").read_text(encoding="utf-8")
    if keyless:
        return text
    whole = json.loads(text)
    for operations in whole["paths"].values():
        for operation in operations.values():
            operation["security"] = [each for each in operation["security"] if each]
    return json.dumps(whole, ensure_ascii=False)
