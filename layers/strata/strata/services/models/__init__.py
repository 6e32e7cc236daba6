"""Language models, asked within a tenant's budget."""
