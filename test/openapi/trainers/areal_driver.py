"""Plays tasks as AReaL's proxy workflow does: in the mode `inline` with arguments, in the mode `subproc` with variables."""

import asyncio
import os
from concurrent.futures import ProcessPoolExecutor

from areal_agent import PalestraAgent
from driver import model_url, report, tasks


async def inline(task):
    extra = {"base_url": model_url, "http_client": None, "api_key": "session"}
    reward = await PalestraAgent().run({"task": task}, **extra)
    if not isinstance(reward, float):
        raise ValueError(f"Invalid reward type: {type(reward)}")
    return reward


def subproc(agent, task):
    os.environ.update(OPENAI_BASE_URL=model_url, OPENAI_API_KEY="session")
    return asyncio.run(agent.run({"task": task}))


async def main():
    outcomes = await asyncio.gather(*map(inline, tasks), return_exceptions=True)
    with ProcessPoolExecutor(1) as pool:
        loop = asyncio.get_running_loop()
        outcomes += await asyncio.gather(
            loop.run_in_executor(pool, subproc, PalestraAgent(), tasks[0]), return_exceptions=True
        )
    report(outcomes)


asyncio.run(main())
