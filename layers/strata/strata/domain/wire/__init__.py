"""The shapes that go over the wire, with their limits. Services use them, and the client decodes them."""
