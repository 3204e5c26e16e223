"""Plays an OpenEnv server with OpenEnv's own clients, and prints what they return as one line of JSON for each command.

Commands are lines of JSON on the standard input: [name, arguments]. The first argument of the program is the base URL.
"""

import asyncio
import json
import sys

from openenv.core.generic_client import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient

base = sys.argv[1]


def plain(result):
    return {"observation": result.observation, "reward": result.reward, "done": result.done}


async def play(reset, actions):
    """Plays one episode with the asynchronous client."""
    async with GenericEnvClient(base_url=base) as env:
        results = [plain(await env.reset(**reset))]
        for action in actions:
            results.append(plain(await env.step({"message": action})))
        return {"results": results, "state": await env.state()}


async def errors():
    """Returns the messages of errors, after each of which the client still works."""
    async with GenericEnvClient(base_url=base) as env:
        await env.reset(seed=1)
        messages = []
        for call in (lambda: env.step({"nonsense": 1}), lambda: env.reset(sed=1), lambda: env.reset(split="no")):
            try:
                await call()
            except RuntimeError as error:
                messages.append(str(error))
        return {"messages": messages, "state": await env.state()}


async def sessions():
    """Plays two episodes at the same time, the second in a session of the first one's client."""
    async with GenericEnvClient(base_url=base) as env:
        other = await env.new_session()
        await asyncio.gather(env.reset(seed=1), other.reset(seed=2))
        return [await env.state(), await other.state()]


async def tools(reset, calls):
    """Plays one episode with the client of tools."""
    async with MCPToolClient(base_url=base) as env:
        names = [tool.name for tool in await env.list_tools()]
        await env.reset(**reset)
        results = [await env.call_tool(name, **given) for name, given in calls]
        try:
            await env.call_tool("fly")
            refusal = None
        except RuntimeError as error:
            refusal = str(error)
        state = await env.state()
        return {"names": names, "results": results, "refusal": refusal, "steps": state.step_count}


async def auto():
    """Connects by AutoEnv, without a package of the environment."""
    from openenv.auto import AutoEnv

    client = AutoEnv.from_env("anything", base_url=base, skip_install=True)
    async with client as env:
        return plain(await env.reset(seed=3))


async def validate():
    """Returns the report of `openenv validate --url`."""
    from openenv.cli._validation import validate_running_environment

    return await asyncio.to_thread(validate_running_environment, base, 30.0)


held = {}


async def hold(reset, actions):
    """Plays the first steps of an episode, and keeps the client."""
    env = held["env"] = GenericEnvClient(base_url=base, message_timeout_s=30.0)
    await env.connect()
    results = [plain(await env.reset(**reset))]
    for action in actions:
        results.append(plain(await env.step({"message": action})))
    held["id"] = (await env.state())["episode_id"]
    return {"results": results, "id": held["id"]}


async def go_on(actions):
    """Goes on with the episode of `hold` after its gym was killed."""
    env = held["env"]
    try:
        await env.step({"message": "a step that nobody takes"})
        failure = None
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    await env.disconnect()
    await env.reset(episode_id=held["id"])
    results = [plain(await env.step({"message": action})) for action in actions]
    state = await env.state()
    await env.close()
    return {"failure": failure, "results": results, "state": state}


async def main():
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        name, arguments = json.loads(line)
        print(json.dumps(await globals()[name](*arguments)), flush=True)


asyncio.run(main())
