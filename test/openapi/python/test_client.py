"""`Gym` against a running gym."""

import gc
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
import unittest

from wire import dirt, url

from palestra import (
    Episode,
    Gym,
    GymActionError,
    GymCapacityError,
    GymConnectionError,
    GymError,
    GymInfrastructureError,
    retrying,
)


class Play(unittest.TestCase):
    def setUp(self) -> None:
        self.gym = Gym(url)
        self.addCleanup(self.gym.close)

    def test_an_episode_follows_the_replies_to_its_steps(self) -> None:
        episode = self.gym.create("textcraft", 7)
        self.assertIn("Goal: craft blackstone stairs.", episode.observation)
        self.assertEqual((episode.environment, episode.task), ("textcraft@1", {"split": "all", "index": 7}))
        self.gym.step(episode, "get 6 blackstone")
        reply = self.gym.step(episode, "craft 4 blackstone stairs using 6 blackstone")
        self.assertEqual((reply["reward"], reply["terminated"], reply["index"]), (1, True, 1))
        self.assertEqual((episode.reward, episode.ended, episode.index), (1.0, True, 2))
        with self.assertRaises(GymActionError) as caught:
            self.gym.step(episode, "inventory")
        self.assertEqual(caught.exception.code, "EPISODE_ENDED")

    def test_the_lists_of_the_gym_are_returned_in_pages(self) -> None:
        self.assertIn("textcraft", [each["id"] for each in self.gym.environments()])
        self.assertEqual(self.gym.environment("textcraft")["splits"]["all"]["size"], 544)
        page = self.gym.tasks("textcraft", "all", start=542, limit=1)
        self.assertEqual((page["tasks"][0]["index"], page["next"]), (542, 543))
        self.assertIsNone(self.gym.tasks("textcraft", start=page["next"])["next"])
        episode = self.gym.create("textcraft", 3)
        newest = self.gym.episodes(environment="textcraft", limit=1)["episodes"]
        self.assertEqual([each["episodeId"] for each in newest], [episode.id])

    def test_a_found_episode_continues_and_a_fork_starts_from_an_earlier_step(self) -> None:
        episode = self.gym.create("textcraft", 7)
        for _ in range(3):
            self.gym.step(episode, "get 1 dirt")
        found = self.gym.find(episode.id)
        self.assertEqual((found.index, found.observation), (3, episode.observation))
        fork = self.gym.fork(episode, 1)
        self.assertEqual(self.gym.step(fork, "inventory")["observation"], dirt(1))
        self.assertEqual(self.gym.step(found, "inventory")["observation"], dirt(3))
        actions = [step["action"] for step in self.gym.transcript(found)["steps"]]
        self.assertEqual(actions, ["get 1 dirt"] * 3 + ["inventory"])

    def test_many_episodes_are_created_and_stepped_with_an_error_in_the_place_of_each_failed_entry(self) -> None:
        requests = [{"environment": "textcraft", "index": index} for index in (0, 10**6, 2)]
        first, refused, third = self.gym.create_many(requests)
        assert isinstance(first, Episode) and isinstance(third, Episode)
        self.assertIsInstance(refused, GymActionError)
        self.assertEqual(refused.code, "TASK_OUT_OF_RANGE")
        self.gym.close_episode(third)
        done, failed = self.gym.step_many([(first, "get 1 dirt"), (third, "get 1 dirt")])
        self.assertEqual((done["observation"], first.index), ("Got 1 dirt", 1))
        self.assertEqual((failed.code, third.index), ("EPISODE_CLOSED", 0))
        self.assertEqual(self.gym.step_many([]), [])

    def test_the_gym_reads_the_action_in_the_text_of_an_episode_with_a_format(self) -> None:
        requests = [{"environment": "textcraft", "index": 7, "format": format} for format in ("react", None)]
        react, plain = self.gym.create_many(requests)
        assert isinstance(react, Episode) and isinstance(plain, Episode)
        self.assertEqual((react.format, plain.format, react.read), ("react", "plain", None))
        self.assertEqual(self.gym.environment("textcraft")["promptFormat"], "react")
        start = [("system", react.prompt), ("user", react.observation)]
        self.assertEqual([(each["role"], each["content"]) for each in react.messages()], start)
        text = "Thought: I need dirt.\n\nAction:\nget 1 dirt"
        reply = self.gym.step(react, text)
        self.assertEqual((reply["read"], react.read, reply["observation"]), ("get 1 dirt", "get 1 dirt", "Got 1 dirt"))
        self.assertIn("expected", self.gym.step(react, "Thought: I need dirt.")["observation"])
        self.assertIsNone(react.read)
        self.assertNotIn("read", self.gym.step(plain, "get 1 dirt"))
        self.assertEqual(self.gym.create("textcraft", format="tool_call").format, "tool_call")
        with self.assertRaises(GymActionError):
            self.gym.create("textcraft", format="nope")  # type: ignore[arg-type]

    def test_an_episode_is_closed_at_the_end_of_its_block(self) -> None:
        with self.gym.episode("textcraft", 7, format="react") as episode:
            self.gym.step(episode, "get 1 dirt")
        with self.assertRaises(KeyError), self.gym.episode("textcraft", split="train") as failed:
            raise KeyError("a bug of the caller")
        for each in (episode, failed):
            self.assertEqual(self.gym.request("get", episodeId=each.id)["phase"], "closed")
        with Gym(url) as gym, gym.episode("textcraft") as left:
            gym.close()
        self.assertEqual(self.gym.request("get", episodeId=left.id)["phase"], "running")

    def test_a_batch_larger_than_a_frame_is_divided(self) -> None:
        episodes = self.gym.create_many([{"environment": "textcraft", "index": 0}] * 12)
        actions = ["x" * 600_000 for _ in episodes]
        replies = self.gym.step_many(zip(episodes, actions))
        self.assertEqual([reply["index"] for reply in replies], [0] * 12)

    def test_one_request_larger_than_a_frame_is_refused_and_the_others_go_on(self) -> None:
        small, large = self.gym.create("textcraft"), self.gym.create("textcraft")
        with self.assertRaises(GymActionError) as caught:
            self.gym.step(large, "x" * 5_000_000)
        self.assertEqual(caught.exception.code, "REQUEST_TOO_LARGE")
        self.assertEqual(self.gym.step(small, "get 1 dirt")["observation"], "Got 1 dirt")
        self.assertEqual(self.gym.step(large, "inventory")["observation"], dirt(0))

    def test_the_same_idempotency_key_gives_the_same_episode(self) -> None:
        one, two = (self.gym.create("textcraft", 5, idempotency_key=f"key {os.getpid()}") for _ in range(2))
        self.assertEqual(one.id, two.id)
        with self.assertRaises(GymActionError) as caught:
            self.gym.create("textcraft", 6, idempotency_key=f"key {os.getpid()}")
        self.assertEqual(caught.exception.code, "IDEMPOTENCY_CONFLICT")
        many = [self.gym.create_many([{"environment": "textcraft"}] * 3, idempotency_key="many") for _ in range(2)]
        self.assertEqual(*([each.id for each in episodes] for episodes in many))

    def test_threads_that_share_a_gym_and_an_episode_take_each_step_once(self) -> None:
        shared = self.gym.create("textcraft", 7, max_steps=10_000)
        own = self.gym.create_many([{"environment": "textcraft", "index": 7, "max_steps": 10_000}] * 4)
        seen: list[int] = []

        def play(episode: Episode) -> None:
            for _ in range(50):
                self.gym.step(episode, "get 1 dirt")
                seen.append(self.gym.step(shared, "get 1 dirt")["index"])

        threads = [threading.Thread(target=play, args=(episode,)) for episode in own]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(seen), list(range(200)))
        self.assertEqual(self.gym.step(shared, "inventory")["observation"], dirt(200))
        for episode in own:
            self.assertEqual(self.gym.step(episode, "inventory")["observation"], dirt(50))


class WrongInput(unittest.TestCase):
    def test_is_refused_with_the_expected_and_the_received_value(self) -> None:
        with Gym(url) as gym:
            episode = gym.create("textcraft")
            cases = [
                (lambda: gym.step(episode, 5), TypeError, "expected action as str, but received int"),
                (lambda: gym.step_many([(episode, None)]), TypeError, "expected action as str, but received NoneType"),
                (lambda: gym.step_many([(episode, "a")] * 2), ValueError, "expected each episode once"),
                (lambda: gym.create("nope"), GymActionError, "ENVIRONMENT_UNKNOWN: expected one of"),
                (lambda: gym.create("textcraft", 544), GymActionError, "TASK_OUT_OF_RANGE: expected"),
                (lambda: gym.create("textcraft", -1), GymActionError, "REQUEST_INVALID: expected"),
                (lambda: gym.create("textcraft", split="nope"), GymActionError, "SPLIT_UNKNOWN: expected"),
                (lambda: gym.create("textcraft", options={"a": "b"}), GymActionError, "OPTION_UNKNOWN: expected"),
                (lambda: gym.create(7), TypeError, "expected environment as str, but received int"),
                (lambda: gym.create_many([{"nope": 1}]), TypeError, "nope"),
                (lambda: gym.find("ep-nope"), GymActionError, "EPISODE_UNKNOWN: expected"),
                (lambda: gym.render(episode), GymActionError, "RENDER_MISSING"),
                (lambda: gym.query(episode, "nope"), GymActionError, "QUERY_UNKNOWN: expected"),
                (lambda: gym.request("nope"), GymActionError, "REQUEST_INVALID: expected"),
                (lambda: Gym("nonsense"), ValueError, "expected the gym's address, such as http"),
            ]
            for act, kind, text in cases:
                with self.subTest(text), self.assertRaises(kind) as caught:
                    act()
                self.assertIn(text, str(caught.exception))
            self.assertEqual(gym.step(episode, "inventory")["index"], 0)

    def test_an_error_has_its_class_and_survives_pickling(self) -> None:
        with Gym(url) as gym, self.assertRaises(GymError) as caught:
            gym.request("step", episodeId=gym.create("textcraft").id, index=5, action="inventory")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((error.code, error.failure_class, error.details), ("STEP_INDEX", "action", {"nextIndex": 0}))
        self.assertIsInstance(error, GymActionError)


class Life(unittest.TestCase):
    def test_a_closed_or_forgotten_client_leaves_no_thread(self) -> None:
        def count() -> int:
            return sum(thread.name == "palestra" for thread in threading.enumerate())

        before = count()
        with Gym(url) as gym:
            gym.environments()
            self.assertEqual(count(), before + 1)
        self.assertEqual(count(), before)
        with self.assertRaises(GymConnectionError):
            gym.environments()
        gym.close()
        Gym(url).environments()
        gc.collect()
        for _ in range(100):
            if count() == before:
                break
            threading.Event().wait(0.05)
        self.assertEqual(count(), before)

    def test_a_forked_process_is_told_to_make_its_own_client(self) -> None:
        with Gym(url) as gym:
            gym.environments()
            reader, writer = multiprocessing.get_context("fork").Pipe()

            def child() -> None:
                try:
                    gym.environments()
                except GymInfrastructureError as error:
                    writer.send(str(error))

            process = multiprocessing.get_context("fork").Process(target=child)
            process.start()
            self.assertTrue(reader.poll(20))
            self.assertIn("Create a client in each process", reader.recv())
            process.join()
            self.assertTrue(gym.environments())

    def test_a_program_that_does_not_close_its_client_ends(self) -> None:
        program = f"from palestra import Gym\ngym = Gym({url!r})\nprint(len(gym.environments()) > 0)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("True\n", "", 0))


class Limits(unittest.TestCase):
    """The gym at PALESTRA_SMALL_URL has room for two episodes. The one at PALESTRA_LOCKED_URL requires a token."""

    small = os.environ["PALESTRA_SMALL_URL"]

    def test_a_request_beyond_a_limit_fails_or_is_repeated_until_there_is_room(self) -> None:
        with Gym(self.small) as gym, Gym(self.small, capacity_wait=30) as patient:
            first, second = gym.create("textcraft"), gym.create("textcraft")
            with self.assertRaises(GymCapacityError) as caught:
                gym.create("textcraft")
            self.assertEqual(caught.exception.code, "LIMIT_EPISODES")
            for act in (
                lambda: [patient.create("textcraft")],
                lambda: patient.create_many([{"environment": "textcraft"}, {"environment": "textcraft", "index": 1}]),
            ):
                threading.Timer(0.3, lambda: [gym.close_episode(each) for each in (first, second)]).start()
                opened = act()
                self.assertTrue(all(isinstance(each, Episode) for each in opened))
                for episode in opened:
                    patient.close_episode(episode)
                first, second = gym.create("textcraft"), gym.create("textcraft")
            for each in (first, second):
                gym.close_episode(each)

    def test_an_episode_that_the_gym_fails_is_played_again_from_its_start(self) -> None:
        task, texts = {"environment": "textcraft", "index": 7, "format": "react"}, ["get 2 dirt", "get 3 dirt"]
        with Gym(url) as gym:
            episode = gym.play(task, texts[:1])
            self.assertIs(gym.play(task, texts, episode), episode)
            self.assertEqual((episode.index, episode.observation), (2, "Got 3 dirt"))
            other = gym.play(task, [*texts, "inventory"])
            self.assertNotEqual(other.id, episode.id)
            self.assertEqual(gym.play(task, [*texts, "inventory"], episode).observation, other.observation)
            failing = {"environment": "faulty", "split": "play"}
            failed = gym.play(failing, ["hello"])
            with self.assertRaises(GymInfrastructureError):
                gym.play(failing, ["hello", "no room"], failed, times=2)
            newest = gym.episodes(environment="faulty", limit=2, detail="state")["episodes"]
            self.assertEqual([each["state"]["phase"] for each in newest], ["closed", "closed"])
            self.assertEqual(newest[1]["episodeId"], failed.id)

    def test_an_episode_without_room_is_repeated_and_then_raises(self) -> None:
        calls = 0

        @retrying(times=3)
        def play(gym: Gym) -> float:
            nonlocal calls
            calls += 1
            if calls == 5:
                gym.close_episode(first)
            with gym.episode("textcraft", 7) as episode:
                return float(gym.step(episode, "inventory")["reward"])

        with Gym(self.small) as gym, gym.episode("textcraft") as first, gym.episode("textcraft"):
            with self.assertRaises(GymCapacityError):
                play(gym)
            self.assertEqual(calls, 3)
            self.assertEqual((play(gym), calls), (0.0, 5))
        with self.assertRaises(ValueError):
            retrying(times=0)

    def test_a_token_is_sent_and_its_absence_is_an_error_of_the_caller(self) -> None:
        locked = os.environ["PALESTRA_LOCKED_URL"]
        for token, code in ((None, "TOKEN_MISSING"), ("nope", "TOKEN_INVALID")):
            with Gym(locked, token) as gym, self.assertRaises(GymActionError) as caught:
                gym.environments()
            self.assertEqual(caught.exception.code, code)
        with Gym(locked, os.environ["PALESTRA_TOKEN"]) as gym:
            self.assertTrue(gym.environments())


if __name__ == "__main__":
    unittest.main()
