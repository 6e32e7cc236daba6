"""Settings of embedders and language models."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, model_validator

_OPENROUTER = "https://openrouter.ai/api/v1"
_URLS = {"openai": "https://api.openai.com/v1", "ollama": "http://127.0.0.1:11434"}
_HERE = {"localhost", "127.0.0.1", "::1"}

_EMBEDDING_MODELS = {
    "bedrock": "amazon.titan-embed-text-v2:0",
    "openai": "text-embedding-3-small",
    "ollama": "nomic-embed-text",
}
_DIMENSIONS = {
    "amazon.titan-embed-text-v2:0": 1024,
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "all-minilm": 384,
    "bge-m3": 1024,
}
_SHORTENED = {"text-embedding-3-small", "text-embedding-3-large"}
_HERE_MADE = {"static", "e5"}
"""Embedders in this process."""
_MB_PER_PROCESSOR = 1_769
_OF_SERVER = ("_NAME", "_URL", "_KEY", "_KEY_SECRET", "_REGION")
_TITAN = "amazon.titan-embed-text-v2"
_TITAN_DIMENSIONS = {256, 512, 1024}


def _protocol(value: object) -> object:
    """agtOS has its own name for one server of OpenAI's protocol."""
    return "openai" if value == "openrouter" else value


class _Server(BaseModel):
    """The URL and key of a model's server."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    ollama_host: str = Field("", validation_alias="OLLAMA_HOST")
    """Ollama's own variable for its address, with or without scheme and port."""

    def _url(self, chosen: str, given: str, key: SecretStr | str, name: str) -> str:
        """The URL of the provider's server.

        Raises:
            ValueError: the key would be sent unencrypted.
        """
        url = given or (self._of_ollama() if chosen == "ollama" else "") or _URLS.get(chosen, "")
        place = urlsplit(url)
        if key and place.scheme == "http" and place.hostname not in _HERE:
            raise ValueError(f"{name}: a key is sent over https, or to this machine, not to {url}")
        return url

    def _of_ollama(self) -> str:
        host = self.ollama_host.strip()
        if not host:
            return ""
        place = urlsplit(host if "://" in host else f"http://{host}")
        name = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1"}.get(place.hostname or "", place.hostname)  # noqa: S104
        port = place.port or (443 if place.scheme == "https" else 11434)
        return f"{place.scheme}://{f'[{name}]' if ':' in str(name) else name}:{port}{place.path.rstrip('/')}"


class EmbeddingSettings(_Server):
    """Settings of the embedder."""

    provider: Annotated[
        Literal["static", "e5", "bedrock", "openai", "ollama"], BeforeValidator(_protocol)
    ] = Field("static", validation_alias=AliasChoices("STRATA_EMBEDDER", "AGTOS_EMBEDDING_PROVIDER"))
    """The package's word vectors, a sentence model in this process, Titan, a server of OpenAI's protocol, or
    Ollama."""
    model: str = Field(
        "", max_length=200, validation_alias=AliasChoices("STRATA_EMBEDDING_MODEL", "AGTOS_EMBEDDING_MODEL")
    )
    """By default a tested model of the provider."""
    dimensions: int | None = Field(None, ge=1, le=16_000, validation_alias="STRATA_EMBEDDING_DIMENSIONS")
    """By default known for the usual models."""
    url: str = Field("", pattern="^(https?://.+)?$", validation_alias="STRATA_EMBEDDING_URL")
    key: SecretStr | None = Field(None, validation_alias="STRATA_EMBEDDING_KEY")
    """For one machine."""
    key_secret: str = Field("", validation_alias="STRATA_EMBEDDING_KEY_SECRET")
    """The name or ARN of the key in Secrets Manager, for AWS."""
    region: str | None = Field(None, validation_alias="STRATA_EMBEDDING_REGION")
    timeout: float = Field(2.0, gt=0, le=60, validation_alias="STRATA_EMBEDDING_TIMEOUT")
    """Seconds for a query or a single memory."""
    batch_timeout: float = Field(20.0, gt=0, le=600, validation_alias="STRATA_EMBEDDING_BATCH_TIMEOUT")
    """Seconds for several memories at once."""
    function_memory: int = Field(0, ge=0, validation_alias="AWS_LAMBDA_FUNCTION_MEMORY_SIZE")
    """Lambda's own variable for a function's memory in MB, by which it has processors; 0 elsewhere."""

    @model_validator(mode="before")
    @classmethod
    def _openrouter(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        if values.get("AGTOS_EMBEDDING_PROVIDER") == "openrouter" and "STRATA_EMBEDDER" not in values:
            return {"STRATA_EMBEDDING_URL": _OPENROUTER} | dict(values)
        return values

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.provider in _HERE_MADE:
            return self
        if not self.length:
            raise ValueError(f"STRATA_EMBEDDING_DIMENSIONS: set how long the vectors of {self.name} are")
        if self.name.startswith(_TITAN) and self.length not in _TITAN_DIMENSIONS:
            raise ValueError("STRATA_EMBEDDING_DIMENSIONS: Titan's vectors have 256, 512 or 1024 numbers")
        self._url(self.provider, self.url, self.key or self.key_secret, "STRATA_EMBEDDING_URL")
        return self

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model or _EMBEDDING_MODELS[self.provider]

    @property
    def place(self) -> str:
        """The server's URL."""
        return self._url(self.provider, self.url, self.key or self.key_secret, "STRATA_EMBEDDING_URL")

    @property
    def length(self) -> int:
        """Dimensions of a vector; 0 if unknown."""
        return self.dimensions or self._own_length

    @property
    def threads(self) -> int:
        """Threads of a model in this process: Lambda's processors; one elsewhere, for other processes."""
        return max(1, self.function_memory // _MB_PER_PROCESSOR)

    @property
    def shortened(self) -> int | None:
        """The dimensions to request from a model that can shorten its vectors; None for its own."""
        can = self._bare in _SHORTENED and self.length != self._own_length
        return self.length if can else None

    @property
    def _bare(self) -> str:
        """The name without vendor and tag: `openai/…`, `…:latest`."""
        name = self.name.rpartition("/")[2]
        return name if name in _DIMENSIONS else name.partition(":")[0]

    @property
    def _own_length(self) -> int:
        return _DIMENSIONS.get(self._bare, 0)


TASK_SUFFIXES = ("", *_OF_SERVER, "_TIMEOUT", "_DEADLINE", "_INPUT_PRICE", "_OUTPUT_PRICE")
"""Settings of the language model that a task may have of its own: STRATA_CONSOLIDATION_MODEL_NAME."""


def of_task(task: str, values: Mapping[str, object], slot: str = "") -> dict[str, object]:
    """The settings as the model of a task reads them: the task's own names take the place of STRATA_MODEL….

    `slot` is agtOS's word for the task, if that is another one. A provider or URL of its own inherits neither
    name nor key.
    """
    names = {f"STRATA_MODEL{suffix}": f"STRATA_{task}_MODEL{suffix}" for suffix in TASK_SUFFIXES}
    agtos = {
        "STRATA_MODEL": f"AGTOS_{slot or task}_PROVIDER",
        "STRATA_MODEL_NAME": f"AGTOS_{slot or task}_MODEL",
    }
    own = {name: values[given] for each in (agtos, names) for name, given in each.items() if given in values}
    if own.get("STRATA_MODEL") == "openrouter":
        own = {"STRATA_MODEL_URL": _OPENROUTER} | own | {"STRATA_MODEL": "openai"}
    left_out = {"STRATA_QUERY_EXPANSION", "AGTOS_MEMORY_QUERY_EXPANSION"}
    if "STRATA_MODEL_URL" in own or own.get("STRATA_MODEL") not in (None, values.get("STRATA_MODEL")):
        left_out |= {f"STRATA_MODEL{suffix}" for suffix in _OF_SERVER}
    return {name: value for name, value in values.items() if name not in left_out} | own


class LanguageSettings(_Server):
    """Settings of the language model and its budget."""

    provider: Literal["none", "bedrock", "openai", "ollama"] = Field("none", validation_alias="STRATA_MODEL")
    name: str = Field("", max_length=200, validation_alias="STRATA_MODEL_NAME")
    url: str = Field("", pattern="^(https?://.+)?$", validation_alias="STRATA_MODEL_URL")
    key: SecretStr | None = Field(None, validation_alias="STRATA_MODEL_KEY")
    """For one machine."""
    key_secret: str = Field("", validation_alias="STRATA_MODEL_KEY_SECRET")
    """The name or ARN of the key in Secrets Manager, for AWS."""
    region: str | None = Field(None, validation_alias="STRATA_MODEL_REGION")
    timeout: float = Field(30.0, gt=0, le=600, validation_alias="STRATA_MODEL_TIMEOUT")
    """Time limit of one attempt in seconds."""
    deadline: float = Field(60.0, gt=0, le=900, validation_alias="STRATA_MODEL_DEADLINE")
    """Time limit of a question with all its attempts, in seconds."""
    daily_tokens: int | None = Field(1_000_000, ge=0, validation_alias="STRATA_MODEL_DAILY_TOKENS")
    """Daily budget of each tenant."""
    daily_dollars: float | None = Field(None, ge=0, validation_alias="STRATA_MODEL_DAILY_USD")
    """Daily budget of each tenant, by the prices below."""
    input_price: float = Field(0.0, ge=0, validation_alias="STRATA_MODEL_INPUT_PRICE")
    output_price: float = Field(0.0, ge=0, validation_alias="STRATA_MODEL_OUTPUT_PRICE")
    """US dollars for a million tokens."""
    query_expansion: bool = Field(
        False, validation_alias=AliasChoices("STRATA_QUERY_EXPANSION", "AGTOS_MEMORY_QUERY_EXPANSION")
    )
    """Whether the model expands queries."""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if self.provider == "none":
            if self.query_expansion:
                raise ValueError("STRATA_QUERY_EXPANSION needs STRATA_MODEL")
            return self
        if not self.name:
            raise ValueError(f"STRATA_MODEL={self.provider} needs STRATA_MODEL_NAME")
        if self.daily_dollars is not None and not (self.input_price or self.output_price):
            raise ValueError(
                "STRATA_MODEL_DAILY_USD needs STRATA_MODEL_INPUT_PRICE and STRATA_MODEL_OUTPUT_PRICE"
            )
        self._url(self.provider, self.url, self.key or self.key_secret, "STRATA_MODEL_URL")
        return self

    @property
    def place(self) -> str:
        """The server's URL."""
        return self._url(self.provider, self.url, self.key or self.key_secret, "STRATA_MODEL_URL")
