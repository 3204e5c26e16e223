"""The time budget of a run. It drops work that does not fit any more, and records that."""

import time
from contextlib import contextmanager

from abi import OUT_OF_MEMORY, EngineError


class Budget:
    def __init__(self, minutes):
        self._ends = time.monotonic() + 60 * minutes
        self.dropped = []

    def left(self):
        return max(0.0, self._ends - time.monotonic())

    def allows(self, what, seconds=1.0):
        """seconds: the minimum duration of the work"""
        if self.left() >= seconds:
            return True
        self.drop(what, "no time is left")
        return False

    @contextmanager
    def dropping(self, what):
        """Drops work for which the device has too little memory."""
        try:
            yield
        except EngineError as error:
            if error.code != OUT_OF_MEMORY:
                raise
            self.drop(what, str(error).splitlines()[0])

    def drop(self, what, why):
        self.dropped.append(f"{what} ({why})")
        print(f"  dropped, {why}: {what}", flush=True)
