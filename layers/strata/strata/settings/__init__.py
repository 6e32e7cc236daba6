"""Settings of the process: `settings.load()` reads them from the environment."""

from strata.settings.environment import Settings, SettingsError, load, queue_setting

__all__ = ["Settings", "SettingsError", "load", "queue_setting"]
