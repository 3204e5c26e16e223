"""Environments of a gym for the `environment_factory` of TRL's trainers."""

from __future__ import annotations

import inspect
import keyword
import re
import threading
from typing import Any, Callable, Literal, Mapping, Optional

from . import types
from .errors import GymActionError, GymError
from .sync import Gym
from .tools import action_of

_scalars: dict[str, Any] = {"string": str, "integer": int, "number": float, "boolean": bool, "object": dict}


def environment(
    url: str,
    environment: str,
    *,
    token: str | None = None,
    options: Mapping[str, str] | None = None,
    max_steps: int | None = None,
    reward: bool = True,
) -> type:
    """Returns a class whose instances TRL's `environment_factory` can use.

    Each tool of the environment is a method of the class. An environment without tools has the method `act`. The
    columns `index`, `split` and `seed` of the dataset select the task of a row. All instances share one connection.

    Args:
        url: Address of the gym.
        environment: Name of the environment, such as `textcraft`.
        token: Token of `palestra token create`.
        options: Values of the environment's options.
        max_steps: Number of steps after which an episode is truncated.
        reward: Whether the class has the method `get_reward`, which returns the sum of the episode's rewards. It
            returns None if the gym failed, so that TRL leaves the episode out.
    """
    with Gym(url, token) as gym:
        description = gym.environment(environment)
    shared = _SharedGym(url, token)
    fields = {"environment": environment, "options": dict(options or {}), "max_steps": max_steps}
    methods: dict[str, Any] = {"_shared": shared, "_fields": fields, "__doc__": description["summary"]}
    taken = {"reset", "get_reward"}
    for tool in _tools_of(description, options or {}):
        method = _method_of(tool, _identifier(tool["name"], taken))
        methods[method.__name__] = method
    if reward:
        methods["get_reward"] = _get_reward
    name = "".join(part.capitalize() for part in re.findall(r"\w+", environment)) + "Environment"
    return type(name, (_Environment,), methods)


class _SharedGym:
    """One connection for all instances, opened by the first call, since a client cannot cross a fork."""

    def __init__(self, url: str, token: str | None) -> None:
        self._arguments = (url, token)
        self._lock = threading.Lock()
        self._gym: Gym | None = None

    def get(self) -> Gym:
        with self._lock:
            if self._gym is None or self._gym._problem() is not None:
                self._gym = Gym(*self._arguments, capacity_wait=600)
            return self._gym


class _Environment:
    # TRL makes a tool of every public function of the class, so other functions start with an underscore.
    _shared: _SharedGym
    _fields: dict[str, Any]

    def __init__(self) -> None:
        self.episode: Any = None
        self.total_reward = 0.0
        self.failure: GymError | None = None

    def reset(self, **row: Any) -> str | None:
        """Starts the episode of a row of the dataset, and returns its first observation."""
        if "index" not in row:
            raise ValueError(f"expected a column `index` in the dataset, but received {', '.join(row) or 'no columns'}")
        gym = self._shared.get()
        self._close()
        self.total_reward, self.failure = 0.0, None
        self.episode = gym.create(
            index=int(row["index"]), split=row.get("split"), seed=int(row.get("seed") or 0), **self._fields
        )
        observation: str = self.episode.observation
        return observation

    def _act(self, action: str) -> str:
        if self.episode is None:
            raise RuntimeError("expected a call of reset before the first tool call")
        if self.episode.ended or self.failure is not None:
            return "The episode has ended."
        try:
            reply = self._shared.get().step(self.episode, action)
        except GymActionError:
            raise
        except GymError as error:
            self.failure = error
            raise
        self.total_reward += float(reply["reward"])
        return reply["observation"]

    def _close(self) -> None:
        episode, self.episode = self.episode, None
        if episode is not None and not episode.ended:
            try:
                self._shared.get().close_episode(episode)
            except GymError:
                pass  # The gym closes it when its lease ends.


def _get_reward(self: _Environment) -> Optional[float]:
    """Returns the sum of the episode's rewards, or None if the gym failed."""
    return None if self.failure is not None else self.total_reward


def _tools_of(description: types.Environment, options: Mapping[str, str]) -> list[types.Tool]:
    tools = description["tools"]
    for name, option in description["options"].items():
        value = options.get(name, next(iter(option["values"])))
        if value not in option["values"]:
            raise ValueError(f"expected {name} as one of {', '.join(option['values'])}, but received {value!r}")
        tools = option["values"][value].get("tools", tools)
    act: types.Tool = {
        "name": "act",
        "description": "Performs one action in the environment.",
        "parameters": {
            "type": "object",
            "properties": {"action": {"type": "string", "description": "Text of the action."}},
            "required": ["action"],
        },
        "action": "{action}",
    }
    return tools or [act]


def _method_of(tool: types.Tool, name: str) -> Callable[..., str]:
    properties: dict[str, Any] = tool["parameters"].get("properties", {})
    required = tool["parameters"].get("required", [])
    taken = {"self", "cls"}
    names = {_identifier(each, taken): each for each in properties}
    hints = {each: _hint(properties[key], key in required) for each, key in names.items()}

    def method(self: _Environment, *args: Any, **kwargs: Any) -> str:
        given = signature.bind(self, *args, **kwargs).arguments
        arguments = {names[each]: value for each, value in given.items() if each in names and value is not None}
        return self._act(action_of(tool, arguments))

    # A parameter with a default cannot precede one without.
    ordered = sorted(names, key=lambda each: names[each] not in required)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    signature = inspect.Signature(
        [inspect.Parameter("self", kind)]
        + [
            inspect.Parameter(
                each,
                kind,
                annotation=hints[each],
                default=inspect.Parameter.empty if names[each] in required else None,
            )
            for each in ordered
        ],
        return_annotation=str,
    )
    method.__name__ = name
    method.__qualname__ = name
    method.__annotations__ = {**{each: hints[each] for each in ordered}, "return": str}
    method.__doc__ = _docstring(tool, [(each, properties[names[each]]) for each in ordered])
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _docstring(tool: types.Tool, parameters: list[tuple[str, dict[str, Any]]]) -> str:
    """Returns a docstring in Google's style, from which `transformers` makes the JSON Schema of the tool."""
    lines = [_line(tool["description"]) or f"Calls {tool['name']}.", ""]
    if parameters:
        lines += ["Args:", *(f"    {name}: {_line(_described(name, schema))}" for name, schema in parameters), ""]
    return "\n".join([*lines, "Returns:", "    The observation."])


def _described(name: str, schema: dict[str, Any]) -> str:
    return str(schema.get("description") or f"The argument {name}.")


def _line(text: str) -> str:
    # The words that begin a section of a docstring would cut off the text.
    return re.sub(r"\b(Args|Returns|Raises):", r"\1 -", " ".join(text.split()))


def _hint(schema: dict[str, Any], is_required: bool) -> Any:
    hint = _type_of(schema)
    return hint if is_required else Optional[hint]


def _type_of(schema: dict[str, Any]) -> Any:
    values = schema.get("enum")
    if values and all(isinstance(value, (str, int, bool)) for value in values):
        return Literal[tuple(values)]
    kind = schema.get("type")
    if kind == "array":
        return list[_type_of(schema.get("items", {}))]  # type: ignore[misc]
    return _scalars.get(kind, Any) if isinstance(kind, str) else Any


def _identifier(name: str, taken: set[str]) -> str:
    """Returns a valid and unused name for Python, as close to `name` as possible."""
    text = re.sub(r"\W", "_", name, flags=re.ASCII).lstrip("_")
    if not text or text[0].isdigit():
        text = f"x{text}"
    while keyword.iskeyword(text) or text in taken:
        text += "_"
    taken.add(text)
    return text
