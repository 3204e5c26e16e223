"""Times what the bench `native` compares the engine with: OpenBLAS, PyTorch (oneDNN) and llama.cpp, on as many threads.

Usage: native-speed.py THREADS

Reads one JSON object a line and answers each with one, so that the bench can take turns with its own measurements:

{"op": "describe"}                                    {"blas", "torch", "llama"}: names and versions, null where they lack
{"op": "gemm", "rows", "out", "in", "rounds"}         {"seconds"} of y (rows, out) = x (rows, in) w^T in numpy
{"op": "torch_linear", ..., "dtype"}                  {"seconds"} of the same in PyTorch; "dtype" is "f32" or "bf16"
{"op": "torch_train", "config", "dtype", "tokens", "sequences"}  {"seconds"} of forward, backward and AdamW in PyTorch, with
                                                      sequences of equal length; "bf16" is the faster of weights in
                                                      bf16 and of autocast
{"op": "linear", ..., "library", "packed", "dtype"}   {"seconds"} of the same in the engine, by its C ABI
{"op": "convert", "source", "target", "type"}         {}, after a folder was written as GGUF
{"op": "load", "model", "sequences", "context", "flash"}  {}
{"op": "decode", "prompts", "tokens"}                 {"times"}: of each step, in seconds; greedy, a new token of every
                                                      sequence a step; prompts are lists of ids

Seconds of products are of the quickest round. Needs numpy for OpenBLAS, PyPI `torch` and `transformers` for PyTorch, PyPI `gguf` and
`llama-cpp-python` for llama.cpp, and nothing for the engine itself.
"""

import ctypes
import json
import os
import sys
import time
from pathlib import Path

# The engine's C ABI, as its header declares it.
sys.path.append(str(Path(__file__).resolve().parents[2] / "native/gpu-check"))
from abi import Library  # noqa: E402

THREADS = int(sys.argv[1])
# Read when numpy and PyTorch are loaded.
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = str(THREADS)
try:
    import numpy
except ImportError:
    numpy = None
try:
    import gguf  # noqa: F401 (for native_gguf)
    import llama_cpp
except ImportError:
    llama_cpp = None
try:
    import torch
    import transformers

    torch.set_num_threads(THREADS)
except ImportError:
    torch = None


def describe():
    told = {"blas": None, "torch": None, "llama": None}
    if numpy:
        blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
        told["blas"] = f"{blas['name']} {blas['version']} of numpy {numpy.__version__}"
    if torch:
        told["torch"] = f"PyTorch {torch.__version__}, transformers {transformers.__version__}"
    if numpy and llama_cpp:
        system = llama_cpp.llama_print_system_info().decode().strip(" |")
        told["llama"] = f"llama-cpp-python {llama_cpp.__version__} ({system})"
    return told


def quickest(rounds, product):
    """Returns the seconds of the quickest of some rounds, after one to warm up."""
    product()
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        product()
        best = min(best, time.perf_counter() - began)
    return {"seconds": best}


def gemm(rows, out, columns, rounds):
    rng = numpy.random.default_rng(0)
    x = rng.standard_normal((rows, columns), dtype=numpy.float32)
    w = rng.standard_normal((out, columns), dtype=numpy.float32)
    y = numpy.empty((rows, out), dtype=numpy.float32)
    return quickest(rounds, lambda: numpy.matmul(x, w.T, out=y))


def torch_linear(rows, out, columns, dtype, rounds):
    kind = torch.bfloat16 if dtype == "bf16" else torch.float32
    x = torch.randn(rows, columns).to(kind)
    w = torch.randn(out, columns).to(kind)
    with torch.no_grad():
        return quickest(rounds, lambda: torch.nn.functional.linear(x, w))


class TorchTraining:
    """One training step of transformers' LlamaForCausalLM, with AdamW of PyTorch."""

    opened = {}

    def __init__(self, config, dtype, autocast):
        torch.manual_seed(1)
        self.autocast = autocast
        given = transformers.LlamaConfig(**config, attn_implementation="sdpa")
        kind = torch.bfloat16 if dtype == "bf16" and not autocast else torch.float32
        self.model = transformers.LlamaForCausalLM(given).to(kind).train()
        self.optimiser = torch.optim.AdamW(self.model.parameters(), lr=1e-4, fused=True)

    @classmethod
    def of(cls, config, dtype, autocast):
        key = json.dumps(config), dtype, autocast
        if key not in cls.opened:
            # A model of the size before would take memory that the next one needs.
            cls.opened = {known: made for known, made in cls.opened.items() if known[:2] == key[:2]}
            cls.opened[key] = cls(config, dtype, autocast)
        return cls.opened[key]

    def step(self, tokens, sequences):
        ids = torch.randint(0, self.model.config.vocab_size, (sequences, tokens // sequences))
        began = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=self.autocast):
            loss = self.model(input_ids=ids, labels=ids, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad()
        return time.perf_counter() - began


def torch_train(config, dtype, tokens, sequences):
    kinds = [False, True] if dtype == "bf16" else [False]
    steps = [TorchTraining.of(config, dtype, autocast).step(tokens, sequences) for autocast in kinds]
    return {"seconds": min(steps)}


def settle():
    """Waits until the threads of this process sleep. OpenBLAS's spin for a tenth of a second after a product, on the
    core that the engine's second thread is measured on next."""
    deadline = time.monotonic() + 2
    quiet = 0
    used = time.process_time()
    while quiet < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
        before, used = used, time.process_time()
        quiet = quiet + 1 if used - before < 0.001 else 0


class Engine:
    opened = {}

    def __init__(self, library, dtype):
        self.library = Library(library)
        self.handle = ctypes.c_void_p()
        shares = {"train_share": 1, "generate_share": 1}
        options = self.library.make("engine_options", device=b"cpu", threads=THREADS, dtype=dtype, **shares)
        self.library.call("engine_create", options, ctypes.byref(self.handle))

    @classmethod
    def of(cls, library, dtype):
        if (library, dtype) not in cls.opened:
            cls.opened[library, dtype] = cls(library, dtype)
        return cls.opened[library, dtype]

    def linear(self, rows, out, columns, packed, rounds):
        sizes = {"rows": rows, "out": out, "in": columns, "packed": packed}
        timing = self.library.make("timing", sets=1, calls=1, rounds=rounds, **sizes)
        seconds = ctypes.c_double()
        self.library.call("engine_time", self.handle, timing, ctypes.byref(seconds))
        return {"seconds": seconds.value}


def convert(source, target, kind):
    from native_gguf import from_folder

    from_folder(Path(source), Path(target), lambda _: kind)
    return {}


class LlamaCpp:
    """llama.cpp by its own C API. Each call decodes one token of every sequence."""

    def __init__(self, path, sequences, context, flash):
        llama_cpp.llama_backend_init()
        self.quiet = llama_cpp.llama_log_callback(lambda *_: None)
        llama_cpp.llama_log_set(self.quiet, None)
        self.model = llama_cpp.llama_model_load_from_file(path.encode(), llama_cpp.llama_model_default_params())
        if not self.model:
            raise RuntimeError(f"expected a model of llama.cpp, but received {path}")
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = sequences * context
        params.n_batch = params.n_ubatch = 512
        params.n_seq_max = sequences
        params.n_threads = params.n_threads_batch = THREADS
        types = llama_cpp.LLAMA_FLASH_ATTN_TYPE_DISABLED, llama_cpp.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.flash_attn_type = types[flash]
        self.context = llama_cpp.llama_init_from_model(self.model, params)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self.model))
        self.batch = llama_cpp.llama_batch_init(512, 0, 1)

    def close(self):
        llama_cpp.llama_batch_free(self.batch)
        llama_cpp.llama_free(self.context)
        llama_cpp.llama_model_free(self.model)

    def decode(self, rows):
        """rows: (token, position, sequence, whether to compute logits) each."""
        batch = self.batch
        batch.n_tokens = len(rows)
        for i, (token, position, sequence, wanted) in enumerate(rows):
            batch.token[i], batch.pos[i], batch.logits[i] = token, position, wanted
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, sequence
        if llama_cpp.llama_decode(self.context, batch) != 0:
            raise RuntimeError("expected llama_decode to succeed")

    def best(self, row):
        logits = llama_cpp.llama_get_logits_ith(self.context, row)
        return int(numpy.ctypeslib.as_array(logits, (self.vocabulary,)).argmax())

    def generate(self, prompts, count):
        llama_cpp.llama_memory_clear(llama_cpp.llama_get_memory(self.context), True)
        tokens = []
        for sequence, prompt in enumerate(prompts):
            last = len(prompt) - 1
            self.decode([(token, at, sequence, at == last) for at, token in enumerate(prompt)])
            tokens.append(self.best(last))
        times = [time.perf_counter()]
        for step in range(1, count):
            self.decode([(token, len(prompts[i]) + step - 1, i, True) for i, token in enumerate(tokens)])
            tokens = [self.best(i) for i in range(len(tokens))]
            times.append(time.perf_counter())
        return {"times": times}


def main():
    llama = None
    for line in sys.stdin:
        request = json.loads(line)
        op = request["op"]
        shape = [request.get(key) for key in ("rows", "out", "in")]
        if op == "describe":
            answer = describe()
        elif op == "gemm":
            answer = gemm(*shape, request["rounds"])
            settle()
        elif op == "linear":
            engine = Engine.of(request["library"], request["dtype"])
            answer = engine.linear(*shape, request["packed"], request["rounds"])
        elif op == "torch_linear":
            answer = torch_linear(*shape, request["dtype"], request["rounds"])
            settle()
        elif op == "torch_train":
            answer = torch_train(request["config"], request["dtype"], request["tokens"], request["sequences"])
            settle()
        elif op == "convert":
            answer = convert(request["source"], request["target"], request["type"])
        elif op == "load":
            if llama:
                llama.close()
            llama = LlamaCpp(request["model"], request["sequences"], request["context"], request["flash"])
            answer = {}
        else:
            answer = llama.generate(request["prompts"], request["tokens"])
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
