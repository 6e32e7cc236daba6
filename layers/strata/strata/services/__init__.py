"""The capabilities of the service, one room each. They know the domain and the ports."""
