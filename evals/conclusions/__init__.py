"""Conclusions from a person's diary over many days, measured on invented and labelled examples."""
