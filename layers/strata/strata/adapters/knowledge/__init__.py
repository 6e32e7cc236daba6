"""Reading what people say of themselves, by weights in this package."""
