"""
Plays rollouts with NeMo Gym's own `gymnasium_agent`, unchanged, against ports of a running gym. A scripted model answers the
agent: it plays the actions that each row names in `script`, as text or as function calls.

It is run by hand, because nemo-gym and its dependencies have 700 MB. Python 3.13, in an empty environment:

  pip install --no-deps --ignore-requires-python nemo-gym==0.7.0
  pip install aiohttp fastapi uvicorn orjson omegaconf hydra-core openai==2.44.0 pydantic itsdangerous requests rich devtools
    tqdm psutil packaging pandas scipy yappi ray "mcp<2" anthropic httpx
  palestra serve --nemo textcraft=9001 --nemo babyai=9002
  python test/peers/nemo-gym.py textcraft=127.0.0.1:9001 babyai=127.0.0.1:9002

It prints one line of JSON: the number of rollouts, steps, finished rollouts and the summed reward of each environment.
"""

import asyncio
import json
import sys
import time
import urllib.request

import httpx
import uvicorn
from fastapi import FastAPI, Request
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.global_config import GlobalConfigDictParser
from nemo_gym.server_utils import ServerClient
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent, GymnasiumAgentConfig

ROLLOUTS = 20
MODEL_PORT = 9990


def response_of(output):
    """Returns a response as OpenAI's API writes it."""
    return {
        "id": "resp_1",
        "created_at": time.time(),
        "model": "scripted",
        "object": "response",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }


def scripted_model():
    """A model that writes, turn by turn, the texts in the request's user field."""
    app = FastAPI()

    @app.post("/v1/responses")
    async def responses(request: Request):
        body = await request.json()
        script = json.loads(body["metadata"]["script"])
        turn = sum(1 for item in body["input"] if item.get("type") == "message" and item.get("role") == "assistant")
        turn += sum(1 for item in body["input"] if item.get("type") == "function_call")
        move = script[min(turn, len(script) - 1)]
        if isinstance(move, str):
            content = [{"type": "output_text", "text": move, "annotations": []}]
            message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}
            return response_of([message])
        name, arguments = move
        call = {"type": "function_call", "call_id": f"c{turn}", "name": name, "arguments": json.dumps(arguments)}
        return response_of([call])

    return app


def config_of(environments):
    """Returns the configuration of the documentation, with an agent for each environment."""
    config = {
        "policy_model": {
            "responses_api_models": {"scripted": {"entrypoint": "app.py", "host": "127.0.0.1", "port": MODEL_PORT}}
        }
    }
    for name, (host, port) in environments.items():
        config[f"palestra_{name}"] = {
            "resources_servers": {
                "palestra": {"entrypoint": "app.py", "domain": "games", "host": host, "port": int(port)}
            }
        }
        config[f"{name}_agent"] = {
            "responses_api_agents": {
                "gymnasium_agent": {
                    "entrypoint": "app.py",
                    "host": "127.0.0.1",
                    "port": 9991,
                    "max_steps": 12,
                    "resources_server": {"type": "resources_servers", "name": f"palestra_{name}"},
                    "model_server": {"type": "responses_api_models", "name": "policy_model"},
                }
            }
        }
    return OmegaConf.create(config)


def rows_of(host, port, count):
    with urllib.request.urlopen(f"http://{host.rpartition('@')[2]}:{port}/rows?limit={count}") as reply:
        return [json.loads(line) for line in reply]


SCRIPTS = {
    "textcraft": [["get", {"count": 2, "item": "dirt"}], "inventory", ["fly", {}], ["inventory", {}], "get 1 dirt"],
    "babyai": ["turn right", "move forward", "turn left"],
}


async def play(agent, name, row):
    params = {**row["responses_create_params"], "metadata": {"script": json.dumps(SCRIPTS[name])}}
    transport = httpx.ASGITransport(app=agent.setup_webserver())
    async with httpx.AsyncClient(transport=transport, base_url="http://agent", timeout=120) as client:
        reply = await client.post("/run", json={**row, "responses_create_params": params})
        reply.raise_for_status()
        return reply.json()


async def main():
    environments = dict(pair.split("=", 1) for pair in sys.argv[1:])
    environments = {name: tuple(address.rsplit(":", 1)) for name, address in environments.items()}
    sys.argv = sys.argv[:1]
    config = config_of(environments)
    parser = GlobalConfigDictParser()
    parser.validate_and_populate_defaults(parser.filter_for_server_instance_configs(config), "127.0.0.1", 10000, 11000)
    server = uvicorn.Server(uvicorn.Config(scripted_model(), port=MODEL_PORT, log_level="error"))
    serving = asyncio.create_task(server.serve())
    client = ServerClient(
        head_server_config=BaseServerConfig(host="127.0.0.1", port=MODEL_PORT), global_config_dict=config
    )
    report = {}
    for name, (host, port) in environments.items():
        agent_config = config[f"{name}_agent"]["responses_api_agents"]["gymnasium_agent"]
        agent_config = OmegaConf.to_container(agent_config)
        agent = GymnasiumAgent(
            config=GymnasiumAgentConfig.model_validate({**agent_config, "name": f"{name}_agent"}), server_client=client
        )
        results = await asyncio.gather(*(play(agent, name, row) for row in rows_of(host, port, ROLLOUTS)))
        metrics = await client.post(
            server_name=f"palestra_{name}",
            url_path="/aggregate_metrics",
            json={"verify_responses": [{"_ng_task_index": i, "reward": r["reward"]} for i, r in enumerate(results)]},
        )
        report[name] = {
            "rollouts": len(results),
            "steps": sum(result["info"]["step_count"] for result in results),
            "finished": sum(result["terminated"] for result in results),
            "reward": sum(result["reward"] for result in results),
            "warnings": sum("cleanup_warning" in result["info"] for result in results),
            "outputs": sorted({item["type"] for result in results for item in result["response"]["output"]}),
            "mean": (await metrics.json())["key_metrics"]["mean/reward"],
        }
    print(json.dumps(report))
    server.should_exit = True
    await serving


asyncio.run(main())
