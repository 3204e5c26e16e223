"""One environment of a gym as an environment of Gymnasium."""

from __future__ import annotations

from typing import Any, Mapping

import gymnasium

from ..episode import Episode, Format
from ..sync import Gym
from .playing import AnyText, Playing, close_all


class PalestraEnv(Playing, gymnasium.Env[str, str]):
    """An environment of a gym.

    `reset(seed=...)` seeds the draws of tasks and of the seeds of their episodes. Each further `reset()` draws the next
    ones. `reset(options={"split": ..., "index": ..., "seed": ...})` chooses them. `env.episode` has the prompt for an
    agent, the tools, the images of the newest observation, and the action that was read in the last text.

    Args:
        environment: Name of the environment, such as `textcraft`.
        url: Address of the gym.
        token: Token of `palestra token create`.
        gym: A client to share, instead of `url` and `token`.
        split: Split of the tasks; by default the environment's default split.
        index: Index of the only task; by default each reset draws one.
        env_options: Values of the environment's options.
        max_steps: Number of steps after which an episode is truncated.
        format: How the gym reads an action in a text, as for `Gym.create`.
        render_mode: `ansi` for the newest observation, or `rgb_array` if the environment has pictures.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        environment: str,
        url: str = "http://127.0.0.1:8700",
        *,
        token: str | None = None,
        gym: Gym | None = None,
        split: str | None = None,
        index: int | None = None,
        env_options: Mapping[str, str] | None = None,
        max_steps: int | None = None,
        format: Format | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._play(environment, url, token, gym, split, index, env_options, max_steps, format, render_mode)
        self.observation_space = AnyText(2**31)
        self.action_space = AnyText(2**20)
        self.episode: Episode | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        super().reset(seed=seed)
        request = self._tasks.draw(self.np_random, options)
        self._close_episode()
        self.episode = self.gym.create(**request)
        return self.episode.observation, self.episode.info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        if self.episode is None:
            raise gymnasium.error.ResetNeeded("expected a call of reset before step")
        reply = self.gym.step(self.episode, action)
        return reply["observation"], float(reply["reward"]), reply["terminated"], reply["truncated"], reply["info"]

    def render(self) -> Any:
        return self._frame(self.episode)

    def close(self) -> None:
        if self.gym._problem() is None:
            self._close_episode()
        self._close_gym()

    def _close_episode(self) -> None:
        episode, self.episode = self.episode, None
        if episode is not None:
            self.gym._run(close_all(self.gym, [episode]))
