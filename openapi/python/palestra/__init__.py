"""Client of Palestra, a self-hosted gym for LLM agents."""

from .aio import AsyncGym
from .episode import Episode
from .errors import (
    GymActionError,
    GymCapacityError,
    GymConnectionError,
    GymEnvironmentError,
    GymError,
    GymInfrastructureError,
    GymTimeoutError,
)
from .repetition import retrying
from .sync import Gym

__all__ = [
    "AsyncGym",
    "Episode",
    "Gym",
    "GymActionError",
    "GymCapacityError",
    "GymConnectionError",
    "GymEnvironmentError",
    "GymError",
    "GymInfrastructureError",
    "GymTimeoutError",
    "retrying",
]
