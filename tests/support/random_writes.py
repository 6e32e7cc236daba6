"""A day's writes at random, as agents make them: saves, changes, deletes, upserts."""

import random

from support.memory import Memory


def many_writes(memory: Memory, chance: random.Random, count: int) -> list[int]:
    """Write `count` times over three projects; the ids of what lives at the end."""
    live: list[int] = []
    for left in range(count, 0, -1):
        match chance.choices(["save", "change", "delete", "upsert", "global"], [6, 3, 2, 3, 1])[0]:
            case "change" if live:
                memory.change(chance.choice(live), content=f"changed to {left}")
            case "delete" if len(live) > 5:
                memory.delete(live.pop(chance.randrange(len(live))), hard=chance.random() < 0.5)
            case "upsert":
                topic = f"topic/{chance.randrange(40)}"
                one = memory.save(f"upserted {left}", topic_key=topic, project=f"p{left % 3}")
                if one.id not in live:
                    live.append(one.id)
            case "global":
                live.append(memory.save(f"rule {left}", scope="global").id)
            case _:
                live.append(memory.save(f"fact {left}", project=f"p{left % 3}").id)
    return live
