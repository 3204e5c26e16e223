"""Errors of a gym, one class for each failure class. openapi/errors.md of Palestra lists the codes."""

from __future__ import annotations

from typing import Any, Mapping


class GymError(Exception):
    """An error reply of the gym, or a failure of the connection to it.

    Attributes:
        code: Code of the error, for programs. `CONNECTION_LOST` and `TIMEOUT` come from this package.
        failure_class: `action`, `environment`, `infrastructure` or `capacity`.
        message: Text for people.
        details: Values for programs, such as `nextIndex`.
    """

    failure_class = "infrastructure"

    def __init__(self, code: str, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(code, message, details)
        self.code = code
        self.message = message
        self.details = dict(details or {})

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class GymActionError(GymError):
    """A mistake of the caller. The same request gives the same error again."""

    failure_class = "action"


class GymEnvironmentError(GymError):
    """A bug in the environment. The episode has failed; other episodes continue."""

    failure_class = "environment"


class GymInfrastructureError(GymError):
    """The gym's machinery or the connection failed. Leave the episode out of the loss instead of scoring it zero."""

    failure_class = "infrastructure"


class GymCapacityError(GymError):
    """A temporary limit was reached. `Gym(url, capacity_wait=60)` retries such requests for 60 seconds."""

    failure_class = "capacity"


class GymConnectionError(GymInfrastructureError, ConnectionError):
    """The gym could not be reached. A step may be repeated safely."""


class GymTimeoutError(GymInfrastructureError, TimeoutError):
    """The gym did not reply in time. A step may be repeated safely."""


_classes: dict[str, type[GymError]] = {
    each.failure_class: each
    for each in (GymActionError, GymEnvironmentError, GymInfrastructureError, GymCapacityError)
}


def error_of(body: Mapping[str, Any]) -> GymError:
    """Returns the error for the `error` object of a reply."""
    kind = _classes.get(body.get("class", ""), GymInfrastructureError)
    return kind(str(body.get("code", "UNKNOWN")), str(body.get("message", body)), body.get("details"))
