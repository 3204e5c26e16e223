"""Agent-Lightning: an agent that plays a task of a Palestra gym, and reports the sum of the rewards."""

import json
import os

import httpx
from palestra import AsyncGym, GymError


class PalestraAgent:
    async def run(self):
        events, headers = os.environ["AGL_EVENT_URL"], {"Authorization": f"Bearer {os.environ['AGL_KEY']}"}
        async with httpx.AsyncClient(headers=headers, timeout=600) as http:
            try:
                value = await self.play(http, json.loads(os.environ["PALESTRA_TASK"]))
            except GymError:
                # The trainer skips a rollout without recorded calls, and the attempt `none` has no calls.
                status = {"state": "failed", "last_attempt_id": "none"}
                await http.patch(events.partition("/attempt/")[0], json={"status": status})
                raise
            await http.post(events, json={"event_type": "reward", "data": {"value": value}})

    async def play(self, http, task):
        chat, total = os.environ["AGL_OPENAI_BASE_URL"] + "/chat/completions", 0.0
        gym = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600)
        async with gym, gym.episode(**task, format="react") as episode:
            messages = episode.messages()
            while not episode.ended:
                reply = (await http.post(chat, json={"messages": messages})).raise_for_status().json()
                text = reply["choices"][0]["message"]["content"] or ""
                await gym.step(episode, text)
                total += episode.reward
                messages.append({"role": "assistant", "content": text})
                messages.append({"role": "user", "content": episode.observation})
        return total
