"""Seeded variations of the golden actions of a task of tau2-bench."""

import copy
import json


def changed(rng, value, pool):
    """Returns a plausible wrong value in place of an argument."""
    if isinstance(value, bool) or value is None:
        return rng.choice([value, "yes", 0])
    if isinstance(value, int):
        return rng.choice([value + 1, value - 1, float(value), str(value), value + 0.5, 0, None, True])
    if isinstance(value, float):
        return rng.choice([value + 1, int(value), str(value)])
    if isinstance(value, str):
        options = [value.lower(), value.upper(), value + " ", value[1:], rng.choice(pool) if pool else "x", "", 5, None, [value]]
        return rng.choice(options)
    if isinstance(value, list):
        if value and rng.random() < 0.5:
            at = rng.randrange(len(value))
            return value[:at] + [changed(rng, value[at], pool)] + value[at + 1 :]
        return rng.choice([value[:-1], value + value[:1], [], json.dumps(value), None, list(reversed(value))])
    if isinstance(value, dict):
        if value and rng.random() < 0.6:
            key = rng.choice(sorted(value))
            return {**value, key: changed(rng, value[key], pool)}
        return rng.choice([{k: v for k, v in list(value.items())[1:]}, {}, {**value, "extra": 1}, json.dumps(value)])
    return value


def changed_call(rng, call, pool):
    name, arguments = call
    arguments = copy.deepcopy(arguments)
    if not arguments or rng.random() < 0.1:
        return (name, {**arguments, "reason_text": "x"})
    key = rng.choice(sorted(arguments))
    if rng.random() < 0.15:
        del arguments[key]
    else:
        arguments[key] = changed(rng, arguments[key], pool)
    return (name, arguments)


VARIATIONS = (
    "drop", "drop write", "change", "change write", "extra", "order", "repeat", "silent", "told oddly", "too many errors",
    "wrong types", "at once", "transfer", "out of scope", "stopped early", "unknown tool", "too many steps",
)


def varied(kind, rng, is_write, calls, told, everything):
    """Returns the moves of the agent, the last word of the user, and how many messages the user writes at most."""
    calls = copy.deepcopy(calls)
    writes = [at for at, (name, _) in enumerate(calls) if is_write(name)]
    pool = [value for _, arguments in everything for value in arguments.values() if isinstance(value, str)]
    end = "###STOP###"
    if kind == "drop" and calls:
        calls.pop(rng.randrange(len(calls)))
    if kind == "drop write" and writes:
        calls.pop(rng.choice(writes))
    if kind in ("change", "wrong types") and calls:
        for _ in range(1 if kind == "change" else 3):
            at = rng.randrange(len(calls))
            calls[at] = changed_call(rng, calls[at], pool)
    if kind == "change write" and writes:
        at = rng.choice(writes)
        calls[at] = changed_call(rng, calls[at], pool)
    if kind == "extra":
        calls.insert(rng.randrange(len(calls) + 1), rng.choice(everything))
    if kind == "order":
        rng.shuffle(calls)
    if kind == "repeat" and calls:
        calls.insert(rng.randrange(len(calls) + 1), rng.choice(calls))
    if kind == "unknown tool":
        calls.insert(rng.randrange(len(calls) + 1), ("look_into_it", {"id": 1}))
    if kind == "too many errors":
        calls = calls[: rng.randrange(len(calls) + 1)] + [("look_into_it", {})] * rng.choice([8, 9, 10, 11])
    if kind == "too many steps":
        calls = calls + [("transfer_to_human_agents", {"summary": "again"})] * rng.choice([90, 120])
    moves = [[call] for call in calls]
    if kind == "at once" and len(calls) > 1:
        half = len(calls) // 2
        moves = [calls[:half], calls[half:]]
    text = ". ".join(told) if told else "That is done."
    if kind == "silent":
        text = "That is done."
    if kind == "told oddly":
        loud = ", ".join(each.upper() for each in told)
        split = " ".join(f"{each[:1]},{each[1:]}" for each in told)
        text = (loud if rng.random() < 0.5 else split) or "done"
    if kind == "transfer":
        end = "I see. ###TRANSFER###"
    if kind == "out of scope":
        end = "###OUT-OF-SCOPE###"
    if kind == "stopped early":
        at = rng.randrange(len(moves) + 1)
        moves = moves[:at] + ["One moment."] + moves[at:] + [text]
        return moves, end, 1
    if kind == "too many steps" and rng.random() < 0.5:
        return moves + [text], "Go on.", 200
    return moves + [text], end, 1
