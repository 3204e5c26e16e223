"""Records what AgentGym's SearchQA server answers, over documents that this script makes.

    python searchqa-agentgym.py AGENTGYM OUT

AGENTGYM is a checkout of WooooDyy/AgentGym; its module agentenv_searchqa runs as it is. Its retriever and its datasets are
replaced: they need a GPU and tens of gigabytes. OUT gets a JSON object: `cases`, each with a question, its golden answers, and
the replies to a list of actions; `normalised`, pairs of a text and what the server makes of it.
"""

import importlib.util
import json
import random
import string
import sys
import types
import unicodedata


def stub(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module
    return module


def load(folder, name):
    path = f"{folder}/agentenv-searchqa/agentenv_searchqa/{name.replace('.', '/')}"
    path = f"{path}/__init__.py" if name == "reward_score" else f"{path}.py"
    spec = importlib.util.spec_from_file_location(f"agentenv_searchqa.{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class Retriever:
    """Returns the documents of the current case."""

    documents = []

    def search(self, query, num, return_score):
        return [self.documents[:num]], [[3.0 - at for at in range(num)]]


def server_of(folder, rows):
    retriever = Retriever()
    package = stub("agentenv_searchqa")
    package.__path__ = [f"{folder}/agentenv-searchqa/agentenv_searchqa"]
    stub("datasets", load_dataset=lambda *_, **__: {"train": rows})
    stub("agentenv_searchqa.utils", Config=lambda **_: None, debug_flg=False)
    stub("agentenv_searchqa.retriever", get_retriever=lambda _: _Flat(retriever))
    load(folder, "reward_score.qa_em")
    load(folder, "reward_score.qa_em_format")
    load(folder, "reward_score")
    wrapper = load(folder, "env_wrapper")
    return wrapper.searchqa_env_server, retriever


class _Flat:
    """Takes the server's list of one query, and returns the documents of that query."""

    def __init__(self, retriever):
        self.retriever = retriever

    def search(self, query, num, return_score):
        results, scores = self.retriever.search(query, num, return_score)
        return results[0], scores[0][: len(results[0])]


rng = random.Random(20)
words = ["Paris", "the", "The", "a", "An", "river", "1,234", "1234", "U.S.A.", "don't", "Málaga", "naïve", "½", "東京", "ſtraße", "İstanbul"]
spaces = [" ", "  ", "\t", "\n", "\u00a0", "\u2003", "\x1c"]
punctuation = list(".,;:!?'\"()-_/") + ["“", "”", "…", "–"]


def phrase(most=5):
    parts = []
    for _ in range(rng.randint(1, most)):
        parts.append(rng.choice(words))
        if rng.random() < 0.3:
            parts.append(rng.choice(punctuation))
        parts.append(rng.choice(spaces) if rng.random() < 0.8 else "")
    return "".join(parts)


def varied(answer):
    """Returns the answer in another spelling."""
    text = answer
    for change in rng.sample(range(6), rng.randint(0, 4)):
        if change == 0:
            text = text.upper()
        elif change == 1:
            text = f"the {text}"
        elif change == 2:
            text = f" {text}\n"
        elif change == 3:
            text = text.replace(" ", "  ")
        elif change == 4:
            text = f"{text}."
        elif change == 5:
            text = f'"{text}"'
    return text


def document(at):
    title = rng.choice([f'"{phrase(2)}"', phrase(3).replace("\n", " "), ""])
    body = "\n".join(phrase(8) for _ in range(rng.randint(0, 3)))
    return {"id": str(at), "contents": f"{title}\n{body}" if rng.random() < 0.9 else title}


def action(golden):
    right, wrong = varied(rng.choice(golden)), phrase()
    return rng.choice(
        [
            f"<answer>{right}</answer>",
            f"<answer>{wrong}</answer>",
            f"<answer>{wrong}</answer> no: <answer>{right}</answer>",
            f"<answer>{right}</answer> no: <answer>{wrong}</answer>",
            f"<think>{wrong}</think><search>{wrong}</search>",
            f"<search> {wrong} </search><answer>{right}</answer>",
            f"<answer>{right}</answer><search>{wrong}</search>",
            f"<answer>{right}</search>",
            f"<search>{wrong}</answer>",
            f"<search>{wrong}",
            f"<SEARCH>{wrong}</SEARCH>",
            f"<search><answer>{right}</answer></search>",
            f"<answer><search>{wrong}</search></answer>",
            f"<search></search>",
            f"<answer></answer>",
            f"<think>I know.</think>\n<answer>\n{right}\n</answer>\n<|im_end|>",
            wrong,
            "",
        ]
    )


def character():
    """Returns a character that this Python's Unicode knows, since later versions have other cases."""
    while True:
        one = chr(rng.choice([rng.randint(0, 0x2FF), rng.randint(0, 0x2FFF), rng.randint(0x20, 0x7E)]))
        if unicodedata.category(one) != "Cn":
            return one


def main(folder, out):
    rows = []
    cases = []
    for at in range(120):
        golden = [phrase(3) for _ in range(rng.randint(1, 3))]
        question = f"{rng.choice(['', ' ', chr(10)])}{phrase(7)}?{rng.choice(['', ' ', chr(9)])}"
        rows.append({"question": question, "reward_model": {"ground_truth": {"target": golden}}})
        cases.append({"question": question, "golden": golden, "documents": [document(i) for i in range(rng.choice([0, 1, 2, 3, 3, 3]))]})
    server, retriever = server_of(folder, rows)
    for at, case in enumerate(cases):
        retriever.documents = case["documents"]
        env = server.create(at)
        server.reset(env, at)
        case["opening"] = server.observation(env)
        case["steps"] = []
        for _ in range(rng.randint(3, 6)):
            text = action(case["golden"])
            observation, reward, done, info = server.step(env, text)
            case["steps"].append({"action": text, "observation": observation, "reward": reward, "done": done})
            if done:
                break
    normalise = sys.modules["agentenv_searchqa.reward_score.qa_em"].normalize_answer
    odd = list(string.printable) + spaces + punctuation + words + [" ", "\ufeff", "\u200b", "\u0301", "ß", "Σ", "ς", "ﬁ", "²", "Ⅷ", "〇", "١", "ª", "№", "😀", "\x85"]
    texts = []
    for at in range(10_000):
        length = rng.randint(0, 14)
        if at % 3 == 0:
            texts.append("".join(character() for _ in range(length)))
        else:
            texts.append("".join(rng.choice(odd) for _ in range(length)))
    with open(out, "w", encoding="utf-8") as file:
        json.dump({"cases": cases, "normalised": [[text, normalise(text)] for text in texts]}, file, ensure_ascii=True, indent=None)
        file.write("\n")


main(*sys.argv[1:])
