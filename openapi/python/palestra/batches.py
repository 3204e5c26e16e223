"""Requests with many entries, and the checks of their entries."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any, Awaitable, Callable, Iterable, Mapping, Sequence, TypeVar

from .connection import backoff
from .episode import Format
from .errors import GymError, error_of

T = TypeVar("T")

#: Most entries and most characters of actions in one frame. The gym's default limits are 4,096 and 4 MiB.
_most_entries = 1024
_most_characters = 500_000


async def perform_batch(
    items: Sequence[T],
    size: Callable[[T], int],
    perform: Callable[[list[tuple[int, T]], int], Awaitable[list[Any]]],
    alone: Callable[[GymError, T], Awaitable[Any]],
    is_repeated: Callable[[Any, float], bool],
) -> list[Any]:
    """Performs entries in frames of bounded size.

    Args:
        items: The entries.
        size: Returns the number of characters of an entry.
        perform: Sends one frame of entries with their positions. The second argument counts the repetitions.
        alone: Fetches the result of an entry that the gym performed, but that did not fit into the reply.
        is_repeated: Whether an entry with this result is performed again after this time in seconds.

    Returns:
        For each entry, in order, its result or its error.
    """
    results: list[Any] = [None] * len(items)
    start = asyncio.get_running_loop().time()
    left = list(enumerate(items))
    for attempt in itertools.count():
        for part in _parts(left, lambda entry: size(entry[1])):
            for (at, item), result in zip(part, await perform(part, attempt)):
                results[at] = error_of(result["error"]) if "error" in result else result
                if isinstance(results[at], GymError) and results[at].code == "BATCH_TOO_LARGE":
                    results[at] = await alone(results[at], item)
        elapsed = asyncio.get_running_loop().time() - start
        left = [entry for entry in left if is_repeated(results[entry[0]], elapsed)]
        if not left:
            break
        await asyncio.sleep(backoff(attempt))
    return results


def _parts(entries: list[T], size: Callable[[T], int]) -> Iterable[list[T]]:
    part: list[T] = []
    characters = 0
    for entry in entries:
        if part and (len(part) == _most_entries or characters + size(entry) > _most_characters):
            yield part
            part, characters = [], 0
        part.append(entry)
        characters += size(entry)
    if part:
        yield part


def create_request(
    environment: str,
    index: int = 0,
    split: str | None = None,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    max_steps: int | None = None,
    lease_ms: int | None = None,
    format: Format | None = None,
) -> dict[str, Any]:
    if not isinstance(environment, str):
        raise TypeError(f"expected environment as str, but received {type(environment).__name__}")
    task = {"index": index} if split is None else {"split": split, "index": index}
    request = {"environment": environment, "task": task, "seed": seed, "options": options}
    request.update(maxSteps=max_steps, leaseMs=lease_ms, format=format)
    return {name: value for name, value in request.items() if value is not None}


def check_action(action: object) -> None:
    if not isinstance(action, str):
        raise TypeError(f"expected action as str, but received {type(action).__name__}")
