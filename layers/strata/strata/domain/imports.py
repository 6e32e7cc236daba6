"""The refusal of one row of an import."""

DELETED = "it was deleted here"
DELETED_THERE = "it was deleted there"
UNKEPT = "nothing about this person, or in this session, may be kept"
UNDONE = "the run that drew it was undone here"
ERASED = "this person was erased since"
EXPIRED = "it is past its time"
UNNAMED = "the entity that it counts for is not here"
OTHER_LIFE = "here the session has other rows of this kind, or none"


class NotTaken(Exception):
    """An import does not take a row, for the reason that is its message."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
