"""The differences between the kinds of OpenSearch, as data.

Sources: the developer guides of Amazon OpenSearch Service and Serverless, and the k-NN documentation of
OpenSearch ("Spaces" for the scores).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Engine = Literal["lucene", "faiss", "nmslib"]
Refresh = Literal["", "true", "wait_for"]

MAX_HITS = 10_000
"""The engine's own limit of a result (`index.max_result_window`) and of k."""

_WIDER, _LEAST_K = 2, 100
"""The search width in the graph grows with k, so more neighbours are requested than are used.

Of 100 000 vectors of random words, which is as hard as it gets, the 200 nearest were found to .74 with m 16,
ef_construction 100 and k 200; to .82 with k 400; to .93 with m 24, ef_construction 256 and k 400.
"""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The options that one endpoint needs, and those that it must not get.

    Attributes:
        serverless: no `GET /`, no `refresh`, no shard settings; support for own ids is tested first.
        engine: the vector engine; None where the endpoint chooses and rejects a choice (NextGen).
        space: `cosinesimil`, or where the engine lacks it `innerproduct`, the same for unit vectors.
        m, ef_construction, ef_search: of the HNSW graph: links of a node, width while building, and while
            searching (0: the engine's own; lucene always takes k).
        compression: `compression_level` of the vectors, or "" to omit it.
        routing: whether documents are stored and searched by tenant routing.
        refresh: `true` or `wait_for` make a write visible before it returns. Serverless rejects both.
        refresh_interval: interval at which writes become visible, such as `1s`, or "" to omit it.
        require_alias: reject writes while the alias is missing, instead of creating an index of its name.
        shards, replicas: of each index; None to omit them.
        k1, b: of BM25.
    """

    serverless: bool = False
    engine: Engine | None = "lucene"
    space: Literal["cosinesimil", "innerproduct"] = "cosinesimil"
    m: int = 24
    ef_construction: int = 256
    ef_search: int = 0
    compression: str = ""
    routing: bool = True
    refresh: Refresh = ""
    refresh_interval: str = "1s"
    require_alias: bool = True
    shards: int | None = 1
    replicas: int | None = 1
    k1: float = 0.9
    b: float = 0.3

    @classmethod
    def nextgen(cls) -> "Dialect":
        """A serverless collection of the NextGen kind. It compresses 32 times by default."""
        return cls(
            serverless=True,
            engine=None,
            compression="1x",
            routing=False,
            refresh_interval="",
            require_alias=False,
            shards=None,
            replicas=None,
        )

    def method(self) -> dict[str, object]:
        """The `method` of the vector field."""
        method: dict[str, object] = {"name": "hnsw", "space_type": self.space}
        if self.engine is not None:
            method["engine"] = self.engine
        method["parameters"] = {"m": self.m, "ef_construction": self.ef_construction}
        return method

    def knn(
        self, field: str, vector: list[float], limit: int, within: Mapping[str, object]
    ) -> dict[str, object]:
        """The `knn` clause for the nearest `limit`, filtered during the graph search."""
        clause: dict[str, object] = {"vector": vector, "k": min(max(_WIDER * limit, _LEAST_K), MAX_HITS)}
        clause["filter"] = within
        if self.ef_search and self.engine != "lucene":
            clause["method_parameters"] = {"ef_search": self.ef_search}
        return {"knn": {field: clause}}

    def cosine(self, score: float) -> float:
        """The cosine of a score of the `knn` clause, for unit vectors."""
        if self.space == "innerproduct":
            return score - 1 if score >= 1 else 1 - 1 / score
        if self.engine == "nmslib":
            return 2 - 1 / score
        return 2 * score - 1
