"""Drives AgentGym's own SearchQA client against a gym and against AgentGym's own server, and compares each reply.

    python agentgym-searchqa-client.py AGENTGYM QUESTIONS BASE_URL [--items N]

AGENTGYM   a checkout of WooooDyy/AgentGym; `requests`, `fastapi` and `uvicorn` have to be installed
QUESTIONS  the JSONL file whose questions the gym has as its split `agentgym`, or the bundled ones in the order of `bundled`
BASE_URL   http://127.0.0.1:8700/agentgym/searchqa, of a gym whose questions look into `retrieve:http://127.0.0.1:8765/retrieve`

This script starts AgentGym's server on port 8764 over the same retrieval stub as the gym, which it serves on port 8765: the documents
of a query follow from the query's text. AgentGym's datasets and retriever, which need a GPU, are replaced by QUESTIONS and by the stub.
Exits with 1 where a reply is another.
"""

import argparse
import hashlib
import importlib
import importlib.abc
import importlib.machinery
import json
import sys
import threading
import time
import types
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

heavy = {"torch", "transformers", "openai", "numpy", "tqdm", "trl", "accelerate", "torch_npu", "vllm"}


class Stub(types.ModuleType):
    """Stub of a package that AgentGym imports but that its clients do not use."""

    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
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


def documents(query, count):
    seed = hashlib.sha256(query.encode()).hexdigest()
    return [{"id": f"{seed[:4]}-{at}", "contents": f'"Title {seed[at]}"\nText {at} for {query}.\nMore of it.'} for at in range(count)]


class Retrieve(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        result = [[{"document": one, "score": 1.0} for one in documents(query, asked["topk"])] for query in asked["queries"]]
        body = json.dumps({"result": result}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Retriever:
    def search(self, query, num, return_score):
        found = documents(query[0], num)
        return found, [1.0] * len(found)


def start_peer(folder, rows):
    """AgentGym's server: its own routes, steps and rewards."""
    import uvicorn

    def module(name, **members):
        made = types.ModuleType(name)
        made.__dict__.update(members)
        sys.modules[name] = made

    package = types.ModuleType("agentenv_searchqa")
    package.__path__ = [f"{folder}/agentenv-searchqa/agentenv_searchqa"]
    sys.modules["agentenv_searchqa"] = package
    module("datasets", load_dataset=lambda _, data_files, **__: {"train": rows if "test" in data_files else []})
    module("agentenv_searchqa.utils", Config=lambda **_: None, debug_flg=False)
    module("agentenv_searchqa.retriever", get_retriever=lambda _: Retriever())
    app = importlib.import_module("agentenv_searchqa.server").app
    config = uvicorn.Config(app, host="127.0.0.1", port=8764, log_level="error")
    threading.Thread(target=uvicorn.Server(config).run, daemon=True).start()
    time.sleep(1.5)


def actions(row, at):
    golden = row["golden_answers"]
    return [
        f"<think>Let me see.</think><search> {row['question']} </search>",
        ["I know it.", "<search></search>", "<answer>wrong</answer> <answer>still wrong</answer>", ""][at % 4],
        f"<search>number {at}</search><answer>{golden[0]}</answer>",
        f"<answer> The {golden[-1]}. </answer>",
    ]


def attempt(call):
    """Returns what the client's user sees: a reply, or the kind of the error."""
    try:
        return call()
    except Exception as error:
        return type(error).__name__


def play(client, row, at):
    seen = [attempt(lambda: client.reset(at)), attempt(client.observe)]
    for text in actions(row, at):
        step = attempt(lambda: client.step(text))
        seen.append(step if isinstance(step, str) else (step.state, step.reward, step.done))
        seen.append(attempt(client.observe))
        if not isinstance(step, str) and step.done:
            break
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agentgym")
    parser.add_argument("questions")
    parser.add_argument("base_url")
    parser.add_argument("--items", type=int, default=100)
    options = parser.parse_args()
    with open(options.questions, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    rows = [{**line, "reward_model": {"ground_truth": {"target": line["golden_answers"]}}} for line in lines]
    threading.Thread(target=ThreadingHTTPServer(("127.0.0.1", 8765), Retrieve).serve_forever, daemon=True).start()
    start_peer(options.agentgym, rows)
    sys.meta_path.append(Stubs())
    sys.path.insert(0, f"{options.agentgym}/agentenv")
    from agentenv.envs.searchqa import SearchQAEnvClient

    def clients():
        return [SearchQAEnvClient(url, data_len=1) for url in (options.base_url, "http://127.0.0.1:8764")]

    ours, theirs = clients()
    different = 0
    for at in range(options.items):
        pair = [play(client, rows[at], at) for client in (ours, theirs)]
        if pair[0] != pair[1]:
            different += 1
            print(json.dumps({"item": at, "ours": pair[0], "theirs": pair[1]}, ensure_ascii=False)[:2_000])
    odd = [lambda one: one.reset(10**9), lambda one: one.close(), lambda one: one.close(), lambda one: one.observe(), lambda one: one.step("<search>a</search>")]
    for at, call in enumerate(odd):
        pair = [attempt(lambda: call(one)) for one in (ours, theirs)]
        if pair[0] != pair[1]:
            different += 1
            print(json.dumps({"odd": at, "ours": pair[0], "theirs": pair[1]}))
    print(f"{options.items} items and {len(odd)} odd calls: {different} different")
    sys.exit(1 if different else 0)


main()
