"""Delivers the template's queues and schedules to its functions."""
