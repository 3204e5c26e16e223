"""Records episodes of tau2-bench: its orchestrator, its tools and its evaluation, with a scripted agent and user.

    TAU2_DATA_DIR=DATA python test/peers/tau2-trajectories.py --out episodes.jsonl.gz [--per-task 4] [--probes 40]

Needs tau2 (https://github.com/sierra-research/tau2-bench, MIT) in Python 3.12 or later. Plays each task's golden actions, and
seeded variations of them: a missing or repeated action, changed arguments, arguments of a wrong type, an action of another task,
another order, errors, information that is not told. It also calls tools with odd arguments. The recording of this repository is
of test/fixtures/tau2/data, with --per-task 9; that of all tasks is of tau2-bench's own data.
"""

import argparse
import copy
import gzip
import io
import json
import os
import pickle
import random
from functools import partial
from pathlib import Path

from loguru import logger

logger.remove()

from tau2.data_model.message import AssistantMessage, ToolCall, UserMessage
from tau2.data_model.tasks import Task
from tau2.evaluator import evaluator_nl_assertions
from tau2.evaluator.evaluator import EvaluationType, evaluate_simulation
from tau2.agent.base_agent import HalfDuplexAgent
from tau2.orchestrator.orchestrator import Orchestrator
from tau2.environment.db import DB
from tau2.registry import registry
from tau2.user.user_simulator_base import HalfDuplexUser, UserState
from tau2_probes import EXPRESSIONS, SEQUENCES
from tau2_variations import VARIATIONS, changed_call, varied

DOMAINS = ("mock", "airline", "retail")
DATA = Path(os.environ["TAU2_DATA_DIR"])
JUDGE = random.Random(7)


class Judge:
    """Stands in for the LLM judge: its seeded verdicts are part of the recording."""

    def __init__(self, assertions):
        rows = [{"expectedOutcome": each, "reasoning": "recorded", "metExpectation": JUDGE.random() < 0.8} for each in assertions]
        self.content = json.dumps({"results": rows})


ASSERTIONS: list[str] = []
evaluator_nl_assertions.generate = lambda **_: Judge(ASSERTIONS)


class ScriptedAgent(HalfDuplexAgent):
    def __init__(self, moves):
        super().__init__(tools=[], domain_policy="")
        self.moves = list(moves)
        self.calls = 0

    def get_init_state(self, message_history=None):
        return {}

    def generate_next_message(self, message, state):
        move = self.moves.pop(0) if self.moves else "Is there anything else?"
        if isinstance(move, str):
            return AssistantMessage(role="assistant", content=move), state
        calls = []
        for name, arguments in move:
            self.calls += 1
            calls.append(ToolCall(id=f"call_{self.calls}", name=name, arguments=copy.deepcopy(arguments)))
        return AssistantMessage(role="assistant", content=None, tool_calls=calls), state

    def set_seed(self, seed):
        pass


class ScriptedUser(HalfDuplexUser):
    def __init__(self, moves):
        super().__init__(instructions="")
        self.moves = list(moves)
        self.calls = 0

    def get_init_state(self, message_history=None):
        return UserState(system_messages=[], messages=[])

    def generate_next_message(self, message, state):
        move = self.moves.pop(0) if self.moves else "###STOP###"
        if isinstance(move, str):
            return UserMessage(role="user", content=move), state
        self.calls += 1
        call = ToolCall(id=f"user_call_{self.calls}", name=move[0], arguments=copy.deepcopy(move[1]), requestor="user")
        return UserMessage(role="user", content=None, tool_calls=[call]), state

    def set_seed(self, seed):
        pass


def keep_databases():
    """Keeps the content of each database file, since each episode needs three new databases."""
    original = DB.load.__func__
    kept = {}

    def load_kept(cls, path):
        if path not in kept:
            kept[path] = pickle.dumps(original(cls, path))
        return pickle.loads(kept[path])

    DB.load = classmethod(load_kept)


def load(domain, name):
    return json.loads((DATA / "tau2" / "domains" / domain / name).read_text())


def is_write(domain, name):
    tools = ENVIRONMENTS[domain].tools
    return tools.has_tool(name) and tools.tool_type(name).value == "write"


def plain(message):
    row = {"role": message.role, "content": message.content}
    if getattr(message, "tool_calls", None) is not None:
        row["tool_calls"] = [{"id": c.id, "name": c.name, "arguments": c.arguments, "requestor": c.requestor} for c in message.tool_calls]
    if message.role == "tool":
        row.update(id=message.id, requestor=message.requestor, error=message.error)
    return row


def played(domain, task: Task, moves, user_moves):
    environment = registry.get_env_constructor(domain)()
    orchestrator = Orchestrator(
        domain=domain, agent=ScriptedAgent(moves), user=ScriptedUser(user_moves), environment=environment, task=task, max_steps=200
    )
    simulation = orchestrator.run()
    if task.evaluation_criteria is not None:
        ASSERTIONS[:] = task.evaluation_criteria.nl_assertions or []
    try:
        info = evaluate_simulation(simulation, task, EvaluationType.ALL, solo_mode=False, domain=domain)
    except Exception as error:  # an episode that tau2 itself cannot evaluate
        return {"termination_reason": simulation.termination_reason.value, "messages": [plain(m) for m in simulation.messages], "error": str(error)}
    dump = json.loads(info.model_dump_json())
    keep = {k: dump.get(k) for k in ("reward", "reward_basis", "reward_breakdown", "db_check", "nl_assertions")}
    keep["env_assertions"] = [each["met"] for each in dump.get("env_assertions") or []]
    keep["action_checks"] = [each["action_match"] for each in dump.get("action_checks") or []]
    keep["communicate_checks"] = [each["met"] for each in dump.get("communicate_checks") or []]
    return {
        "task_id": task.id,
        "termination_reason": simulation.termination_reason.value,
        "messages": [plain(m) for m in simulation.messages],
        "reward_info": keep,
    }


def golden(task):
    actions = (task.get("evaluation_criteria") or {}).get("actions") or []
    own = [(a["name"], a["arguments"]) for a in actions if a.get("requestor", "assistant") == "assistant"]
    users = [(a["name"], a["arguments"]) for a in actions if a.get("requestor") == "user"]
    return own, users


def record_trajectories(per_task, out):
    count = 0
    for domain in DOMAINS:
        tasks = load(domain, "tasks.json")
        everything = [call for task in tasks for call in golden(task)[0]]
        for number, raw in enumerate(tasks):
            task = Task.model_validate(raw)
            told = (raw.get("evaluation_criteria") or {}).get("communicate_info") or []
            own, users = golden(raw)
            for variant in range(per_task):
                rng = random.Random(f"{domain} {raw['id']} {variant}")
                kind = "golden" if variant == 0 else VARIATIONS[(number * (per_task - 1) + variant - 1) % len(VARIATIONS)]
                moves, end, most = varied(kind, rng, partial(is_write, domain), own, told, everything)
                opening = ["Hello, I need your help."]
                user_moves = opening + users + [end] * most
                simulation = played(domain, task, moves, user_moves)
                row = {"domain": domain, "task": raw["id"], "variant": kind, "simulation": simulation}
                out.write(json.dumps(row) + "\n")
                out.flush()
                count += 1
    return count


def record_probes(probes, out):
    """Calls of tools with odd arguments, and the hash of the database after them."""
    for domain in DOMAINS:
        everything = [call for task in load(domain, "tasks.json") for call in golden(task)[0]]
        pool = [value for _, arguments in everything for value in arguments.values() if isinstance(value, str)]
        for number in range(probes):
            rng = random.Random(f"probe {domain} {number}")
            environment = registry.get_env_constructor(domain)()
            calls = []
            for _ in range(12):
                call = rng.choice(everything)
                for _ in range(rng.choice([0, 1, 1, 2])):
                    call = changed_call(rng, call, pool)
                calls.append(call)
            out.write(json.dumps(answered(domain, environment, calls)) + "\n")
    for domain, calls in [*SEQUENCES, *(("retail", [("calculate", {"expression": each})]) for each in EXPRESSIONS)]:
        environment = registry.get_env_constructor(domain)()
        out.write(json.dumps(answered(domain, environment, calls)) + "\n")


def answered(domain, environment, calls):
    """Performs calls, and returns them with the answers of the tools and the hash of the database after them."""
    rows = []
    for at, (name, arguments) in enumerate(calls):
        answer = environment.get_response(ToolCall(id=str(at), name=name, arguments=copy.deepcopy(arguments)))
        rows.append({"name": name, "arguments": arguments, "content": answer.content, "error": answer.error})
    return {"domain": domain, "calls": rows, "db_hash": environment.get_db_hash()}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--per-task", type=int, default=4)
    parser.add_argument("--probes", type=int, default=40)
    args = parser.parse_args()
    keep_databases()
    ENVIRONMENTS = {domain: registry.get_env_constructor(domain)() for domain in DOMAINS}
    with gzip.GzipFile(args.out, "wb", mtime=0) as packed, io.TextIOWrapper(packed, "utf8") as out:
        print(record_trajectories(args.per_task, out), "episodes")
        record_probes(args.probes, out)
