"""Every route of the wire contract, from its arguments to a `Call`; a module for each group.

Nothing here touches the network, so that any kind of client can send these. Each route's signature stands
here and nowhere else: `strata.client.routes` makes the clients' methods of them.

An answer that holds one thing is that thing: `mark_ledger` gives a bool, `store_episode` an id.
"""
