"""
Plays 20 episodes with TRL's own adapter of the Open Reward Standard, unchanged, as GRPOTrainer calls it: the dataset, an
environment per episode, its bound methods, and the reward function. The actions are those of the environment's expert.

It is run by hand, because the adapter's dependencies have 580 MB:

  pip install --no-deps trl==1.16.0 && pip install openreward==0.1.167 datasets
  PALESTRA_LOCAL_EXPERT=true palestra serve
  OPENREWARD_API_URL=http://127.0.0.1:8700 OPENREWARD_SESSION_URL=http://127.0.0.1:8700 \
    python test/peers/trl-openreward.py http://127.0.0.1:8700 textcraft:train babyai:agentgym

It prints one line of JSON for each environment. It fails if a reward differs from the return of the same actions over /v1.
"""

import json
import re
import sys
import urllib.request

from trl.experimental.openreward import OpenRewardSpec

EPISODES = 20


def call(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def expert_episode(gym, environment, split, index):
    """Returns the expert's actions, their return and the tools of the episode, or None if the expert cannot solve the task."""
    episode = call(f"{gym}/v1/episodes", {"environment": environment, "task": {"split": split, "index": index}})
    path = f"{gym}/v1/episodes/{episode['episodeId']}"
    actions, total = [], 0.0
    while True:
        action = call(f"{path}/expert")["action"]
        if action is None:
            return None
        step = call(f"{path}/step", {"index": len(actions), "action": action})
        actions.append(action)
        total += step["reward"]
        if step["terminated"] or step["truncated"]:
            return actions, total, episode["tools"]


def call_of(action, tools):
    """Returns the tool and the arguments that give an action. A template such as `get {count} {item}` is turned around."""
    for tool in tools:
        properties = tool["parameters"].get("properties", {})
        kind = {name: schema["type"] for name, schema in properties.items()}
        pattern = re.sub(
            r"\\\{(\w+)\\\}",
            lambda place: f"(?P<{place[1]}>{'[0-9]+' if kind[place[1]] == 'integer' else '.+?'})",
            re.escape(tool["action"]),
        )
        match = re.fullmatch(pattern, action)
        if match:
            readers = {"integer": int, "array": lambda text: text.split(", "), "string": str}
            return tool["name"], {name: readers[kind[name]](text) for name, text in match.groupdict().items()}
    return "act", {"action": action}


def play(gym, environment, split):
    experts = {}
    for index in range(10 * EPISODES):
        expert = expert_episode(gym, environment, split, index)
        if expert:
            experts[index] = expert
        if len(experts) == EPISODES:
            break
    spec = OpenRewardSpec(gym, env_name=environment, split=split, indices=list(experts))
    rows = list(spec.train_dataset)
    environments = [spec.environment_factory() for _ in rows]
    calls = 0
    for row, each in zip(rows, environments):
        actions, _, tools = experts[row["task_index"]]
        assert each.reset(**row)
        for action in actions:
            name, arguments = call_of(action, tools)
            getattr(each, name)(**arguments)
            calls += 1
        assert each.finished, (row, actions, each.last_output)
        each._close()
    rewards = spec.reward_funcs(environments=environments)
    expected = [total for _, total, _ in experts.values()]
    assert rewards == expected, (rewards, expected)
    return {"environment": environment, "episodes": len(rows), "calls": calls, "mean reward": sum(rewards) / len(rewards)}


for name in sys.argv[2:]:
    print(json.dumps(play(sys.argv[1], *name.split(":"))))
