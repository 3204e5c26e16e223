"""Asynchronous client of a gym."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import uuid
from types import TracebackType
from typing import Any, AsyncIterator, Awaitable, Iterable, Mapping, Sequence, cast

from . import types
from .batches import check_action, create_request, perform_batch
from .connection import Connection, backoff, transient
from .episode import Episode, Format
from .errors import GymCapacityError, GymError, GymTimeoutError
from .repetition import retrying


class AsyncGym:
    """Plays any number of episodes over one WebSocket.

    Every request that lost its reply with the connection is sent again. A step carries its index, and `create` an
    idempotency key, so the gym performs neither of them twice. A `fork` that lost its reply may leave an unused
    episode behind.

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
        self._connection = Connection(url, token, reconnect)
        self._timeout = timeout
        self._capacity_wait = capacity_wait

    async def __aenter__(self) -> AsyncGym:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connection. Episodes continue to exist, and `find` returns them to another client."""
        await self._connection.close()

    async def environments(self) -> list[types.Environment]:
        """Returns the environments of the gym."""
        return cast("list[types.Environment]", (await self.request("listEnvironments"))["environments"])

    async def environment(self, name: str) -> types.Environment:
        """Returns the splits, options, prompt and tools of one environment."""
        return cast(types.Environment, await self.request("getEnvironment", environment=name))

    async def tasks(
        self, environment: str, split: str | None = None, *, start: int = 0, limit: int = 100, text: str | None = None
    ) -> types.TaskPage:
        """Returns a page of the tasks of a split. `next` of the page is `start` of the next page."""
        page = {"environment": environment, "split": split, "from": start, "limit": limit, "text": text}
        return cast(types.TaskPage, await self.request("listTasks", **page))

    async def create(
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
        """Opens an episode of task `index` of a split.

        Args:
            environment: Name of the environment, such as `textcraft` or `textcraft@1`.
            index: Index of the task in the split.
            split: Name of the split; by default the environment's default split.
            seed: Seed of all randomness in the episode.
            options: Values of the environment's options.
            max_steps: Number of steps after which the episode is truncated.
            lease_ms: Milliseconds without a call after which the gym frees the episode's memory.
            format: How the gym reads an action in the texts of the steps; by default `plain`: each text is the action.
                `environment(name)["promptFormat"]` is the format for which the environment's prompt asks.
            idempotency_key: A repeated call with the same key returns the same episode.
        """
        request = create_request(environment, index, split, seed, options, max_steps, lease_ms, format)
        key = idempotency_key or uuid.uuid4().hex
        return Episode(await self.request("create", **request, idempotencyKey=key))

    @contextlib.asynccontextmanager
    async def episode(self, environment: str, index: int = 0, **arguments: Any) -> AsyncIterator[Episode]:
        """Opens an episode for an `async with` block, and closes it when the block ends, fails or is cancelled.

        If the gym cannot be reached when the block ends, it closes the episode when the lease ends.

        Args:
            environment: Name of the environment, such as `textcraft` or `textcraft@1`.
            index: Index of the task in the split.
            arguments: Further arguments of `create`.
        """
        episode = await self._open(environment, index, **arguments)
        try:
            yield episode
        finally:
            await self._release(episode)

    async def create_many(
        self, requests: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
    ) -> list[Episode | GymError]:
        """Opens many episodes. Each request has the arguments of `create`.

        Returns:
            For each request, in order, its episode or its error.
        """
        key = idempotency_key or uuid.uuid4().hex
        bodies = [create_request(**request) for request in requests]

        async def create(entries: list[tuple[int, Any]], attempt: int) -> list[Any]:
            # An entry's key depends on its position, so a repetition of other entries needs another key.
            name = f"{key}.{entries[0][0]}.{attempt}"
            reply = await self._call("createMany", {"episodes": [body for _, body in entries], "idempotencyKey": name})
            return cast("list[Any]", reply["results"])

        async def alone(error: GymError, _: Any) -> Any:
            return await self._call("get", {"episodeId": error.details["episodeId"]})

        results = await perform_batch(bodies, lambda body: 200, create, alone, self._is_repeated)
        return [result if isinstance(result, GymError) else Episode(result) for result in results]

    async def find(self, episode_id: str) -> Episode:
        """Returns an episode by its id, for example one of a client that has ended."""
        return Episode(await self.request("get", episodeId=episode_id))

    async def episodes(self, **filters: Any) -> types.EpisodePage:
        """Returns a page of the caller's episodes, newest first.

        Args:
            filters: `environment`, `split`, `task`, `text`, `limit`, `detail`, and `before`: `next` of the page before.
        """
        return cast(types.EpisodePage, await self.request("list", **filters))

    async def step(self, episode: Episode, action: str) -> types.StepReply:
        """Performs one step.

        If the call is cancelled or times out, the step is still performed once. A repeated call with the same action
        returns its reply. A call with another action waits for it, and performs the next step.
        """
        check_action(action)
        async with episode._lock:
            repeated = await self._settle(episode, action)
            if repeated is None:
                repeated = asyncio.ensure_future(self._step(episode, action))
                repeated.add_done_callback(_retrieve)
                episode._unanswered = (action, repeated)
            return await self._answer(episode, repeated)

    async def step_many(self, steps: Iterable[tuple[Episode, str]]) -> list[types.StepReply | GymError]:
        """Performs one step in each of many episodes. A repeated call is safe, as with `step`.

        Returns:
            For each step, in order, its reply or its error.
        """
        pairs = list(steps)
        for _, action in pairs:
            check_action(action)
        if len({id(episode) for episode, _ in pairs}) < len(pairs):
            raise ValueError("expected each episode once in step_many, but received an episode twice")
        # All callers lock in the same order, so that no two of them wait for each other.
        locked = sorted((episode for episode, _ in pairs), key=lambda episode: (episode.id, id(episode)))
        held = []
        try:
            for episode in locked:
                await episode._lock.acquire()
                held.append(episode)
            replies = [await self._settle(episode, action) for episode, action in pairs]
            fresh = [pair for pair, reply in zip(pairs, replies) if reply is None]
            started = iter(self._start_many(fresh))
            futures = [next(started) if reply is None else reply for reply in replies]
            return [await self._outcome(episode, future) for (episode, _), future in zip(pairs, futures)]
        finally:
            for episode in held:
                episode._lock.release()

    async def play(
        self, task: Mapping[str, Any], texts: Sequence[str], episode: Episode | None = None, *, times: int = 3
    ) -> Episode:
        """Returns an episode of a task that has taken all of the texts, for trainers that call an environment turn by turn.

        If the gym fails the episode, a new one takes the texts from the start. Environments are deterministic, so the
        agent does not notice. After the last failure the error is raised.

        Args:
            task: Arguments of `create`.
            texts: What the agent wrote so far, one text for each step.
            episode: Episode that has taken the first of the texts; by default a new one.
            times: Number of attempts.
        """
        playing = episode

        @retrying(times)
        async def attempt() -> Episode:
            nonlocal playing
            playing = current = playing or await self._open(**task)
            try:
                for text in texts[current.index :]:
                    await self.step(current, text)
                return current
            except GymError:
                playing = None
                await self._release(current)
                raise

        result: Episode = await attempt()
        return result

    async def fork(self, episode: Episode, index: int | None = None) -> Episode:
        """Opens an episode that has taken the first `index` steps of this one; by default all."""
        return Episode(await self.request("fork", episodeId=episode.id, index=index))

    async def close_episode(self, episode: Episode) -> None:
        """Ends an episode and frees its memory. Its transcript stays in the gym."""
        await self.request("close", episodeId=episode.id)

    async def transcript(self, episode: Episode, *, start: int = 0, limit: int = 100) -> types.Transcript:
        """Returns a page of the steps of an episode."""
        page = {"episodeId": episode.id, "from": start, "limit": limit}
        return cast(types.Transcript, await self.request("transcript", **page))

    async def expert(self, episode: Episode) -> types.Advice:
        """Returns the expert's next action. The gym marks the episode. The token needs the right `expert`."""
        return cast(types.Advice, await self.request("expert", episodeId=episode.id))

    async def query(self, episode: Episode, query: str) -> Any:
        """Returns the answer to one of the environment's queries, such as `inventory`."""
        return (await self.request("query", episodeId=episode.id, query=query))["answer"]

    async def render(self, episode: Episode) -> types.Picture:
        """Returns a picture of a running episode. `picture.data` is base64."""
        return cast(types.Picture, await self.request("render", episodeId=episode.id))

    async def request(self, op: str, **params: Any) -> Any:
        """Performs any operation of `/v1/socket`. Parameters that are None are left out.

        Raises:
            GymError: The gym refused the request, could not be reached, or did not reply in time.
        """
        given = {name: value for name, value in params.items() if value is not None}
        start = asyncio.get_running_loop().time()
        for attempt in itertools.count():
            try:
                return await self._call(op, given)
            except GymCapacityError as error:
                if not self._is_repeated(error, asyncio.get_running_loop().time() - start):
                    raise
            await asyncio.sleep(backoff(attempt))

    async def _open(self, environment: str, index: int = 0, **arguments: Any) -> Episode:
        """Opens an episode. If the caller is cancelled meanwhile, the episode is closed."""
        opening = asyncio.ensure_future(self.create(environment, index, **arguments))
        opening.add_done_callback(_retrieve)
        try:
            return await asyncio.shield(opening)
        except asyncio.CancelledError:
            opening.add_done_callback(self._release_opened)
            raise

    def _release_opened(self, opening: asyncio.Future[Episode]) -> None:
        if not opening.cancelled() and not opening.exception():
            self._close_soon(opening.result())

    async def _release(self, episode: Episode) -> None:
        """Closes an episode, and waits for at most five seconds. An error of the gym is left to the end of the lease."""
        await asyncio.wait({self._close_soon(episode)}, timeout=5)

    def _close_soon(self, episode: Episode) -> asyncio.Future[None]:
        closing = asyncio.ensure_future(self.close_episode(episode))
        closing.add_done_callback(_retrieve)
        return closing

    def _call(self, op: str, params: dict[str, Any]) -> Awaitable[Any]:
        return self._connection.request(op, params, self._timeout)

    async def _step(self, episode: Episode, action: str) -> types.StepReply:
        step = {"episodeId": episode.id, "index": episode.index, "action": action}
        reply = cast(types.StepReply, await self.request("step", **step))
        episode._set(reply, reply["index"] + 1)
        return reply

    def _start_many(self, pairs: list[tuple[Episode, str]]) -> list[asyncio.Future[types.StepReply]]:
        loop = asyncio.get_running_loop()
        futures: list[asyncio.Future[types.StepReply]] = [loop.create_future() for _ in pairs]
        for (episode, action), future in zip(pairs, futures):
            episode._unanswered = (action, future)
        work = asyncio.ensure_future(self._step_many(pairs))

        def settle(done: asyncio.Task[list[Any]]) -> None:
            error = asyncio.CancelledError() if done.cancelled() else done.exception()
            outcomes = [error] * len(pairs) if error else done.result()
            for (episode, _), future, outcome in zip(pairs, futures, outcomes):
                if isinstance(outcome, BaseException):
                    _fail(future, outcome)
                else:
                    episode._set(outcome, outcome["index"] + 1)
                    future.set_result(outcome)

        work.add_done_callback(settle)
        return futures

    async def _step_many(self, pairs: list[tuple[Episode, str]]) -> list[Any]:
        steps: list[dict[str, Any]] = [
            {"episodeId": each.id, "index": each.index, "action": action} for each, action in pairs
        ]

        async def perform(entries: list[tuple[int, Any]], attempt: int) -> list[Any]:
            params = {"steps": [step for _, step in entries]}
            return cast("list[Any]", (await self._call("stepMany", params))["results"])

        async def alone(_: GymError, step: Any) -> Any:
            return await self._call("step", step)

        return await perform_batch(steps, lambda step: len(step["action"]) + 100, perform, alone, self._is_repeated)

    async def _settle(self, episode: Episode, action: str) -> asyncio.Future[types.StepReply] | None:
        """Waits for a step whose reply no caller got. Returns it if it is the same step."""
        if episode._unanswered is None:
            return None
        earlier, reply = episode._unanswered
        if earlier == action and not (reply.done() and reply.exception()):
            return reply
        if not reply.done():
            await asyncio.wait({reply}, timeout=self._timeout)
        if not reply.done():
            raise GymTimeoutError("TIMEOUT", f"expected a reply to the step {earlier!r}, but none came")
        if earlier != action and isinstance(reply.exception(), (GymTimeoutError, ConnectionError)):
            # Whether the gym has performed the step is unknown.
            state = await self.request("get", episodeId=episode.id)
            episode._set(state, state["index"])
        episode._unanswered = None
        return None

    async def _answer(self, episode: Episode, reply: asyncio.Future[types.StepReply]) -> types.StepReply:
        # `wait` leaves the step alone when the caller is cancelled.
        await asyncio.wait({reply})
        if not isinstance(reply.exception(), (GymTimeoutError, ConnectionError)):
            episode._unanswered = None
        return reply.result()

    async def _outcome(self, episode: Episode, reply: asyncio.Future[types.StepReply]) -> types.StepReply | GymError:
        try:
            return await self._answer(episode, reply)
        except (GymTimeoutError, ConnectionError):
            raise
        except GymError as error:
            return error

    def _is_repeated(self, result: Any, elapsed: float) -> bool:
        if isinstance(result, GymError) and result.code in transient:
            return elapsed < self._connection.reconnect
        return isinstance(result, GymCapacityError) and elapsed < self._capacity_wait


def _retrieve(reply: asyncio.Future[Any]) -> None:
    """Marks an error as seen. Its caller may have been cancelled."""
    if not reply.cancelled():
        reply.exception()


def _fail(reply: asyncio.Future[Any], error: BaseException) -> None:
    if isinstance(error, asyncio.CancelledError):
        reply.cancel()
    else:
        reply.set_exception(error)
        _retrieve(reply)
