"""Plays episodes with the Python client of the Open Reward Standard: python ors-client.py URL < PLAN

PLAN is JSON: a list of {deployment, variant, task, calls: [[tool, arguments]]}. Prints a line of JSON for each episode.
A call that fails ends its episode, unless the error only says that the call was wrong.
"""

import json
import os
import sys

url = sys.argv[1]
os.environ["OPENREWARD_API_URL"] = url
os.environ["OPENREWARD_SESSION_URL"] = url

from openreward import OpenReward  # noqa: E402
from openreward.api.errors import OpenRewardError, ToolCallError  # noqa: E402


def content(blocks):
    return [block.text if block.type == "text" else block.mimeType for block in blocks]


def play(client, plan):
    environment = client.environments.get(plan["deployment"], variant=plan.get("variant"))
    task = environment.get_task(plan["task"]["split"], plan["task"]["index"])
    task.task_spec.update(plan["task"])
    results = []
    with environment.session(task=task) as session:
        prompt = content(session.get_prompt())
        tools = [tool.name for tool in session.list_tools(format="openai") and session.list_tools()]
        for name, arguments in plan["calls"]:
            try:
                out = session.call_tool(name, arguments)
            except ToolCallError as error:
                results.append({"refused": error.reason})
                continue
            except (OpenRewardError, OSError) as error:
                results.append({"failed": type(error).__name__})
                break
            result = {"content": content(out.blocks), "reward": out.reward, "finished": out.finished}
            results.append({**result, "metadata": out.metadata})
    return {"prompt": prompt, "tools": tools, "results": results}


client = OpenReward(base_url=url)
for plan in json.load(sys.stdin):
    print(json.dumps(play(client, plan)), flush=True)
