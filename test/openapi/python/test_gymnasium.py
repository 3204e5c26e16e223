"""`PalestraEnv` and `PalestraVectorEnv` against a running gym, and against Gymnasium's own vector environment."""

import unittest
import warnings
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from wire import dirt, url

from palestra import Gym, GymActionError, GymConnectionError
from palestra.gymnasium import PalestraEnv, PalestraVectorEnv

solution = ["get 6 blackstone", "craft 4 blackstone stairs using 6 blackstone"]


class Single(unittest.TestCase):
    def test_gymnasiums_check_finds_nothing(self) -> None:
        for environment, options in (("textcraft", None), ("babyai", None), ("plain", {"voice": "loud"}), ("sql", None)):
            with self.subTest(environment), warnings.catch_warnings():
                warnings.simplefilter("error")
                made = gymnasium.make(
                    "palestra.gymnasium:Palestra-v0", environment=environment, url=url, env_options=options
                )
                check_env(made.unwrapped)
                made.close()

    def test_the_gym_reads_the_action_in_a_text(self) -> None:
        text = f"Thought: I need it.\n\nAction:\n{solution[0]}"
        env = PalestraEnv("textcraft", url, index=7, format="react")
        env.reset(seed=1)
        self.assertEqual(env.step(text)[0], "Got 6 blackstone")
        assert env.episode is not None
        self.assertEqual(env.episode.read, solution[0])
        env.close()
        envs = PalestraVectorEnv("textcraft", 2, url, index=7, format="react")
        envs.reset(seed=1)
        self.assertEqual(envs.step([text] * 2)[0], ("Got 6 blackstone",) * 2)
        envs.close()

    def test_the_spaces_contain_every_text(self) -> None:
        env = PalestraEnv("plain", url)
        env.reset(seed=1)
        for action in ["", "line\nline", "naïve 你好 🎲", "\u0000\t", "x" * 100_000]:
            self.assertIn(action, env.action_space)
            self.assertIn(env.step(action)[0], env.observation_space)
        self.assertNotIn("x" * (2**20 + 1), env.action_space)
        self.assertNotIn(5, env.observation_space)
        samples = [env.action_space.sample() for _ in range(100)]
        self.assertTrue(all(sample in env.action_space and len(sample) <= 40 for sample in samples))
        self.assertGreater(len(set(samples)), 50)
        env.close()

    def test_one_seed_determines_all_later_tasks_and_seeds(self) -> None:
        with Gym(url) as gym:
            env, twin, other = (PalestraEnv("plain", gym=gym) for _ in range(3))

            def drawn(env: PalestraEnv, **reset: Any) -> tuple[Any, int]:
                env.reset(**reset)
                assert env.episode is not None
                return env.episode.task, env.episode.seed

            first = [drawn(env, seed=3)] + [drawn(env) for _ in range(5)]
            self.assertEqual([drawn(twin, seed=3)] + [drawn(twin) for _ in range(5)], first)
            self.assertNotEqual([drawn(other, seed=4)] + [drawn(other) for _ in range(5)], first)
            self.assertEqual(len({seed for _, seed in first}), 6)
            # A chosen task does not change the draws after it.
            self.assertEqual(drawn(twin, seed=3), first[0])
            chosen = drawn(twin, options={"split": "only", "index": 4, "seed": 9})
            self.assertEqual(chosen, ({"split": "only", "index": 4}, 9))
            self.assertEqual(drawn(twin), first[2])
            pinned = PalestraEnv("plain", gym=gym, index=2)
            self.assertEqual([drawn(pinned)[0]["index"] for _ in range(4)], [2] * 4)
            # A client that was given is left open.
            for each in (env, twin, other, pinned):
                each.close()
                each.close()
            self.assertTrue(gym.environments())

    def test_an_episode_is_solved_truncated_and_rendered(self) -> None:
        env = PalestraEnv("textcraft", url, index=7, max_steps=2, render_mode="ansi")
        env.reset(seed=0)
        self.assertEqual([env.step(action)[1:4] for action in solution], [(0.0, False, False), (1.0, True, False)])
        observation, _ = env.reset()
        self.assertEqual(env.render(), observation)
        self.assertEqual([env.step("inventory")[2:4] for _ in range(2)], [(False, False), (False, True)])
        env.close()
        pictures = PalestraEnv("babyai", url, render_mode="rgb_array")
        pictures.reset(seed=0)
        before = pictures.render()
        pictures.step("turn left")
        after = pictures.render()
        self.assertEqual((before.dtype, before.shape, before.shape), (np.uint8, after.shape, (*before.shape[:2], 3)))
        self.assertFalse(np.array_equal(before, after))
        pictures.close()

    def test_the_episode_before_is_closed_in_the_gym(self) -> None:
        with Gym(url) as gym:
            env = PalestraEnv("textcraft", gym=gym)
            env.reset(seed=0)
            assert env.episode is not None
            first = env.episode.id
            env.reset()
            second = env.episode.id
            env.close()
            self.assertEqual([gym.request("get", episodeId=each)["phase"] for each in (first, second)], ["closed"] * 2)

    def test_wrong_input_is_refused(self) -> None:
        with Gym(url) as gym:
            env = PalestraEnv("textcraft", gym=gym)
            with self.assertRaises(gymnasium.error.ResetNeeded):
                env.step("inventory")
            env.reset(seed=1)
            vector = PalestraVectorEnv("textcraft", 2, gym=gym)
            vector.reset(seed=1)
            mask = {"reset_mask": np.array([False, False])}
            for act, kind, text in [
                (lambda: PalestraEnv("nope", gym=gym), GymActionError, "ENVIRONMENT_UNKNOWN"),
                (lambda: PalestraEnv("textcraft", gym=gym, render_mode="human"), ValueError, "received 'human'"),
                (lambda: env.reset(options={"split": "nope"}), ValueError, "expected one of the splits all, train"),
                (lambda: env.reset(options={"task": 1}), ValueError, "expected the options split, index and seed"),
                (lambda: env.step(3), TypeError, "expected action as str"),
                (lambda: PalestraVectorEnv("textcraft", 0, gym=gym), ValueError, "received 0"),
                (lambda: PalestraVectorEnv("textcraft", 2, gym=gym, autoreset_mode="nope"), ValueError, "nope"),
                (lambda: vector.reset(seed=[1]), ValueError, "expected 2 seeds, but received 1"),
                (lambda: vector.reset(options=mask), ValueError, "at least one True"),
                (lambda: vector.reset(options={"reset_mask": [True, True]}), ValueError, "array of 2 booleans"),
                (lambda: vector.step(["inventory"]), ValueError, "expected 2 actions, but received 1"),
                (lambda: vector.step(["inventory", 5]), TypeError, "expected each action as str"),
            ]:
                with self.subTest(text), self.assertRaises(kind) as caught:
                    act()
                self.assertIn(text, str(caught.exception))
            # None of these stepped an episode.
            self.assertEqual([episode.index for episode in [env.episode, *vector.episodes]], [0, 0, 0])


class Vector(unittest.TestCase):
    def test_every_autoreset_mode_gives_what_gymnasiums_own_vector_environment_gives(self) -> None:
        plays = [
            # Environment 0 solves its task, 1 is truncated, and 2 does both at different times.
            ("textcraft", {"index": 7, "max_steps": 3}, [solution * 9, ["inventory"] * 18, ["look", *solution] * 6]),
            ("textcraft", {"max_steps": 2, "split": "train"}, [["inventory"] * 18, ["get 1 dirt"] * 18, ["x"] * 18]),
            ("babyai", {"max_steps": 4}, [["turn left"] * 18, ["move forward"] * 18, ["turn right", "nonsense"] * 9]),
            ("plain", {}, [["a", "end"] * 9, ["a", "b", "c", "end"] * 5, ["end"] * 18]),
        ]
        for environment, arguments, actions in plays:
            for mode in AutoresetMode:
                with self.subTest(f"{environment} {mode}"), Gym(url) as gym:
                    self.compare(gym, environment, arguments, list(zip(*actions)), mode)

    def compare(self, gym: Gym, environment: str, arguments: Any, steps: Any, mode: AutoresetMode) -> None:
        ours = PalestraVectorEnv(environment, 3, gym=gym, autoreset_mode=mode, **arguments)
        theirs = SyncVectorEnv(
            [lambda: PalestraEnv(environment, gym=gym, **arguments)] * 3, autoreset_mode=mode
        )
        self.assertEqual(ours.metadata["autoreset_mode"], mode)
        self.assertEqual(ours.observation_space, theirs.observation_space)
        self.assert_same(ours.reset(seed=5), theirs.reset(seed=5))
        ends = 0
        for actions in steps:
            mine, reference = ours.step(actions), theirs.step(actions)
            self.assert_same(mine, reference)
            ended = np.logical_or(mine[2], mine[3])
            ends += int(ended.sum())
            if mode == AutoresetMode.DISABLED and ended.any():
                masks = [{"reset_mask": ended.copy()} for _ in range(2)]
                self.assert_same(ours.reset(options=masks[0]), theirs.reset(options=masks[1]))
        self.assertGreater(ends, 6)
        self.assert_same(ours.reset(), theirs.reset())
        ours.close()
        theirs.close()

    def assert_same(self, ours: Any, theirs: Any) -> None:
        self.assertTrue(data_equivalence(ours, theirs, exact=True), f"\n{ours}\nis not\n{theirs}")

    def test_the_same_step_mode_returns_the_final_observation_and_info(self) -> None:
        envs = PalestraVectorEnv("plain", 2, url, autoreset_mode="SameStep")
        envs.reset(seed=1)
        observations, _, terminated, _, infos = envs.step(("end", "a"))
        self.assertEqual((terminated.tolist(), observations[1]), ([True, False], "a"))
        self.assertRegex(observations[0], "^task . seed|^task")
        self.assertEqual(infos["final_obs"].tolist(), ["end", None])
        self.assertEqual((infos["_final_obs"].tolist(), infos["final_info"]["steps"][0]), ([True, False], 1))
        envs.close()

    def test_a_failed_episode_is_truncated_with_its_error_and_the_others_go_on(self) -> None:
        envs = PalestraVectorEnv("faulty", 3, url, split="play", index=0)
        envs.reset(seed=1)
        envs.step(["a", "a", "a"])
        _, rewards, terminated, truncated, infos = envs.step(["b", "no text", "b"])
        self.assertEqual((terminated.tolist(), truncated.tolist()), ([False] * 3, [False, True, False]))
        failure = infos["failure"]
        self.assertEqual((infos["_failure"].tolist(), rewards[1]), ([False, True, False], 0))
        self.assertEqual((failure["code"][1], failure["class"][1]), ("ENVIRONMENT_RESULT", "environment"))
        self.assertEqual([envs.episodes[at].index for at in (0, 2)], [2, 2])
        envs.step(["c", "c", "c"])
        self.assertEqual([episode.index for episode in envs.episodes], [3, 0, 3])
        envs.close()

    def test_wrappers_of_gymnasium_work(self) -> None:
        envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(
            PalestraVectorEnv("textcraft", 2, url, index=7, max_steps=5, autoreset_mode="SameStep")
        )
        envs.reset(seed=0)
        for action in solution:
            infos = envs.step((action, "inventory"))[-1]
        self.assertEqual((infos["episode"]["r"].tolist(), infos["episode"]["l"].tolist()), ([1.0, 0.0], [2, 0]))
        envs.close()

    def test_a_step_whose_autoreset_fails_is_not_performed_twice(self) -> None:
        with Gym(url) as gym:
            envs = PalestraVectorEnv("textcraft", 2, gym=gym, index=7, max_steps=3, autoreset_mode="SameStep")
            envs.reset(seed=1)
            for action in ["get 1 dirt", "get 2 dirt"]:
                envs.step((action, "inventory"))
            episodes = list(envs.episodes)
            gym.close_episode(episodes[1])
            create_many = gym.create_many

            def fail(*_: Any) -> Any:
                raise GymConnectionError("CONNECTION_LOST", "The connection was lost.")

            gym.create_many = fail  # type: ignore[method-assign]
            with self.assertRaises(GymConnectionError):
                envs.step(("inventory", "inventory"))
            gym.create_many = create_many  # type: ignore[method-assign]
            infos = envs.step(("inventory", "inventory"))[-1]
            self.assertEqual((infos["final_obs"][0], episodes[0].index), (dirt(3), 3))
            self.assertNotEqual(envs.episodes[0].id, episodes[0].id)

    def test_gymnasiums_own_processes_work_without_shared_memory(self) -> None:
        def make() -> PalestraEnv:
            return PalestraEnv("textcraft", url, index=7, max_steps=2)

        with self.assertRaises(ValueError):
            AsyncVectorEnv([make] * 2)
        envs = AsyncVectorEnv([make] * 2, shared_memory=False)
        envs.reset(seed=1)
        envs.step(("get 1 dirt", "get 2 dirt"))
        self.assertEqual(envs.step(("inventory", "inventory"))[0], (dirt(1), dirt(2)))
        envs.close()

    def test_sixty_four_episodes_play_together(self) -> None:
        envs = PalestraVectorEnv("textcraft", 64, url)
        envs.reset(seed=2)
        for _ in range(5):
            envs.step(["get 1 dirt"] * 64)
        self.assertEqual(envs.step(["inventory"] * 64)[0], (dirt(5),) * 64)
        envs.close()


if __name__ == "__main__":
    unittest.main()
