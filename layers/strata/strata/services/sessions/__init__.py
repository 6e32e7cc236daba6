"""Sessions: started, listed, ended by a client or after a time without use."""
