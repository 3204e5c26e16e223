"""Records what AgentGym's BabyAI says of a view, and what its server class answers to ordinary and odd actions.

    python3 test/peers/babyai-text.py AGENTENV_BABYAI test/fixtures/babyai

AGENTENV_BABYAI is the folder of that name in the public repository WooooDyy/AgentGym (recorded from commit
3ef9235d23e68e7c2920c5422ad957dc8ced5c6c with minigrid 2.3.1, gymnasium 0.29.1, numpy 1.26.4 and Python 3.11). gym,
matplotlib and PIL, of which only names are used, are stubbed. The files are gzip with no time stamp: the same inputs
give the same bytes.

text-views.jsonl.gz     made-up and real views, each with the text, all actions with their moves, and all error messages
text-episodes.jsonl.gz  40 levels x 10 seeds (dataIdx 120 to 519) played through the server class, with its bookkeeping;
                        and 5874, whose mission is another after the second reset that the class makes
"""

import base64
import contextlib
import gzip
import io
import json
import os
import random
import sys
import types

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
import numpy

package, target = sys.argv[1], sys.argv[2]
made_up_views = int(sys.argv[3]) if len(sys.argv) > 3 else 400


def load_package():
    for name, attribute in [("gym", "Env"), ("matplotlib", "pyplot"), ("matplotlib.pyplot", "x"), ("PIL", "Image")]:
        sys.modules[name] = types.ModuleType(name)
        setattr(sys.modules[name], attribute, type(attribute, (), {}))
    stub = types.ModuleType("agentenv_babyai")  # the package's own __init__ starts a server
    stub.__path__ = [os.path.join(package, "agentenv_babyai")]
    sys.modules["agentenv_babyai"] = stub
    from agentenv_babyai import environment

    return environment


environment = load_package()
rng = random.Random(20211)

KINDS = {"empty": 1, "wall": 2, "door": 4, "key": 5, "ball": 6, "box": 7}
SPACE = [" ", "\t", "\n", "\r\n", "\v\f", "\x1c", "\x1d\x1e", "\x1f", "\x85", "\xa0", "\u1680", "\u2003", "\u2028"]
SPACE += ["\u2029", "\u202f", "\u205f", "\u3000", "  "]
NO_SPACE = ["\u200b", "\ufeff", "\u180e", "\x00", "\x1b", ".", "'", "\u0301", "\u0130", "\ud800", "\U0001f600"]
JUNK = ["", " ", "\x1c", "\ufeff", "check", "uncheck it", "CHEC\u212a", "recheck\n", "fly", "go to", "go to red ball"]
JUNK += ["pickup", "pickup red ball", "pick up red ball", "pick up", "toggle", "drop", "done", "move forward", "go to goal"]
JUNK += ["go through", "toggle and go through", "go to red ball 1 ", "go to red ball 01", "go to red ball 99", "\u0130"]
JUNK += ["check available actions", "Check Available Actions", "go to grey wall 1", "toString", "__proto__", "check " * 9]


class View:
    """A made-up environment with the attributes that the text layer reads."""

    agent_view_size = 7

    def __init__(self, direction, position, carrying):
        self.agent_pos = position
        self.dir_vec = environment.DIR_TO_VEC[direction]
        self.right_vec = numpy.array((-self.dir_vec[1], self.dir_vec[0]))
        self.carrying = carrying
        self.unwrapped = self

    def gen_obs_grid(self):
        return None, None


def made_up_image():
    """Returns an image of random density, whose cells are drawn independently. It need not be a possible view."""
    emptiness, palette = rng.random(), rng.sample(range(6), rng.choice([1, 2, 6]))
    weights = [rng.random() * emptiness * 12, rng.choice([0, 1, 3]), *(rng.choice([0, 1, 1, 3]) for _ in range(4))]
    image = numpy.zeros((7, 7, 3), dtype=numpy.uint8)
    for i in range(7):
        for j in range(7):
            kind = rng.choices(list(KINDS.values()), [weights[0] + 0.1, *weights[1:]])[0]
            if rng.random() < 0.1:
                continue
            color = 0 if kind == 1 else 5 if kind == 2 else rng.choice(palette)
            image[i, j] = kind, color, rng.randrange(3) if kind == 4 else 0
    return image


def made_up_view():
    image = made_up_image()
    carrying = None
    if rng.random() < 0.5:
        doors = [image[i, j, 1] for i in range(7) for j in range(7) if image[i, j, 0] == 4]
        color = int(rng.choice(doors)) if doors and rng.random() < 0.7 else rng.randrange(6)
        kind = rng.choice(["key", "key", "ball", "box"])
        carrying = types.SimpleNamespace(type=kind, color=environment.IDX_TO_COLOR[color])
        image[3, 6] = KINDS[kind], color, 0
    else:
        image[3, 6] = 1, 0, 0
    wrapper = environment.BabyAI.__new__(environment.BabyAI)
    direction = rng.randrange(4)
    wrapper.env = View(direction, (20, 20), carrying)
    return described(wrapper, image, direction)


def described(wrapper, image, direction):
    # The class keeps the last action space and error messages. This view replaces only those it has.
    kept = wrapper.__dict__.get("error_message")
    text, actions = wrapper.postprocess_obs({"image": image, "direction": direction})
    carrying = wrapper.env.unwrapped.carrying
    record = {
        "view": base64.b64encode(image.tobytes()).decode(),
        "dir": int(direction),
        "carrying": [KINDS[carrying.type], environment.COLOR_TO_IDX[carrying.color]] if carrying else None,
        "text": text,
        "actions": {name: "".join(map(str, moves)) for name, moves in actions.items()},
        "errors": wrapper.error_message,
    }
    wrapper.error_message = kept
    return record


def spaced(text):
    pad = lambda: rng.choice(SPACE) if rng.random() < 0.6 else ""
    return pad() + pad() + text + pad() + pad()


def odd_action(names):
    kind = rng.randrange(7)
    name = rng.choice(names)
    if kind == 0:
        return rng.choice(JUNK)
    if kind == 1:
        return spaced(rng.choice([name, name.upper(), name.title()]))
    if kind == 2:
        return rng.choice(["", spaced("")]) + name + rng.choice(NO_SPACE)
    if kind == 3:
        return name.replace("k", "\u212a").replace("i", rng.choice(["i", "I", "\u0130", "\u0131"]))
    if kind == 4:
        return name[:-1] + str(rng.randrange(4))
    if kind == 5:
        at = rng.randrange(len(name) + 1)
        return name[:at] + rng.choice([*SPACE, *NO_SPACE]) + name[at:]
    return rng.choice(JUNK) + rng.choice(JUNK)


def next_action(wrapper, goal):
    names = list(wrapper.action_space)
    errors = list(wrapper.error_message)
    odd_messages = [name for name, text in wrapper.error_message.items() if "{" in text]
    draw = rng.random()
    if odd_messages and draw < 0.3:
        return rng.choice(odd_messages)
    if errors and draw < 0.38:
        return rng.choice(errors)
    if draw < 0.47:
        return odd_action(names)
    if draw < 0.75:
        words = set(goal.replace(",", "").split())
        if any(word in words for word in ("open", "door")) and "toggle" in names and rng.random() < 0.5:
            return "toggle"
        likeness = {name: len(words & set(name.split())) for name in names}
        return rng.choice([name for name in names if likeness[name] == max(likeness.values())])
    return rng.choice(names)


def episode(data_idx, views):
    server = environment.BabyAIEnv()
    idx = server.create()["id"]
    reset = server.reset(idx, data_idx)
    wrapper = server.env[idx]
    record = {"dataIdx": data_idx, "level": wrapper.game_name, "opening": reset["observation"], "steps": []}
    assert (reset["reward"], reset["score"], reset["done"]) == (0, 0, False), reset
    # Half of the episodes turn for a while first, so that they succeed late (for at most 0.5) or past the last move.
    late = rng.choice([0, 0, 20, 40])
    for number in range(late + 24):
        if number < late:
            action = rng.choice(["turn left", "turn right"])
        else:
            action = next_action(wrapper, wrapper.goal)
        reply = server.step(idx, action)
        record["steps"].append({"action": action, **reply})
        if reply["done"]:
            break
        if rng.random() < 0.04:
            seen = wrapper.env.unwrapped
            views.append(described(wrapper, seen.gen_obs()["image"], seen.agent_dir))
    server.ls.clear()  # its destructor would close what has no close without the real gym
    return record


def write(name, records):
    lines = (json.dumps(record, separators=(",", ":"), default=int) for record in records)
    path = os.path.join(target, name)
    with open(path, "wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.write("\n".join(lines).encode())
    print(name, os.path.getsize(path), "bytes")


views = [made_up_view() for _ in range(made_up_views)]
with contextlib.redirect_stdout(io.StringIO()):
    episodes = [episode(data_idx, views) for data_idx in [*range(120, 520), 5874]]
write("text-views.jsonl.gz", views)
write("text-episodes.jsonl.gz", episodes)
steps = [step for each in episodes for step in each["steps"]]
print(len(views), "views,", len(episodes), "episodes,", len(steps), "steps,", sum(e["steps"][-1]["done"] for e in episodes))
