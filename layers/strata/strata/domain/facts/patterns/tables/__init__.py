"""The tables of the rules: words of both languages, and one line for each way to tell a fact."""
