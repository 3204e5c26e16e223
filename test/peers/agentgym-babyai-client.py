"""Drives AgentGym's own, unmodified BabyAI client against our server and AgentGym's, side by side.

Usage: agentgym-babyai-client.py AGENTENV_DIR BASE_URL PEER_URL [--tasks N] [--seed S]

AGENTENV_DIR  the folder `agentenv` of a checkout of WooooDyy/AgentGym; `requests` has to be installed
BASE_URL      http://127.0.0.1:8700/agentgym/babyai
PEER_URL      AgentGym's BabyAI server
--tasks       how many data_idx, from 0 on (default 200)

Each task is played for up to 20 rounds, as AgentGym evaluates, by replies of a model that chooses among the available
actions and now and then says something else. Exits with 1 unless every reset and every step is the same on both.
"""

import argparse
import importlib.util
import json
import random
import re
import sys
import types


class Stub(types.ModuleType):
    """Stub of the packages from which the client's module imports base classes and types."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__init__": lambda self, *args, **fields: self.__dict__.update(fields)})


def client_class(folder):
    for name in ("agentenv", "agentenv.controller", "agentenv.controller.types"):
        sys.modules[name] = Stub(name)
    # Written as a call with a dict.
    sys.modules["agentenv.controller.types"].ConversationMessage = dict
    spec = importlib.util.spec_from_file_location("babyai_client", f"{folder}/agentenv/envs/babyai.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.BabyAIEnvClient


def spoken(rng, observation):
    listed = re.search(r"Available actions: (\[.*\])$", observation)
    actions = json.loads(listed.group(1))
    odd = ["fly", "", "go to red ball 9", "pickup grey wall 1", "TOGGLE", "check everything", "drop!!", "move  forward"]
    action = rng.choice(odd) if rng.random() < 0.1 else rng.choice(actions)
    return f"Thought:\nI try.\n\nAction:\n{action}"


parser = argparse.ArgumentParser()
parser.add_argument("agentenv")
parser.add_argument("base")
parser.add_argument("peer")
parser.add_argument("--tasks", type=int, default=200)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
Client = client_class(args.agentenv)
ours, theirs = (Client(url, data_len=args.tasks) for url in (args.base, args.peer))
rng = random.Random(args.seed)
resets = steps = differing = 0
for task in range(args.tasks):
    pair = [client.reset(task) for client in (ours, theirs)]
    resets += 1
    differing += pair[0] != pair[1]
    for _ in range(20):
        said = spoken(rng, theirs.observe())
        pair = [vars(client.step(said)) for client in (ours, theirs)]
        steps += 1
        if pair[0] != pair[1]:
            differing += 1
            print(f"task {task}, {said!r}:\n  ours   {pair[0]}\n  theirs {pair[1]}")
        if theirs.info["done"]:
            break
print(f"{resets} resets and {steps} steps, {differing} differ; closed: {ours.close()}")
sys.exit(1 if differing else 0)
