"""What every suite shares: the real servers."""

from servers.fixtures import dynamodb_local, opensearch

__all__ = ["dynamodb_local", "opensearch"]
