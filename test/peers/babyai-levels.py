"""Records how MiniGrid generates and plays BabyAI's levels: test/fixtures/babyai/levels-VERSION.jsonl.gz.

    python3 test/peers/babyai-levels.py [ID ...]

Run where the package is installed. Recorded with minigrid 3.2.0 without arguments, and with minigrid 2.3.1 for the levels
that are another game there: GoToObjS6-v0, and those made by LevelGen (GoToSeq, GoToSeqS5R2, PickupLoc, Synth, SynthS5R2,
SynthLoc, SynthSeq, MiniBossLevel, BossLevel, BossLevelNoUnlock), where up to 3.1.0 the locked room of a mission still
counts in the next (see envs/babyai/engine/game.ts).

For each id and each seed from 20 to 219, on a new environment: `reset(seed)`, a walk of up to 64 moves that ends with the
episode, `reset()` on the same stream. A line a level: {"id", "missions", "starts", "walks", "nexts", "bots"}, in the last
four 8 digits a seed, the beginning of the SHA-256 of

start   mission in UTF-8; 8 int32: maximum of steps, x, y, direction, kind and colour of what is carried (0, 0: nothing),
        attempts rejected, attempts timed out; `grid.encode()`; the image
walk    for each move: its number; the image; the reward as float64; terminated; truncated (single bytes).
        Then `grid.encode()` and 5 int32: x, y, direction, kind and colour of what is carried
next    as start, then 3 int32: draws of integers(0, 1000000) from the stream
bot     as walk, for moves of the package's own solver on seeds 20 to 29, which are given in digits ("moves"). Null
        where the solver gives up.

Numbers are little-endian. A call that takes longer than 20 seconds is given up; in place of its digits stands "hung".

Moves of the walk come from s = seed, then s = (1664525 s + 1013904223) mod 2^32 before each: entry (s >> 8) mod 20 of the
line of WALK below that fits the cell ahead, as the image shows it.
"""

import contextlib
import gzip
import hashlib
import io
import json
import signal
import struct
import sys
from pathlib import Path

import gymnasium
import minigrid
from minigrid.core.constants import COLOR_TO_IDX, OBJECT_TO_IDX

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "babyai"
SEEDS = range(20, 220)
BOT_SEEDS = range(20, 30)
MOVES = 64
LIMIT_SECONDS = 20
WALK = {
    "shut door": "55555555555555001123",
    "object": "33333333355542012012",
    "wall": "00000000111111112456",
    "free": "22222222222200114456",
}


class Hung(BaseException):
    pass


def on_alarm(signum, frame):
    raise Hung


@contextlib.contextmanager
def limited():
    signal.alarm(LIMIT_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)


def int32(*numbers):
    return struct.pack(f"<{len(numbers)}i", *(int(number) for number in numbers))


def carried(env):
    held = env.carrying
    return (OBJECT_TO_IDX[held.type], COLOR_TO_IDX[held.color]) if held else (0, 0)


def pose(env):
    return (*env.agent_pos, env.agent_dir)


def started(env, **arguments):
    """Resets. Returns the image and the bytes of a start."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), limited():
        observation, _ = env.reset(**arguments)
    given_up = [printed.getvalue().count(start) for start in ("Sampling rejected", "Timeout during")]
    numbers = int32(env.max_steps, *pose(env), *carried(env), *given_up)
    image = observation["image"]
    return image, env.mission.encode() + numbers + env.grid.encode().tobytes() + image.tobytes()


def ahead(image):
    kind, _, state = image[3][5]
    if kind == OBJECT_TO_IDX["door"] and state != 0:
        return "shut door"
    if kind in (OBJECT_TO_IDX["key"], OBJECT_TO_IDX["ball"], OBJECT_TO_IDX["box"]):
        return "object"
    return "wall" if kind == OBJECT_TO_IDX["wall"] else "free"


def walker(seed):
    state = seed

    def choose(image):
        nonlocal state
        state = (1664525 * state + 1013904223) % 2**32
        return int(WALK[ahead(image)][(state >> 8) % 20])

    return choose


def played(env, image, choose, limit):
    """Plays. Returns the moves, the bytes of a walk, and the last reward."""
    moves, parts, reward = [], [], 0
    while len(moves) < limit:
        move = choose(image)
        observation, reward, terminated, truncated, _ = env.step(move)
        image = observation["image"]
        moves.append(move)
        parts.append(bytes([move]) + image.tobytes() + struct.pack("<d", reward) + bytes([terminated, truncated]))
        if terminated or truncated:
            break
    end = env.grid.encode().tobytes() + int32(*pose(env), *carried(env))
    return moves, b"".join(parts) + end, reward


def digest(data):
    return hashlib.sha256(data).hexdigest()[:8]


def record_seed(id, seed, level):
    env = gymnasium.make(id, disable_env_checker=True).unwrapped
    try:
        image, start = started(env, seed=seed)
    except Hung:
        for name in ("missions", "starts", "walks", "nexts"):
            level[name].append("hung")
        return
    level["missions"].append(env.mission)
    level["starts"].append(digest(start))
    level["walks"].append(digest(played(env, image, walker(seed), MOVES)[1]))
    try:
        _, start = started(env)
        level["nexts"].append(digest(start + int32(*(env.np_random.integers(0, 1_000_000) for _ in range(3)))))
    except Hung:
        level["nexts"].append("hung")


def record_bot(id, seed):
    from minigrid.utils.baby_ai_bot import BabyAIBot

    env = gymnasium.make(id, disable_env_checker=True).unwrapped
    image, _ = started(env, seed=seed)
    bot, last = BabyAIBot(env), None

    def choose(_):
        nonlocal last
        last = int(bot.replan(last))
        return last

    try:
        with limited():
            moves, walk, reward = played(env, image, choose, env.max_steps)
    except (AssertionError, Hung):
        return None
    return {"moves": "".join(str(move) for move in moves), "digest": digest(walk), "reward": float(reward)}


def record_level(id):
    level = {"id": id, "missions": [], "starts": [], "walks": [], "nexts": []}
    for seed in SEEDS:
        record_seed(id, seed, level)
    for name in ("starts", "walks", "nexts"):
        level[name] = " ".join(level[name])
    level["bots"] = [record_bot(id, seed) for seed in BOT_SEEDS] if minigrid.__version__ >= "2.4" else []
    return level


signal.signal(signal.SIGALRM, on_alarm)
ids = sys.argv[1:] or sorted(id for id in gymnasium.registry if id.startswith("BabyAI-"))
with open(FIXTURES / f"levels-{minigrid.__version__}.jsonl.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
    for id in ids:
        level = record_level(id)
        file.write((json.dumps(level, separators=(",", ":")) + "\n").encode())
        print(id, level["nexts"].count("hung") + level["starts"].count("hung"), "hung", flush=True)
