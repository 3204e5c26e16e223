"""Records what MiniGrid's `get_frame(highlight=True, tile_size=32)` draws, as digests beside the states.

    python3 test/peers/babyai-frames.py test/fixtures/babyai/frames.jsonl.gz

Recorded with minigrid 2.3.1, gymnasium 0.29.1 and numpy 1.26.4. A record has the level, the seed and the moves played
after the reset (a digit each; null for the grids that are filled with things by hand), the grid as `grid.encode()` gives
it and the agent's pose and visibility mask, so that a picture can be drawn without an engine. The digest is the
SHA-256 of the height x width x 3 bytes of the frame.
"""

import base64
import gzip
import hashlib
import json
import os
import random
import sys

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import gymnasium
import minigrid
import numpy
from minigrid.core.constants import COLOR_NAMES
from minigrid.core.world_object import Ball, Box, Door, Key

rng = random.Random(20211)
LEVELS = ["GoToRedBallGrey", "GoToObjS6", "GoToImpUnlock", "GoToSeqS5R2", "OpenDoorsOrderN4Debug", "UnblockPickup"]
LEVELS += ["PutNextS7N4Carrying", "KeyInBox", "BlockedUnlockPickup", "KeyCorridorS6R3", "OneRoomS20", "BossLevel"]


def text(array):
    return base64.b64encode(array.astype(numpy.uint8).tobytes()).decode()


def picture(env, level, seed, moves):
    frame = env.get_frame(highlight=True, tile_size=32)
    assert frame.dtype == numpy.uint8
    _, visible = env.gen_obs_grid()
    return {
        "level": level,
        "seed": seed,
        "moves": moves,
        "width": env.width,
        "height": env.height,
        "agent": [int(env.agent_pos[0]), int(env.agent_pos[1]), int(env.agent_dir)],
        "grid": text(env.grid.encode()),
        "visible": text(visible),
        "sha256": hashlib.sha256(frame.tobytes()).hexdigest(),
    }


def played(level, seed):
    env = gymnasium.make(f"BabyAI-{level}-v0").unwrapped
    env.reset(seed=seed)
    yield picture(env, level, seed, "")
    moves = "".join(rng.choices("0123455", [15, 15, 42, 10, 4, 7, 7], k=rng.randrange(10, 60)))
    for move in moves:
        env.step(int(move))
    yield picture(env, level, seed, moves)


def filled(direction):
    """Draws every object in every colour and state once, and the agent on an open door or elsewhere."""
    env = gymnasium.make("BabyAI-OneRoomS20-v0").unwrapped
    env.reset(seed=direction)
    things = [make(color) for make in (Key, Ball, Box) for color in COLOR_NAMES]
    things += [Door(color, *state) for state in [(True, False), (False, False), (False, True)] for color in COLOR_NAMES]
    cells = rng.sample([(x, y) for x in range(1, 19) for y in range(1, 19)], len(things))
    for (x, y), thing in zip(cells, things):
        env.grid.set(x, y, thing)
    env.agent_pos = rng.choice(cells[18:24]) if direction < 4 else (rng.randrange(1, 19), rng.randrange(1, 19))
    env.agent_dir = direction % 4
    return picture(env, "OneRoomS20", direction, None)


assert minigrid.__version__ == "2.3.1", minigrid.__version__
records = [record for level in LEVELS for seed in (0, 1) for record in played(level, seed)]
records += [filled(direction) for direction in range(8)]
with open(sys.argv[1], "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
    file.write("\n".join(json.dumps(record, separators=(",", ":")) for record in records).encode())
print(len(records), "frames,", os.path.getsize(sys.argv[1]), "bytes")
