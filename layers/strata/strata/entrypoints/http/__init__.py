"""The HTTP API: one module for each Lambda function, named like its folder, over `api.Api`."""
