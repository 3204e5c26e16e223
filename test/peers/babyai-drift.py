"""Records where long random walks lead in MiniGrid's BabyAI, as one digest a level.

Usage: babyai-drift.py MOVES [LEVEL...] > test/fixtures/babyai/drift.jsonl

MOVES   how many random moves in each level
LEVEL   a registered id; all of BabyAI's by default

A walk begins with reset(seed=7). Where an episode ends it goes on with reset() without a seed, on the same stream. Move n
is (x >> 16) % 7 of the generator x -> (1664525 x + 1013904223) mod 2^32 from x = 7. After each move the digest takes the
image's bytes and, as text, reward, terminated and truncated; after each reset image and mission. Prints
{"id", "moves", "episodes", "sha256"} a line. Moves are fewer where the reference looks for a place for ever.
"""

import contextlib
import hashlib
import io
import json
import signal
import sys

import gymnasium
import minigrid  # noqa: F401 (registers the levels)

patience_seconds = 20


def walk(level, moves):
    env = gymnasium.make(level, disable_env_checker=True).unwrapped
    digest = hashlib.sha256()

    def begin(**seed):
        with contextlib.redirect_stdout(io.StringIO()):
            obs, _ = env.reset(**seed)
        digest.update(obs["image"].tobytes() + obs["mission"].encode())

    begin(seed=7)
    x, episodes, taken = 7, 1, 0
    for _ in range(moves):
        x = (1664525 * x + 1013904223) % 2**32
        obs, reward, terminated, truncated, _ = env.step((x >> 16) % 7)
        taken += 1
        digest.update(obs["image"].tobytes())
        digest.update(f"{float(reward)!r} {int(terminated)} {int(truncated)}\n".encode())
        if not (terminated or truncated):
            continue
        # If the next reset never returns, the digest so far is kept.
        before = digest.copy()
        signal.alarm(patience_seconds)
        try:
            begin()
        except TimeoutError:
            digest = before
            break
        finally:
            signal.alarm(0)
        episodes += 1
    return {"id": level, "moves": taken, "episodes": episodes, "sha256": digest.hexdigest()}


def give_up(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, give_up)
levels = sys.argv[2:] or sorted(id for id in gymnasium.registry if id.startswith("BabyAI-"))
for level in levels:
    print(json.dumps(walk(level, int(sys.argv[1]))), flush=True)
