"""NeMo-RL: tasks of a Palestra gym as an environment. A row has `extra_env_info={"task": {...}}`."""

from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import ray
import torch
from nemo_rl.environments.interfaces import EnvironmentInterface, EnvironmentReturn
from palestra import Gym


@ray.remote
class PalestraEnv(EnvironmentInterface):
    def __init__(self, cfg):
        self.gym, self.pool, self.episodes = Gym(cfg["url"], capacity_wait=600), ThreadPoolExecutor(64), {}

    def step(self, message_log_batch, metadata):
        states = [{"key": uuid4().hex, **each} for each in metadata]
        episodes = list(self.pool.map(self.play, message_log_batch, states))
        observations = [{"role": "user", "content": each.observation} for each in episodes]
        rewards, ended = (torch.tensor([getattr(each, name) for each in episodes]) for name in ("reward", "ended"))
        states = [None if episode.ended else state for episode, state in zip(episodes, states)]
        return EnvironmentReturn(observations, states, [None] * len(states), rewards, ended, None)

    def play(self, log, state):
        texts = [each["content"] for each in log if each["role"] == "assistant"]
        task = {**state["task"], "format": "react", "lease_ms": 600_000}
        episode = self.gym.play(task, texts, self.episodes.pop(state["key"], None))
        if episode.ended:
            self.gym.close_episode(episode)
        else:
            self.episodes[state["key"]] = episode
        return episode

    def global_post_process_and_metrics(self, batch):
        return batch, {}
