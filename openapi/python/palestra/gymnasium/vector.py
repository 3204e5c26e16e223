"""Many environments of a gym as a vectorized environment of Gymnasium."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Sequence

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ..episode import Episode, Format
from ..errors import GymError
from ..sync import Gym
from .playing import AnyText, Playing, close_all


_Result = tuple[str, float, bool, bool, dict[str, Any]]


class PalestraVectorEnv(Playing, VectorEnv[Any, Any, Any]):
    """Environments of a gym that step together, with `createMany` and `stepMany`.

    Observations and actions are tuples of texts. If the gym fails an episode, the episode is truncated with reward 0,
    and `infos["failure"]` has the code, the class and the message of the error, so that a trainer can leave it out.

    Args:
        environment: Name of the environment, such as `textcraft`.
        num_envs: Number of environments.
        url: Address of the gym.
        autoreset_mode: When an environment is reset after the end of its episode: `NEXT_STEP`, `SAME_STEP`, `DISABLED`.
        token, gym, split, index, env_options, max_steps, format, render_mode: As for `PalestraEnv`.
    """

    def __init__(
        self,
        environment: str,
        num_envs: int,
        url: str = "http://127.0.0.1:8700",
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        token: str | None = None,
        gym: Gym | None = None,
        split: str | None = None,
        index: int | None = None,
        env_options: Mapping[str, str] | None = None,
        max_steps: int | None = None,
        format: Format | None = None,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise ValueError(f"expected num_envs of at least 1, but received {num_envs}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.num_envs = num_envs
        self._play(environment, url, token, gym, split, index, env_options, max_steps, format, render_mode)
        self.metadata["autoreset_mode"] = self.autoreset_mode
        self.single_observation_space = AnyText(2**31)
        self.single_action_space = AnyText(2**20)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.episodes: list[Episode | None] = [None] * num_envs
        self._rngs: list[np.random.Generator | None] = [None] * num_envs
        self._observations = [""] * num_envs
        self._ended = np.zeros(num_envs, dtype=np.bool_)
        #: Actions and results of a call of `step` that has not returned.
        self._played: tuple[list[str], dict[int, _Result]] | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Resets all environments, or those of the array of booleans `options["reset_mask"]`."""
        given = dict(options or {})
        mask = self._checked_mask(given.pop("reset_mask", None))
        seeds = self._checked_seeds(seed)
        self._played = None
        chosen = np.flatnonzero(mask).tolist()
        for at in chosen:
            if seeds[at] is not None:
                self._rngs[at], _ = seeding.np_random(seeds[at])
        infos: dict[str, Any] = {}
        for at, info in self._open(chosen, given).items():
            infos = self._add_info(infos, info, at)
        return tuple(self._observations), infos

    def step(
        self, actions: Iterable[str]
    ) -> tuple[tuple[str, ...], np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        texts = self._checked_actions(actions)
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminated = np.zeros(self.num_envs, dtype=np.bool_)
        truncated = np.zeros(self.num_envs, dtype=np.bool_)
        restarting = np.flatnonzero(self._ended).tolist() if self.autoreset_mode != AutoresetMode.DISABLED else []
        playing = [at for at in range(self.num_envs) if at not in restarting]
        # If the reset below fails, a repeated call does not step again.
        if self._played is None or self._played[0] != texts:
            self._played = (texts, self._step(playing, texts))
        played = self._played[1]
        opened = self._open(restarting, {})
        for at, (_, rewards[at], terminated[at], truncated[at], _) in played.items():
            pass
        ended = np.logical_or(terminated, truncated)
        final: dict[int, tuple[str, dict[str, Any]]] = {}
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            final = {at: (played[at][0], played[at][4]) for at in np.flatnonzero(ended).tolist()}
            opened.update(self._open(list(final), {}))
            self._ended = np.zeros(self.num_envs, dtype=np.bool_)
        else:
            self._ended = ended
        self._played = None
        infos: dict[str, Any] = {}
        for at in range(self.num_envs):
            if at in final:
                infos = self._add_info(infos, {"final_obs": final[at][0], "final_info": final[at][1]}, at)
            infos = self._add_info(infos, opened[at] if at in opened else played[at][4], at)
        return tuple(self._observations), rewards, terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        return None if self.render_mode is None else tuple(self._frame(episode) for episode in self.episodes)

    def close_extras(self, **kwargs: Any) -> None:
        if self.gym._problem() is None:
            self.gym._run(close_all(self.gym, [episode for episode in self.episodes if episode is not None]))
        self._close_gym()

    def _open(self, chosen: list[int], options: dict[str, Any]) -> dict[int, dict[str, Any]]:
        """Resets environments, and returns their infos."""
        if not chosen:
            return {}
        requests = [self._tasks.draw(self._rng(at), options) for at in chosen]
        self.gym._run(close_all(self.gym, [each for at in chosen if (each := self.episodes[at]) is not None]))
        opened = self.gym.create_many(requests)
        errors = [each for each in opened if isinstance(each, GymError)]
        if errors:
            self.gym._run(close_all(self.gym, [each for each in opened if isinstance(each, Episode)]))
            raise errors[0]
        infos = {}
        for at, episode in zip(chosen, opened):
            assert isinstance(episode, Episode)
            self.episodes[at], self._ended[at] = episode, False
            self._observations[at] = episode.observation
            infos[at] = episode.info
        return infos

    def _step(self, playing: list[int], texts: list[str]) -> dict[int, _Result]:
        steps = []
        for at in playing:
            episode = self.episodes[at]
            if episode is None or self._ended[at]:
                raise gymnasium.error.ResetNeeded(f"expected a call of reset before step, for the environment {at}")
            steps.append((episode, texts[at]))
        played = {}
        for at, reply in zip(playing, self.gym.step_many(steps)):
            if isinstance(reply, GymError):
                failure = {"code": reply.code, "class": reply.failure_class, "message": reply.message}
                played[at] = (self._observations[at], 0.0, False, True, {"failure": failure})
                continue
            self._observations[at] = reply["observation"]
            ends = (reply["terminated"], reply["truncated"])
            played[at] = (reply["observation"], float(reply["reward"]), *ends, reply["info"])
        return played

    def _rng(self, at: int) -> np.random.Generator:
        rng = self._rngs[at]
        if rng is None:
            rng, _ = seeding.np_random()
            self._rngs[at] = rng
        return rng

    def _checked_seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        if seed is None or isinstance(seed, int):
            return [None if seed is None else seed + at for at in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, but received {len(seed)}")
        return seed

    def _checked_mask(self, mask: Any) -> np.ndarray[Any, Any]:
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"expected reset_mask as an array of {self.num_envs} booleans, but received {mask!r}")
        if not mask.any():
            raise ValueError("expected reset_mask with at least one True, but received only False")
        return mask

    def _checked_actions(self, actions: Iterable[str]) -> list[str]:
        texts = list(actions)
        if len(texts) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} actions, but received {len(texts)}")
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"expected each action as str, but received {type(text).__name__}")
        return texts
