"""Plays ten tasks with the files of openapi/clients/ for trainers that need torch, in the trainers' own packages.

The engines are replaced: a reply is the expert's next action, in the form of the environment's prompt, with the tokens of a
tokenizer of bytes and ChatML's template. Then each file plays an episode that the gym fails in its second step. Exits with 1
unless all tasks are solved, the tokens and masks fit, and no failed episode has a reward. It is run by hand:

    pip install torch transformers ray tensordict codetiming datasets cachetools pillow pylatexenc aiohttp httpx openai click
    PALESTRA_LOCAL_EXPERT=true npx palestra --environment-module test/fixtures/environments/faulty.mjs serve
    PALESTRA_URL=http://127.0.0.1:8700 PYTHONPATH=openapi/python:openapi/clients:CHECKOUTS \
      python test/peers/trainers-torch.py verl areal openrlhf slime nemo_rl rllm miles

CHECKOUTS are the sources of the trainers. Their own requirements, such as vLLM and SGLang, are not needed.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

from palestra import Gym, GymError
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

template = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def tokenizer_of_bytes():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    bare = Tokenizer(models.BPE({letter: at for at, letter in enumerate(letters)}, []))
    bare.pre_tokenizer, bare.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    marks = {"eos_token": "<|im_end|>", "pad_token": "<|pad|>", "additional_special_tokens": ["<|im_start|>"]}
    made = PreTrainedTokenizerFast(tokenizer_object=bare, **marks)
    made.chat_template = template
    return made


tokenizer = tokenizer_of_bytes()
tasks = [{"environment": "textcraft", "split": "adapt", "index": index} for index in range(10)]
faulty = {"environment": "faulty", "split": "play", "index": 0}


def plan_of(gym, task):
    with gym.episode(**task) as episode:
        first, actions = episode.observation, []
        while not episode.ended:
            actions.append(gym.expert(episode)["action"])
            gym.step(episode, actions[-1])
        return first, [f"Thought:\nThe expert says so.\n\nAction:\n{action}" for action in actions]


with Gym(os.environ["PALESTRA_URL"]) as client:
    plans = dict(plan_of(client, task) for task in tasks)


def reply_to(messages):
    first = next(each["content"] for each in messages if each["role"] == "user")
    turn = sum(each["role"] == "assistant" for each in messages)
    return plans[first][turn] if first in plans else ("hello", "no room")[turn]


def reply_to_tokens(ids):
    """Returns the tokens of the reply to a prompt, which must be in ChatML's form to the letter."""
    parts = tokenizer.decode(ids).split("<|im_start|>")[1:]
    messages = [dict(zip(("role", "content"), part.removesuffix("<|im_end|>\n").split("\n", 1))) for part in parts[:-1]]
    if parts[-1] != "assistant\n" or any("<|im_end|>" in each["content"] for each in messages):
        raise ValueError(f"expected a prompt in ChatML, but received {tokenizer.decode(ids)!r}")
    return tokenizer.encode(reply_to(messages) + "<|im_end|>", add_special_tokens=False)


def check_tokens(prompt, response, mask, logs):
    """The tokens with mask 1 are the replies, and the tokens before each are a prompt for it."""
    ids = [*prompt, *response]
    assert len(response) == len(mask) == len(logs), (len(response), len(mask), len(logs))
    at = 0
    while 1 in mask[at:]:
        at = mask.index(1, at)
        reply = reply_to_tokens(ids[: len(prompt) + at])
        assert response[at : at + len(reply)] == reply and mask[at : at + len(reply)] == [1] * len(reply)
        assert logs[at : at + len(reply)] == [-0.5] * len(reply)
        at += len(reply)
        assert mask[at : at + 1] in ([], [0])


class Model(BaseHTTPRequestHandler):
    """SGLang's `/generate` and OpenAI's chat completions."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/generate":
            ids = reply_to_tokens(body["input_ids"])
            meta = {"output_token_logprobs": [[-0.5, id, None] for id in ids], "finish_reason": {"type": "stop"}}
            reply = {"text": tokenizer.decode(ids, skip_special_tokens=True), "meta_info": meta}
        else:
            message = {"role": "assistant", "content": reply_to(body["messages"])}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}
        data = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=server.serve_forever, daemon=True).start()
model_url = f"http://127.0.0.1:{server.server_port}"


async def verl(task):
    from omegaconf import OmegaConf
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap
    from verl_loop import PalestraLoop

    async def generate(request_id, prompt_ids, sampling_params):
        ids = reply_to_tokens(prompt_ids)
        return SimpleNamespace(token_ids=ids, log_probs=[-0.5] * len(ids), extra_fields={})

    rollout = {"prompt_length": 20_000, "response_length": 20_000}
    config = DictConfigWrap(OmegaConf.create({"actor_rollout_ref": {"rollout": rollout}}))
    data, engine = DictConfigWrap(OmegaConf.create({})), SimpleNamespace(generate=generate)
    loop = PalestraLoop(config, engine, tokenizer, None, None, data, hf_model_type="qwen2")
    output = await loop.run({"temperature": 1.0}, task=task, raw_prompt=[], extra_info={})
    check_tokens(output.prompt_ids, output.response_ids, output.response_mask, output.response_logprobs)
    assert output.as_dict()["rm_scores"][-1] == output.reward_score
    return output.reward_score


async def areal(task):
    from areal.experimental.openai.proxy.workflow import OpenAIProxyWorkflow
    from areal_agent import PalestraAgent

    rewards = []
    for mode in ("inline", "subproc"):
        workflow = OpenAIProxyWorkflow(mode, PalestraAgent(), proxy_addr=f"{model_url}/v1")
        rewards.append(await workflow._run_agent("session", {"task": task}))
        assert type(rewards[-1]) is float
    return min(rewards)


async def openrlhf(task):
    from openrlhf_agent import AgentExecutor

    async def generate(ids, sampling_params, multi_modal_data=None):
        reply = reply_to_tokens(ids)
        logs = [{id: SimpleNamespace(logprob=-0.5)} for id in reply]
        drawn = {"token_ids": reply, "text": tokenizer.decode(reply), "finish_reason": "stop", "logprobs": logs}
        return SimpleNamespace(outputs=[SimpleNamespace(**drawn)])

    params, engine = SimpleNamespace(max_tokens=1000, logprobs=1), SimpleNamespace(generate=generate)
    label = json.dumps({**task, "lease_ms": 600_000})
    output = await AgentExecutor().execute("unused", label, params, 20_000, tokenizer, engine)
    ids, ranges = output["observation_tokens"], output["action_ranges"]
    mask = [int(any(start <= at < end for start, end in ranges)) for at in range(len(ids))]
    start = ranges[0][0]
    check_tokens(ids[:start], ids[start:], mask[start:], output["rollout_log_probs"][start:])
    return output["reward"]


async def slime(task):
    from slime.rollout.sglang_rollout import generate_and_rm_group
    from slime.utils.http_utils import init_http_client
    from slime.utils.types import Sample
    from slime_generate import keep

    args = slime_arguments()
    init_http_client(args)
    group = [Sample(index=at, prompt="unused", metadata={"task": task}) for at in range(2)]
    group = await generate_and_rm_group(args, group, {"max_new_tokens": 20_000})
    if not keep(args, group):
        assert all(sample.status == Sample.Status.ABORTED for sample in group)
        raise GymError("DROPPED", "The filter dropped the group.")
    for sample in group:
        start = len(sample.tokens) - sample.response_length
        check_tokens(sample.tokens[:start], sample.tokens[start:], sample.loss_mask, sample.rollout_log_probs)
    return sum(sample.reward for sample in group) / len(group)


def slime_arguments():
    folder = os.path.join(tempfile.gettempdir(), f"tokenizer-{os.getpid()}")
    tokenizer.save_pretrained(folder)
    names = "rollout_temperature rollout_top_p rollout_top_k rollout_max_response_len rollout_stop rollout_stop_token_ids"
    given = {name: None for name in f"{names} rollout_skip_special_tokens custom_rm_path rm_type group_rm".split()}
    given |= {"hf_checkpoint": folder, "sglang_server_concurrency": 64, "rollout_num_gpus": 1, "rollout_top_p": 1.0}
    given |= {"rollout_num_gpus_per_engine": 1, "sglang_dp_size": 1, "sglang_router_ip": "127.0.0.1"}
    given |= {"sglang_router_port": server.server_port, "custom_generate_function_path": "slime_generate.generate"}
    return argparse.Namespace(**given, use_distributed_post=False, partial_rollout=False)


def nemo_rl(task):
    import ray
    from nemo_rl_env import PalestraEnv

    paths = {"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}}
    ray.init(num_cpus=2, runtime_env=paths, ignore_reinit_error=True, log_to_driver=False, include_dashboard=False)
    actor = PalestraEnv.remote({"url": os.environ["PALESTRA_URL"]})
    batch = tasks if task in tasks else [task]
    with Gym(os.environ["PALESTRA_URL"]) as gym:
        logs = [gym.create(**each).messages() for each in batch]
    states, totals, active = [{"task": each} for each in batch], [0.0] * len(batch), list(range(len(batch)))
    while active:
        for at in active:
            logs[at].append({"role": "assistant", "content": reply_to(logs[at])})
        returned = ray.get(actor.step.remote([logs[at] for at in active], [states[at] for at in active]))
        for place, at in enumerate(active):
            logs[at].append(returned.observations[place])
            totals[at] += returned.rewards[place].item()
            states[at] = returned.metadata[place]
        active = [at for at, ended in zip(active, returned.terminateds.tolist()) if not ended]
    return totals


async def rllm(task):
    from rllm.types import AgentConfig, Task
    from rllm_flow import episode_return, play

    config = AgentConfig(base_url=f"{model_url}/v1", model="scripted", session_uid="1")
    episode = await play.arun(Task(id="1", instruction="unused", metadata={"task": task}), config)
    return episode_return.evaluate({"task": task}, episode).reward


async def miles(task):
    from miles.utils.types import Sample
    from miles_agent import keep, reward, run

    sample = Sample(metadata={"task": task})
    try:
        sample.metadata.update(await run(model_url, "unused", {"temperature": 1.0}, sample.metadata))
    except GymError:
        assert not keep(None, [sample]) and not await reward(None, sample) == await reward(None, sample)
        raise
    assert keep(None, [sample])
    return await reward(None, sample)


async def played(name, task):
    play = globals()[name]
    return play(task) if name == "nemo_rl" else await play(task)


async def check(name):
    if name == "nemo_rl":
        solved = await played(name, tasks[0])
    else:
        solved = await asyncio.gather(*(played(name, task) for task in tasks))
    assert list(solved) == [1.0] * len(tasks), solved
    try:
        reward = await played(name, faulty)
    except Exception as error:
        if not isinstance(error, GymError) and "GymInfrastructureError" not in str(error):
            raise
        print(f"{name}: 10 of 10, and a failed episode ends with {type(error).__name__}", flush=True)
        return
    raise AssertionError(f"expected no reward for a failed episode, but received {reward}")


for name in sys.argv[1:]:
    asyncio.run(check(name))
