"""Environments of a gym as environments of Gymnasium, alone and vectorized."""

import gymnasium

from .env import PalestraEnv
from .playing import AnyText
from .vector import PalestraVectorEnv

__all__ = ["AnyText", "PalestraEnv", "PalestraVectorEnv"]

gymnasium.register("Palestra-v0", entry_point="palestra.gymnasium:PalestraEnv")
