"""AReaL: an agent that plays a task of a Palestra gym, and returns the sum of the rewards."""

import os

from openai import AsyncOpenAI
from palestra import AsyncGym


class PalestraAgent:
    async def run(self, data, **extra):
        # In the mode `subproc`, AReaL sets variables for OpenAI's client in place of these arguments.
        model = AsyncOpenAI(base_url=extra.get("base_url"), api_key=extra.get("api_key"), max_retries=0)
        gym = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600)
        async with model, gym, gym.episode(**data["task"], format="react") as episode:
            messages, total = episode.messages(), 0.0
            while not episode.ended:
                reply = await model.chat.completions.create(model="default", messages=messages)
                text = reply.choices[0].message.content or ""
                await gym.step(episode, text)
                total += episode.reward
                messages.append({"role": "assistant", "content": text})
                messages.append({"role": "user", "content": episode.observation})
        return total
