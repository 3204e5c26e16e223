"""Hugging Face's models on PyTorch with random weights: in float64 as the reference, in other types as the peer."""

import functools

import numpy as np
import torch
import transformers
from transformers.integrations.sdpa_attention import sdpa_attention_forward

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
TYPES = {"f32": torch.float32, "bf16": torch.bfloat16, "f64": torch.float64}


def random_weights(shape, seed):
    """Returns weights by name. Their values are exact in bf16, so rounding adds no error; distributions are peaked."""
    random = torch.Generator().manual_seed(seed)
    weights = {}
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(shape.hugging_face())
    for name, parameter in model.named_parameters():
        values = torch.randn(parameter.shape, generator=random, dtype=torch.float64)
        if "norm" in name:
            values = 1 + 0.2 * values
        elif parameter.ndim == 1:
            values = 0.2 * values
        elif "embed" in name or "lm_head" in name:
            values = 2.5 / shape.hidden**0.5 * values
        else:
            values = values / parameter.shape[1] ** 0.5
        weights[name] = values.bfloat16().double()
    return weights


class Reference:
    """A model in one type. Sequences are lists or arrays of ids; results cover all of them side by side."""

    def __init__(self, shape, weights, dtype, attention="sdpa"):
        self.dtype = TYPES[dtype]
        options = {"dtype": self.dtype, "attn_implementation": attention}
        self.model = transformers.AutoModelForCausalLM.from_config(shape.hugging_face(), **options).to(DEVICE)
        self.load(weights)
        self.adapters = {}
        if self.dtype == torch.float64:
            keep_float64(self.model)

    def load(self, weights):
        parameters = dict(self.model.named_parameters())
        with torch.no_grad():
            for name, values in weights.items():
                parameters[name].copy_(torch.as_tensor(values))

    def adapt(self, adapters, scale):
        """y += scale (x a^T) b^T. adapters: (a, b) by the name of the projection"""
        for name, pair in adapters.items():
            a, b = (each.to(DEVICE, self.dtype, copy=True).requires_grad_() for each in pair)
            self.adapters |= {f"{name}.lora_A.weight": a, f"{name}.lora_B.weight": b}
            self.model.get_submodule(name).register_forward_hook(
                lambda _, inputs, y, a=a, b=b: y + scale * (inputs[0] @ a.T) @ b.T
            )

    def scores(self, sequences, temperature=1.0):
        """Returns log-probability and entropy of each token; 0 for the first of a sequence."""
        logprobs, entropies = [], []
        for tokens in sequences:
            ids = torch.as_tensor(np.asarray(tokens), dtype=torch.int64, device=DEVICE)
            log_p = self.distributions(ids[:-1], temperature)
            chosen = log_p.gather(1, ids[1:, None])[:, 0]
            first = chosen.new_zeros(1)
            logprobs += [first, chosen]
            entropies += [first, -(log_p.exp() * log_p).sum(-1)]
        return torch.cat(logprobs), torch.cat(entropies)

    def distributions(self, ids, temperature=1.0):
        """Returns (ids, vocabulary): log-probabilities of the next token; in float32 or wider."""
        logits = self.model(ids[None]).logits[0]
        wide = torch.promote_types(logits.dtype, torch.float32)
        return torch.log_softmax(logits.to(wide) / temperature, -1)

    def gradients(self, sequences, of_logprob, of_entropy, temperature=1.0):
        """Returns gradients by name, in float64; those of the adapters if there are any."""
        trained = self.adapters or dict(self.model.named_parameters())
        logprob, entropy = self.scores(sequences, temperature)
        given = (torch.as_tensor(each, device=DEVICE).to(logprob.dtype) for each in (of_logprob, of_entropy))
        total = sum((values * gradient).sum() for values, gradient in zip((logprob, entropy), given, strict=True))
        gradients = torch.autograd.grad(total, list(trained.values()))
        return {name: values.double().cpu().numpy() for name, values in zip(trained, gradients, strict=True)}


def fp8_attention(module, query, key, value, *rest, **options):
    """Attention over fp8 keys and values with one scale per vector."""
    return sdpa_attention_forward(module, query, through_fp8(key), through_fp8(value), *rest, **options)


transformers.AttentionInterface.register("fp8", fp8_attention)


def through_fp8(vectors):
    largest = torch.finfo(torch.float8_e4m3fn).max
    scale = vectors.float().abs().amax(-1, keepdim=True) / largest
    return ((vectors.float() / scale).to(torch.float8_e4m3fn).float() * scale).to(vectors.dtype)


def keep_float64(model):
    """Stops `transformers` from computing parts in float32 in models of other types."""
    for module in model.modules():
        kind = type(module).__name__
        if kind.endswith("RMSNorm"):
            module.forward = functools.partial(_rms_norm, module)
        elif kind.endswith("RotaryEmbedding"):
            module.forward = functools.partial(_rotary, module)


def _rms_norm(module, x):
    return torch.nn.functional.rms_norm(x, module.weight.shape, module.weight, module.variance_epsilon)


def _rotary(module, x, position_ids):
    angles = position_ids[..., None].double() * module.inv_freq.double()
    angles = torch.cat([angles, angles], -1)
    return angles.cos(), angles.sin()


def adamw(weights, gradients, norm, rule):
    """Makes PyTorch's first AdamW step in float64; only matrices decay. Returns the change of each weight."""
    scale = min(1.0, rule["clip_norm"] / norm) if rule["clip_norm"] > 0 else 1.0
    options = {"lr": rule["lr"], "betas": (rule["beta1"], rule["beta2"]), "eps": rule["epsilon"]}
    changes = {}
    for name, values in weights.items():
        parameter = torch.nn.Parameter(torch.as_tensor(values, dtype=torch.float64).clone())
        parameter.grad = torch.as_tensor(gradients[name], dtype=torch.float64) * scale
        decay = rule["weight_decay"] if parameter.ndim == 2 else 0.0
        torch.optim.AdamW([parameter], weight_decay=decay, **options).step()
        changes[name] = parameter.detach().numpy() - np.asarray(values, np.float64)
    return changes
