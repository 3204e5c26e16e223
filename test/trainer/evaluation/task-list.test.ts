import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseTasks } from "#palestra/trainer/evaluation/task-list.js";
import { scratchDir } from "../../support/gym.js";

function file(text: string): string {
  const path = join(scratchDir(), "tasks.json");
  writeFileSync(path, text);
  return path;
}

test.each([
  ["7", [7]],
  ["0-3", [0, 1, 2, 3]],
  ["3, 5,8-10,5", [3, 5, 8, 9, 10]],
])("%s", (text, indices) => {
  expect(parseTasks(text)).toEqual(indices);
});

test("a file of indices, or of AgentGym's item ids", () => {
  expect(parseTasks(file("[4, 2]"))).toEqual([4, 2]);
  expect(parseTasks(file('[{"item_id": "textcraft_31"}, {"item_id": "textcraft_5", "conversations": []}]'))).toEqual([
    31, 5,
  ]);
});

test.each(["5-3", "1-", "", "-", "0-99999999", "nowhere.json"])("%j is refused", (text) => {
  expect(() => parseTasks(text)).toThrow(/^expected indices as 0-99 or 3,5,8-10, or a file .+, but received "/);
});

test.each(["[]", "{}", "[-1]", '[{"item_id": "textcraft"}]', "[1.5]", "[null]"])("a file of %s is refused", (text) => {
  expect(() => parseTasks(file(text))).toThrow(/^expected indices as .+, but received/);
});
