"""How well facts about the speaker are taken from single turns, on invented and labelled examples."""
