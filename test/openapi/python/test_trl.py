"""The classes for TRL's `environment_factory`, used as TRL 1.16 uses them, without TRL."""

import inspect
import typing
import unittest
from typing import Any, Literal, Optional

from wire import LossyProxy, url

from palestra import GymActionError, GymEnvironmentError
from palestra.trl import environment


def tools_of(instance: Any) -> dict[str, Any]:
    """Returns the methods that TRL offers to the model as tools."""
    names = [name for name, _ in inspect.getmembers(type(instance), predicate=inspect.isfunction)]
    return {
        name: getattr(instance, name)
        for name in names
        if name not in ("reset", "get_reward") and not name.startswith("_")
    }


class Tools(unittest.TestCase):
    def test_each_tool_is_a_typed_and_documented_method(self) -> None:
        instance = environment(url, "textcraft")()
        tools = tools_of(instance)
        self.assertEqual(sorted(tools), ["craft", "get", "inventory"])
        craft = tools["craft"]
        self.assertEqual(
            typing.get_type_hints(craft), {"count": int, "item": str, "ingredients": list[str], "return": str}
        )
        self.assertEqual(
            str(inspect.signature(craft)), "(count: int, item: str, ingredients: list[str]) -> str"
        )
        self.assertEqual(
            inspect.getdoc(craft),
            "Craft an item from what you have, by one of the crafting commands that you were given.\n\n"
            "Args:\n"
            "    count: How many the command makes.\n"
            "    item: Its name, in spaces: oak planks.\n"
            "    ingredients: What it uses up, each with its count: 1 oak log.\n\n"
            "Returns:\n"
            "    The observation.",
        )

    def test_an_environment_without_tools_has_the_method_act(self) -> None:
        instance = environment(url, "plain", options={"voice": "loud"})()
        self.assertEqual(list(tools_of(instance)), ["act"])
        self.assertEqual(instance.reset(index=3, split="only", seed=4, prompt="x"), "task 3, seed 4")
        self.assertEqual((instance.act("hello"), instance.act(action="end")), ("HELLO", "HELLO END"))

    def test_names_that_python_or_trl_cannot_use_are_changed(self) -> None:
        instance = environment(url, "odd-tools")()
        tools = tools_of(instance)
        self.assertEqual(sorted(tools), ["find", "import_", "reset_", "write"])
        signatures = {name: str(inspect.signature(tool)) for name, tool in tools.items()}
        self.assertEqual(signatures["import_"], "(class_: str) -> str")
        self.assertEqual(signatures["write"], "(self_: str, tags: list[str]) -> str")
        hints = typing.get_type_hints(tools["find"])
        self.assertEqual(hints["from_"], Literal["top", "end"])
        self.assertEqual(hints["max_results"], Optional[int])
        self.assertEqual(list(inspect.signature(tools["find"]).parameters)[:2], ["from_", "query"])
        # A line "Args:" within the description would cut it off.
        first = inspect.getdoc(tools["reset_"]).split("\n")[0]
        self.assertEqual(first, "Args - and Returns - are words here. A second line.")
        instance.reset(index=0)
        self.assertEqual(tools["import_"]("kind"), "import kind")
        instance.reset(index=0)
        self.assertEqual(tools["write"]('a "b"\nc', ["x", "y"]), 'write x, y: "a \\"b\\"\\nc"')
        instance.reset(index=0)
        self.assertEqual(
            tools["find"](query="é", from_="end", max_results=3, exact=True, where=None),
            'find {"from":"end","query":"é","max-results":3,"exact":true}',
        )

    def test_a_call_that_does_not_fit_is_refused_and_takes_no_step(self) -> None:
        instance = environment(url, "textcraft")()
        with self.assertRaisesRegex(RuntimeError, "expected a call of reset"):
            instance.inventory()
        instance.reset(index=7)
        for act, kind, text in [
            (lambda: instance.get(count="6", item="dirt"), ValueError, 'expected count as integer, but received "6"'),
            (lambda: instance.get(count=True, item="dirt"), ValueError, "expected count as integer"),
            (lambda: instance.get(count=1), TypeError, "missing a required argument: 'item'"),
            (lambda: instance.get(count=1, item="dirt", place="x"), TypeError, "unexpected keyword argument 'place'"),
            (lambda: instance.craft(1, "dirt", "1 log"), ValueError, "expected ingredients as array"),
            (lambda: instance.craft(1, "dirt", [1]), ValueError, "expected each entry of ingredients as string"),
            (lambda: instance.get(count=1, item="x" * 2_000_000), GymActionError, "ACTION_TOO_LARGE"),
        ]:
            with self.subTest(text), self.assertRaisesRegex(kind, text):
                act()
        self.assertEqual(instance.inventory(), "Inventory: You are not carrying anything.")
        self.assertEqual(instance.episode.index, 1)
        odd = environment(url, "odd-tools")()
        odd.reset(index=0)
        with self.assertRaisesRegex(ValueError, r'expected from as one of \["top", "end"\], but received "side"'):
            odd.find(query="a", from_="side")


class Rollouts(unittest.TestCase):
    def test_instances_play_rows_side_by_side_and_own_their_reward(self) -> None:
        factory = environment(url, "textcraft")
        self.assertEqual(factory.__name__, "TextcraftEnvironment")
        self.assertTrue(inspect.isfunction(factory.get_reward))
        one, two = factory(), factory()
        row = {"prompt": [{"role": "user", "content": "Play."}], "index": 7}
        self.assertEqual(one.reset(**row), two.reset(**row))
        one.get(6, "blackstone")
        one.craft(4, "blackstone stairs", ["6 blackstone"])
        two.get(1, "dirt")
        self.assertEqual((one.get_reward(), two.get_reward()), (1.0, 0.0))
        self.assertEqual(one.inventory(), "The episode has ended.")
        self.assertEqual(two.inventory(), "Inventory: [dirt] (1) ")
        one.reset(**row)
        self.assertEqual(one.get_reward(), 0.0)

    def test_an_episode_that_the_gym_failed_has_no_reward(self) -> None:
        instance = environment(url, "faulty")()
        instance.reset(index=0, split="play")
        with self.assertRaises(GymEnvironmentError):
            instance.act("no text")
        self.assertIsNone(instance.get_reward())
        self.assertEqual(instance.act("anything"), "The episode has ended.")
        instance.reset(index=0, split="play")
        self.assertEqual(instance.get_reward(), 0.0)

    def test_the_reward_can_be_left_to_the_trainer(self) -> None:
        factory = environment(url, "textcraft", reward=False, max_steps=1)
        self.assertFalse(hasattr(factory, "get_reward"))
        instance = factory()
        instance.reset(index=7)
        instance.inventory()
        self.assertEqual((instance.total_reward, instance.episode.truncated), (0.0, True))

    def test_a_lost_reply_does_not_step_twice(self) -> None:
        with LossyProxy() as proxy:
            instance = environment(proxy.url, "textcraft")()
            instance.reset(index=7)
            proxy.lost = ["step"]
            instance.get(1, "dirt")
            self.assertEqual((proxy.lost, instance.inventory()), ([], "Inventory: [dirt] (1) "))
            instance._shared.get().close()

    def test_wrong_input_is_refused(self) -> None:
        with self.assertRaisesRegex(GymActionError, "ENVIRONMENT_UNKNOWN"):
            environment(url, "nope")
        with self.assertRaisesRegex(ValueError, "expected voice as one of plain, loud, but received 'soft'"):
            environment(url, "plain", options={"voice": "soft"})
        with self.assertRaisesRegex(ValueError, "expected a column `index` in the dataset, but received prompt"):
            environment(url, "textcraft")().reset(prompt="x")


if __name__ == "__main__":
    unittest.main()
