"""Records test/fixtures/trainer/verl.json: what verl makes of a batch, minibatch by minibatch, by its own functions.

For each case: advantages by verl's estimators over the whole batch; for each minibatch of it, the gradient of verl's
policy loss (and KL loss) in each token's log-probability. A group of equal rewards is in the batch, and its sequences
are in the minibatches. DEALT is how trainer/run/minibatches.ts deals the sequences for seed 11 and train step 3;
test/trainer/verl.test.ts fails where that changes.

Run with CPython 3.11 in an environment with verl 0.9.1 (its core_algos needs torch, tensordict, transformers, ray):
python test/peers/verl-minibatches.py
"""

import json
from pathlib import Path

import numpy as np
import torch
import verl
from verl.trainer.ppo import core_algos
from verl.workers.config import ActorConfig

OUT = Path(__file__).resolve().parent.parent / "fixtures" / "trainer" / "verl.json"
GROUPS = [4, 3, 3, 4]
MODES = ["token-mean", "seq-mean-token-mean", "seq-mean-token-sum", "seq-mean-token-sum-norm"]
LMAX = 13

# Sequences of each minibatch, by the number of minibatches: where the group of equal rewards has no gradient, and where
# every sequence has one.
DEALT = {
    "unequal": {
        1: [[9, 0, 8, 2, 11, 1, 3, 13, 10, 12, 7, 5, 4, 6]],
        2: [[9, 0, 8, 2, 11, 5], [1, 3, 13, 10, 12, 7, 4, 6]],
        3: [[9, 0, 8, 5], [2, 11, 1, 3, 4], [13, 10, 12, 7, 6]],
    },
    "everyone": {
        1: [[9, 0, 8, 5, 2, 11, 1, 4, 6, 3, 13, 10, 12, 7]],
        2: [[9, 0, 8, 5, 2, 11, 1], [4, 6, 3, 13, 10, 12, 7]],
        3: [[9, 0, 8, 5], [2, 11, 1, 4, 6], [3, 13, 10, 12, 7]],
    },
}

# Settings of ours; then verl's estimator, its loss and its configuration with the same meaning.
CASES = [
    ({"algorithm": "grpo"}, "grpo", "vanilla", {}),
    ({"algorithm": "grpo", "kl_ctl": 0.05}, "grpo", "vanilla", {"use_kl_loss": True, "kl_loss_coef": 0.05}),
    ({"algorithm": "grpo", "c_clip": 1.2}, "grpo", "vanilla", {"clip_ratio_c": 1.2}),
    ({"algorithm": "dr-grpo", "max_completion_length": LMAX}, "dr-grpo", "vanilla", {}),
    ({"algorithm": "dapo", "dynamic_sampling": "none"}, "grpo", "vanilla", {"clip_ratio_high": 0.28}),
    ({"algorithm": "reinforce-plus-plus-baseline"}, "rpp-baseline", "vanilla", {}),
    ({"algorithm": "gspo", "eps_clip": 0.05, "eps_clip_higher": 0.1}, "grpo", "gspo",
     {"clip_ratio": 0.05, "clip_ratio_low": 0.05, "clip_ratio_high": 0.1}),
    ({"algorithm": "cispo", "eps_clip": 0.1, "eps_clip_higher": 0.1}, "grpo", "cispo",
     {"clip_ratio": 0.1, "clip_ratio_low": 0.1, "clip_ratio_high": 0.1}),
    ({"algorithm": "sapo"}, "grpo", "sapo", {}),
    # verl clips RLOO's ratio. On policy the ratio is 1, and both have the gradient -A.
    ({"algorithm": "rloo"}, "rloo", "vanilla", {"on_policy": True}),
]


def batch(rng):
    sequences = []
    for group, size in enumerate(GROUPS):
        for _ in range(size):
            mask = [0] * int(rng.integers(1, 4))
            for _ in range(int(rng.integers(1, 4))):
                mask += [1] * int(rng.integers(1, 5)) + [0] * int(rng.integers(0, 3))
            mask += [1] * int(rng.integers(1, 3))
            reward = 0.5 if group == 1 else float(rng.choice([0.0, 0.25, 1.0]))
            current = np.round(-rng.exponential(1.2, len(mask)) - 0.05, 6)
            behaviour = np.round(np.minimum(current + rng.normal(0, 0.2, len(mask)), -0.01), 6)
            reference = np.round(np.minimum(current + rng.normal(0, 0.3, len(mask)), -0.01), 6)
            sequences.append({"group": group, "mask": mask, "reward": reward, "current": current.tolist(),
                              "behaviour": behaviour.tolist(), "reference": reference.tolist()})
    return sequences


def padded(sequences, name):
    width = max(len(s["mask"]) for s in sequences)
    return torch.tensor([list(s[name]) + [0] * (width - len(s["mask"])) for s in sequences], dtype=torch.float64)


def advantages_of(estimator, sequences, mask):
    rewards = torch.zeros_like(mask)
    for row, s in enumerate(sequences):
        rewards[row, int(mask[row].nonzero()[-1])] = s["reward"]
    index = np.array([s["group"] for s in sequences])
    if estimator == "rloo":
        return core_algos.compute_rloo_outcome_advantage(rewards, mask, index)[0]
    if estimator == "rpp-baseline":
        return core_algos.compute_reinforce_plus_plus_baseline_outcome_advantage(rewards, mask, index)[0]
    return core_algos.compute_grpo_outcome_advantage(
        rewards, mask, index, norm_adv_by_std_in_grpo=estimator == "grpo")[0]


def gradients(sequences, minibatch, case, mode):
    _, estimator, loss_name, own = case
    own = dict(own)
    on_policy = own.pop("on_policy", False)
    mask = padded(sequences, "mask")
    advantages = advantages_of(estimator, sequences, mask)[minibatch]
    mask = mask[minibatch]
    log_prob = padded(sequences, "current")[minibatch].requires_grad_()
    old = log_prob.detach() if on_policy else padded(sequences, "behaviour")[minibatch]
    config = ActorConfig(strategy="fsdp", rollout_n=4, use_dynamic_bsz=True, loss_agg_mode=mode,
                         **{"clip_ratio_c": 1e9, **own})
    config.global_batch_info.update(dp_size=1, batch_num_tokens=None, global_batch_size=None, loss_scale_factor=LMAX)
    loss, _ = core_algos.get_policy_loss_fn(loss_name)(
        old_log_prob=old, log_prob=log_prob, advantages=advantages, response_mask=mask, loss_agg_mode=mode,
        config=config)
    if config.use_kl_loss:
        kld = core_algos.kl_penalty(log_prob, padded(sequences, "reference")[minibatch], config.kl_loss_type)
        kl = core_algos.agg_loss(kld, mask, mode, **config.global_batch_info)
        loss = loss + config.kl_loss_coef * kl
    loss.backward()
    grad = (log_prob.grad * mask).tolist()
    return [[float(f"{g:.9g}") for g in row[: len(sequences[at]["mask"])]] for at, row in zip(minibatch, grad)]


def main():
    sequences = batch(np.random.default_rng(7))
    cases = []
    for case in CASES:
        ours, _, loss_name, own = case
        everyone = "kl_ctl" in ours or ours["algorithm"] == "reinforce-plus-plus-baseline"
        for mode in ["seq-mean-token-mean"] if loss_name == "sapo" else MODES:
            for count, minibatches in DEALT["everyone" if everyone else "unequal"].items():
                settings = {**ours, "loss_agg_mode": mode, "ppo_n_minibatches": count,
                            **({"max_completion_length": LMAX} if mode == "seq-mean-token-sum-norm" else {})}
                found = [gradients(sequences, minibatch, case, mode) for minibatch in minibatches]
                cases.append({"settings": settings, "onPolicy": own.get("on_policy", False),
                              "minibatches": [{"sequences": m, "gradients": g} for m, g in zip(minibatches, found)]})
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    head = json.dumps({"verl": verl.__version__.strip(), "sequences": sequences}, separators=(",", ":"))
    OUT.write_text(f'{head[:-1]},\n"cases":[\n{lines}\n]}}\n')
    print(f"{len(cases)} cases, {OUT.stat().st_size} bytes")


if __name__ == "__main__":
    main()
