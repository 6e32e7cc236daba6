"""The quality of facts that are taken from single turns, on invented and labelled examples."""
