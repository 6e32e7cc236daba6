"""One function for every route of the HTTP API: it turns arguments into a `Call`; one module for each room.

Nothing here touches the network, so any kind of client can send these calls. Each signature is written only
here: `strata.client.routes` makes methods of the clients from these functions.

A response with a single member is unwrapped: `mark_ledger` returns a bool, `store_episode` an id.
"""
