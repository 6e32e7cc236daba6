"""Every kind of row: its key, and how it becomes what goes over the wire.

The tenant is not part of any key here; the table's adapter puts the scope's tenant in front.
What comes from a caller is escaped, so that no value can reach into another row's key.
docs/data-model.md lists the same rows with who reads them how.
"""
