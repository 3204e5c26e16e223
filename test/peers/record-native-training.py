"""Records test/fixtures/native/training*: what PyTorch's autograd makes of the small checkpoints, in float64.

Run from anywhere, after record-native.py: python test/peers/record-native-training.py

Needs PyPI torch and transformers. First `transformers` scores the sequences of scores.json, and the worst difference
from native_reference.py is printed. Then each checkpoint takes six steps of AdamW, one of each policy of the loss, whose
inputs, results and weights at the end are kept.
"""

import functools
import json
from pathlib import Path

import numpy
import torch
import transformers
from native_reference import log_softmax
from safetensors.numpy import save_file

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "native"
MODELS = ["llama", "llama-linear", "qwen2", "qwen3"]
LENGTHS = [9, 14, 5]
# The epsilon is as large as the gradients, so that a step depends on their size and not only on their signs.
RULE = {"lr": 0.01, "beta1": 0.9, "beta2": 0.95, "epsilon": 0.01, "weightDecay": 0.1, "clipNorm": 1.0}
PLAIN = {
    "policy": "cross-entropy",
    "clipLow": 0.2,
    "clipHigh": 0.2,
    "dualClip": 0,
    "behaviourWeight": "none",
    "behaviourCap": 5,
    "kl": "none",
    "klCoefficient": 0,
    "entropyCoefficient": 0,
    "temperature": 1,
    "valueCoefficient": 0,
    "valueClip": 0,
}
LOSSES = [
    PLAIN,
    {**PLAIN, "policy": "reinforce", "entropyCoefficient": 0.05, "valueCoefficient": 0.5, "valueClip": 0.2},
    {
        **PLAIN,
        **{"policy": "ppo", "clipLow": 0.2, "clipHigh": 0.28, "dualClip": 2, "temperature": 0.7},
        **{"behaviourWeight": "truncate", "behaviourCap": 1.2, "kl": "k3", "klCoefficient": 0.1},
        **{"valueCoefficient": 0.5, "valueClip": 0.2},
    },
    {**PLAIN, "policy": "gspo", "clipLow": 0.05, "clipHigh": 0.05, "kl": "k1", "klCoefficient": 0.1},
    {
        **PLAIN,
        **{"policy": "cispo", "clipLow": 0.4, "clipHigh": 0.28, "behaviourWeight": "mask", "behaviourCap": 1.2},
        **{"kl": "k2", "klCoefficient": 0.1, "temperature": 1.3},
    },
]


def load(name):
    """Loads a model in float64, and replaces the parts in which `transformers` always uses float32."""
    options = {"dtype": torch.float64, "attn_implementation": "sdpa"}
    model = transformers.AutoModelForCausalLM.from_pretrained(FIXTURES / name, **options)
    for module in model.modules():
        kind = type(module).__name__
        if kind.endswith("RMSNorm"):
            module.forward = functools.partial(rms_norm, module)
        elif kind.endswith("RotaryEmbedding"):
            module.forward = functools.partial(rotary, module)
    return model


def rms_norm(module, x):
    return torch.nn.functional.rms_norm(x, module.weight.shape, module.weight, module.variance_epsilon)


def rotary(module, x, position_ids):
    """Uses the frequencies of `transformers`, which are float32."""
    angles = position_ids[..., None].double() * module.inv_freq.double()
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def compare_scores():
    worst = 0.0
    models = {name: load(name) for name in MODELS}
    for each in json.loads((FIXTURES / "scores.json").read_text())["sequences"]:
        if each["model"] not in models:
            continue
        with torch.no_grad():
            logits = models[each["model"]](torch.tensor([each["tokens"]])).logits[0].numpy()
        logprobs = log_softmax(logits[:-1] / each["temperature"])
        chosen = logprobs[numpy.arange(len(logprobs)), each["tokens"][1:]]
        entropies = -(numpy.exp(logprobs) * logprobs).sum(-1)
        for ours, theirs in ((each["logprobs"], chosen), (each["entropies"], entropies)):
            worst = max(worst, float(numpy.max(numpy.abs(numpy.array(ours[1:]) - theirs) / numpy.abs(theirs))))
    print(f"transformers {transformers.__version__} and native_reference.py differ by at most {worst:.1e}, relatively")


def float32(values):
    return numpy.asarray(values, dtype=numpy.float32).astype(numpy.float64)


class Run:
    def __init__(self, name, rng):
        self.model = load(name)
        self.rng = rng
        parameters = dict(self.model.named_parameters())
        hidden = self.model.config.hidden_size
        parameters["value_head.weight"] = torch.zeros(1, hidden, dtype=torch.float64, requires_grad=True)
        parameters["value_head.bias"] = torch.zeros(1, dtype=torch.float64, requires_grad=True)
        self.parameters = parameters
        self.began = {name: each.detach().clone() for name, each in parameters.items()}
        self.moments = {name: (torch.zeros_like(each), torch.zeros_like(each)) for name, each in parameters.items()}
        self.steps = 0

    def pack(self):
        tokens = [self.rng.integers(0, self.model.config.vocab_size, length).tolist() for length in LENGTHS]
        mask = [[0, *(self.rng.random(length - 1) < 0.8).astype(int).tolist()] for length in LENGTHS]
        return tokens, sum(mask, [])

    def scores(self, sequences, temperature):
        """Returns log-probability, entropy and value of each token, with 0 for a sequence's first token."""
        logprobs, entropies, values = [], [], []
        nothing = torch.zeros(1, dtype=torch.float64)
        for tokens in sequences:
            out = self.model(torch.tensor([tokens]), output_hidden_states=True)
            log_p = torch.log_softmax(out.logits[0, :-1] / temperature, -1)
            logprobs += [nothing, log_p.gather(1, torch.tensor(tokens[1:])[:, None])[:, 0]]
            entropies += [nothing, -(log_p.exp() * log_p).sum(-1)]
            state = out.hidden_states[-1][0, :-1]
            head = self.parameters["value_head.weight"], self.parameters["value_head.bias"]
            values += [nothing, torch.nn.functional.linear(state, *head)[:, 0]]
        return torch.cat(logprobs), torch.cat(entropies), torch.cat(values)

    def inputs(self, logprobs, values):
        """Returns inputs of the loss near the current scores, so that some ratios are clipped and some are not."""
        count = len(logprobs)
        near = lambda values, width: float32(values.detach().numpy() + width * self.rng.standard_normal(count))
        proximal = near(logprobs, 0.3)
        return {
            "weight": float32(self.rng.uniform(0.5, 1.5, count) / count),
            "advantage": float32(self.rng.standard_normal(count)),
            "behaviour": float32(proximal + 0.3 * self.rng.standard_normal(count)),
            "proximal": proximal,
            "reference": near(logprobs, 0.5),
            "returns": float32(self.rng.standard_normal(count)),
            "oldValues": near(values, 0.3),
        }

    def update(self):
        """Takes a step of AdamW with clipped gradients. Only matrices decay. @returns the norm before clipping"""
        self.steps += 1
        gradients = {name: each.grad for name, each in self.parameters.items() if each.grad is not None}
        norm = float(torch.sqrt(sum((each**2).sum() for each in gradients.values())))
        scale = min(1.0, RULE["clipNorm"] / norm)
        with torch.no_grad():
            for name, gradient in gradients.items():
                gradient = gradient * scale
                first, second = self.moments[name]
                first.lerp_(gradient, 1 - RULE["beta1"])
                second.lerp_(gradient**2, 1 - RULE["beta2"])
                corrected = first / (1 - RULE["beta1"] ** self.steps)
                root = torch.sqrt(second / (1 - RULE["beta2"] ** self.steps))
                weights = self.parameters[name]
                decay = RULE["weightDecay"] if weights.dim() > 1 else 0.0
                weights -= RULE["lr"] * (corrected / (root + RULE["epsilon"]) + decay * weights)
        for each in self.parameters.values():
            each.grad = None
        return norm

    def change(self):
        """Returns the change of each parameter so far, as float32."""
        return {name: (each.detach() - self.began[name]).float().numpy() for name, each in self.parameters.items()}


def policy_loss(kind, loss, logprobs, given, sequences, mask):
    """Returns the loss of each token, [tokens], as native/model/loss/loss.h defines it."""
    advantage = given["advantage"]
    if kind == "cross-entropy":
        return -logprobs
    if kind == "reinforce":
        return -advantage * logprobs
    difference = logprobs - given["proximal"]
    if kind == "gspo":
        # GSPO-token: the mean over the sequence, with the gradient of each token (Zheng et al. 2025, section 4.3).
        each = zip(torch.split(difference, list(map(len, sequences))), torch.split(mask, list(map(len, sequences))))
        means = torch.cat([((d * m).sum() / m.sum()).expand(len(d)) for d, m in each])
        difference = means.detach() + logprobs - logprobs.detach()
    ratio = difference.exp()
    clipped = ratio.clamp(1 - loss["clipLow"], 1 + loss["clipHigh"])
    if kind == "cispo":
        return -clipped.detach() * advantage * logprobs
    pessimistic = -torch.minimum(ratio * advantage, clipped * advantage)
    if not loss["dualClip"]:
        return pessimistic
    return torch.where(advantage < 0, torch.minimum(pessimistic, -loss["dualClip"] * advantage), pessimistic)


def behaviour_weight(loss, given):
    w = (given["proximal"] - given["behaviour"]).exp()
    cap = loss["behaviourCap"]
    if loss["behaviourWeight"] == "none":
        return torch.ones_like(w)
    return w.clamp(max=cap) if loss["behaviourWeight"] == "truncate" else torch.where(w > cap, 0.0, w)


def kl(kind, logprobs, reference):
    r = reference - logprobs
    return {"none": 0 * r, "k1": -r, "k2": r * r / 2, "k3": r.exp() - 1 - r}[kind]


def total_loss(loss, scores, given, sequences, mask):
    logprobs, entropies, values = scores
    policy = behaviour_weight(loss, given) * policy_loss(loss["policy"], loss, logprobs, given, sequences, mask)
    held = given["oldValues"] + (values - given["oldValues"]).clamp(-loss["valueClip"], loss["valueClip"])
    worse = torch.maximum((values - given["returns"]) ** 2, (held - given["returns"]) ** 2)
    each = (
        policy
        + loss["klCoefficient"] * kl(loss["kl"], logprobs, given["reference"])
        - loss["entropyCoefficient"] * entropies
        + loss["valueCoefficient"] * 0.5 * worse
    )
    return (given["weight"] * mask * each).sum()


def record_step(run, loss):
    sequences, mask = run.pack()
    scores = run.scores(sequences, loss["temperature"])
    inputs = run.inputs(scores[0], scores[2])
    given = {name: torch.tensor(values) for name, values in inputs.items()}
    result = total_loss(loss, scores, given, sequences, torch.tensor(mask, dtype=torch.float64))
    result.backward()
    return {
        "sequences": sequences,
        "mask": mask,
        "loss": loss,
        "inputs": {name: values.tolist() for name, values in inputs.items()},
        "result": result.item(),
        "norm": run.update(),
    }


def record_given_gradients(run):
    """Records a step in which the caller gives the gradients of log-probabilities, entropies and values."""
    sequences, mask = run.pack()
    gradients = [float32(run.rng.standard_normal(len(mask)) / len(mask)) for _ in range(3)]
    scores = run.scores(sequences, 1.0)
    mask_values = torch.tensor(mask, dtype=torch.float64)
    sum((torch.tensor(g) * mask_values * score).sum() for g, score in zip(gradients, scores)).backward()
    named = dict(zip(("logprob", "entropy", "value"), (g.tolist() for g in gradients)))
    return {"sequences": sequences, "mask": mask, "gradients": named, "norm": run.update()}


def record_training():
    lines = []
    for seed, name in enumerate(MODELS):
        run = Run(name, numpy.random.default_rng(1000 + seed))
        steps = [record_step(run, loss) for loss in LOSSES] + [record_given_gradients(run)]
        lines.append(json.dumps({"model": name, "steps": steps}, separators=(",", ":")))
        save_file(run.change(), FIXTURES / f"training-{name}.safetensors")
    head = json.dumps({"recordedFrom": f"torch {torch.__version__}", "rule": RULE})
    (FIXTURES / "training.json").write_text(f'{head[:-1]},"runs":[\n' + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    compare_scores()
    record_training()
