"""The layers of memory that a context is assembled from, each behind the one port `Layer`."""

from strata.services.layers.episodes import EpisodeLayer
from strata.services.layers.facts import FactLayer
from strata.services.layers.layer import Asked, Layer, Recalled
from strata.services.layers.observations import ObservationLayer
from strata.services.layers.sessions import SessionLayer

__all__ = ["Asked", "EpisodeLayer", "FactLayer", "Layer", "ObservationLayer", "Recalled", "SessionLayer"]
