"""JSON log lines. A separate module, because powertools is slow to import for a function without routes."""

import logging

from aws_lambda_powertools.logging.formatter import LambdaPowertoolsFormatter

from strata.entrypoints.observing.exceptions import described, without_exception
from strata.entrypoints.observing.invocation import current


class JsonFormatter(LambdaPowertoolsFormatter):
    """One JSON object a line, with the request it belongs to."""

    def __init__(self) -> None:
        super().__init__(
            service="strata",
            use_rfc3339=True,
            utc=True,
            serialize_stacktrace=False,
            json_default=lambda value: type(value).__name__,
        )

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON."""
        line = without_exception(record)
        line.logger = record.name
        invocation = current.get()
        if invocation is not None:
            line.correlation_id = invocation.correlation_id
            line.function_request_id = invocation.request_id
            line.function_name = invocation.function
            line.cold_start = invocation.cold_start
        if record.exc_info and record.exc_info[1] is not None:
            line.exception_name = type(record.exc_info[1]).__name__
            line.exception = described(record.exc_info[1])
        return super().format(line)
