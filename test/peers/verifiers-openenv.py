"""Plays 20 episodes of TextCraft with the taskset `openenv` of the verifiers library, by its own configuration.

The model is a local server that answers with the actions of the gym's expert. Exits with 1 unless each episode has the
reward 1. Usage:

    pip install verifiers==0.4.0 fastapi uvicorn pyyaml requests tomli-w websockets 'fastmcp-slim[client]'
    pip install --no-deps openenv==0.10.0
    PALESTRA_LOCAL_EXPERT=true npx palestra serve
    python test/peers/verifiers-openenv.py http://127.0.0.1:8700
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

gym = sys.argv[1]
tasks = [{"split": "test", "index": index} for index in range(20)]


def plan_of(task):
    """Returns the first observation of a task, and the expert's actions."""
    with httpx.Client(base_url=f"{gym}/v1") as http:
        episode = http.post("/episodes", json={"environment": "textcraft", "task": task}).raise_for_status().json()
        path = f"/episodes/{episode['episodeId']}"
        actions = []
        while True:
            action = http.get(f"{path}/expert").raise_for_status().json()["action"]
            actions.append(action)
            step = http.post(f"{path}/step", json={"index": len(actions) - 1, "action": action}).json()
            if step["terminated"] or step["truncated"]:
                return episode["observation"], actions


plans = dict(plan_of(task) for task in tasks)


class Model(BaseHTTPRequestHandler):
    """Answers requests for chat completions with the next action of the plan."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        spoken = [message for message in body["messages"] if message["role"] != "system"]
        first = spoken[0]["content"]
        text = first if isinstance(first, str) else "".join(part.get("text", "") for part in first)
        turn = sum(message["role"] == "assistant" for message in spoken)
        content = plans[json.loads(text)["observation"]["text"]][turn]
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
base_url = "{gym}/openenv/textcraft"
resets = [{resets}]
""")
    command = [str(Path(sys.executable).parent / "vf-eval"), "openenv", "@", str(config), "-o", folder]
    subprocess.run(command, check=True, env={**os.environ, "SCRIPTED_KEY": "none"})
    [traces] = Path(folder).glob("*/traces.jsonl")
    episodes = [json.loads(line) for line in traces.read_text().splitlines()]

rewards = [trace["rewards"]["openenv_reward"]["score"] for episode in episodes for trace in episode["traces"]]
print(f"{len(rewards)} episodes, rewards {rewards}")
sys.exit(0 if rewards == [1.0] * len(tasks) else 1)
