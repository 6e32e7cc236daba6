"""Stores as earlier versions left them, which every later version must read: see README.md."""
