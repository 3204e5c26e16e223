"""Records what AgentGym's TextCraft engine answers, to odd inputs and to ordinary play.

    PYTHONHASHSEED=0 python3 test/peers/textcraft-odd-inputs.py AGENTENV_TEXTCRAFT test/fixtures/textcraft

AGENTENV_TEXTCRAFT is the folder of that name in the public repository WooooDyy/AgentGym (recorded from commit
3ef9235d23e68e7c2920c5422ad957dc8ced5c6c with Python 3.11). Recipe files are read in sorted name order. gymnasium and
numpy, of which the engine only uses names, are stubbed. An exception of the engine is recorded as {"error": text}, as
its HTTP wrapper reports it. The files are gzip with no time stamp: the same inputs give the same bytes.
"""

import contextlib
import gzip
import io
import json
import os
import random
import re
import sys
import types

package, target = sys.argv[1], sys.argv[2]


def load_engine():
    class Env:
        def __class_getitem__(cls, _):
            return cls

        def reset(self, seed=None):
            pass

    sys.modules["gymnasium"] = types.SimpleNamespace(Env=Env)
    sys.modules["numpy"] = types.SimpleNamespace(rec=None)
    stub = types.ModuleType("agentenv_textcraft")  # the package's own __init__ starts a server
    stub.__path__ = [os.path.join(package, "agentenv_textcraft")]
    sys.modules["agentenv_textcraft"] = stub
    listdir = os.listdir
    os.listdir = lambda path: sorted(listdir(path))
    from agentenv_textcraft.crafting_tree import CraftingTree
    from agentenv_textcraft.environment import TextCraftEnv

    tree = CraftingTree(minecraft_dir=stub.__path__[0])
    return tree, lambda: TextCraftEnv(crafting_tree=tree, commands=None, goal=None)


tree, new_env = load_engine()
rng = random.Random(20211)
bare = lambda item: item.replace("minecraft:", "").replace("_", " ")
recipes = [recipe for group in tree.itemid_recipes.values() for recipe in group]
gettable = sorted(bare(i) for i in tree.itemid_set if not tree.is_craftable(i) and not tree.is_tag(i))
tags = sorted(bare(tag) for tag in tree.tag_set)
items = [bare(recipe.output_item.item_tag.item_id) for recipe in recipes]

ODD = [
    *"\n\r\t\v\f\0\x07\x1b\x1c\x1d\x1e\x1f\x7f\x85\xa0\xad'\"\\,._:#%{}[]()$^*+?|/",
    *"\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff\u0301\u0600\ue000\uffff\ud800",
    *"\udfff\U0001f600\U000e0001\U0010ffff\u0378\u00e9\u4e2d\uff11\u0661\u00b2\u212a\u0130",
    *["minecraft:", " using ", " using", "using ", "craft ", "get ", "  ", " "],
]
COUNTS = ["0", "00", "007", "1", "2", "3", "9", "64", "9007199254740991", "9007199254740992", "9007199254740993",
          "18014398509481985", "1" * 40, "9" * 300, "7" * 4300, "0" * 4299 + "5", "1" * 4301, "0" * 4301,
          "-1", "+1", "1.5", "1e3", "0x10", "\u0661", "\uff11", "\u00b2", "a", ""]


def ingredient_line(recipe):
    parts = []
    for i in recipe.input_items:
        name = bare(i.item_tag.name)
        if i.item_tag.item_id is None:
            members = [item for item, tag in tree.item_id_to_tag.items() if tag == i.item_tag.tag]
            name = bare(rng.choice(members))
        parts.append(f"{i.count} {name}")
    return parts


def random_name():
    return rng.choice([rng.choice(gettable), rng.choice(items), rng.choice(tags), rng.choice(["x", "", " ", "Stick"])])


def mutated(text):
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        at = rng.randrange(len(text) + 1)
        kind = rng.random()
        if kind < 0.6:
            text = text[:at] + rng.choice(ODD) + text[at:]
        elif kind < 0.75:
            text = text[:at] + text[at + 1 :]
        elif kind < 0.85:
            text = text[:at] + text[at:].upper()
        else:
            text = text[at:] + text[:at]
    return text


def odd_action(held):
    name = lambda: rng.choice(held) if held and rng.random() < 0.7 else random_name()
    kind = rng.randrange(12)
    if kind == 0:
        return f"get {rng.choice(COUNTS)} {name()}"
    if kind == 1:
        return mutated(f"get {rng.choice([1, 2, 5])} {rng.choice(gettable)}")
    if kind == 2:
        inputs = rng.choice([",", ", ", " , ", ",,", "\t,\x1c"]).join(
            f"{rng.choice(COUNTS)} {name()}" for _ in range(rng.choice([1, 1, 2, 3]))
        )
        return f"craft {rng.choice(['', '1 ', '12 ', rng.choice(COUNTS) + ' '])}{random_name()} using {inputs}"
    if kind == 3:
        return "inventory" + rng.choice(["", "", " please", "\n", "x", ", get 1 string"])
    if kind == 4:
        return mutated("inventory")
    if kind == 5:
        # the inventory suffices and the recipe is wrong, so that the reply contains the repr of the output
        odd = "".join(rng.choice(ODD + list("abc")) for _ in range(rng.randrange(1, 8)))
        return f"craft {rng.choice(['', '3 ', '007 ', '1' * 30 + ' '])}{odd} using 0 {name()}"
    if kind == 6:
        return f"craft {rng.choice(tags)} using 1 {name()}"
    if kind == 7:
        pieces = ODD + COUNTS[:8] + ["get", "craft", "using", "string"]
        return "".join(rng.choice(pieces) for _ in range(rng.randrange(6)))
    recipe = rng.choice(recipes)
    parts = ingredient_line(recipe)
    if rng.random() < 0.3:
        parts = parts + [rng.choice(parts)]
    if rng.random() < 0.3:
        parts[rng.randrange(len(parts))] = f"{rng.choice(COUNTS[:8])} {name()}"
    rng.shuffle(parts)
    line = f"craft {rng.choice(['', '1 ', '5 '])}{bare(recipe.output_item.item_tag.item_id)} using {', '.join(parts)}"
    return mutated(line) if kind < 10 else line


def make(env, name, steps, depth=0):
    """Gets or crafts the ingredients of `name`, with wasted steps, and stops at 60 steps."""
    options = [r for r in tree.itemid_recipes.get("minecraft:" + name.replace(" ", "_"), [])]
    if not options or depth > 6:
        play(env, f"get {rng.choice([1, 4, 9])} {name}", steps)
        return
    parts = ingredient_line(rng.choice(options))
    for part in parts:
        count, item = part.split(" ", 1)
        for _ in range(9):
            if len(steps) > 60 or env.inventory.get("minecraft:" + item.replace(" ", "_"), 0) >= int(count):
                break
            make(env, item, steps, depth + 1)
    play(env, f"craft 1 {name} using {', '.join(parts)}", steps)


def play(env, action, steps):
    if re.search("[\ud800-\udbff][\udc00-\udfff]", action):
        return False  # two characters in Python, one in other languages
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            observation, reward, terminated, _, _ = env.step(action)
            steps.append({"action": action, "observation": observation, "reward": reward, "done": terminated})
        except Exception as error:
            steps.append({"action": action, "error": str(error)})
            terminated = False
    return terminated


def begin(data_idx):
    env = new_env()
    with contextlib.redirect_stdout(io.StringIO()):
        start, _ = env.reset(data_idx=data_idx)
    return env, {"dataIdx": data_idx, "goal": env.goal, "start": start, "steps": []}


def finish(env, record):
    record["inventory"] = {item: str(amount) for item, amount in env.inventory.items()}
    return record


def odd_episode(index):
    env, record = begin(rng.randrange(544))
    steps = record["steps"]
    for _ in range(rng.randrange(1, 4)):
        play(env, f"get {rng.choice([1, 8, 64, 2**53 - 1])} {rng.choice(gettable)}", steps)
    if index % 3 == 0:
        make(env, rng.choice(items), steps)
    for _ in range(25):
        play(env, odd_action([bare(item) for item in env.inventory]), steps)
    play(env, "inventory", steps)
    return finish(env, record)


def every_quoting():
    """Crafts once per range of code points, to find the borders of what repr() prints and strip() removes."""
    env, record = begin(0)
    steps = record["steps"]
    play(env, "get 1 string", steps)
    printable = [chr(c).isprintable() for c in range(0x110000)]
    borders = [c for c in range(1, 0x110000) if printable[c] != printable[c - 1]]
    codes = sorted({c + d for c in borders for d in (-1, 0)} | set(range(0x300)) - {0x0A})
    for at in range(0, len(codes), 200):
        text = "".join(chr(c) for c in codes[at : at + 200] if c != 0x0A and not 0xD800 <= c <= 0xDFFF)
        play(env, f"craft {text} using 0 string", steps)
    for code in [0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF]:
        play(env, f"craft {chr(code)} using 0 string", steps)
    for quotes in ["'", '"', "'\"", "\\", "\\'", "don't", 'say "x"', "\r", "\t", "it's \"x\" \\"]:
        play(env, f"craft {quotes} using 0 string", steps)
    for code in range(0x3100):
        if chr(code).isspace() or code in (0x200B, 0x180E, 0x2060):
            play(env, f"craft x using {chr(code)}0 string{chr(code)}, 0 string", steps)
            play(env, f"craft x using 0{chr(code)}string", steps)
    return finish(env, record)


def ordinary_episode(data_idx):
    env, record = begin(data_idx)
    goal = bare(env.goal)
    random.seed(42)
    with contextlib.redirect_stdout(io.StringIO()):
        needed, distractors = tree.create_recipe_set(env.goal)
    record["needed"] = list(dict.fromkeys(r.recipe_str for r in needed))
    drawn = dict.fromkeys(r.recipe_str for r in distractors)
    # The first draws of random.sample. They do not pass through a set, so they do not depend on the hash seed.
    record["distractors"] = [line for line in drawn if line not in record["needed"]]
    play(env, "inventory", record["steps"])
    for _ in range(40):
        make(env, goal, record["steps"])
        if record["steps"][-1].get("done"):
            break
    return finish(env, record)


def write(name, document):
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":")).encode()
    with open(os.path.join(target, name), "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as file:
        file.write(text)
    print(name, sum(len(record["steps"]) for record in document["records"]), "steps")


depths = sorted(tree.item_recipes_min_depth(1), key=lambda pair: pair[1])
write("odd-inputs.json.gz", {"records": [every_quoting()] + [odd_episode(i) for i in range(150)]})
ordinary = [*range(0, 544, 11), *range(533, 544)]
write("traces.json.gz", {"goals": depths, "records": [ordinary_episode(i) for i in ordinary]})
