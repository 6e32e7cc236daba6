"""Export and import of a tenant's memories."""
