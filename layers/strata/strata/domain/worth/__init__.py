"""Rules that decide which conversations become episodes (agtOS, episodic memory), without a language model."""

from strata.domain.worth.judging import KEPT_FROM, Worth, judge, speaker

__all__ = ["KEPT_FROM", "Worth", "judge", "speaker"]
