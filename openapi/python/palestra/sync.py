"""Client of a gym for programs without asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import weakref
from types import TracebackType
from typing import Any, Coroutine, Iterable, Iterator, Mapping, Sequence, TypeVar

from . import types
from .aio import AsyncGym
from .episode import Episode, Format
from .errors import GymConnectionError, GymError

T = TypeVar("T")


class Gym:
    """Plays any number of episodes over one WebSocket. Threads may share a `Gym`.

    The arguments and methods are those of `AsyncGym`. A thread of its own runs the connection.

    Args:
        url: Address of the gym, such as `http://127.0.0.1:8700`.
        token: Token of `palestra token create`; not needed on the gym's own machine.
        timeout: Seconds to wait for the reply to a request, lost connections included.
        reconnect: Seconds to wait for a gym that is restarting.
        capacity_wait: Seconds during which requests that exceed a limit of the gym are repeated; 0: they fail at once.
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8700",
        token: str | None = None,
        *,
        timeout: float = 600,
        reconnect: float = 60,
        capacity_wait: float = 0,
    ) -> None:
        self._pid = os.getpid()
        self._async = AsyncGym(url, token, timeout=timeout, reconnect=reconnect, capacity_wait=capacity_wait)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_run_loop, args=(self._loop,), name="palestra", daemon=True)
        self._thread.start()
        self._end = weakref.finalize(self, _stop, self._loop, self._async)

    def __enter__(self) -> Gym:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. Episodes continue to exist, and `find` returns them to another client."""
        if os.getpid() == self._pid and threading.current_thread() is not self._thread and self._end.alive:
            asyncio.run_coroutine_threadsafe(self._async.close(), self._loop).result()
            self._end()
            self._thread.join()

    def environments(self) -> list[types.Environment]:
        """Returns the environments of the gym."""
        return self._run(self._async.environments())

    def environment(self, name: str) -> types.Environment:
        """Returns the splits, options, prompt and tools of one environment."""
        return self._run(self._async.environment(name))

    def tasks(
        self, environment: str, split: str | None = None, *, start: int = 0, limit: int = 100, text: str | None = None
    ) -> types.TaskPage:
        """Returns a page of the tasks of a split. `next` of the page is `start` of the next page."""
        return self._run(self._async.tasks(environment, split, start=start, limit=limit, text=text))

    def create(
        self,
        environment: str,
        index: int = 0,
        *,
        split: str | None = None,
        seed: int = 0,
        options: Mapping[str, str] | None = None,
        max_steps: int | None = None,
        lease_ms: int | None = None,
        format: Format | None = None,
        idempotency_key: str | None = None,
    ) -> Episode:
        """Opens an episode of task `index` of a split. `AsyncGym.create` describes the arguments."""
        return self._run(
            self._async.create(
                environment,
                index,
                split=split,
                seed=seed,
                options=options,
                max_steps=max_steps,
                lease_ms=lease_ms,
                format=format,
                idempotency_key=idempotency_key,
            )
        )

    @contextlib.contextmanager
    def episode(self, environment: str, index: int = 0, **arguments: Any) -> Iterator[Episode]:
        """Opens an episode for a `with` block, and closes it when the block ends. As `AsyncGym.episode`."""
        episode = self._run(self._async._open(environment, index, **arguments))
        try:
            yield episode
        finally:
            if self._problem() is None:
                self._run(self._async._release(episode))

    def create_many(
        self, requests: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> list[Episode | GymError]:
        """Opens many episodes. Each request has the arguments of `create`, and gets an episode or an error."""
        return self._run(self._async.create_many(requests, idempotency_key=idempotency_key))

    def find(self, episode_id: str) -> Episode:
        """Returns an episode by its id, for example one of a client that has ended."""
        return self._run(self._async.find(episode_id))

    def episodes(self, **filters: Any) -> types.EpisodePage:
        """Returns a page of the caller's episodes, newest first. `AsyncGym.episodes` lists the filters."""
        return self._run(self._async.episodes(**filters))

    def step(self, episode: Episode, action: str) -> types.StepReply:
        """Performs one step. After an interrupt or a timeout, a repeated call returns the reply of the same step."""
        return self._run(self._async.step(episode, action))

    def step_many(self, steps: Iterable[tuple[Episode, str]]) -> list[types.StepReply | GymError]:
        """Performs one step in each of many episodes. Each step gets a reply or an error."""
        return self._run(self._async.step_many(steps))

    def play(
        self, task: Mapping[str, Any], texts: Sequence[str], episode: Episode | None = None, *, times: int = 3
    ) -> Episode:
        """Returns an episode of a task that has taken all of the texts. As `AsyncGym.play`."""
        return self._run(self._async.play(task, texts, episode, times=times))

    def fork(self, episode: Episode, index: int | None = None) -> Episode:
        """Opens an episode that has taken the first `index` steps of this one; by default all."""
        return self._run(self._async.fork(episode, index))

    def close_episode(self, episode: Episode) -> None:
        """Ends an episode and frees its memory. Its transcript stays in the gym."""
        self._run(self._async.close_episode(episode))

    def transcript(self, episode: Episode, *, start: int = 0, limit: int = 100) -> types.Transcript:
        """Returns a page of the steps of an episode."""
        return self._run(self._async.transcript(episode, start=start, limit=limit))

    def expert(self, episode: Episode) -> types.Advice:
        """Returns the expert's next action. The gym marks the episode. The token needs the right `expert`."""
        return self._run(self._async.expert(episode))

    def query(self, episode: Episode, query: str) -> Any:
        """Returns the answer to one of the environment's queries, such as `inventory`."""
        return self._run(self._async.query(episode, query))

    def render(self, episode: Episode) -> types.Picture:
        """Returns a picture of a running episode. `picture.data` is base64."""
        return self._run(self._async.render(episode))

    def request(self, op: str, **params: Any) -> Any:
        """Performs any operation of `/v1/socket`. Parameters that are None are left out."""
        return self._run(self._async.request(op, **params))

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        problem = self._problem()
        if problem is not None:
            work.close()
            raise GymConnectionError("CONNECTION_LOST", problem)
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _problem(self) -> str | None:
        if os.getpid() != self._pid:
            return "This client belongs to the parent process. Create a client in each process."
        return None if self._end.alive else "The client is closed. Create a new one."


def _run_loop(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _stop(loop: asyncio.AbstractEventLoop, gym: AsyncGym) -> None:
    """Ends the thread of a client."""

    async def end() -> None:
        await gym.close()
        loop.stop()

    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: loop.create_task(end()))
