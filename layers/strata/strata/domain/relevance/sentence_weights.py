NOTES: dict[str, float] = {}
TURNS: dict[str, float] = {}
