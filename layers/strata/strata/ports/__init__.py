"""The services' needs from the outside, as Protocols. An adapter keeps every promise written here.

The contract suites in `tests/contract/` run the same tests over every adapter of a port.
"""
