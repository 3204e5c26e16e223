"""Drives AgentGym's own, unmodified ScienceWorld client against our server and AgentGym's, side by side.

Usage: agentgym-sciworld-client.py AGENTENV_DIR BASE_URL PEER_URL [--games N] [--rounds N] [--seed S]

AGENTENV_DIR  the folder `agentenv` of a checkout of WooooDyy/AgentGym; `requests` has to be installed
BASE_URL      http://127.0.0.1:8700/agentgym/sciworld
PEER_URL      AgentGym's ScienceWorld server
--games       how many data_idx, evenly over all 4,639 (default 60)
--rounds      at most so many of each (default 30, as AgentGym evaluates)

Plays by replies of a model that chooses among what the server's own hint lists, and now and then says something else.
Prints what share of resets and steps is the same on both, and the first differences. Exits with 1 unless every reply has
the same fields, score and end. Published versions of the simulator put things in another order than 1.3.0, which our server
answers as: against them texts may differ.
"""

import argparse
import contextlib
import importlib.util
import io
import random
import sys
import types

GAMES = 4639


class Stub(types.ModuleType):
    """Stub of the packages that the client's modules import but do not use."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def client_class(folder):
    for name in ("transformers", "numpy", "agentenv", "agentenv.controller"):
        sys.modules[name] = Stub(name)
    controller = sys.modules["agentenv.controller"]
    controller.__path__ = [f"{folder}/agentenv/controller"]
    load("agentenv.controller.types", f"{folder}/agentenv/controller/types.py")
    for part in ("env", "utils"):
        vars(controller).update(vars(load(f"agentenv.controller.{part}", f"{folder}/agentenv/controller/{part}.py")))
    return load("sciworld_client", f"{folder}/agentenv/envs/sciworld.py").SciworldEnvClient


ODD = ["fly", "", "0", "1", "99", "task", "help", "OPEN door to kitchen", "go to kitchen", "move a to b", "wait", "wait1"]


def spoken(rng, hint):
    if rng.random() < 0.15:
        return rng.choice(ODD)
    action = rng.choice([action for action in hint["possible_actions"] if action != "reset task"])
    while "OBJ" in action:
        action = action.replace("OBJ", rng.choice(hint["possible_objects"]), 1)
    # The wrong focus ends a game at once.
    return action if not action.startswith("focus") or rng.random() < 0.1 else "look around"


def counted(counts, name, pair, told):
    counts.setdefault(name, [0, 0])
    counts[name][1] += 1
    if pair[0] == pair[1]:
        counts[name][0] += 1
    elif counts[name][1] - counts[name][0] <= 3:
        print(f"{name} of {told}:\n  ours   {pair[0]!r}\n  theirs {pair[1]!r}")


parser = argparse.ArgumentParser()
parser.add_argument("agentenv")
parser.add_argument("base")
parser.add_argument("peer")
parser.add_argument("--games", type=int, default=60)
parser.add_argument("--rounds", type=int, default=30)
parser.add_argument("--seed", type=int, default=0)
args = parser.parse_args()
Client = client_class(args.agentenv)
clients = [Client(url, data_len=GAMES) for url in (args.base, args.peer)]
rng = random.Random(args.seed)
counts = {}
for game in range(args.games):
    index = game * GAMES // args.games
    resets = [client.reset(index) for client in clients]
    counted(counts, "reset", resets, index)
    for round in range(args.rounds):
        action = spoken(rng, clients[1]._get("action_hint"))
        with contextlib.redirect_stdout(io.StringIO()):
            pair = [vars(client.step(f"Thought:\nI try.\n\nAction:\n{action}")) for client in clients]
        told = f"{index}, round {round}, {action!r}"
        counted(counts, "fields", [sorted(step) for step in pair], told)
        counted(counts, "score and end", [(step["reward"], step["done"]) for step in pair], told)
        counted(counts, "text", [step["state"] for step in pair], told)
        if any(step["done"] for step in pair):
            break
for name, (same, total) in counts.items():
    print(f"{name}: {same} of {total} the same")
print("closed:", *[client.close() for client in clients])
sys.exit(0 if all(counts[name][0] == counts[name][1] for name in ("fields", "score and end")) else 1)
