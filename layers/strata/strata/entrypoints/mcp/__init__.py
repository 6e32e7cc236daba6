"""The memory as tools of the Model Context Protocol, over HTTP and standard streams."""
