"""One connection to `/v1/socket`, which is opened again after a loss. Unanswered requests are sent again."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import random
import socket
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from .errors import GymActionError, GymConnectionError, GymError, GymTimeoutError, error_of

_log = logging.getLogger("palestra")
#: Errors of requests that the gym did not perform, or whose reply it dropped. They are sent again.
transient = {"SERVER_DRAINING", "EPISODE_ELSEWHERE", "LIMIT_UNSENT", "LIMIT_PARTIAL"}
#: Number of lost connections after which a request is given up, since it may be the cause.
_most_losses = 8
#: Close code of a frame that exceeds the gym's `limits.maxBodyBytes`.
_too_large = 1009
_loopback = {"127.0.0.1", "localhost", "::1"}


def socket_url(url: str) -> str:
    """Returns the address of the socket of the gym at an HTTP address."""
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}.get(parts.scheme)
    if scheme is None or not parts.netloc:
        raise ValueError(f"expected the gym's address, such as http://127.0.0.1:8700, but received {url!r}")
    path = parts.path.rstrip("/")
    return urlunsplit((scheme, parts.netloc, path if path.endswith("/v1/socket") else f"{path}/v1/socket", "", ""))


def backoff(attempt: int) -> float:
    """Returns the seconds to wait before attempt `attempt`, which starts at 0: 0.05 s to 5 s, with jitter."""
    return min(5.0, 0.05 * 2.0**attempt) * random.uniform(0.5, 1)


class _Request:
    __slots__ = ("frame", "losses", "reply", "sent_on")

    def __init__(self, frame: str, reply: asyncio.Future[Any]) -> None:
        self.frame = frame
        self.reply = reply
        self.losses = 0
        self.sent_on: ClientConnection | None = None


class Connection:
    """Sends requests, and matches the replies by their id."""

    def __init__(self, url: str, token: str | None, reconnect: float) -> None:
        self._url = url
        self._socket_url = socket_url(url)
        self._headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.reconnect = reconnect
        self._ids = itertools.count()
        self._pending: dict[int, _Request] = {}
        self._unsent = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None
        self._was_connected = False
        self._closed = False

    async def request(self, op: str, params: dict[str, Any], timeout: float) -> Any:
        """Returns the result of an operation.

        Raises:
            GymError: The gym replied with an error, could not be reached, or did not reply within `timeout` seconds.
        """
        loop = asyncio.get_running_loop()
        start = loop.time()
        for attempt in itertools.count():
            try:
                return await self._request(op, params, start, timeout)
            except GymError as error:
                if error.code not in transient or loop.time() > start + min(timeout, self.reconnect):
                    raise
            await asyncio.sleep(backoff(attempt))

    async def close(self) -> None:
        """Closes the connection. Requests in flight fail with `CONNECTION_LOST`."""
        self._closed = True
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait({self._keeper})
        self._fail_all(GymConnectionError("CONNECTION_LOST", "The client was closed before the reply came."))

    async def _request(self, op: str, params: dict[str, Any], start: float, timeout: float) -> Any:
        if self._closed:
            raise GymConnectionError("CONNECTION_LOST", "The client is closed. Create a new one.")
        loop = asyncio.get_running_loop()
        request_id = next(self._ids)
        frame = json.dumps({"id": request_id, "op": op, "params": params}, separators=(",", ":"))
        request = _Request(frame, loop.create_future())
        self._pending[request_id] = request
        self._unsent.set()
        if self._keeper is None or self._keeper.done():
            self._keeper = asyncio.create_task(self._keep())
        message = f"expected a reply to `{op}` within {timeout:g} s, but none came"
        timer = loop.call_at(start + timeout, _expire, request.reply, message)
        try:
            return await request.reply
        finally:
            timer.cancel()
            del self._pending[request_id]

    async def _keep(self) -> None:
        """Keeps a connection open while there is a client. Ends when the gym cannot be reached."""
        try:
            while True:
                # A wrong address is reported at once. A gym that was there is expected to come back.
                opened = await self._connect(self.reconnect if self._was_connected else 0)
                self._was_connected = True
                await self._serve(opened)
        except GymError as error:
            self._fail_all(error)
        except Exception as error:
            self._fail_all(GymConnectionError("CONNECTION_LOST", f"The connection failed: {error!r}"))
            raise

    async def _connect(self, patience: float) -> ClientConnection:
        loop = asyncio.get_running_loop()
        give_up = loop.time() + patience
        for attempt in itertools.count():
            try:
                return await self._open()
            except InvalidStatus as error:
                if error.response.status_code < 500 and error.response.status_code != 429:
                    raise _refusal(error) from error
                reason: Exception = error
            except (OSError, InvalidHandshake, EOFError, asyncio.TimeoutError) as error:
                reason = error
            if loop.time() > give_up:
                raise GymConnectionError(
                    "CONNECTION_LOST",
                    f"expected a gym at {self._url}, but received: {reason}. Start one with `npx palestra serve`.",
                ) from reason
            await asyncio.sleep(backoff(attempt))
        raise AssertionError("unreachable")

    async def _open(self) -> ClientConnection:
        # No pings: the gym answers none while it reads no requests (backpressure). It pings by itself, and TCP's
        # keepalive finds a machine that is gone.
        opened = await connect(
            self._socket_url,
            additional_headers=self._headers,
            compression=None,
            max_size=None,
            open_timeout=20,
            ping_interval=None,
            close_timeout=2,
            proxy=None if urlsplit(self._socket_url).hostname in _loopback else True,
        )
        _keep_alive(opened.transport.get_extra_info("socket"))
        return opened

    async def _serve(self, opened: ClientConnection) -> None:
        """Sends requests and reads replies until the connection ends."""
        self._unsent.set()
        # Sending and reading are separate: the gym reads no requests while it has too many unread replies.
        reader, writer = asyncio.create_task(self._read(opened)), asyncio.create_task(self._write(opened))
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            reader.cancel()
            writer.cancel()
            # On Python 3.10, closing a lost connection can fail within asyncio.
            with contextlib.suppress(Exception):
                await opened.close()
            reasons = await asyncio.gather(reader, writer, return_exceptions=True)
        _log.info("lost the connection to %s: %r", self._url, reasons)
        self._count_loss(opened)

    async def _write(self, opened: ClientConnection) -> None:
        try:
            while True:
                await self._unsent.wait()
                self._unsent.clear()
                for request in list(self._pending.values()):
                    if request.sent_on is not opened:
                        request.sent_on = opened
                        await opened.send(request.frame)
        except ConnectionClosed:
            pass  # The reader still reads the replies that have arrived.

    async def _read(self, opened: ClientConnection) -> None:
        while True:
            self._receive(json.loads(await opened.recv()))

    def _receive(self, reply: dict[str, Any]) -> None:
        request = self._pending.get(reply.get("id"))  # type: ignore[arg-type]
        if request is None or request.reply.done():
            return  # The caller no longer waits.
        error = reply.get("error")
        if error is None:
            request.reply.set_result(reply["result"])
        else:
            request.reply.set_exception(error_of(error))

    def _count_loss(self, opened: ClientConnection) -> None:
        waiting = [each for each in self._pending.values() if each.sent_on is opened and not each.reply.done()]
        if opened.close_code == _too_large and waiting:
            largest = max(waiting, key=lambda request: len(request.frame))
            message = f"expected a request of at most `limits.maxBodyBytes`, but received {len(largest.frame)} bytes"
            largest.reply.set_exception(GymActionError("REQUEST_TOO_LARGE", message))
        for request in waiting:
            request.losses += 1
            if request.losses >= _most_losses and not request.reply.done():
                message = f"The connection was lost {request.losses} times before the reply came."
                request.reply.set_exception(GymConnectionError("CONNECTION_LOST", message))

    def _fail_all(self, error: GymError) -> None:
        for request in list(self._pending.values()):
            if not request.reply.done():
                request.reply.set_exception(type(error)(error.code, error.message, error.details))


def _expire(reply: asyncio.Future[Any], message: str) -> None:
    if not reply.done():
        reply.set_exception(GymTimeoutError("TIMEOUT", message))


def _refusal(error: InvalidStatus) -> GymError:
    """Returns the error of a refused upgrade, such as `TOKEN_MISSING`."""
    status = error.response.status_code
    try:
        return error_of(json.loads(error.response.body or b"")["error"])
    except (ValueError, KeyError, TypeError):
        return GymActionError("SOCKET_EXPECTED", f"expected a WebSocket of a gym, but received the HTTP status {status}")


def _keep_alive(raw: socket.socket) -> None:
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, seconds in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, name):
            raw.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)
