"""Settings of the process: `settings.load()` reads them from the environment."""

from strata.settings.environment import SettingsError, load
from strata.settings.settings import Settings, queue_setting

__all__ = ["Settings", "SettingsError", "load", "queue_setting"]
