"""Speed and memory of the service as its users meet it: real server processes, real HTTP, real files.

`python -m benchmarks` runs all of it, `python -m benchmarks saves startup` a part; docs/benchmarks.md says
what the figures mean and what they were.
"""
