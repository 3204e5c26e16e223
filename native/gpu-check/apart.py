"""
Work in a process of its own. A kernel that faults takes CUDA from its process, PyTorch with the engine, and one that
never ends takes the process: here neither takes the rest of a run.
"""

import multiprocessing
import traceback


class Lost(RuntimeError):
    """Work that came to no end."""


def apart(patience, work, *arguments):
    """
    Yields what the generator work(*arguments) yields, and returns what it returns. Fails with `Lost` where it fails,
    its process ends, or nothing comes for `patience` seconds. work: a function of a module, which the process imports
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
        # One that is stuck in the driver does not even end then.
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
