"""SkyRL: a task of a Palestra gym as a `BaseTextEnv`."""

import contextlib
import os

from palestra import Gym, GymError
from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput

gym = Gym(os.environ["PALESTRA_URL"], capacity_wait=600)


class PalestraEnv(BaseTextEnv):
    def __init__(self, env_config=None, extras={}):
        super().__init__()
        self.task, self.texts, self.episode = {**extras["task"], "format": "react"}, [], None

    def init(self, prompt):
        self.episode = gym.play(self.task, [])
        return self.episode.messages(), {}

    def step(self, action):
        self.texts.append(action)
        self.episode = gym.play(self.task, self.texts, self.episode)
        observations = [{"role": "user", "content": self.episode.observation}]
        reward, done = self.episode.reward, self.episode.ended
        return BaseTextEnvStepOutput(observations=observations, reward=reward, done=done, metadata={})

    def close(self):
        if self.episode is not None:
            with contextlib.suppress(GymError):
                gym.close_episode(self.episode)
