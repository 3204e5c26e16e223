"""OpenRLHF: an agent that plays a task of a Palestra gym, for models with ChatML's turns, such as Qwen."""

import json
import os

import torch
from openrlhf.utils.agent import AgentInstanceBase, MultiTurnAgentExecutor
from palestra import AsyncGym

gym = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600)


def chat(messages):
    turns = [f"<|im_start|>{each['role']}\n{each['content']}<|im_end|>\n" for each in messages]
    return "".join(turns) + "<|im_start|>assistant\n"


class PalestraInstance(AgentInstanceBase):
    def __init__(self, *args, **kwargs):
        self.texts = []

    async def reset(self, states, **kwargs):
        self.task = {**json.loads(states["label"]), "format": "react"}
        self.episode = await gym.play(self.task, [])
        return {"observation": chat(self.episode.messages())}

    async def step(self, state_dict, **kwargs):
        self.texts.append(state_dict["action_text"].removesuffix("<|im_end|>"))
        self.episode = await gym.play(self.task, self.texts, self.episode)
        feedback, done = "\n" + chat(self.episode.messages()[1:]), self.episode.ended
        if done:
            await gym.close_episode(self.episode)
        return {"rewards": torch.tensor(self.episode.reward), "environment_feedback": feedback, "done": done}


class AgentExecutor(MultiTurnAgentExecutor):
    def __init__(self):
        super().__init__(PalestraInstance)
