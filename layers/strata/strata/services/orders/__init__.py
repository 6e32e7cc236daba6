"""Orders: work that a transaction asks for and a queue's worker does, once, whatever crashes in between.

An order is a row whose `state` is `due`, `sent` to the queue, or `done`. To order a kind of work:

1. Declare an `OrderKind`: its name, the sort key of its rows, and the attributes that name its subject.
2. Write `placed(...)` in the transaction of what causes the work; None means that it was ordered already.
3. Make `Dispatch.follow` a consumer of the stream, and let the sort key through the stream's filter in
   template.yaml. It sends `{tenant, <subject>}` to the kind's queue.
4. Have the queue's handler call `Leases.work(scope, key, job)`, which calls `job(lease)` in one worker only.
5. In the job, write results together with `lease.progress(...)`, so that nothing is written twice or once the
   lease was lost; before the lease runs out call `lease.hand_on()`, at the end `lease.finish(outcome)`.

A job that raises gives its order back: the next delivery begins at once, from the last progress. A worker
that was killed keeps its lease until it runs out. `services/facts/extraction` works this way.
"""
