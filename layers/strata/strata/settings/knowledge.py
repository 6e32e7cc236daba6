"""Settings of conclusions about people, and of the sweep over them."""

from collections.abc import Mapping
from typing import Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator


class KnowledgeSettings(BaseModel):
    """How messages are read, the thresholds of the sweep, and the cross-encoder that reads pairs."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reading: Literal["sentences", "words"] = Field("sentences", validation_alias="STRATA_READING")
    """What finds statements and patterns in what people say: a sentence model, where it is there, or words
    and their clues alone."""
    stale_days: int = Field(
        90, ge=1, le=3650, validation_alias=AliasChoices("STRATA_STALE_DAYS", "staleThresholdDays")
    )
    """Days without support after which a conclusion is stale."""
    redundancy: float = Field(0.85, ge=0.5, le=1, validation_alias="STRATA_REDUNDANCY")
    """The least Jaccard similarity of conclusions that are merged."""
    orphan_importance: float = Field(0.3, ge=0, le=1, validation_alias="STRATA_ORPHAN_IMPORTANCE")
    """Episodes below this importance that no conclusion rests on are counted as orphans."""
    prune_confidence: float = Field(
        0.3,
        ge=0,
        le=1,
        validation_alias=AliasChoices("STRATA_PRUNE_CONFIDENCE", "pruneConfidenceThreshold"),
    )
    """The confidence below which conclusions that the person did not state are hidden, and later deleted."""
    contradiction_pairs: int = Field(500, ge=1, le=500, validation_alias="STRATA_CONTRADICTION_PAIRS")
    """The most pairs of a person's conclusions that a sweep compares."""
    nli: bool = Field(True, validation_alias=AliasChoices("STRATA_NLI", "AGTOS_NLI_ENABLED"))
    """Whether a cross-encoder reads pairs of conclusions, where one is installed."""
    nli_model: str = Field("", validation_alias="STRATA_NLI_MODEL")
    """The folder, or `s3://bucket/prefix`, that `strata models add` wrote to; by default `models` in the data
    folder."""

    @model_validator(mode="before")
    @classmethod
    def _points(cls, values: Mapping[str, object]) -> Mapping[str, object]:
        """agtOS gives the importance of orphans in points, which are tenths."""
        points = values.get("orphanImportanceThreshold")
        if not isinstance(points, str) or not points.replace(".", "", 1).isdigit():
            return values
        return {"STRATA_ORPHAN_IMPORTANCE": float(points) / 10} | dict(values)
