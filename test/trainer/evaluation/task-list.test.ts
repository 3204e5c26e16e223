import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTasks, TaskLists } from "#palestra/trainer/evaluation/task-list.js";
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

test("a file contains indices or AgentGym's item ids", () => {
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

describe("tasks of several environments", () => {
  /** Files in the layout of AgentGym-RL's `AgentEval`. */
  function folder(names: readonly string[]): string {
    const path = scratchDir();
    for (const name of names) {
      mkdirSync(join(path, name));
      writeFileSync(join(path, name, `${name}_test.json`), JSON.stringify([{ item_id: `${name}_31` }]));
    }
    return path;
  }

  test("a list without a name applies to the only environment", () => {
    const lists = TaskLists.parse(["3,4"]);
    expect(lists.of("textcraft")).toEqual([3, 4]);
    expect(() => lists.expectFor(["textcraft"])).not.toThrow();
    expect(() => lists.expectFor(["textcraft", "babyai"])).toThrow(
      /^expected --tasks textcraft=FILE, or a folder .+, but received a single list for 2 environments$/,
    );
  });

  test("NAME=LIST and NAME=FILE apply to that environment only", () => {
    const lists = TaskLists.parse(["textcraft=0-2", `babyai=${file("[7]")}`]);
    expect(["textcraft", "babyai", "sciworld"].map((name) => lists.of(name))).toEqual([[0, 1, 2], [7], undefined]);
    expect(() => lists.expectFor(["textcraft", "sciworld"])).toThrow(
      "expected tasks of one of textcraft, sciworld, but received tasks of babyai",
    );
  });

  test("a folder has a file for each environment, in AgentEval's layout", () => {
    const path = folder(["textcraft", "babyai"]);
    const lists = TaskLists.parse([path, "babyai=5"]);
    expect([lists.of("textcraft"), lists.of("babyai")]).toEqual([[31], [5]]);
    expect(() => lists.of("webarena")).toThrow(
      /^expected webarena\/webarena_test\.json in .+, but received no such file\. .+ --tasks webarena=FILE/,
    );
  });

  test("without --tasks no environment has a list", () => {
    expect(TaskLists.parse([]).of("textcraft")).toBeUndefined();
  });
});
