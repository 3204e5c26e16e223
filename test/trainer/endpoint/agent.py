"""An agent over OpenAI's Python SDK. Reads a rollout a line, as JSON, and writes what its calls earned."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from openai import OpenAI


shared = OpenAI(api_key="any", max_retries=0)


def play(line: str) -> dict:
    rollout = json.loads(line)
    client = shared.with_options(base_url=rollout["base_url"])
    try:
        messages = [{"role": "user", "content": rollout["task"]}]
        first = client.chat.completions.create(model="gpt-4o", messages=messages)
        messages += [first.choices[0].message, {"role": "user", "content": "again"}]
        chunks = list(client.chat.completions.create(model="gpt-4o", messages=messages, stream=True))
    except Exception as error:
        return {"id": rollout["id"], "error": f"{type(error).__name__}: {error}"}
    again = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    said = {first.id: first.choices[0].message.content, chunks[0].id: again}
    earned = [{"call": call, "reward": 0.5 * (text == "blue")} for call, text in said.items()]
    return {"id": rollout["id"], "earned": earned}


telling = Lock()


def tell(future) -> None:
    with telling:
        print(json.dumps(future.result()), flush=True)


with ThreadPoolExecutor(max_workers=16) as pool:
    for line in sys.stdin:
        pool.submit(play, line).add_done_callback(tell)
