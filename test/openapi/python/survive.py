"""Plays while the gym is killed and started again. Prints `progress N` a few times, and at the end `survived` or the error."""

from __future__ import annotations

import threading

from wire import dirt, url

from palestra import Gym, GymError

episodes_alone = 6
episodes_together = 16
turns = 150
reports = 5


def main() -> None:
    with Gym(url) as gym:
        request = {"environment": "textcraft", "index": 7, "max_steps": 10_000}
        alone = [gym.create(**request) for _ in range(episodes_alone)]
        together = gym.create_many([request] * episodes_together)
        errors: list[BaseException] = []

        def play(steps: object) -> None:
            try:
                for turn in range(turns):
                    steps()  # type: ignore[operator]
                    if steps is batch and turn % (turns // reports) == turns // reports // 2:
                        print("progress", turn, flush=True)
            except BaseException as error:
                errors.append(error)

        def batch() -> None:
            for reply in gym.step_many([(episode, "get 1 dirt") for episode in together]):
                if isinstance(reply, GymError):
                    raise reply

        threads = [threading.Thread(target=play, args=(lambda e=e: gym.step(e, "get 1 dirt"),)) for e in alone]
        threads.append(threading.Thread(target=play, args=(batch,)))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if errors:
            raise errors[0]
        for episode in [*alone, *together]:
            found = gym.step(episode, "inventory")["observation"]
            if (found, episode.index) != (dirt(turns), turns + 1):
                raise AssertionError(f"expected {dirt(turns)!r} after {turns} steps, but received {found!r}")
        print("survived", flush=True)


main()
