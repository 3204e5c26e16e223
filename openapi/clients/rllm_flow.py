"""rLLM: a flow that plays a task of a Palestra gym, and the evaluator that returns the sum of the rewards."""

import os

import rllm
from openai import AsyncOpenAI
from palestra import AsyncGym
from rllm.types import Episode, Trajectory


@rllm.rollout
async def play(task, config):
    model = AsyncOpenAI(base_url=config.base_url, api_key="none", max_retries=0)
    gym = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600)
    async with model, gym, gym.episode(**task.metadata["task"], format="react") as episode:
        messages, total = episode.messages(), 0.0
        while not episode.ended:
            reply = await model.chat.completions.create(model=config.model, messages=messages)
            text = reply.choices[0].message.content or ""
            await gym.step(episode, text)
            total += episode.reward
            messages.append({"role": "assistant", "content": text})
            messages.append({"role": "user", "content": episode.observation})
    return Episode(trajectories=[Trajectory(name="palestra")], artifacts={"return": total})


@rllm.evaluator
def episode_return(task, episode):
    return episode.artifacts["return"]
