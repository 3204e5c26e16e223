"""Times the original BabyAI: MiniGrid's own steps and resets, and AgentGym's text layer over it.

Usage: babyai-speed.py SECONDS [--agentgym DIR] LEVEL...

SECONDS     for each figure
--agentgym  the folder `agentenv-babyai` of a checkout of WooooDyy/AgentGym: its class plays the levels by text, too
LEVEL       without `BabyAI-` and `-v0`

Needs PyPI `minigrid` (before 2.5.0 for --agentgym). Prints one JSON object a line: {"level", "kind", "rate"}, where the
kind is `step`, `reset` or `text` and the rate is per second in one thread.
"""

import argparse
import contextlib
import io
import json
import random
import sys
import time
import types

import gymnasium
import minigrid  # noqa: F401 (registers the levels)

chunk = 50


def environment(level):
    name = level if level.endswith(("-v0", "-v1")) else f"{level}-v0"
    return gymnasium.make(f"BabyAI-{name}", disable_env_checker=True).unwrapped


def timed(seconds, work):
    """Returns the calls of `work` per second."""
    done = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        for _ in range(chunk):
            work(done)
            done += 1
    return done / (time.perf_counter() - started)


def step_rate(level, seconds):
    env = environment(level)
    env.reset(seed=0)
    moves = [random.Random(0).randrange(7) for _ in range(4096)]
    return timed(seconds, lambda i: env.step(moves[i % 4096]))


def reset_rate(level, seconds):
    env = environment(level)
    with contextlib.redirect_stdout(io.StringIO()):
        return timed(seconds, lambda i: env.reset(seed=i % 100))


def text_rate(babyai, level, seconds):
    """Returns the random available actions per second, 30 per episode, without the time of resets."""
    rng = random.Random(0)
    spent = 0.0
    done = 0
    seed = 0
    while spent < seconds:
        with contextlib.redirect_stdout(io.StringIO()):
            env = babyai(game_name=environment(level).spec.id, seed=seed)
        seed += 1
        for _ in range(30):
            action = rng.choice(env._get_action_space())
            started = time.perf_counter()
            env.step(action)
            spent += time.perf_counter() - started
            done += 1
            if env._is_done():
                break
    return done / spent


def agentgym_class(folder):
    """Imports AgentGym's class, with stubs in place of the packages that the class does not use."""
    for name in ("gym", "matplotlib", "matplotlib.pyplot", "PIL"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["gym"].Env = object
    sys.modules["PIL"].Image = None
    # The module gets a fake package, whose import does not start a server.
    package = types.ModuleType("agentenv_babyai")
    package.__path__ = [f"{folder}/agentenv_babyai"]
    sys.modules["agentenv_babyai"] = package
    from agentenv_babyai.environment import BabyAI

    return BabyAI


parser = argparse.ArgumentParser()
parser.add_argument("seconds", type=float)
parser.add_argument("--agentgym")
parser.add_argument("levels", nargs="+")
args = parser.parse_args()
babyai = agentgym_class(args.agentgym) if args.agentgym else None
for level in args.levels:
    figures = {"step": step_rate(level, args.seconds), "reset": reset_rate(level, args.seconds)}
    if babyai:
        figures["text"] = text_rate(babyai, level, args.seconds)
    for kind, rate in figures.items():
        print(json.dumps({"level": level, "kind": kind, "rate": rate}), flush=True)
