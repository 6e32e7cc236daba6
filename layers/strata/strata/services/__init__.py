"""What happens, in the words of the field: one module a capability. Knows the domain and the ports."""
