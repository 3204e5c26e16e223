"""A proxy between a client and a gym that can lose replies, and helpers of the tests."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

url = os.environ["PALESTRA_URL"]


class LossyProxy:
    """Forwards frames. The replies to operations in `lost` are dropped with their connection, once for each entry."""

    def __init__(self) -> None:
        self.lost: list[str] = []
        #: Whether replies wait until this is False again.
        self.held = False
        #: Requests as the gym received them.
        self.requests: list[dict[str, Any]] = []
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._thread.start()
        self._ready.wait()

    def __enter__(self) -> LossyProxy:
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    async def _run(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        async with serve(self._forward, "127.0.0.1", 0, max_size=None) as server:
            self.url = f"http://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}"
            self._ready.set()
            await self._ended.wait()

    async def _forward(self, client: Any) -> None:
        ops: dict[Any, str] = {}
        target = f"ws://{urlsplit(url).netloc}/v1/socket"
        async with connect(target, max_size=None, proxy=None) as gym:

            async def down() -> None:
                async for frame in gym:
                    op = ops.pop(json.loads(frame)["id"])
                    if op in self.lost:
                        self.lost.remove(op)
                        client.transport.abort()
                        return
                    while self.held:
                        await asyncio.sleep(0.01)
                    await client.send(frame)

            task = asyncio.create_task(down())
            try:
                async for frame in client:
                    request = json.loads(frame)
                    self.requests.append(request)
                    ops[request["id"]] = request["op"]
                    await gym.send(frame)
            except ConnectionClosed:
                pass
            finally:
                task.cancel()


def dirt(count: int) -> str:
    """Returns what textcraft answers to `inventory` after `count` times `get 1 dirt`."""
    return f"Inventory: [dirt] ({count}) " if count else "Inventory: You are not carrying anything."
