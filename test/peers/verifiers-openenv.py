"""Plays tasks of an environment with the taskset `openenv` of the verifiers library, by its own configuration.

The model is a local server that answers with the actions of the gym's expert, in the form of the environment's prompt. Exits
with 1 unless the rewards are the expert's returns. With `faulty`, an environment of the tests, each episode fails in its second
step: exits with 1 unless each has an error and no reward. Usage:

    pip install verifiers==0.4.0 fastapi uvicorn pyyaml requests tomli-w websockets 'fastmcp-slim[client]'
    pip install --no-deps openenv==0.10.0
    PALESTRA_LOCAL_EXPERT=true npx palestra --environment-module test/fixtures/environments/faulty.mjs serve
    python test/peers/verifiers-openenv.py http://127.0.0.1:8700 textcraft test 10

The harness of verifiers runs its program in an environment that `uv` makes at the first rollout from a package registry. Here
it runs in this Python, which has the program's packages.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

gym, environment, split = sys.argv[1:4]
count = int(sys.argv[4])

# Arguments of vf-eval follow. Its program has to be in the table of prepared programs.
evaluation = """
import hashlib, sys
from pathlib import Path
from verifiers.v1.cli.eval.main import main
from verifiers.v1.harnesses.utils.launch import CHAT_PROGRAM_SOURCE
from verifiers.v1.runtimes.subprocess import SubprocessRuntime
SubprocessRuntime.scripts_dir = sys.argv.pop(1)
program = Path(SubprocessRuntime.scripts_dir, hashlib.sha256(CHAT_PROGRAM_SOURCE.encode()).hexdigest() + ".py")
program.write_text(CHAT_PROGRAM_SOURCE)
SubprocessRuntime._interpreters[str(program)] = sys.executable
main()
"""


def plan_of(http, task):
    """Returns the first observation of a task, and the expert's actions and return."""
    episode = http.post("/episodes", json={"environment": environment, "task": task}).raise_for_status().json()
    path = f"/episodes/{episode['episodeId']}"
    if environment == "faulty":
        return episode["observation"], (["hello", "no room"], None)
    actions, total, ended = [], 0.0, False
    while not ended:
        actions.append(http.get(f"{path}/expert").raise_for_status().json()["action"])
        step = http.post(f"{path}/step", json={"index": len(actions) - 1, "action": actions[-1]}).raise_for_status().json()
        total += step["reward"]
        ended = step["terminated"] or step["truncated"]
    return episode["observation"], (actions, total)


def chosen_tasks():
    """Returns tasks with different first observations, by which the model knows them, and their plans."""
    tasks, plans = [], {}
    with httpx.Client(base_url=f"{gym}/v1", timeout=60) as http:
        for index in range(100 * count):
            task = {"split": split, "index": index}
            observation, plan = plan_of(http, task)
            if observation not in plans:
                plans[observation] = plan
                tasks.append(task)
            if len(tasks) == count:
                return tasks, plans
    sys.exit(f"expected {count} tasks with different first observations, but received {len(tasks)}")


tasks, plans = chosen_tasks()
form = httpx.get(f"{gym}/v1/environments/{environment}").raise_for_status().json()["promptFormat"]


class Model(BaseHTTPRequestHandler):
    """Answers requests for chat completions with the next action of the plan."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        spoken = [message for message in body["messages"] if message["role"] != "system"]
        first = spoken[0]["content"]
        text = first if isinstance(first, str) else "".join(part.get("text", "") for part in first)
        turn = sum(message["role"] == "assistant" for message in spoken)
        actions, _ = plans[json.loads(text)["observation"]["text"]]
        content = actions[turn] if form == "plain" else f"Thought:\nThe expert says so.\n\nAction:\n{actions[turn]}"
        head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        chunks = [
            {**head, "choices": [{"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": None}]},
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage},
        ]
        data = "".join(f"data: {text}\n\n" for text in [*map(json.dumps, chunks), "[DONE]"]).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()

began = time.monotonic()
with tempfile.TemporaryDirectory() as folder:
    resets = ", ".join(f'{{split = "{task["split"]}", index = {task["index"]}}}' for task in tasks)
    config = Path(folder, "eval.toml")
    config.write_text(f"""
model = "scripted"
push = false
[client]
base_url = "http://127.0.0.1:{server.server_port}/v1"
api_key_var = "SCRIPTED_KEY"
[env.player]
harness = {{id = "null"}}
runtime = {{type = "subprocess"}}
[env.taskset]
id = "openenv"
base_url = "{gym}/openenv/{environment}"
resets = [{resets}]
""")
    command = [sys.executable, "-c", evaluation, folder, "openenv", "@", str(config), "-o", folder]
    subprocess.run(command, check=True, env={**os.environ, "SCRIPTED_KEY": "none"})
    [traces] = Path(folder).glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in traces.read_text().splitlines()]

rewards, errors = [], []
for episode in episodes:
    faults = [*episode.get("errors", []), *(error for trace in episode["traces"] for error in trace.get("errors", []))]
    errors.append([f"{error.get('type')}: {error.get('message')}"[:200] for error in faults])
    [reward] = [trace.get("rewards", {}).get("openenv_reward", {}).get("score") for trace in episode["traces"]] or [None]
    rewards.append(reward)
# vf-eval ends its output without a line break.
print("\n" + json.dumps({"rewards": rewards, "errors": errors, "seconds": round(time.monotonic() - began, 1)}))
wanted = [total for _, total in plans.values()]
is_as_wanted = sorted(rewards, key=str) == sorted(wanted, key=str)
sys.exit(0 if is_as_wanted and all(map(bool, errors)) == (environment == "faulty") else 1)
