"""The OpenAPI document, made from the routes, the texts and the examples: `make openapi`."""
