"""The layers of memory that a context is assembled from, each behind the one port `Layer`."""

from strata.services.context.layers.episodes import EpisodeLayer
from strata.services.context.layers.facts import FactLayer
from strata.services.context.layers.layer import ContextQuery, Layer, LayerAnswer
from strata.services.context.layers.observations import ObservationLayer
from strata.services.context.layers.sessions import SessionLayer

__all__ = [
    "ContextQuery",
    "EpisodeLayer",
    "FactLayer",
    "Layer",
    "LayerAnswer",
    "ObservationLayer",
    "SessionLayer",
]
