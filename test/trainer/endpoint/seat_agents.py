"""Two agents of AutoGen play the seats of one episode. Each has a base URL of the rollout endpoint, and a URL of the gym."""

import asyncio
import json
import sys

import httpx
from autogen_agentchat.agents import AssistantAgent
from autogen_ext.models.openai import OpenAIChatCompletionClient

abilities = {"vision": False, "function_calling": False, "json_output": False, "structured_output": False}


async def play(seat: str, rollout: dict, seats: str) -> float:
    model = OpenAIChatCompletionClient(
        model="any",
        base_url=f"{rollout['seats_url']}/{seat}/v1",
        api_key="any",
        max_retries=0,
        model_info={**abilities, "family": "unknown"},
    )
    url = f"{seats}/{seat}"
    turn = f"{url}?waitMs=30000"
    async with httpx.AsyncClient(timeout=60) as gym:
        view = (await gym.get(turn)).raise_for_status().json()
        agent = AssistantAgent(seat, model, system_message=view["prompt"])
        while view["turn"] is not None:
            if view["turn"] != seat:
                reply = await gym.get(turn)
            else:
                said = await agent.run(task=view["observation"])
                step = {"index": view["index"], "action": said.messages[-1].content, "waitMs": 30_000}
                reply = await gym.post(f"{url}/step", json=step)
            view = reply.raise_for_status().json()
    await model.close()
    return view["return"]


async def main(rollout: dict, seats: str) -> None:
    names = ["left", "right"]
    returns = await asyncio.gather(*(play(seat, rollout, seats) for seat in names))
    async with httpx.AsyncClient() as endpoint:
        for seat, reward in zip(names, returns):
            body = {"reward": reward, "seat": seat, "end": seat == names[-1]}
            (await endpoint.post(f"{rollout['url']}/reward", json=body)).raise_for_status()
    print(json.dumps(dict(zip(names, returns))))


asyncio.run(main(json.loads(sys.argv[1]), sys.argv[2]))
