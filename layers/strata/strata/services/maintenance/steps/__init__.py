"""The steps of maintenance; bootstrap gives them their order."""
