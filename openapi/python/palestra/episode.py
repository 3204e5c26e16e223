"""State of an episode as the client knows it."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

from . import types

#: How the gym reads an action in what an agent writes.
Format = Literal["plain", "react", "tool_call", "code"]


class Episode:
    """An episode of a gym, with the newest reply. `Gym` and `AsyncGym` play it.

    Attributes:
        id: Id of the episode.
        environment: Environment with its version, such as `textcraft@1`.
        task: Split and index of the task.
        seed: Seed of the randomness in the episode.
        options: Value of each option of the environment.
        format: How the gym reads an action in what an agent writes.
        prompt: Instructions for an agent that plays in this format.
        tools: Actions as function definitions; empty if actions are only text.
        index: Number of steps so far, and index of the next step.
        observation: The newest observation.
        read: Action that the gym read in the text of the last step; None if it found none, and in the format `plain`.
        parts: Images and JSON of the newest observation.
        reward: Reward of the last step, or 0 before the first step.
        terminated: Whether the task itself has ended.
        truncated: Whether a limit outside the task was reached.
        info: Facts for trainers and people.
    """

    def __init__(self, state: types.Episode) -> None:
        self.id = state["episodeId"]
        self.environment = state["environment"]
        self.task = state["task"]
        self.seed = state["seed"]
        self.options = state["options"]
        self.format: Format = state["format"]
        self.prompt = state["prompt"]
        self.tools = state["tools"]
        self.max_steps = state["maxSteps"]
        self._lock = asyncio.Lock()
        #: The action of the last step, with its future reply, until `step` has returned the reply.
        self._unanswered: tuple[str, asyncio.Future[types.StepReply]] | None = None
        self._set(state, state["index"])

    @property
    def ended(self) -> bool:
        """Whether the episode takes no more steps."""
        return self.terminated or self.truncated

    def messages(self) -> list[dict[str, str]]:
        """Returns the prompt and the newest observation as the messages with which a chat begins."""
        return [{"role": "system", "content": self.prompt}, {"role": "user", "content": self.observation}]

    def __repr__(self) -> str:
        return f"Episode({self.id!r}, {self.environment!r}, {self.task!r}, index={self.index})"

    def _set(self, reply: types.Episode | types.StepReply, index: int) -> None:
        self.index = index
        self.observation: str = reply["observation"]
        read = reply.get("read")
        self.read = read if isinstance(read, str) else None
        self.parts: list[types.ObservationPart] = reply.get("parts", [])
        self.reward = float(reply["reward"])
        self.terminated: bool = reply["terminated"]
        self.truncated: bool = reply["truncated"]
        self.info: dict[str, Any] = reply["info"]
