"""Measures AgentGym's BabyAI: text steps a second on the random walk that test/bench/babyai.ts plays, resets left out.

    python3 test/peers/babyai-text-rate.py AGENTENV_BABYAI SEED

AGENTENV_BABYAI is the folder of that name in the public repository WooooDyy/AgentGym; minigrid 2.3 and gymnasium have to
be installed. Plays every level with the seed, through the server class and without HTTP, and prints one line of JSON:
{"steps", "seconds", "sha256"}, the last of all observations in order.
"""

import contextlib
import hashlib
import io
import json
import os
import sys
import time
import types

package, seed = sys.argv[1], int(sys.argv[2])
STEPS = 25


def load_package():
    for name, attribute in [("gym", "Env"), ("matplotlib", "pyplot"), ("matplotlib.pyplot", "x"), ("PIL", "Image")]:
        sys.modules[name] = types.ModuleType(name)
        setattr(sys.modules[name], attribute, type(attribute, (), {}))
    stub = types.ModuleType("agentenv_babyai")  # the package's own __init__ starts a server
    stub.__path__ = [os.path.join(package, "agentenv_babyai")]
    sys.modules["agentenv_babyai"] = stub
    from agentenv_babyai import environment

    return environment


def walk(server, data_idx, digest):
    """Actions by a linear congruential generator, the last of the list (which lists the actions) left out."""
    idx = server.create()["id"]
    digest.update(server.reset(idx, data_idx)["observation"].encode())
    draw, seconds = data_idx, 0.0
    for step in range(1, STEPS + 1):
        actions = list(server.env[idx].action_space)
        draw = (draw * 1103515245 + 12345) % 2**31
        action = actions[(draw >> 8) % (len(actions) - 1)]
        start = time.perf_counter()
        reply = server.step(idx, action)
        seconds += time.perf_counter() - start
        digest.update(reply["observation"].encode())
        if reply["done"]:
            break
    return step, seconds


with contextlib.redirect_stdout(io.StringIO()):
    environment = load_package()
    server, digest = environment.BabyAIEnv(), hashlib.sha256()
    walks = [walk(server, seed * 40 + level, digest) for level in range(40)]
    server.ls.clear()  # its destructor would close what has no close without the real gym
print(json.dumps({"steps": sum(w[0] for w in walks), "seconds": sum(w[1] for w in walks), "sha256": digest.hexdigest()}))
