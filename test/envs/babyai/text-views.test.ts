/** Compares texts of views with recordings of AgentGym's class, for random views and views of real levels. */
import { expect, test } from "vitest";
import { AvailableActions } from "#palestra/envs/babyai/text/available-actions.js";
import { describe } from "#palestra/envs/babyai/text/description.js";
import { refusals } from "#palestra/envs/babyai/text/refusals.js";
import { Scene } from "#palestra/envs/babyai/text/scene.js";
import { fixtureLines } from "./recordings.js";
import { type RecordedView, seenIn } from "./text-recordings.js";

const views = fixtureLines<RecordedView>("text-views.jsonl.gz");

const reasons = [
  "There is a barrier in front of you, you can't move forward.",
  "You cannot drop the object, as there is already an object in front of you.",
  "You cannot drop the object, as you are not carrying anything.",
  "You cannot go through X, as it is closed. You should toggle it first.",
  "You cannot go through X, as there is no path leading to it.",
  "You cannot go to X, as there is no path leading to it.",
  "You cannot pickup X, as there is no path leading to it.",
  "You cannot toggle and go through X, as the color of the key you are carrying does not match the color of door.",
  "You cannot toggle and go through X, as there is no path leading to it.",
  "You cannot toggle and go through X, as you are not carrying a key.",
];

/** All views share one scene, so that state left from one view would show in the next. */
const scene = new Scene();
const available = new AvailableActions(scene);

function answersTo(view: RecordedView) {
  const seen = seenIn(view);
  scene.look(seen);
  available.list(seen);
  return {
    text: describe(scene, seen),
    actions: available.names.map((name) => [name, available.movesOf(name)?.join("")]),
    errors: Object.fromEntries(refusals(scene, seen)),
  };
}

test("text, actions with their moves, and error messages equal AgentGym's", () => {
  expect(views.length).toBeGreaterThan(900);
  for (const view of views) {
    const { text, actions, errors } = view;
    expect(answersTo(view)).toEqual({ text, actions: Object.entries(actions), errors });
  }
});

test("the recording has every kind of reply", () => {
  const texts = views.map(({ text }) => text);
  const names = views.flatMap(({ actions }) => Object.keys(actions));
  const errors = views.flatMap((view) => Object.values(view.errors));
  expect(texts.some((text) => text.startsWith("You cannot see any objects within sight."))).toBe(true);
  for (const end of ["a wall 1 steps away. ", "a box 1 steps away. ", "carrying a red key."]) {
    expect(texts.some((text) => text.includes(end))).toBe(true);
  }
  for (const start of ["move forward", "pickup", "drop", "go through", "toggle and go", "toggle", "go to"]) {
    expect(names.some((name) => name.startsWith(start))).toBe(true);
  }
  const kinds = new Set(
    errors.map((error) => error.replace(/ (red|green|blue|purple|yellow|grey) .+? (\d+|\{.*\}),/, " X,")),
  );
  expect([...kinds].sort()).toEqual(reasons);
});
