"""Every kind of row: its key, and its shape over the wire.

The tenant is not part of any key here: the table's adapter prepends it. Callers' values are escaped, so that
none can reach into another row's key. docs/data-model.md lists the same rows with the queries that read them.
"""
