"""
Runs work in a process of its own. A kernel that faults makes CUDA unusable for its process, for PyTorch and the engine
alike, and a kernel that hangs blocks its process. Here neither stops the rest of a run.
"""

import multiprocessing
import traceback


class Lost(RuntimeError):
    """Work that did not finish."""


def apart(patience, work, *arguments):
    """
    Yields and returns the values of the generator work(*arguments). Fails with `Lost` when the work fails, its process
    ends, or no value comes for `patience` seconds. work: a function of a module that the process can import
    """
    spawn = multiprocessing.get_context("spawn")
    results, sender = spawn.Pipe(duplex=False)
    process = spawn.Process(target=_send_all, args=(sender, work, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        while results.poll(patience):
            kind, value = results.recv()
            if kind == "end":
                return value
            if kind == "failure":
                raise Lost(value)
            yield value
        raise Lost(f"nothing came for {patience} s")
    except EOFError:
        process.join()
        raise Lost(f"its process ended with {process.exitcode}") from None
    finally:
        process.kill()
        # A process that is stuck in the driver survives even this.
        process.join(10)


def _send_all(sender, work, arguments):
    try:
        results = work(*arguments)
        while True:
            sender.send(("result", next(results)))
    except StopIteration as end:
        sender.send(("end", end.value))
    except Exception as error:
        traceback.print_exc()
        sender.send(("failure", f"{type(error).__name__}: {error}"))
