"""Records test/fixtures/trainer/algorithms.json: what each algorithm's paper makes of random batches, in float64.

Slow and obvious on purpose, written from the equations: returns are sums over all that follows, gradients are central
differences of the loss. Batches are ragged: groups of 1 to 5 trajectories of 1 to 4 turns, observations between them,
failures, tokens after the last step. Run from anywhere with CPython 3.11 and numpy: python test/peers/trainer-algorithms.py
"""

import json
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parent.parent / "fixtures" / "trainer" / "algorithms.json"
GROUP_BASED = {
    "grpo", "dr-grpo", "rloo", "reinforce-plus-plus-baseline", "dapo", "gspo", "lite-ppo", "sapo", "cispo", "gigpo",
}


# Batches


def trajectory(rng, name):
    mask, steps = [0] * int(rng.integers(1, 4)), []
    for turn in range(int(rng.integers(1, 5))):
        first = len(mask)
        mask += [1] * int(rng.integers(1, 5))
        state = f"state{0 if turn == 0 else rng.integers(1, 4)}"
        reward = float(rng.choice([0.0, 0.0, 0.25, 0.5, 1.0]))
        steps.append({"first": first, "end": len(mask), "observationHash": state, "reward": reward})
        mask += [0] * int(rng.integers(0, 4))
    if rng.random() < 0.3:
        mask += [0] + [1] * int(rng.integers(1, 3))
    mask = np.array(mask)
    behaviour = draw(rng, mask, 0.0, None)
    proximal = draw(rng, mask, 0.3, behaviour)
    score = sum(step["reward"] for step in steps)
    return {
        "name": name,
        "mask": mask,
        "steps": steps,
        "status": str(rng.choice(["terminated", "truncated", "limit"])),
        "score": score,
        "solved": bool(score >= 1),
        "behaviour": behaviour,
        "proximal": proximal,
        "reference": draw(rng, mask, 0.3, behaviour),
        "values": np.where(mask == 1, f32(rng.normal(0.3, 0.5, mask.size)), 0),
        "current": draw(rng, mask, 0.25, proximal),
        "entropies": np.where(mask == 1, f32(rng.uniform(0.1, 2.0, mask.size)), 0),
        "newValues": np.where(mask == 1, f32(rng.normal(0.3, 0.8, mask.size)), 0),
    }


def f32(array):
    return array.astype(np.float32).astype(np.float64)


def draw(rng, mask, spread, around):
    """Returns log-probabilities that float32 represents exactly."""
    if around is None:
        values = -rng.exponential(1.2, mask.size) - 0.01
    else:
        values = np.minimum(around + rng.normal(0, spread, mask.size), -1e-3)
    return np.where(mask == 1, f32(values), 0)


def batch(seed):
    rng = np.random.default_rng(seed)
    groups = []
    for g, size in enumerate([4, 1, 3, 2, 3]):
        members = [trajectory(rng, f"{seed}.{g}.{i}") for i in range(size)]
        if g == 2:
            members[1]["status"] = "failed"
        if g == 3:
            for member in members:
                for step in member["steps"]:
                    step["reward"] = 0.0
                member["score"], member["solved"] = 0.0, False
        groups.append(members)
    # The teacher has random numbers of its own.
    own = np.random.default_rng([seed, 7])
    for t in (t for group in groups for t in group):
        t["teacher"] = draw(own, t["mask"], 0.8, t["behaviour"])
    return groups


# Advantages


def alive(group):
    return [t for t in group if t["status"] != "failed" and t["mask"].sum() > 0]


def participants(s, groups):
    name = s["algorithm"]
    if name == "agent-evol":
        return [[t for t in alive(g) if t["solved"]] for g in groups]
    if name in GROUP_BASED:
        return [alive(g) for g in groups if len(alive(g)) >= 2]
    return [alive(g) for g in groups]


def turns(s, t):
    """Returns (tokens, return) of each turn, or of the whole trajectory as one turn."""
    places = np.flatnonzero(t["mask"])
    bonus = overlong(s, places.size)
    if "turn_discount" not in s:
        return [(places, t["score"] + bonus)]
    d, rewards = s["turn_discount"], [step["reward"] for step in t["steps"]]
    rewards[-1] += bonus
    found, start = [], 0
    for i, step in enumerate(t["steps"]):
        value = sum(d ** (j - i) * rewards[j] for j in range(i, len(rewards)))
        found.append((places[(places >= start) & (places < step["end"])], value))
        start = step["end"]
    rest = places[places >= start]
    return found + ([(rest, 0.0)] if rest.size else [])


def overlong(s, length):
    if "overlong_tokens" not in s:
        return 0.0
    lmax, lc, factor = s["max_completion_length"], s["overlong_tokens"], s.get("overlong_penalty_factor", 1.0)
    if length <= lmax - lc:
        return 0.0
    if length <= lmax:
        return factor * ((lmax - lc) - length) / lc
    return -factor


def outcome(s, groups):
    """Returns the advantages by outcome, as {name: [tokens]}."""
    name, advantages = s["algorithm"], {}
    all_values = np.array([v for g in groups for t in g for _, v in turns(s, t)])
    for group in groups:
        rows = [(t, places, value) for t in group for places, value in turns(s, t)]
        values = np.array([value for _, _, value in rows])
        for t, places, value in rows:
            if name == "rloo":
                a = value - np.mean([v for other, _, v in rows if other is not t])
            elif name in ("dr-grpo", "reinforce-plus-plus-baseline"):
                a = value - values.mean()
            elif name == "lite-ppo":
                a = (value - values.mean()) / (all_values.std(ddof=1) + 1e-6)
            elif name == "reinforce":
                a = value - {"none": 0.0, "ema": s.get("_carried", 0.0), "batch_mean": all_values.mean()}[
                    s.get("baseline", "batch_mean")
                ]
            else:
                a = 0.0 if np.ptp(values) == 0 else (value - values.mean()) / (values.std(ddof=1) + 1e-6)
            advantages.setdefault(t["name"], np.zeros(t["mask"].size))[places] = a
    return advantages


def gigpo(s, groups):
    gamma, w, mode = s.get("gamma", 0.95), s.get("step_advantage_w", 1.0), s.get("gigpo_mode", "mean_norm")

    def normal(value, values):
        if len(values) < 2 or np.ptp(values) == 0:
            return 0.0
        return (value - np.mean(values)) / (np.std(values, ddof=1) + 1e-6 if mode == "mean_std_norm" else 1.0)

    advantages = {}
    for group in groups:
        visits = []
        for t in group:
            for i, step in enumerate(t["steps"]):
                q = sum(gamma**k * later["reward"] for k, later in enumerate(t["steps"][i:]))
                visits.append((t["name"], step, q))
        for t in group:
            a = np.where(t["mask"] == 1, normal(t["score"], [u["score"] for u in group]), 0.0)
            for name, step, q in visits:
                if name == t["name"]:
                    same = [v for _, other, v in visits if other["observationHash"] == step["observationHash"]]
                    a[step["first"] : step["end"]] += w * normal(q, same)
            advantages[t["name"]] = a
    return advantages


def token_rewards(s, t):
    """Returns the places and the rewards of the sampled tokens, and the discount after each."""
    places = np.flatnonzero(t["mask"])
    rewards, after = np.zeros(places.size), np.full(places.size, s.get("gamma", 1.0))
    for step in t["steps"]:
        last = np.flatnonzero(places < step["end"])[-1]
        rewards[last] += step["reward"]
        after[last] = s.get("gamma", 1.0) * s.get("turn_discount", 1.0)
    if s.get("kl_ctl", 0) > 0 and s.get("use_kl_in_reward", True):
        policy = t["proximal"] if recomputes(s) else t["behaviour"]
        rewards -= s["kl_ctl"] * kl(s.get("kl_estimator", "k1"), (policy - t["reference"])[places])
    return places, rewards, after


def kl(estimator, log_ratio):
    return {"k1": log_ratio, "k2": log_ratio**2 / 2, "k3": np.exp(-log_ratio) - 1 + log_ratio}[estimator]


def recomputes(s):
    return s.get("recompute_logprob", s.get("use_decoupled_loss", False))


def by_token(s, groups):
    """Returns {name: advantages} by generalised advantage estimation as a double sum, and {name: returns-to-go}."""
    advantages, returns = {}, {}
    for t in (t for g in groups for t in g):
        places, rewards, after = token_rewards(s, t)
        n = places.size
        a = np.zeros(t["mask"].size)
        if s["algorithm"] == "ppo":
            v = t["values"][places]
            ahead = np.append(v[1:], 0.0)
            delta = rewards + after * ahead - v
            lam = s.get("lam", 1.0)
            for i in range(n):
                a[places[i]] = sum(np.prod(after[i:k] * lam) * delta[k] for k in range(i, n))
            returns[t["name"]] = np.where(t["mask"] == 1, a + t["values"], 0)
        else:
            for i in range(n):
                a[places[i]] = sum(np.prod(after[i:k]) * rewards[k] for k in range(i, n))
        advantages[t["name"]] = a
    return advantages, returns


def whiten(advantages, members):
    everything = np.concatenate([advantages[t["name"]][t["mask"] == 1] for t in members])
    mean, variance = everything.mean(), everything.var(ddof=1)
    return {
        t["name"]: np.where(t["mask"] == 1, (advantages[t["name"]] - mean) / np.sqrt(variance + 1e-8), 0)
        for t in members
    }


AGGREGATION = {
    "ppo": "token-mean", "grpo": "seq-mean-token-mean", "dr-grpo": "seq-mean-token-sum-norm",
    "rloo": "seq-mean-token-sum", "reinforce": "seq-mean-token-sum", "reinforce-plus-plus": "token-mean",
    "reinforce-plus-plus-baseline": "token-mean", "dapo": "token-mean", "gspo": "seq-mean-token-mean",
    "lite-ppo": "token-mean", "sapo": "seq-mean-token-mean", "cispo": "token-mean", "gigpo": "token-mean",
    "sft": "token-mean", "agent-evol": "token-mean", "on-policy-distillation": "token-mean",
}


def weights(s, members):
    mode = s.get("loss_agg_mode", AGGREGATION[s["algorithm"]])
    n, total = len(members), sum(t["mask"].sum() for t in members)
    result = {}
    for t in members:
        w = {
            "token-mean": 1 / total,
            "seq-mean-token-mean": 1 / n / t["mask"].sum(),
            "seq-mean-token-sum": 1 / n,
            "seq-mean-token-sum-norm": 1 / n / s.get("max_completion_length", 1),
        }[mode]
        result[t["name"]] = t["mask"] * w
    return result


def credits(s, groups):
    chosen = participants(s, groups)
    members, name, returns = [t for g in chosen for t in g], s["algorithm"], {}
    if name in ("sft", "agent-evol"):
        advantages = {t["name"]: t["mask"].astype(float) for t in members}
    elif name == "gigpo":
        advantages = gigpo(s, chosen)
    elif name == "on-policy-distillation":
        by_reward = outcome(s, [g for g in chosen if len(g) >= 2])
        close = {t["name"]: t["teacher"] - t["proximal" if recomputes(s) else "behaviour"] for t in members}
        everything = np.concatenate([close[t["name"]][t["mask"] == 1] for t in members])
        b = 0.0 if s.get("baseline") == "none" else everything.mean()
        advantages = {
            t["name"]: np.where(t["mask"] == 1, close[t["name"]] - b, 0)
            + s.get("reward_advantage_w", 0.0) * by_reward.get(t["name"], np.zeros(t["mask"].size))
            for t in members
        }
    elif name in ("ppo", "reinforce-plus-plus"):
        advantages, returns = by_token(s, chosen)
    else:
        advantages = outcome(s, chosen)
    norm = "batch" if name in ("ppo", "reinforce-plus-plus", "reinforce-plus-plus-baseline") else "none"
    if s.get("adv_norm", norm) == "batch":
        advantages = whiten(advantages, members)
    return members, advantages, weights(s, members), returns


# Losses


LOSS = {"rloo": "reinforce", "reinforce": "reinforce", "sft": "sft", "agent-evol": "sft", "gspo": "gspo",
        "cispo": "cispo", "sapo": "sapo"}


def token_losses(s, t, a, returns, logp, entropy, value, at):
    """Returns the loss of each token. `at`: the current log-probabilities, for places where an equation stops gradients."""
    family = LOSS.get(s["algorithm"], "ppo")
    old = t["proximal"] if recomputes(s) else t["behaviour"]
    low = s.get("eps_clip", {"gspo": 3e-4, "cispo": 1.0}.get(s["algorithm"], 0.2))
    high = s.get("eps_clip_higher", {"gspo": 4e-4, "cispo": 4.0, "dapo": 0.28}.get(s["algorithm"], low))
    u = np.exp(logp - old)
    if family == "gspo":
        u = np.exp((at - old)[t["mask"] == 1].mean()) * np.exp(logp - at)
    if family == "sft":
        loss = -logp
    elif family == "reinforce":
        loss = -a * logp
    elif family == "cispo":
        loss = -np.clip(np.exp(at - old), 1 - low, 1 + high) * a * logp
    elif family == "sapo":
        tau = np.where(a > 0, s.get("sapo_tau_pos", 1.0), s.get("sapo_tau_neg", 1.05))
        loss = -a * (4 / tau) / (1 + np.exp(-tau * (u - 1)))
    else:
        loss = np.maximum(-u * a, -np.clip(u, 1 - low, 1 + high) * a)
        if "c_clip" in s:
            loss = np.where(a < 0, np.minimum(loss, -s["c_clip"] * a), loss)
    if s.get("use_decoupled_loss"):
        w, cap = np.exp(t["proximal"] - t["behaviour"]), s.get("behav_imp_weight_cap", 5.0)
        mode = s.get("behav_imp_weight_mode", "truncate")
        loss = loss * (np.minimum(w, cap) if mode == "truncate" else np.where(w > cap, 0, w))
    in_reward = s.get("use_kl_in_reward", s["algorithm"] in ("ppo", "reinforce-plus-plus"))
    if s.get("kl_ctl", 0) > 0 and not in_reward:
        loss = loss + s["kl_ctl"] * kl(s.get("kl_estimator", "k3"), logp - t["reference"])
    loss = loss - s.get("entropy_coef", 0.0) * entropy
    if s["algorithm"] == "ppo":
        clip = s.get("value_eps_clip", 0.5)
        held = np.clip(value, t["values"] - clip, t["values"] + clip)
        loss = loss + s.get("vf_coef", 0.1) * 0.5 * np.maximum((value - returns) ** 2, (held - returns) ** 2)
    return loss


def losses(s, t, a, w, returns):
    """Returns the trajectory's part of the loss, and the gradients of each token's own loss by central differences."""
    at, h = (t["current"], t["entropies"], t["newValues"]), 1e-6

    def value(*where):
        return w * token_losses(s, t, a, returns, *where, t["current"])

    gradients = []
    for argument in range(3):
        up, down = list(at), list(at)
        up[argument], down[argument] = at[argument] + h, at[argument] - h
        gradients.append((value(*up) - value(*down)) / (2 * h))
    return float(value(*at).sum()), gradients


# Cases


CASES = [
    {"algorithm": "ppo"},
    {"algorithm": "ppo", "gamma": 0.9, "lam": 0.8, "kl_ctl": 0.1, "entropy_coef": 0.01, "c_clip": 3.0, "vf_coef": 0.5},
    {"algorithm": "ppo", "gamma": 0.99, "lam": 0.95, "turn_discount": 0.7, "use_decoupled_loss": True},
    {"algorithm": "ppo", "adv_norm": "none", "kl_ctl": 0.05, "kl_estimator": "k2", "use_kl_in_reward": False,
     "value_eps_clip": 0.1, "recompute_logprob": True},
    {"algorithm": "grpo"},
    {"algorithm": "grpo", "kl_ctl": 0.04, "entropy_coef": 0.001, "eps_clip_higher": 0.28, "c_clip": 3.0},
    {"algorithm": "grpo", "turn_discount": 0.8, "loss_agg_mode": "token-mean", "adv_norm": "batch"},
    {"algorithm": "grpo", "use_decoupled_loss": True, "behav_imp_weight_mode": "mask", "behav_imp_weight_cap": 1.3},
    {"algorithm": "grpo", "use_decoupled_loss": True, "behav_imp_weight_cap": 1.2, "kl_ctl": 0.01},
    {"algorithm": "dr-grpo", "max_completion_length": 32},
    {"algorithm": "dr-grpo", "max_completion_length": 20, "turn_discount": 0.5, "kl_ctl": 0.1, "kl_estimator": "k2"},
    {"algorithm": "rloo"},
    {"algorithm": "rloo", "turn_discount": 0.9, "use_decoupled_loss": True, "kl_ctl": 0.02},
    {"algorithm": "reinforce"},
    {"algorithm": "reinforce", "baseline": "none", "entropy_coef": 0.01},
    {"algorithm": "reinforce", "baseline": "ema", "baseline_decay": 0.8, "_carried": 0.35, "turn_discount": 0.9},
    {"algorithm": "reinforce-plus-plus"},
    {"algorithm": "reinforce-plus-plus", "gamma": 0.95, "kl_ctl": 0.1, "turn_discount": 0.9, "eps_clip": 0.1},
    {"algorithm": "reinforce-plus-plus", "kl_ctl": 0.1, "kl_estimator": "k3", "use_decoupled_loss": True},
    {"algorithm": "reinforce-plus-plus-baseline"},
    {"algorithm": "reinforce-plus-plus-baseline", "kl_ctl": 0.01, "kl_estimator": "k2", "turn_discount": 0.6},
    {"algorithm": "dapo"},
    {"algorithm": "dapo", "max_completion_length": 10, "overlong_tokens": 6, "overlong_penalty_factor": 0.5},
    {"algorithm": "dapo", "max_completion_length": 10, "overlong_tokens": 6, "turn_discount": 0.8},
    {"algorithm": "gspo"},
    {"algorithm": "gspo", "eps_clip": 0.1, "eps_clip_higher": 0.15, "turn_discount": 0.9, "entropy_coef": 0.01},
    {"algorithm": "gspo", "use_decoupled_loss": True, "eps_clip": 0.05, "kl_ctl": 0.01},
    {"algorithm": "lite-ppo"},
    {"algorithm": "lite-ppo", "turn_discount": 0.9, "use_decoupled_loss": True},
    {"algorithm": "sapo"},
    {"algorithm": "sapo", "sapo_tau_pos": 2.0, "sapo_tau_neg": 3.0, "kl_ctl": 0.05, "entropy_coef": 0.01,
     "recompute_logprob": True},
    {"algorithm": "cispo"},
    {"algorithm": "cispo", "eps_clip": 0.1, "eps_clip_higher": 0.1, "use_decoupled_loss": True},
    {"algorithm": "gigpo"},
    {"algorithm": "gigpo", "gigpo_mode": "mean_std_norm", "step_advantage_w": 0.5, "gamma": 0.8, "kl_ctl": 0.01},
    {"algorithm": "sft"},
    {"algorithm": "sft", "loss_agg_mode": "seq-mean-token-mean", "entropy_coef": 0.01},
    {"algorithm": "agent-evol"},
    {"algorithm": "on-policy-distillation"},
    {"algorithm": "on-policy-distillation", "baseline": "none"},
    {"algorithm": "on-policy-distillation", "reward_advantage_w": 0.5, "n_samples": 4, "turn_discount": 0.9},
    {"algorithm": "on-policy-distillation", "use_decoupled_loss": True, "kl_ctl": 0.02, "entropy_coef": 0.01,
     "loss_agg_mode": "seq-mean-token-mean"},
]


def plain(array):
    return [float(f"{x:.9g}") for x in array]


def record(s, seed, groups):
    members, advantages, w, returns = credits(s, groups)
    expected = {}
    total = 0.0
    for t in members:
        a, ret = advantages[t["name"]], returns.get(t["name"], np.zeros(t["mask"].size))
        loss, gradients = losses(s, t, a, w[t["name"]], ret)
        total += loss
        expected[t["name"]] = {
            "advantages": plain(a),
            "weights": plain(w[t["name"]]),
            **({"returns": plain(ret)} if returns else {}),
            "gradients": dict(zip(["logprob", "entropy", "value"], map(plain, gradients))),
        }
    settings = {key: value for key, value in s.items() if not key.startswith("_")}
    carried = {"carried": s["_carried"]} if "_carried" in s else {}
    return {"settings": settings, **carried, "batch": str(seed), "loss": total, "expected": expected}


def main():
    batches = {seed: batch(seed) for seed in (1, 2)}
    cases = [record(s, seed, groups) for seed, groups in batches.items() for s in CASES]
    as_json = {
        seed: [
            [{key: plain(v) if isinstance(v, np.ndarray) else v for key, v in t.items()} for t in group]
            for group in groups
        ]
        for seed, groups in batches.items()
    }
    OUT.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    OUT.write_text(f'{{"batches":{json.dumps(as_json, separators=(",", ":"))},\n"cases":[\n{lines}\n]}}\n')
    print(f"{len(cases)} cases, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
