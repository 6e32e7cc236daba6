"""The managed store: one DynamoDB table, or anything that speaks its protocol."""

from strata.adapters.dynamodb.census import DynamoCensus
from strata.adapters.dynamodb.client import make_client
from strata.adapters.dynamodb.stream import DynamoChangeLog
from strata.adapters.dynamodb.table import DynamoTable

__all__ = ["DynamoCensus", "DynamoChangeLog", "DynamoTable", "make_client"]
