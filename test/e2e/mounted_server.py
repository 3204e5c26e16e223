"""An OpenEnv server on the package's own `create_app`, and Gymnasium environments that fail.

As a program, `mounted_server.py KIND PORT` serves a guessing game (`guess`), a game with two fields (`fields`) or tools
(`tools`). As a module, it registers the Gymnasium environments `Faulty-v0`, `Drawn-v0` and `Spaces-v0`.
"""

import os
import sys
import time


def serve(kind, port):
    import uvicorn
    from openenv.core.env_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State

    class Guess(Action):
        message: str

    class Move(Action):
        x: int
        y: int = 0

    class Hint(Observation):
        hint: str

    class Game(Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self):
            super().__init__()
            self.secret = 0
            self.steps = 0

        def reset(self, seed=None, episode_id=None, **kwargs):
            self.secret = (seed or 0) % 10
            self.steps = 0
            return Hint(hint="Guess a number from 0 to 9.", done=False, reward=None)

        def step(self, action, timeout_s=None, **kwargs):
            self.steps += 1
            guess = action.message.strip() if kind == "guess" else str(action.x)
            if guess == "die":
                os._exit(1)
            if guess == "fail":
                raise RuntimeError("the environment has a bug")
            if not guess.lstrip("-").isdigit():
                return Hint(hint="That is no number.", done=False, reward=0.0)
            won = int(guess) == self.secret
            return Hint(hint="Right." if won else "Wrong.", done=won, reward=1.0 if won else 0.0)

        @property
        def state(self):
            return State(episode_id="game", step_count=self.steps)

    if kind == "tools":
        app = create_app(tool_environment(), *tool_types(), env_name="tools", max_concurrent_envs=8)
    else:
        app = create_app(Game, Guess if kind == "guess" else Move, Hint, env_name=kind, max_concurrent_envs=8)
    uvicorn.run(app, port=port, log_level="warning")


def tool_types():
    from openenv.core.env_server.mcp_types import CallToolAction, CallToolObservation

    return CallToolAction, CallToolObservation


def tool_environment():
    from fastmcp import FastMCP
    from openenv.core.env_server.mcp_environment import MCPEnvironment
    from openenv.core.env_server.types import Observation, State

    class Tools(MCPEnvironment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def __init__(self):
            server = FastMCP("tools")

            @server.tool
            def addNumbers(a: int, b: int) -> str:
                """Adds two numbers."""
                return str(a + b)

            super().__init__(server)

        def reset(self, seed=None, episode_id=None, **kwargs):
            return Observation(done=False, reward=0.0)

        def _step_impl(self, action, timeout_s=None, **kwargs):
            return Observation(done=False, reward=0.0)

        @property
        def state(self):
            return State(episode_id="tools", step_count=0)

    return Tools


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
else:
    import gymnasium
    import numpy
    from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Text, Tuple

    class Faulty(gymnasium.Env):
        """Fails in the way that the action names."""

        metadata = {"render_modes": []}
        observation_space = Text(100)
        action_space = Text(100)

        def reset(self, *, seed=None, options=None):
            return f"seed {seed}", {}

        def step(self, action):
            if action == "die":
                os._exit(3)
            if action == "hang":
                time.sleep(1_000)
            if action == "throw":
                raise RuntimeError("a bug")
            return action, float("nan") if action == "nan" else 0.5, action == "end", action == "cut", {}

    class Drawn(gymnasium.Env):
        """Draws the action as a colour.

        - x: no action
        """

        metadata = {"render_modes": ["rgb_array"]}
        observation_space = Box(0, 255, (2,), numpy.float32)
        action_space = Discrete(3, start=5)

        def __init__(self, render_mode=None):
            self.render_mode = render_mode
            self.colour = 0

        def reset(self, *, seed=None, options=None):
            self.colour = 0
            return numpy.array([0, numpy.inf], numpy.float32), {"seed": seed}

        def step(self, action):
            self.colour = int(action)
            return numpy.array([action, 1], numpy.float32), 1, False, False, {}

        def render(self):
            return numpy.full((2, 3, 3), self.colour, numpy.uint8)

    class Spaces(gymnasium.Env):
        """Repeats an action of many parts."""

        metadata = {"render_modes": []}
        observation_space = Text(1_000)
        action_space = Dict(
            {
                "box": Box(0, 1, (2,), numpy.float32),
                "many": MultiDiscrete([3, 4]),
                "pair": Tuple([Discrete(2), Text(5)]),
            }
        )

        def reset(self, *, seed=None, options=None):
            return "start", {}

        def step(self, action):
            return f"{action['box'].tolist()} {action['many'].tolist()} {action['pair']}", 0, False, False, {}

    for environment in (Faulty, Drawn, Spaces):
        gymnasium.register(f"{environment.__name__}-v0", entry_point=environment)
