"""What a single and a vectorized environment of Gymnasium share: spaces, the choice of tasks, and pictures."""

from __future__ import annotations

import asyncio
import base64
import io
from typing import Any, Mapping

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import create_shared_memory

from ..episode import Episode, Format
from ..errors import GymError
from ..sync import Gym

_most_seed = 2**31
_sampled_characters = "".join(map(chr, range(32, 127))) + "\n"


class AnyText(spaces.Text):
    """Text of any characters. `Text` has a table of its characters, which is too large for all of Unicode.

    Samples are short texts of ASCII characters.
    """

    def __init__(self, max_length: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=_sampled_characters, seed=seed)

    def contains(self, x: Any) -> bool:
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        if mask is None and probability is None:
            mask = (int(self.np_random.integers(0, min(self.max_length, 40) + 1)), None)
        return super().sample(mask, probability)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"AnyText({self.max_length})"


@create_shared_memory.register(AnyText)
def _refuse_shared_memory(space: AnyText, n: int = 1, ctx: Any = None) -> Any:
    """Shared memory would reserve room for the longest text. `AsyncVectorEnv` works with `shared_memory=False`."""
    raise gymnasium.error.CustomSpaceError("expected a space of bounded size, but received texts of any length")


class Tasks:
    """Draws tasks of an environment, and the seeds of their episodes."""

    def __init__(
        self,
        gym: Gym,
        environment: str,
        split: str | None,
        index: int | None,
        env_options: Mapping[str, str] | None,
        max_steps: int | None,
        format: Format | None,
    ) -> None:
        description = gym.environment(environment)
        self.has_pictures = description["rendersPictures"]
        self._sizes = {name: each["size"] for name, each in description["splits"].items()}
        self._fixed = {"split": split or description["defaultSplit"], "index": index}
        options = dict(env_options or {})
        self._request = {"environment": environment, "options": options, "max_steps": max_steps, "format": format}

    def draw(self, rng: np.random.Generator, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Returns the arguments of `Gym.create`. The draws do not depend on the options, except for the split."""
        given = {**self._fixed, **(options or {})}
        for name in given:
            if name not in ("split", "index", "seed"):
                raise ValueError(f"expected the options split, index and seed, but received {name}")
        size = self._sizes.get(given["split"])
        if size is None:
            raise ValueError(f"expected one of the splits {', '.join(self._sizes)}, but received {given['split']!r}")
        index, seed = int(rng.integers(size)), int(rng.integers(_most_seed))
        drawn = {"index": index if given["index"] is None else int(given["index"]), "seed": given.get("seed", seed)}
        return {**self._request, "split": given["split"], **drawn}


class Playing:
    """A client with an environment of its gym."""

    def _play(
        self,
        environment: str,
        url: str,
        token: str | None,
        gym: Gym | None,
        split: str | None,
        index: int | None,
        env_options: Mapping[str, str] | None,
        max_steps: int | None,
        format: Format | None,
        render_mode: str | None,
    ) -> None:
        self._owns_gym = gym is None
        self.gym = gym if gym is not None else Gym(url, token, capacity_wait=600)
        try:
            self._tasks = Tasks(self.gym, environment, split, index, env_options, max_steps, format)
            modes = ["ansi", "rgb_array"] if self._tasks.has_pictures else ["ansi"]
            if render_mode not in (None, *modes):
                raise ValueError(f"expected render_mode as one of {', '.join(modes)}, but received {render_mode!r}")
        except BaseException:
            self._close_gym()
            raise
        self.metadata = {"render_modes": modes, "render_fps": 4}
        self.render_mode = render_mode

    def _close_gym(self) -> None:
        if self._owns_gym:
            self.gym.close()

    def _frame(self, episode: Episode | None) -> Any:
        if episode is None:
            raise gymnasium.error.ResetNeeded("expected a call of reset before render")
        if self.render_mode != "rgb_array":
            return episode.observation if self.render_mode == "ansi" else None
        picture = self.gym.render(episode)["picture"]
        if picture["mediaType"] != "image/png":
            raise ValueError(f"expected a picture of the type image/png, but received {picture['mediaType']}")
        from PIL import Image

        with Image.open(io.BytesIO(base64.b64decode(picture["data"]))) as image:
            return np.asarray(image.convert("RGB"))


async def close_all(gym: Gym, episodes: list[Episode]) -> None:
    """Closes episodes. The gym closes those that it fails to close when their lease ends."""
    closing = [gym._async.close_episode(episode) for episode in episodes]
    for result in await asyncio.gather(*closing, return_exceptions=True):
        if isinstance(result, BaseException) and not isinstance(result, GymError):
            raise result
