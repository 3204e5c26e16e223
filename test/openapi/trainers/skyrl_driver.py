"""Plays tasks as SkyRL's generator does: environments of skyrl_gym in a pool of threads, and a model behind HTTP."""

from concurrent.futures import ThreadPoolExecutor

import requests
import skyrl_gym
from driver import chat_url, report, tasks

skyrl_gym.register(id="palestra", entry_point="skyrl_env:PalestraEnv")


def play(task):
    env = skyrl_gym.make("palestra", env_config={}, extras={"task": task})
    try:
        prompt = [{"role": "user", "content": "of the row"}]
        messages, _ = env.init(prompt)
        total, done = 0.0, False
        while not done:
            reply = requests.post(chat_url, json={"messages": messages}, timeout=60).json()
            text = reply["choices"][0]["message"]["content"]
            output = env.step(text)
            total, done = total + output["reward"], output["done"]
            messages += [{"role": "assistant", "content": text}, *output["observations"]]
        return total
    except Exception as error:
        return error
    finally:
        env.close()


with ThreadPoolExecutor(len(tasks)) as pool:
    report(list(pool.map(play, tasks)))
