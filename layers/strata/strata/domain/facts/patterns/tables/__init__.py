"""Tables of the rules: words of both languages, and one line for each way to state a fact."""
