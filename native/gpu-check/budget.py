"""The time that a run may take, which drops what does not fit any more and says so."""

import time


class Budget:
    def __init__(self, minutes):
        self._ends = time.monotonic() + 60 * minutes
        self.dropped = []

    def left(self):
        return max(0.0, self._ends - time.monotonic())

    def allows(self, what, seconds=1.0):
        """seconds: that it takes at least"""
        if self.left() >= seconds:
            return True
        self.drop(what, "no time is left")
        return False

    def drop(self, what, why):
        self.dropped.append(what)
        print(f"  dropped, {why}: {what}", flush=True)
