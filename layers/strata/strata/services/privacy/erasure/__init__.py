"""Erases everything stored about a person (GDPR 17), as a job of many steps.

`jobs` begins an erasure and sends it to the queue; `work` does one step for each message. A step finds rows
(`step`, with the queries of `people/holdings`), `remove` decides by the kind of each row which actions
erase it, and `batch` writes these actions together with the job's counts. `privacy/registry` lists the
kinds of rows.
"""
