"""Rights of people (GDPR): access to everything stored about them, and its erasure.

Begin with `registry`: it lists every kind of row that holds something of a person.
"""
