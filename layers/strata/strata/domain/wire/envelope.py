"""Fyso's envelope: `{"success": true, "data"}`, and `{"success": false, "error": {"code", "message"}}`.

Its routes alone have it, on every answer with a body.
"""

import json

_ROOTS = ("/api/agents-config", "/api/agents", "/api/rgpd", "/api/auth")
_INVALID = "VALIDATION_ERROR"


def has_envelope(path: str) -> bool:
    """Whether the answers of this path, or of this template of paths, are enveloped."""
    return path.startswith("/api/") and any(path == root or path.startswith(root + "/") for root in _ROOTS)


def enveloped(status: int, body: str) -> str:
    """The envelope of a body: the JSON text of an answer, or from status 400 on of an error."""
    if status < 400:
        return f'{{"success":true,"data":{body}}}'
    said = json.loads(body)
    code = _INVALID if said["code"] == "invalid_request" else said["code"].upper()
    error = {"code": code, "message": said["error"]}
    if "details" in said:
        error["details"] = said["details"]
    return json.dumps({"success": False, "error": error})
