"""The memory as tools of the Model Context Protocol, over HTTP and over standard streams."""
