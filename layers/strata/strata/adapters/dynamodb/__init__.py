"""The managed store: one DynamoDB table, or anything that speaks its protocol."""
