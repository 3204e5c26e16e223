"""Miles: an agent that plays a task of a Palestra gym, its reward, and a filter of the groups that the gym failed."""

import os

from openai import AsyncOpenAI
from palestra import AsyncGym


async def run(base_url, prompt, request_kwargs, metadata, **kwargs):
    model = AsyncOpenAI(base_url=f"{base_url}/v1", api_key="none", max_retries=0)
    gym = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600)
    async with model, gym, gym.episode(**metadata["task"], format="react") as episode:
        messages, total = episode.messages(), 0.0
        while not episode.ended:
            reply = await model.chat.completions.create(model="default", messages=messages, **request_kwargs)
            text = reply.choices[0].message.content or ""
            await gym.step(episode, text)
            total += episode.reward
            messages.append({"role": "assistant", "content": text})
            messages.append({"role": "user", "content": episode.observation})
    return {"palestra_return": total}


async def reward(args, sample, **kwargs):
    # Miles trains on what a failed agent sampled. Its group has no number to compare with, and `keep` drops it.
    return sample.metadata.get("palestra_return", float("nan"))


def keep(args, samples, **kwargs):
    return all("palestra_return" in sample.metadata for sample in samples)
