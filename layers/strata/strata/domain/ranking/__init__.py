"""Ranking without a language model: small pure functions, one rule in each module, combined in `rank`.

Start at `strata.domain.ranking.rank`. The figures behind the defaults are in docs/benchmarks.md; this
package's `__init__` imports nothing, so that the parameters can be read without loading numpy.
"""
