"""An issuer of tokens: signs them, and shows its public keys on a port of its own."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

ISSUER, AUDIENCE = "https://id.example", "strata"


class Issuer:
    """Signs tokens, and shows its public keys on a port of its own."""

    def __init__(self) -> None:
        self.rsa = {name: rsa.generate_private_key(65537, 2048) for name in ("r1", "r2", "foreign")}
        self.weak = rsa.generate_private_key(65537, 1024)
        self.ec = ec.generate_private_key(ec.SECP256R1())
        self.p384 = ec.generate_private_key(ec.SECP384R1())

    def serve(self) -> None:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked += 1
                self.send_response(issuer.status)
                if issuer.status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(issuer.document())

            def log_message(self, *_):
                pass

        self.asked, self.status = 0, 200
        self.shown = ["r1", "ec"]
        self.raw = None
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/jwks.json"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def stop(self) -> None:
        if self.thread.is_alive():
            self.server.shutdown()
            self.thread.join()
            self.server.server_close()

    def document(self) -> bytes:
        if self.raw is not None:
            return self.raw
        return json.dumps({"keys": [self.jwk(name) for name in self.shown]}).encode()

    def jwk(self, name: str) -> dict:
        if name == "oct":
            return {"kty": "oct", "kid": "oct", "alg": "HS256", "k": "c2VjcmV0"}
        if name in ("ec", "p384"):
            public = getattr(self, name).public_key()
            return ECAlgorithm.to_jwk(public, as_dict=True) | {"kid": name, "use": "sig"}
        if name == "enc":
            return RSAAlgorithm.to_jwk(self.rsa["r2"].public_key(), as_dict=True) | {
                "kid": "enc",
                "use": "enc",
            }
        key = self.weak if name == "weak" else self.rsa[name]
        return RSAAlgorithm.to_jwk(key.public_key(), as_dict=True) | {"kid": name}

    def sign(self, *, key="r1", kid="r1", algorithm="RS256", header=None, without=(), **claims) -> str:
        now = int(time.time())
        usual = {"iss": ISSUER, "aud": AUDIENCE, "exp": now + 600, "tenant": "acme", "scope": "read"}
        payload = {name: value for name, value in (usual | claims).items() if name not in without}
        keys: dict[str, Any] = self.rsa | {
            "ec": self.ec,
            "p384": self.p384,
            "weak": self.weak,
            "enc": self.rsa["r2"],
        }
        return jwt.encode(
            payload,
            (keys | self.rsa)[key],
            algorithm,
            headers=(header or {}) | ({"kid": kid} if kid else {}),
        )
