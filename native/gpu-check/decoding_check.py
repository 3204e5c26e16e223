"""Checks a generator against its trainer and PyTorch: greedy, sampled, with a shared prompt, with fp8 keys and values."""

import numpy as np
import torch
from check import LIMITS, Check, error_of_logprobs
from engine import Pack
from reference import Reference

TEMPERATURE = 0.8
CUTS = {"top_k": 20, "top_p": 0.9, "min_p": 0.01}
# Largest share of sampled tokens at the border of a cut, which is wider in bf16.
MOST_CUT_OFF = {"f32": 0.0, "bf16": 0.125}
PAGE_BYTES_ENOUGH = 1 << 24


def check_decoding(subject, prompts, new_tokens):
    """Yields checks. prompts: one each for greedy, cut and shared sampling"""
    greedy, cut, shared = prompts
    with subject.model.trainer(max(map(len, prompts)) * 4 + 8 * new_tokens) as trainer:
        with generator(subject) as own:
            text = generate(own, greedy, new_tokens)
            yield from against_scores(subject, trainer, "greedy decoding", [greedy], text, 1.0)
            yield greed(subject, greedy, text[0])
            text = generate(own, cut, new_tokens, temperature=TEMPERATURE, seed=5, **CUTS)
            yield from of_what_is_left(subject, cut, text[0])
            text = generate(own, shared, new_tokens, count=4, temperature=TEMPERATURE, seed=6)
            yield from against_scores(subject, trainer, "shared prompt", [shared] * 4, text, TEMPERATURE)
            yield sharing(subject, own, shared)
        if subject.own_kernels:
            yield from company(subject, prompts, new_tokens)
        if subject.device != "cpu":
            yield from fp8(subject, shared, new_tokens)


def generator(subject, **options):
    return subject.model.generator(max_sequences=8, max_rows=40, kv_bytes=PAGE_BYTES_ENOUGH, **options)


def generate(own, prompt, new_tokens, **rule):
    return own.collect(own.submit(prompt, new_tokens, **rule))[0]


def trainer_scores(trainer, prompts, texts, temperature):
    """Log-probabilities of generated tokens, side by side."""
    sequences = [np.concatenate([prompt, text.tokens]) for prompt, text in zip(prompts, texts, strict=True)]
    logprob, _ = trainer.score(Pack.of(sequences), temperature)
    ends = np.cumsum([len(each) for each in sequences])
    return np.concatenate([logprob[end - len(text.tokens) : end] for end, text in zip(ends, texts, strict=True)])


def against_scores(subject, trainer, what, prompts, texts, temperature):
    ours = np.concatenate([each.model_logprobs for each in texts])
    scored = trainer_scores(trainer, prompts, texts, temperature)
    checked = against_pytorch(subject, what, prompts, texts, temperature, subject.truth, subject.peer)
    if subject.device == "cpu":
        yield subject.same_bits(f"{what}: different bits than the trainer", ours, scored)
    else:
        # Both round the same numbers, so they may differ by no more than PyTorch's error.
        error = error_of_logprobs(ours, scored)
        label = f"{what}, compared with the trainer"
        yield Check(subject.label, subject.shape.name, label, error, LIMITS[subject.dtype], checked.peer)
    yield checked


def against_pytorch(subject, what, prompts, texts, temperature, truth, peer):
    ours = np.concatenate([each.model_logprobs for each in texts])
    theirs = (
        np.concatenate([after(each, prompt, text, temperature)[1] for prompt, text in zip(prompts, texts, strict=True)])
        for each in (truth, peer)
    )
    return subject.check(f"{what}, compared with PyTorch", ours, *theirs, measure=error_of_logprobs)


def after(reference, prompt, text, temperature):
    """Returns the log-distributions (tokens, vocabulary) of the draws, and the log-probability of each drawn token."""
    ids = torch.as_tensor(np.concatenate([prompt, text.tokens]), dtype=torch.int64)
    with torch.no_grad():
        log_p = reference.distributions(ids[:-1].to(reference.model.device), temperature).double().cpu()
    log_p = log_p[len(prompt) - 1 :]
    return log_p, log_p.gather(1, ids[len(prompt) :, None])[:, 0].numpy()


def greed(subject, prompt, text):
    """
    Checks the largest loss against the best token, relative to the size of the log-probabilities: nearly equal tokens
    may go either way. PyTorch's error is the sum of its errors at the best token and at the chosen one.
    """
    (truth, chosen), (peer, peer_chosen) = (after(each, prompt, text, 1.0) for each in (subject.truth, subject.peer))
    best, at = (each.numpy() for each in truth.max(-1))
    lost = best - chosen
    could_lose = np.abs(peer.numpy()[np.arange(len(at)), at] - best) + np.abs(peer_chosen - chosen)
    error, of_peer = (float(each.max() / np.sqrt(np.mean(chosen**2))) for each in (lost, could_lose))
    what = "greedy decoding: log-probability lost to the best token"
    return Check(subject.label, subject.shape.name, what, error, LIMITS[subject.dtype], of_peer)


def of_what_is_left(subject, prompt, text):
    """
    Checks log-probabilities after top-k, top-p and min-p, in the order of native/ops/cpu/sampling/sampler.h. In bf16 a
    token at the border of a cut is kept by one and cut off by another, so such tokens are counted and not compared.
    """
    truth, peer = (
        np.array([cut_logprob(row, token) for row, token in zip(rows, text.tokens, strict=True)])
        for rows, _ in (after(each, prompt, text, TEMPERATURE) for each in (subject.truth, subject.peer))
    )
    kept = np.isfinite(truth) & np.isfinite(peer)
    what = "log-probabilities after top-k, top-p, min-p"
    values = np.array(text.logprobs)[kept]
    yield subject.check(what, values, truth[kept], peer[kept], measure=error_of_logprobs)
    what = "sampled tokens that float64 or PyTorch cuts off"
    yield Check(subject.label, subject.shape.name, what, float(np.mean(~kept)), MOST_CUT_OFF[subject.dtype])


def cut_logprob(log_p, token):
    """Returns the log-probability of a token; minus infinity when it is cut off."""
    order = torch.argsort(log_p, descending=True, stable=True)[: CUTS["top_k"]]
    p = log_p[order].exp()
    before = torch.cumsum(p, 0) - p
    kept = (before < CUTS["top_p"] * p.sum()) & (p >= CUTS["min_p"] * p[0])
    of_token = (order == token) & kept
    return float(torch.log((p * of_token).sum() / (p * kept).sum()))


def sharing(subject, own, prompt):
    """Three sequences share all but the last token of the prompt with the first one."""
    expected = 3 * (len(prompt) - 1)
    shared = own.describe()["shared_tokens"]
    what = "shared prompt tokens computed again"
    return Check(subject.label, subject.shape.name, what, float(expected - shared), 0.0)


def fp8(subject, prompt, new_tokens):
    with generator(subject, keys_values=1) as own:
        text = generate(own, prompt, new_tokens, count=4, temperature=TEMPERATURE, seed=6)
    kept = (Reference(subject.shape, subject.weights, dtype, "fp8") for dtype in ("f64", subject.dtype))
    yield against_pytorch(subject, "fp8 keys and values", [prompt] * 4, text, TEMPERATURE, *kept)


def company(subject, prompts, new_tokens):
    """The samples of a sequence do not depend on the sequences decoded beside it."""
    rules = [{}, {"temperature": TEMPERATURE, "seed": 5, **CUTS}, {"temperature": TEMPERATURE, "seed": 6}]
    with generator(subject) as own:
        alone = [generate(own, prompt, new_tokens, **rule)[0] for prompt, rule in zip(prompts, rules, strict=True)]
    with generator(subject) as own:
        names = [own.submit(prompt, new_tokens, **rule)[0] for prompt, rule in zip(prompts, rules, strict=True)]
        together, _ = own.collect(names)
    for what, of in (("different tokens", "tokens"), ("different bits", "model_logprobs")):
        values, others = (np.concatenate([getattr(each, of) for each in texts]) for texts in (alone, together))
        yield subject.same_bits(f"decoding together and alone: {what}", values, others)
