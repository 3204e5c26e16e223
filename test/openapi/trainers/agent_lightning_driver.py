"""Plays tasks by Agent-Lightning's server and its local controller, and reads them back as its trainer for verl does."""

import asyncio
import json
import os
import socket

import uvicorn
from agentlightning.client import AgentLightningAsyncClient
from agentlightning.controller.local_reconciler import LocalReconciler
from agentlightning.server.app import create_app
from driver import model_url, report, tasks
from omegaconf import OmegaConf


async def main():
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    proxy = {"model_name": "scripted", "include_log_probs": True, "include_routed_experts": False}
    proxy |= {"train": {"temperature": 1}, "val": {"temperature": 1}}
    server = uvicorn.Server(uvicorn.Config(create_app({"key": "secret", "default_proxy": proxy}), log_level="warning"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    async with AgentLightningAsyncClient(base_url=url, key="secret") as api:
        (await api.post("/api/models", json=[{"model": "scripted", "endpoint": model_url}])).raise_for_status()
        local = {"agent_class": "agent_lightning_agent:PalestraAgent", "env_map": {"PALESTRA_TASK": "input.task"}}
        rows = [{"input": {"task": task}, "is_train": True, "config": {"local": local}} for task in tasks]
        rollouts = (await api.post("/api/rollouts", json=rows)).raise_for_status().json()
        config = {"runner_type": "local", "agl_server": {"url": url, "key": "secret", "agent_url": None}}
        config["local_runner"] = {"maximum_size": len(tasks), "poll_interval": 0.2}
        controller = LocalReconciler(api=api, config=OmegaConf.create(config))
        running = asyncio.create_task(controller.run())
        outcomes = [await outcome(api, rollout["rollout_id"]) for rollout in rollouts]
        controller.stop()
        await running
    server.should_exit = True
    await serving
    report(outcomes)


async def outcome(api, rollout):
    """Returns the reward, the state and the number of calls of the model on which the trainer would train."""
    while True:
        status = (await api.get(f"/api/rollouts/{rollout}")).json()["rollout"]["status"]
        if status["state"] in ("succeeded", "failed"):
            break
        await asyncio.sleep(0.2)
    events = (await api.get(f"/api/rollouts/{rollout}/events", params={"format": "triplet"})).json()
    calls = [each["data"] for each in events if each["event_type"] == "model_request"]
    aligned = all(len(each["response_token_ids"]) == len(each["response_log_probs"]) > 0 for each in calls)
    rewards = [each["data"]["value"] for each in events if each["event_type"] == "reward"]
    if status["state"] == "failed":
        return f"failed with {len(calls)} calls and {len(rewards)} rewards"
    return rewards[-1] if aligned and len(calls) > 1 else f"{len(calls)} calls without tokens: {json.dumps(calls)[:300]}"


os.environ["PYTHONPATH"] = os.pathsep.join([os.environ["CLIENTS"], os.environ["PYTHONPATH"]])
asyncio.run(main())
