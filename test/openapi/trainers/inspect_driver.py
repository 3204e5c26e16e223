"""Runs the task of the page by Inspect, with a provider of models that calls the model server."""

import tempfile

import httpx
from driver import chat_url, report, tasks
from inspect_ai import eval
from inspect_ai.model import ModelAPI, ModelOutput, modelapi
from inspect_task import palestra


@modelapi(name="scripted")
class Scripted(ModelAPI):
    async def generate(self, input, tools, tool_choice, config):
        messages = [{"role": each.role, "content": each.text} for each in input]
        async with httpx.AsyncClient(timeout=60) as http:
            reply = (await http.post(chat_url, json={"messages": messages})).raise_for_status().json()
        return ModelOutput.from_content("scripted", reply["choices"][0]["message"]["content"])


with tempfile.TemporaryDirectory() as folder:
    [environment], [split] = ({task[key] for task in tasks} for key in ("environment", "split"))
    task = palestra(environment=environment, split=split, count=len(tasks))
    [log] = eval(task, model="scripted/any", log_dir=folder, display="none", max_samples=len(tasks))
    samples = sorted(log.samples, key=lambda sample: sample.metadata["index"])
    report([f"unscored: {each.error.message}" if each.error else each.scores["episode_return"].value for each in samples])
