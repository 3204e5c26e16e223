"""Steps whose replies are lost, late or no longer awaited."""

import asyncio
import threading
import unittest

from wire import LossyProxy, dirt, url

from palestra import AsyncGym, Episode, Gym, GymActionError, GymConnectionError, GymTimeoutError, retrying


def count(gym: Gym, environment: str) -> int:
    """Returns the number of episodes of an environment, from all pages."""
    page = gym.episodes(environment=environment)
    found = len(page["episodes"])
    while page["next"] is not None:
        page = gym.episodes(environment=environment, before=page["next"])
        found += len(page["episodes"])
    return found


class Loss(unittest.TestCase):
    def test_a_step_whose_reply_is_lost_is_asked_for_again_and_performed_once(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url) as gym:
            episode = gym.create("textcraft", 7)
            gym.step(episode, "get 1 dirt")
            proxy.lost = ["step", "step"]
            self.assertEqual(gym.step(episode, "get 1 dirt")["index"], 1)
            sent = [each["params"] for each in proxy.requests if each["op"] == "step"]
            self.assertEqual(sent[1:], [sent[1]] * 3)
            self.assertEqual(gym.step(episode, "inventory")["observation"], dirt(2))

    def test_a_batch_whose_reply_is_lost_is_performed_once(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url) as gym:
            episodes = gym.create_many([{"environment": "textcraft", "index": 7}] * 20)
            proxy.lost = ["stepMany"]
            gym.step_many([(episode, "get 1 dirt") for episode in episodes])
            self.assertEqual(proxy.lost, [])
            replies = gym.step_many([(episode, "inventory") for episode in episodes])
            self.assertEqual([reply["observation"] for reply in replies], [dirt(1)] * 20)

    def test_a_create_whose_reply_is_lost_opens_one_episode(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url) as gym, Gym(url) as other:
            before = count(other, "sql")
            proxy.lost = ["create", "createMany"]
            gym.create("sql", 1)
            gym.create_many([{"environment": "sql", "index": 2}] * 3)
            self.assertEqual(proxy.lost, [])
            self.assertEqual(count(other, "sql"), before + 4)

    def test_requests_of_many_threads_are_sent_again(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url) as gym:
            episodes = gym.create_many([{"environment": "textcraft", "index": 7}] * 16)

            def play(episode: Episode) -> None:
                for _ in range(10):
                    gym.step(episode, "get 1 dirt")

            threads = [threading.Thread(target=play, args=(episode,)) for episode in episodes]
            proxy.lost = ["step"] * 5
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            replies = gym.step_many([(episode, "inventory") for episode in episodes])
            self.assertEqual([reply["observation"] for reply in replies], [dirt(10)] * 16)

    def test_a_request_that_loses_every_connection_is_given_up(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url) as gym:
            episode = gym.create("textcraft", 7)
            proxy.lost = ["step"] * 100
            with self.assertRaises(GymConnectionError) as caught:
                gym.step(episode, "get 1 dirt")
            self.assertIn("lost 8 times", str(caught.exception))
            proxy.lost = []
            # The gym performed the step, so the next step has the next index.
            self.assertEqual(gym.step(episode, "inventory")["observation"], dirt(1))

    def test_a_step_that_timed_out_is_not_performed_twice(self) -> None:
        with LossyProxy() as proxy, Gym(proxy.url, timeout=2) as gym:
            same, other, batch = (gym.create("textcraft", 7) for _ in range(3))
            proxy.held = True
            for act in (lambda: gym.step(same, "get 1 dirt"), lambda: gym.step(other, "get 1 dirt")):
                with self.assertRaises(GymTimeoutError):
                    act()
            with self.assertRaises(TimeoutError):
                gym.step_many([(batch, "get 1 dirt")])
            proxy.held = False
            self.assertEqual(gym.step(same, "get 1 dirt")["index"], 0)
            self.assertEqual(gym.step(other, "get 2 dirt")["index"], 1)
            self.assertEqual(gym.step_many([(batch, "get 1 dirt")])[0]["index"], 0)
            observations = [gym.step(each, "inventory")["observation"] for each in (same, other, batch)]
            self.assertEqual(observations, [dirt(1), dirt(3), dirt(1)])

    def test_a_gym_that_is_not_there_is_reported_at_once(self) -> None:
        with Gym("http://127.0.0.1:9", reconnect=60) as gym, self.assertRaises(GymConnectionError) as caught:
            gym.environments()
        self.assertIn("expected a gym at http://127.0.0.1:9, but received", str(caught.exception))
        self.assertIsInstance(caught.exception, ConnectionError)


    def test_a_gym_that_is_not_there_is_tried_three_times_and_other_errors_are_raised_at_once(self) -> None:
        calls: list[int] = []

        @retrying(times=3)
        def play(index: int) -> None:
            """Plays."""
            calls.append(index)
            with Gym("http://127.0.0.1:9" if index < 544 else url) as gym, gym.episode("textcraft", index):
                pass

        for index, kind in ((0, GymConnectionError), (544, GymActionError)):
            with self.assertRaises(kind):
                play(index)
        self.assertEqual((calls, play.__doc__), ([0, 0, 0, 544], "Plays."))


class Cancellation(unittest.IsolatedAsyncioTestCase):
    async def test_a_cancelled_step_is_performed_once_and_a_repeated_call_returns_its_reply(self) -> None:
        async with AsyncGym(url) as gym:
            episode = await gym.create("textcraft", 7, max_steps=10_000)
            expected = 0
            for round in range(60):
                step = asyncio.create_task(gym.step(episode, "get 1 dirt"))
                await asyncio.sleep(0.0005 * (round % 5))
                step.cancel()
                try:
                    reply = await step
                except asyncio.CancelledError:
                    # A task that was cancelled before its first line asked for nothing.
                    reply = await gym.step(episode, "get 1 dirt")
                self.assertEqual(reply["index"], expected)
                expected += 1
            self.assertEqual((await gym.step(episode, "inventory"))["observation"], dirt(60))

    async def test_another_action_follows_a_cancelled_step(self) -> None:
        with LossyProxy() as proxy:
            async with AsyncGym(proxy.url) as gym:
                episode = await gym.create("textcraft", 7)
                proxy.held = True
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(gym.step(episode, "get 1 dirt"), 0.05)
                proxy.held = False
                reply = await gym.step(episode, "inventory")
                self.assertEqual((reply["index"], reply["observation"]), (1, dirt(1)))

    async def test_a_cancelled_batch_is_performed_once(self) -> None:
        with LossyProxy() as proxy:
            async with AsyncGym(proxy.url) as gym:
                episodes = await gym.create_many([{"environment": "textcraft", "index": 7}] * 8)
                proxy.held = True
                steps = [(episode, "get 1 dirt") for episode in episodes]
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(gym.step_many(steps), 0.05)
                proxy.held = False
                # Half of the episodes ask again for the reply, the others go on with another action.
                steps = [(episode, "get 1 dirt" if at % 2 else "get 2 dirt") for at, episode in enumerate(episodes)]
                replies = await gym.step_many(steps)
                self.assertEqual([reply["index"] for reply in replies], [1, 0] * 4)
                replies = await gym.step_many([(episode, "inventory") for episode in episodes])
                self.assertEqual([reply["observation"] for reply in replies], [dirt(3), dirt(1)] * 4)

    async def test_batches_with_the_same_episodes_in_different_orders_do_not_block_each_other(self) -> None:
        async with AsyncGym(url) as gym:
            episodes = await gym.create_many([{"environment": "textcraft", "index": 7}] * 6)
            one = [(episode, "get 1 dirt") for episode in episodes]
            batches = [gym.step_many(steps) for steps in (one, one[::-1]) * 5]
            await asyncio.wait_for(asyncio.gather(*batches), 30)
            replies = await gym.step_many([(episode, "inventory") for episode in episodes])
            self.assertEqual([reply["observation"] for reply in replies], [dirt(10)] * 6)

    async def test_an_episode_whose_block_or_opening_is_cancelled_is_closed(self) -> None:
        with LossyProxy() as proxy:
            async with AsyncGym(proxy.url) as gym:
                opened: list[Episode] = []

                async def play() -> None:
                    async with gym.episode("textcraft", 7) as episode:
                        opened.append(episode)
                        await asyncio.sleep(60)

                for held in (False, True):
                    proxy.held = held
                    task = asyncio.create_task(play())
                    await asyncio.sleep(0.3)
                    task.cancel()
                    with self.assertRaises(asyncio.CancelledError):
                        await task
                proxy.held = False
                self.assertEqual(len(opened), 1)
                for _ in range(100):
                    newest = (await gym.episodes(environment="textcraft", limit=2, detail="state"))["episodes"]
                    if {each["state"]["phase"] for each in newest} == {"closed"}:
                        break
                    await asyncio.sleep(0.05)
                self.assertEqual([each["state"]["phase"] for each in newest], ["closed", "closed"])
                self.assertEqual(newest[1]["episodeId"], opened[0].id)

    async def test_an_asynchronous_episode_is_repeated(self) -> None:
        calls = 0

        @retrying(times=2)
        async def play() -> float:
            nonlocal calls
            calls += 1
            async with AsyncGym(url if calls == 2 else "http://127.0.0.1:9") as gym:
                async with gym.episode("textcraft", 7) as episode:
                    return float((await gym.step(episode, "inventory"))["reward"])

        self.assertEqual((await play(), calls), (0.0, 2))

    async def test_closing_fails_the_requests_in_flight(self) -> None:
        with LossyProxy() as proxy:
            gym = AsyncGym(proxy.url)
            episode = await gym.create("textcraft", 7)
            proxy.held = True
            step = asyncio.create_task(gym.step(episode, "inventory"))
            await asyncio.sleep(0.1)
            await gym.close()
            with self.assertRaises(GymConnectionError):
                await step
            with self.assertRaises(GymConnectionError):
                await gym.environments()
            await gym.close()


if __name__ == "__main__":
    unittest.main()
