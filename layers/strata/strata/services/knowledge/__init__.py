"""Knowledge about people: their profiles, and conclusions that are drawn from their own words.

`orders` keeps a person's words when a session ends and orders its consolidation; `dreamer` reads them and
draws conclusions (`drawing`, by the rules of `domain/knowledge`); `conclusions` lists and deletes them.
`profile` keeps profiles.
"""
