"""Plays episodes of one Gymnasium environment for the gym.

Usage: worker.py ID OPTIONS, where OPTIONS is a JSON object. A request is a line of JSON on file descriptor 3, and each
answer is a line of JSON on file descriptor 4, as envs/shared/processes/messages.ts defines them. The process ends when the gym
closes file descriptor 5.
"""

import base64
import enum
import importlib.metadata
import inspect
import json
import math
import os
import re
import struct
import sys
import threading
import zlib

REQUESTS, ANSWERS, LIFE = 3, 4, 5

# Names of actions and range of rewards of Gymnasium's own environments, which do not state them.
KNOWN = {
    "FrozenLake": (["left", "down", "right", "up"], [0, 1]),
    "CliffWalking": (["up", "right", "down", "left"], [-100, -1]),
    "Taxi": (["south", "north", "east", "west", "pickup", "dropoff"], [-10, 20]),
    "Blackjack": (["stick", "hit"], [-1, 1.5]),
    "CartPole": (["left", "right"], [0, 1]),
    "MountainCar": (["left", "wait", "right"], [-1, 0]),
    "Acrobot": (["negative torque", "no torque", "positive torque"], [-1, 0]),
}
# Largest number of characters of a description or an info that is passed on.
MOST_TEXT = 3_000
# Longer than any episode: the gym truncates episodes itself.
NO_LIMIT = 10**9


class WrongAction(Exception):
    """An action that the environment does not have. The agent is told, and nothing happens."""


class Player:
    def __init__(self, env_id, options):
        import gymnasium

        self.gymnasium = gymnasium
        self.env_id = env_id
        self.render_mode = options.get("render")
        self.names = options.get("actions")
        self.env = None

    def make(self, render_mode):
        more = {} if render_mode is None else {"render_mode": render_mode}
        return self.gymnasium.make(self.env_id, max_episode_steps=NO_LIMIT, disable_env_checker=True, **more)

    def describe(self, _):
        self.open(self.find_render_mode())
        # The module of an id such as `module:Name-v0` has been imported by now.
        spec = self.gymnasium.spec(self.env_id.split(":")[-1])
        space = self.env.action_space
        known = known_facts(self.env_id)
        names = self.names or action_names(self.env.unwrapped) or known[0]
        discrete = isinstance(space, self.gymnasium.spaces.Discrete)
        low, high = reward_range(self.env) or known[1] or (None, None)
        return {
            "version": self.gymnasium.__version__,
            "package": package_of(self.env.unwrapped),
            "maxSteps": spec.max_episode_steps,
            "solved": spec.reward_threshold,
            "rewards": None if low is None else [low, high],
            "space": type(space).__name__,
            "action": describe_space(space),
            "first": int(space.start) if discrete else 0,
            "count": int(space.n) if discrete else 0,
            "names": names if discrete and names and len(names) == int(space.n) else None,
            "observation": describe_space(self.env.observation_space),
            "render": self.env.render_mode,
            "description": description_of(self.env.unwrapped),
        }

    def find_render_mode(self):
        """Returns the first render mode that gives text or an image, tried since an image may need a missing package."""
        if self.render_mode == "none":
            return None
        if self.render_mode is not None:
            return self.render_mode
        env = self.make(None)
        modes = env.metadata.get("render_modes", [])
        is_text = isinstance(env.observation_space, self.gymnasium.spaces.Text)
        env.close()
        for mode in [] if is_text else [mode for mode in ("ansi", "rgb_array") if mode in modes]:
            try:
                env = self.make(mode)
                env.reset(seed=0)
                env.render()
                env.close()
                return mode
            except Exception:
                pass
        return None

    def open(self, render_mode):
        if self.env is not None:
            self.env.close()
        self.env = None
        self.env = self.make(render_mode)

    def reset(self, request):
        # Every episode has an environment of its own, so that it cannot depend on an earlier episode.
        self.open(request["render"])
        self.names = request["names"]
        observation, info = self.env.reset(seed=request["seed"])
        return {**self.shown(observation), "info": plain_info(info)}

    def step(self, request):
        try:
            action = self.action_in(request["action"])
        except WrongAction as error:
            return {"wrong": str(error)}
        observation, reward, terminated, truncated, info = self.env.step(action)
        reward = float(reward)
        if not math.isfinite(reward):
            raise ValueError(f"expected a finite reward, but received {reward}")
        return {
            **self.shown(observation),
            "reward": reward,
            "terminated": bool(terminated),
            "truncated": bool(truncated),
            "info": plain_info(info),
        }

    def shown(self, observation):
        text = observation if isinstance(observation, str) else json_text(observation)
        rendered = self.env.render() if self.env.render_mode is not None else None
        if hasattr(rendered, "getvalue"):
            rendered = rendered.getvalue()
        if isinstance(rendered, str):
            return {"observation": f"{without_colours(rendered).strip()}\n\nObservation: {text}"}
        return {"observation": text, **({} if rendered is None else {"image": png(rendered)})}

    def action_in(self, text):
        spaces = self.gymnasium.spaces
        space = self.env.action_space
        if isinstance(space, spaces.Text):
            action = text
        elif isinstance(space, spaces.Discrete):
            action = self.discrete(space, text.strip())
        else:
            action = converted(spaces, space, parsed(text))
        if not contains(space, action):
            raise WrongAction(f"expected {describe_space(space)}.")
        return action

    def discrete(self, space, text):
        names = [name.lower() for name in self.names or []]
        if text.lower() in names:
            return int(space.start) + names.index(text.lower())
        if re.fullmatch(r"-?[0-9]{1,18}", text):
            return int(text)
        expected = f"one of {', '.join(self.names)}" if self.names else describe_space(space)
        raise WrongAction(f"expected {expected}.")


def contains(space, action):
    try:
        return space.contains(action)
    except (TypeError, ValueError, OverflowError):
        # A space may fail on an element of another kind, such as an integer of more than 64 bits.
        return False


def parsed(text):
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise WrongAction("expected an action as JSON.") from None


def converted(spaces, space, value):
    """Converts JSON to an element of a space."""
    import numpy

    try:
        if isinstance(space, spaces.Dict):
            if set(value) != set(space.spaces):
                raise WrongAction(f"expected a JSON object with the keys {', '.join(space.spaces)}.")
            return {key: converted(spaces, part, value[key]) for key, part in space.spaces.items()}
        if isinstance(space, spaces.Tuple):
            if len(value) != len(space.spaces):
                raise WrongAction(f"expected a JSON list of {len(space.spaces)} entries.")
            return tuple(converted(spaces, part, each) for part, each in zip(space.spaces, value))
        if isinstance(space, (spaces.Box, spaces.MultiDiscrete, spaces.MultiBinary)):
            array = numpy.array(value)
            # Numbers of another kind would be rounded silently.
            if array.dtype.kind not in "bif" or (array.dtype.kind == "f" and space.dtype.kind != "f"):
                raise WrongAction(f"expected {describe_space(space)}.")
            return array.astype(space.dtype)
        if isinstance(space, spaces.Discrete) and isinstance(value, bool):
            raise WrongAction(f"expected {describe_space(space)}.")
        return value
    except (TypeError, ValueError, OverflowError):
        raise WrongAction(f"expected {describe_space(space)}.") from None


def describe_space(space):
    return " ".join(str(space).split())[:MOST_TEXT]


def json_text(value):
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False)


def plain(value):
    """Converts a value of Python or numpy to JSON. Numbers that JSON lacks become text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)


def plain_info(info):
    """Returns the info of a result, or nothing if it is large."""
    try:
        text = json_text(info)
        return json.loads(text) if len(text) <= MOST_TEXT else {}
    except (TypeError, ValueError, RecursionError):
        return {}


def without_colours(text):
    """Writes brackets around text that a terminal would colour, such as the place of the player."""
    marked = re.sub(r"\x1b\[[0-9;]+m(.*?)\x1b\[0m", r"[\1]", text, flags=re.DOTALL)
    return re.sub(r"\x1b\[[0-9;]*m", "", marked)


def png(pixels):
    """Encodes an array [height, width, 3] of bytes as PNG, in base64."""
    height, width, _ = pixels.shape
    rows = b"".join(b"\0" + row.tobytes() for row in pixels.astype("uint8"))

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    whole = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(whole).decode()


def known_facts(env_id):
    name = re.sub(r"(8x8|Slippery|Continuous)?-v\d+$", "", env_id)
    return KNOWN.get(name, (None, None))


def action_names(env):
    if hasattr(env, "get_action_meanings"):
        return [str(name).lower() for name in env.get_action_meanings()]
    actions = getattr(env, "actions", None)
    if inspect.isclass(actions) and issubclass(actions, enum.IntEnum):
        return [action.name.lower() for action in sorted(actions)]
    return None


def reward_range(env):
    given = getattr(env.unwrapped, "reward_range", None)
    if not isinstance(given, tuple) or len(given) != 2 or not all(math.isfinite(bound) for bound in given):
        return None
    return [float(bound) for bound in given]


def package_of(env):
    """Returns name and version of the package of an environment, or the module if no package is installed."""
    module = type(env).__module__.split(".")[0]
    names = importlib.metadata.packages_distributions().get(module, [])
    return f"{names[0]} {importlib.metadata.version(names[0])}" if names else module


def description_of(env):
    text = inspect.cleandoc(type(env).__doc__ or "")
    text = re.split(r"\n#+ (?:Arguments|Version|References|Information)", text)[0].strip()
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT].rsplit("\n", 1)[0]


def end_with_gym():
    while os.read(LIFE, 1):
        pass
    os._exit(0)


def tell(message):
    data = (json.dumps(message, allow_nan=False) + "\n").encode()
    while data:
        data = data[os.write(ANSWERS, data) :]


def main():
    threading.Thread(target=end_with_gym, daemon=True).start()
    try:
        player = Player(sys.argv[1], json.loads(sys.argv[2]))
    except Exception as error:
        return tell({"kind": "unusable", "message": f"{type(error).__name__}: {error}"})
    tell({"kind": "ready"})
    for line in os.fdopen(REQUESTS, encoding="utf-8", newline="\n"):
        request = json.loads(line)
        try:
            answer = getattr(player, request["call"])(request)
            tell({"kind": "answered", "id": request["id"], "answer": answer})
        except Exception as error:
            tell({"kind": "threw", "id": request["id"], "message": f"{type(error).__name__}: {error}"[:1_000]})


main()
