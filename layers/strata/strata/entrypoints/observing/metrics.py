"""Metrics in CloudWatch's embedded metric format: one line on stdout for each invocation that has any.

The dimensions are function and stage; never the tenant, whose names do not belong in a dashboard.
"""

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import AmazonCloudWatchEMFProvider

NAMESPACE = "Strata"


class Metrics:
    """Collects the metrics of one invocation.

    Args:
        stage: names the deployment.
    """

    def __init__(self, stage: str) -> None:
        self._stage = stage
        # an empty service: otherwise POWERTOOLS_SERVICE_NAME becomes a third dimension
        self._lines = AmazonCloudWatchEMFProvider(namespace=NAMESPACE, service="")

    def count(self, name: str, number: int = 1) -> None:
        """Add to a counter; with zeros, the average becomes a rate."""
        self._lines.add_metric(name, MetricUnit.Count, number)

    def milliseconds(self, name: str, value: float) -> None:
        """Record a duration or a delay."""
        self._lines.add_metric(name, MetricUnit.Milliseconds, value)

    def flush(self, function: str) -> None:
        """Write the line of this invocation, if it has metrics."""
        if self._lines.metric_set:
            self._lines.dimension_set.update(function=function, stage=self._stage)
            self._lines.flush_metrics()
