"""Inspect: a task whose samples are tasks of a Palestra gym. The score is the sum of the rewards."""

import os

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver
from palestra import AsyncGym

url = os.environ["PALESTRA_URL"]


@solver
def play():
    async def solve(state, generate):
        async with AsyncGym(url, capacity_wait=600) as gym, gym.episode(**state.metadata, format="react") as episode:
            state.messages = [ChatMessageSystem(content=episode.prompt), ChatMessageUser(content=episode.observation)]
            while not episode.ended:
                state = await generate(state)
                await gym.step(episode, state.output.completion)
                state.store.set("return", state.store.get("return", 0.0) + episode.reward)
                state.messages.append(ChatMessageUser(content=episode.observation))
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def episode_return():
    async def score(state, target):
        return Score(value=state.store.get("return", 0.0))

    return score


@task
def palestra(environment="textcraft", split=None, count=10):
    rows = [{"environment": environment, "split": split, "index": index} for index in range(count)]
    samples = [Sample(input=f"{environment} {row['index']}", metadata=row) for row in rows]
    return Task(dataset=samples, solver=play(), scorer=episode_return(), fail_on_error=False)
