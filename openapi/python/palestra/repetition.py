"""Repetition of an episode that the gym failed."""

from __future__ import annotations

import asyncio
import functools
import inspect
import logging
import time
from typing import Any, Callable, TypeVar, cast

from .connection import backoff
from .errors import GymCapacityError, GymInfrastructureError

_log = logging.getLogger("palestra")
_repeated = (GymInfrastructureError, GymCapacityError)
Play = TypeVar("Play", bound=Callable[..., Any])


def retrying(times: int = 3) -> Callable[[Play], Play]:
    """Returns a decorator for a function that plays one episode. The function may be asynchronous.

    A call that ends with `GymInfrastructureError`, which includes a lost connection and a timeout, or with
    `GymCapacityError` is repeated after a pause. The last error is raised, so that the trainer leaves the episode out. No
    reward is made up for it. All other errors are raised at once: a repetition would meet them again.

    Args:
        times: Number of calls, the first one included.
    """
    if times < 1:
        raise ValueError(f"expected times of at least 1, but received {times}")

    def decorate(play: Play) -> Play:
        @functools.wraps(play)
        def call(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(times):
                try:
                    return play(*args, **kwargs)
                except _repeated as error:
                    time.sleep(_pause(attempt, times, error))

        @functools.wraps(play)
        async def call_async(*args: Any, **kwargs: Any) -> Any:
            for attempt in range(times):
                try:
                    return await play(*args, **kwargs)
                except _repeated as error:
                    await asyncio.sleep(_pause(attempt, times, error))

        return cast(Play, call_async if inspect.iscoroutinefunction(play) else call)

    return decorate


def _pause(attempt: int, times: int, error: Exception) -> float:
    """Returns the seconds to wait after attempt `attempt`, which starts at 0. Raises the error of the last one."""
    if attempt == times - 1:
        raise error
    _log.warning("repeating an episode after %s", error)
    return backoff(attempt + 3)
