"""What of a conversation is worth an episode (agtOS, episodic memory): rules, without a language model."""

from strata.domain.worth.judging import KEPT_FROM, Worth, judge, speaker

__all__ = ["KEPT_FROM", "Worth", "judge", "speaker"]
