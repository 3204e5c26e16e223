"""Drives AgentGym's own, unmodified TextCraft client against a server, and its own server beside it.

Usage: agentgym-client.py AGENTENV_DIR BASE_URL SOLUTIONS [--peer URL] [--traces FILE.jsonl.gz ...]

AGENTENV_DIR  the folder `agentenv` of a checkout of WooooDyy/AgentGym; `requests` has to be installed
BASE_URL      http://127.0.0.1:8700/agentgym/textcraft
SOLUTIONS     what `node test/peers/textcraft-solutions.mjs` prints
--peer        AgentGym's TextCraft server, its recipes read in sorted order: each reply is compared with ours
--traces      recorded episodes, {"dataIdx", "steps": [{"action"}, ...]} a line, played on both

Plays every goal once by one client, as AgentGym's evaluation does, and in bursts of 256 clients, as its training does.
Exits with 1 unless every goal gives reward 1 and every reply to a reset and a step is the peer's. What the client never
sends is compared, too, and printed where it differs: our server takes whole numbers and their digits for ids, while
pydantic also takes true, "4.0" and "1_0".
"""

import argparse
import gzip
import importlib.abc
import importlib.machinery
import json
import sys
import types
from concurrent.futures import ThreadPoolExecutor

heavy = {"torch", "transformers", "openai", "numpy", "tqdm", "trl", "accelerate", "torch_npu", "vllm"}


class Stub(types.ModuleType):
    """Stub of a package that AgentGym imports but that its clients do not use."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        # The stub can be a base class, an annotation and a decorator.
        return type(name, (), {"__call__": lambda self, decorated: decorated})


class Stubs(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in heavy:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Stub(spec.name)

    def exec_module(self, module):
        pass


def load_client(agentenv_dir):
    # The stubs come after the installed packages, so that they replace only missing ones.
    sys.meta_path.append(Stubs())
    sys.path.insert(0, agentenv_dir)
    from agentenv.envs.textcraft import TextCraftEnvClient

    return TextCraftEnvClient


def react(action):
    return f"Thought:\nThis is the next step.\n\nAction:\n{action}"


def play(client, solution):
    client.reset(solution["dataIdx"])
    assert client.observe().startswith("Crafting commands:\n"), client.observe()
    for action in solution["actions"]:
        output = client.step(react(action))
    return output.reward == 1 and output.done is True


def evaluate(new_client, solutions):
    client = new_client()
    solved = sum(play(client, solution) for solution in solutions)
    assert client.close() is True
    assert client.close() is False
    return solved


def train(new_client, solutions, clients=256):
    """Plays like a trainer: creates concurrently, resets one after another, then steps all environments concurrently."""
    solved = 0
    for start in range(0, len(solutions), clients):
        batch = solutions[start : start + clients]
        with ThreadPoolExecutor(len(batch)) as threads:
            environments = list(threads.map(lambda _: new_client(), batch))
            assert len({client.env_id for client in environments}) == len(batch)
            for client, solution in zip(environments, batch):
                client.reset(solution["dataIdx"])
            outputs = [None] * len(batch)
            for turn in range(max(len(solution["actions"]) for solution in batch)):
                acting = [i for i, solution in enumerate(batch) if turn < len(solution["actions"])]
                take = lambda i: environments[i].step(react(batch[i]["actions"][turn]))
                for i, output in zip(acting, threads.map(take, acting)):
                    outputs[i] = output
            solved += sum(output.reward == 1 and output.done is True for output in outputs)
            assert all(threads.map(lambda client: client.close(), environments))
    return solved


def compare(ours, peer, episodes):
    """Sends the same requests with the same client code to both servers, without the client's clean-up of actions."""
    replies = same = openings = same_openings = 0
    for episode in episodes:
        starts = [client._post("reset", {"data_idx": episode["dataIdx"]}) for client in (ours, peer)]
        openings += 1
        same_openings += [summary(start) for start in starts][0] == [summary(start) for start in starts][1]
        for action in episode["actions"]:
            pair = [client._post("step", {"action": action}) for client in (ours, peer)]
            replies += 1
            same += pair[0] == pair[1]
            if pair[0] != pair[1]:
                print(f"differs at {episode['dataIdx']} {action!r}:\n  ours {pair[0]}\n  peer {pair[1]}")
    return replies, same, openings, same_openings


def summary(start):
    """Returns an opening without distractors and the order of lines, which differ between runs of the peer itself."""
    lines = start["observation"].split("\n")
    return lines[0], len(lines), lines[-2:], start["reward"], start["done"], sorted(start)


def compare_wire(ours, peer):
    """Sends requests that the client class does not make. Replies with status 422 are compared by the faulty field."""
    same = 0
    requests_made = list(wire_requests())
    for method, path, body in requests_made:
        pair = [send(client, method, path, body) for client in (ours, peer)]
        same += pair[0] == pair[1]
        if pair[0] != pair[1]:
            print(f"differs at {method} {path} {body!r}:\n  ours {pair[0]}\n  peer {pair[1]}")
    return len(requests_made), same


def wire_requests():
    yield "GET", "", None
    for path in ("observation", "detail"):
        for query in ("?id=ID", "?id=999999", "?id=-1", "?id=x", "?id=1.5", "?id=", "", "?id=ID&surplus=1"):
            yield "GET", path + query, None
    for fields in ({}, {"data_idx": 5}, {"data_idx": None}, {"data_idx": "7"}, {"data_idx": -1}, {"data_idx": 10**6}):
        yield "POST", "reset", {"id": "ID", **fields}
    for data_idx in (1.0, 1.5, "x", "", [], {}, True, " 3 ", "1_0", "+4", "4.0", "4.5"):
        yield "POST", "reset", {"id": "ID", "data_idx": data_idx}
    for action in ("inventory", "", "get 1 dirt", "\n", "\ud83d\ude00", 5, None, [], True):
        yield "POST", "step", {"id": "ID", "action": action}
    for id in (999999, -1, "x", None, 1.5, [], True, "999999", 10**20):
        yield "POST", "step", {"id": id, "action": "inventory"}
        yield "POST", "reset", {"id": id}
        yield "POST", "close", {"id": id}
    for path in ("step", "reset", "close"):
        for body in ({}, [], "text", 5, None, {"action": "inventory", "surplus": 1}, {"id": "ID", "action": "inventory"}):
            yield "POST", path, body
    for path in ("step", "observation", "close"):
        yield ("GET", "observation?id=ID", None) if path == "observation" else ("POST", path, {"id": "ID", "action": "x"})


def send(client, method, path, body):
    import requests

    def filled(value):
        return client.env_id if value == "ID" else value

    if isinstance(body, dict):
        body = {key: filled(value) for key, value in body.items()}
    url = f"{client.env_server_base}/{path.replace('ID', str(client.env_id))}"
    sent = {} if method == "GET" else {"data": json.dumps(body), "headers": {"content-type": "application/json"}}
    reply = requests.request(method, url, timeout=60, **sent)
    content = reply.json()
    if reply.status_code == 422:
        return 422, sorted([str(part) for part in issue["loc"]] for issue in content["detail"])
    if isinstance(content, dict) and content.get("id") == client.env_id:
        content["id"] = "ID"
    if isinstance(content, dict) and str(content.get("observation", "")).startswith("Crafting commands:"):
        content["observation"] = content["observation"].split("\n")[-1]
    if isinstance(content, str) and content.startswith("Crafting commands:"):
        content = content.split("\n")[-1]
    return reply.status_code, json.dumps(content, sort_keys=True).replace(f" {client.env_id} ", " ID ")


def read_lines(path):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as lines:
        return [json.loads(line) for line in lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agentenv_dir")
    parser.add_argument("base_url")
    parser.add_argument("solutions")
    parser.add_argument("--peer")
    parser.add_argument("--traces", nargs="*", default=[])
    options = parser.parse_args()
    Client = load_client(options.agentenv_dir)
    solutions = read_lines(options.solutions)

    def connect(url):
        return lambda: Client(url, data_len=1)

    result = {
        "goals": len(solutions),
        "solvedOneByOne": evaluate(connect(options.base_url), solutions),
        "solvedInBursts": train(connect(options.base_url), solutions),
    }
    passed = result["solvedOneByOne"] == result["solvedInBursts"] == len(solutions)
    if options.peer:
        traces = [
            {"dataIdx": trace["dataIdx"], "actions": [step["action"] for step in trace["steps"]]}
            for path in options.traces
            for trace in read_lines(path)
        ]
        pair = connect(options.base_url)(), connect(options.peer)()
        replies, same, openings, same_openings = compare(*pair, solutions + traces)
        wire, same_wire = compare_wire(*pair)
        result |= {"wire": wire, "sameWire": same_wire}
        result |= {"replies": replies, "same": same, "openings": openings, "sameOpenings": same_openings}
        passed = passed and same == replies and same_openings == openings
    print(json.dumps(result))
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
