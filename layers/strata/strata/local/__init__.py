"""Runs `template.yaml` on one machine: its routes, stream, queues and schedules."""
