"""Python objects over the engine's C ABI, with numpy arrays. Needs only numpy."""

import ctypes
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

DTYPES = {"": 0, "f32": 1, "bf16": 2}
OPS = ("linear", "input gradient", "weight gradient", "attention", "attention gradient", "head", "paged attention",
       "rms norm", "adamw")  # fmt: skip
FAILED = 7
RULE = {"lr": 1e-5, "beta1": 0.9, "beta2": 0.95, "epsilon": 1e-8, "weight_decay": 0.1, "clip_norm": 1.0}


@contextmanager
def environment(settings):
    """Sets environment variables, which engines read when they are created."""
    changes = dict(each.split("=", 1) for each in settings.split(",") if each)
    before = {name: os.environ.get(name) for name in changes}
    os.environ.update(changes)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def pointer(array):
    """Returns a typed pointer that keeps the array alive; null for None."""
    if array is None:
        return None
    return array.ctypes.data_as(ctypes.POINTER(np.ctypeslib.as_ctypes_type(array.dtype)))


@dataclass(frozen=True)
class Pack:
    """Sequences side by side. All tokens that have one before them are scored."""

    tokens: np.ndarray  # (tokens) int32
    starts: np.ndarray  # (sequences + 1) int32
    mask: np.ndarray  # (tokens) uint8

    @classmethod
    def of(cls, sequences):
        starts = np.cumsum([0, *map(len, sequences)], dtype=np.int32)
        tokens = np.concatenate(sequences).astype(np.int32)
        mask = np.ones(len(tokens), np.uint8)
        mask[starts[:-1]] = 0
        return cls(tokens, starts, mask)


class Handle:
    """A handle of the ABI, closed once, for example by a `with`."""

    def __init__(self, library, noun, *arguments):
        self.library = library
        self._noun = noun
        self.handle = ctypes.c_void_p()
        library.call(f"{noun}_create", *arguments, ctypes.byref(self.handle))

    def call(self, name, *arguments):
        self.library.call(f"{self._noun}_{name}", self.handle, *arguments)

    def close(self):
        if self.handle:
            self.call("close")
            self.handle = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Engine(Handle):
    def __init__(self, library, device, dtype="", deterministic=False, memory_bytes=0):
        options = library.make(
            "engine_options",
            device=device.encode(),
            dtype=DTYPES[dtype],
            deterministic=deterministic,
            memory_bytes=memory_bytes,
            train_share=1,
            generate_share=1,
        )
        super().__init__(library, "engine", options)

    def describe(self):
        info = self.library.make("engine_info")
        self.call("describe", info)
        values = {name: getattr(info, name) for name, _ in info._fields_}
        return {name: value.decode() if isinstance(value, bytes) else value for name, value in values.items()}

    def time(self, op, calls, rounds=3, sets=1, **shape):
        """Returns the seconds per call of an operation of palestra_timing."""
        timing = self.library.make("timing", op=OPS.index(op), calls=calls, rounds=rounds, sets=sets, **shape)
        seconds = ctypes.c_double()
        self.call("time", timing, ctypes.byref(seconds))
        return seconds.value

    def model(self, shape):
        return Model(self, shape)


class Model(Handle):
    """A model; it has no weights at first."""

    def __init__(self, engine, shape):
        super().__init__(engine.library, "model", engine.handle, engine.library.make("model_config", **shape.config()))

    def initialise(self, seed):
        self.call("initialise", seed, None, None)

    def read(self, tensors, folder):
        """Loads weights through a raw file. tensors: by name, as float32, or as int16 that hold bf16"""
        path = Path(folder) / "weights.bin"
        sources = (self.library.abi.structs["palestra_tensor_source"] * len(tensors))()
        with path.open("wb") as file:
            for source, (name, values) in zip(sources, tensors.items(), strict=True):
                source.name, source.path, source.offset = name.encode(), str(path).encode(), file.tell()
                source.bytes = values.nbytes
                source.dtype = 0 if values.dtype == np.float32 else 1
                source.rows, source.columns = values.shape if values.ndim == 2 else (1, len(values))
                file.write(np.ascontiguousarray(values).tobytes())
        self.call("read", sources, len(sources), None, None)

    def get(self, name, shape):
        values = np.empty(shape, np.float32)
        self.call("get", name.encode(), pointer(values), values.size, None, None)
        return values

    def trainer(self, max_tokens, **options):
        return Trainer(self, self.library.make("trainer_options", max_tokens=max_tokens, **options))

    def generator(self, adapters=None, **options):
        return Generator(self, adapters, self.library.make("generator_options", **options))


class Trainer(Handle):
    def __init__(self, model, options):
        super().__init__(model.library, "trainer", model.handle, options)

    def _pack(self, pack):
        sizes = {"token_count": len(pack.tokens), "sequence_count": len(pack.starts) - 1}
        arrays = {name: pointer(getattr(pack, name)) for name in ("tokens", "starts", "mask")}
        return self.library.make("pack", **sizes, **arrays)

    def score(self, pack, temperature=1.0):
        """Returns log-probability and entropy of each token; 0 where the mask is 0."""
        logprob, entropy = (np.empty(len(pack.tokens), np.float32) for _ in range(2))
        self.call("score", self._pack(pack), temperature, pointer(logprob), pointer(entropy), None, None, None)
        return logprob, entropy

    def accumulate(self, pack):
        """Accumulates and returns the mean cross-entropy of the pack's tokens."""
        weight = pack.mask / np.float32(pack.mask.sum())
        inputs = self.library.make("loss_inputs", weight=pointer(weight))
        statistics = self.library.make("loss_statistics")
        loss = self.library.make("loss", temperature=1.0)
        self.call("accumulate", self._pack(pack), loss, inputs, statistics, None, None)
        return statistics.loss

    def accumulate_gradients(self, pack, of_logprob, of_entropy, temperature=1.0):
        arrays = pointer(of_logprob), pointer(of_entropy), None
        self.call("accumulate_gradients", self._pack(pack), temperature, *arrays, None, None)

    def gradient(self, name, shape):
        values = np.empty(shape, np.float32)
        self.call("gradient", name.encode(), pointer(values), values.size, None, None)
        return values

    def step(self, **rule):
        """Steps and returns the gradients' norm before clipping."""
        norm = ctypes.c_double()
        self.call("step", self.library.make("adamw", **{**RULE, **rule}), ctypes.byref(norm), None, None)
        return norm.value

    def zero_gradients(self):
        self.call("zero_gradients", None, None)

    def save(self, path):
        self.call("save", str(path).encode(), None, None)


@dataclass
class Generated:
    """The tokens of one sequence, with the log-probabilities of their draws and those of the model."""

    tokens: list
    logprobs: list
    model_logprobs: list
    finish: int = 0


class Generator(Handle):
    def __init__(self, model, adapters, options):
        self._events = []
        self._dtype = np.dtype(model.library.abi.structs["palestra_event"])
        # Runs on the engine's thread, which waits for it. The events are processed elsewhere.
        self._listener = model.library.callback(
            "events",
            lambda _, events, count, _tops: self._events.append(
                (time.perf_counter(), ctypes.string_at(events, count * self._dtype.itemsize))
            ),
        )
        above = adapters.handle if adapters else None
        super().__init__(model.library, "generator", model.handle, above, options, self._listener, None)

    def pause(self):
        self.call("pause", None, None)

    def resume(self):
        self.call("resume")

    def submit(self, tokens, max_new_tokens, count=1, temperature=0.0, top_p=1.0, **rule):
        """Starts `count` sequences with these tokens and returns their names."""
        tokens = np.asarray(tokens, np.int32)
        names = (ctypes.c_uint64 * count)()
        request = self.library.make(
            "request",
            tokens=pointer(tokens),
            token_count=len(tokens),
            max_new_tokens=max_new_tokens,
            temperature=temperature,
            top_p=top_p,
            **rule,
        )
        self.call("submit", request, count, names)
        return list(names)

    def collect(self, names):
        """Waits for the end of these sequences. Returns the samples of each, and (time, tokens) of each step."""
        steps, left = [], len(names)
        while left > 0:
            # Wakes rarely, because the engine's thread waits for Python's lock meanwhile.
            time.sleep(0.005)
            while self._events:
                when, data = self._events.pop(0)
                steps.append((when, np.frombuffer(data, self._dtype)))
                left -= np.count_nonzero(steps[-1][1]["finish"])
        for name in names:
            self.call("release", name)
        generated = {name: Generated([], [], []) for name in names}
        for _, events in steps:
            for event in events:
                self._take(event, generated[int(event["sequence"])])
        return [generated[name] for name in names], [(when, np.sum(events["token"] >= 0)) for when, events in steps]

    def _take(self, event, own):
        if event["finish"] == FAILED:
            self._fail()
        own.finish = int(event["finish"])
        if event["token"] < 0:
            return
        own.tokens.append(int(event["token"]))
        own.logprobs.append(float(event["logprob"]))
        own.model_logprobs.append(float(event["model_logprob"]))

    def _fail(self):
        code = ctypes.c_int32()
        self.call("failure", ctypes.byref(code))
        raise RuntimeError(f"expected a step to succeed, but received {self.library.last_error()}")

    def describe(self):
        statistics = self.library.make("generator_statistics")
        self.call("describe", statistics)
        return {name: getattr(statistics, name) for name, _ in statistics._fields_}
