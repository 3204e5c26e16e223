"""Serves an environment that returns what it gets, with a protocol's own server: `openenv`, `ors` or `mcp`. Prints its URL."""

import socket
import sys

import uvicorn


def openenv():
    from openenv.core.env_server import Environment, create_app
    from openenv.core.env_server.types import Action, Observation, State

    class Message(Action):
        message: str

    class Echo(Observation):
        text: str = ""

    class EchoEnvironment(Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def reset(self, seed=None, episode_id=None, **_):
            return Echo(text="start")

        def step(self, action, timeout_s=None, **_):
            return Echo(text=action.message, reward=0.0)

        @property
        def state(self):
            return State(episode_id="e", step_count=0)

    return create_app(EchoEnvironment, Message, Echo, env_name="echo", max_concurrent_envs=1000)


def ors():
    from openreward.environments import Environment, Server, TextBlock, ToolOutput, tool
    from pydantic import BaseModel

    class Get(BaseModel):
        count: int
        item: str

    class Echo(Environment):
        @classmethod
        def list_splits(cls):
            return ["train"]

        @classmethod
        def list_tasks(cls, split):
            return [{"index": 0}]

        def get_prompt(self):
            return [TextBlock(text="start")]

        @tool
        def get(self, params: Get) -> ToolOutput:
            """Gets items."""
            return ToolOutput(blocks=[TextBlock(text=f"Got {params.count} {params.item}")], reward=0.0, finished=False)

    return Server([Echo]).app


def mcp():
    from mcp.server import MCPServer

    server = MCPServer("echo", log_level="ERROR")

    @server.tool()
    def get(count: int, item: str) -> str:
        """Gets items."""
        return f"Got {count} {item}"

    return server.streamable_http_app(stateless_http=True, json_response=True)


app = {"openenv": openenv, "ors": ors, "mcp": mcp}[sys.argv[1]]()
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])
