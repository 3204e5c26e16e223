import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EnvironmentSpec } from "#palestra/envs/env.js";
import { TaskOutOfRange, UnknownEnvironment, UnknownSplit, UnusableModule } from "#palestra/envs/errors.js";
import { checkTask, defaultSplit, Registry, versionedId } from "#palestra/envs/registry.js";
import { authorModule } from "../support/author-module.js";
import { root } from "../support/server-process.js";

const split = (size: number) => ({ size, summary: "Tasks.", title: (index: number) => `task ${index}` });

const spec = (id: string, version: number | string): EnvironmentSpec => ({
  id,
  version,
  summary: "A maze.",
  splits: { train: split(3), test: split(1) },
  maxSteps: 10,
  rewardRange: [0, 1],
  prompt: "Find the way out.",
  requirements: [],
  restore: "replay",
  create: () => ({
    reset: () => ({ observation: "", info: {} }),
    step: () => ({ observation: "", reward: 0, terminated: true, truncated: false, info: {} }),
    close: () => {},
  }),
});

const [maze1, maze2, shop] = [spec("maze", 1), spec("maze", 2), spec("shop", 1)];

describe("Registry", () => {
  test("an id selects the newest version, in any order of registration", () => {
    expect(new Registry([maze1, maze2]).get("maze")).toBe(maze2);
    expect(new Registry([maze2, maze1]).get("maze")).toBe(maze2);
  });

  test("versions compare as numbers", () => {
    const tenth = spec("maze", 10);
    expect(new Registry([maze2, tenth]).get("maze")).toBe(tenth);
  });

  test("id@version pins that version", () => {
    const registry = new Registry([maze1, maze2]);
    expect(registry.get("maze@1")).toBe(maze1);
    expect(registry.get("maze@2")).toBe(maze2);
  });

  test("the list has the newest version of each environment, in order of registration", () => {
    expect(new Registry([shop, maze1, maze2]).list()).toEqual([shop, maze2]);
    expect(new Registry([]).list()).toEqual([]);
  });

  test("a version with a name is another engine, which the id alone never selects", () => {
    const [outside, only] = [spec("maze", "outside"), spec("yard", "outside")];
    const registry = new Registry([outside, only, maze2, shop, maze1]);
    expect(registry.get("maze@outside")).toBe(outside);
    expect(registry.get("maze")).toBe(maze2);
    expect(() => registry.get("yard")).toThrow(/maze@outside, yard@outside.*but received "yard"/);
    expect(registry.list()).toEqual([maze2, outside, only, shop]);
  });

  test.each(["labyrinth", "maze@3", "maze@", "Maze", "", "__proto__", "constructor"])(
    "the name %j is refused with UnknownEnvironment",
    (name) => {
      expect(() => new Registry([maze1]).get(name)).toThrow(UnknownEnvironment);
    },
  );

  test("the error lists the known environments and the received name", () => {
    expect(() => new Registry([maze1, shop]).get("labyrinth")).toThrow(/maze.*shop.*but received "labyrinth"/);
  });

  test("two environments with the same id and version are refused", () => {
    expect(() => new Registry([maze1, spec("maze", 1)])).toThrow("received maze@1 twice");
  });

  test("get accepts the result of versionedId", () => {
    expect(versionedId(maze2)).toBe("maze@2");
    expect(new Registry([maze1, maze2]).get(versionedId(maze1))).toBe(maze1);
  });
});

describe("checkTask", () => {
  test("returns the reference of a task without additional fields", () => {
    expect(checkTask(maze1, { split: "train", index: 2 })).toEqual({ split: "train", index: 2 });
    const written = { split: "test", index: 0, note: "mine" };
    expect(checkTask(maze1, written)).toEqual({ split: "test", index: 0 });
  });

  test.each(["dev", "", "Train", "__proto__", "toString"])("the split %j is refused with UnknownSplit", (name) => {
    expect(() => checkTask(maze1, { split: name, index: 0 })).toThrow(UnknownSplit);
  });

  test.each([-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY])(
    "the index %d is refused with TaskOutOfRange",
    (index) => {
      expect(() => checkTask(maze1, { split: "train", index })).toThrow(TaskOutOfRange);
    },
  );

  test("the errors name the splits and the size", () => {
    expect(() => checkTask(maze1, { split: "dev", index: 0 })).toThrow(/maze's splits train, test.*received "dev"/);
    expect(() => checkTask(maze1, { split: "train", index: 3 })).toThrow(/from 0 to 2 in the split train.*received 3/);
  });
});

describe("Registry.load", () => {
  let folder: string;
  const module = async (name: string, text: string) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "palestra-registry-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test("adds the modules at the given paths to the built-in environments", async () => {
    const { create, ...plain } = spec("own", 4);
    const path = await module("own.mjs", `export default { ...${JSON.stringify(plain)}, create() {} };`);
    const registry = await Registry.load([path]);
    expect(registry.get("own@4").id).toBe("own");
    expect(registry.list().map(({ id }) => id)).toEqual([...(await Registry.load()).list().map(({ id }) => id), "own"]);
  });

  test("textcraft is built in", async () => {
    expect((await Registry.load()).get("textcraft").id).toBe("textcraft");
  });

  test.each([
    ["no default export", "export const id = 1;"],
    ["no create", `export default { id: "own", version: 1 };`],
    ["no id", "export default { version: 1, create() {} };"],
    ["no splits", `export default { id: "own", version: 1, summary: "", create() {} };`],
    ["a thrown error", `throw new Error("as asked");`],
    [
      "an engine outside that could be copied",
      `export default { isAsync: true, restore: "clone", id: "own", version: 1, summary: "", splits: {}, maxSteps: 1, prompt: "", requirements: [], create() {} };`,
    ],
  ])("a module with %s is refused", async (what, text) => {
    const path = await module(`${what.replaceAll(" ", "-")}.mjs`, text);
    await expect(Registry.load([path])).rejects.toThrow(UnusableModule);
    await expect(Registry.load([path])).rejects.toThrow("to export an EnvironmentSpec as its default");
  });

  test.each([
    ["maxSteps", "maxstep", "maxstep (Did you mean maxSteps?)"],
    ["rewardRange", "rewardrange", "rewardrange (Did you mean rewardRange?)"],
    ["requirements", "soledReward: 1, requirements", "soledReward (Did you mean solvedReward?)"],
    ["requirements", "mazes: [], requirements", "mazes. The fields are id, version, summary, splits, "],
    ["size", "sise", "splits.train.sise (Did you mean size?)"],
    ["expert", "tools: [{ name: 'go', acton: 'go' }], expert", "tools.0.acton (Did you mean action?)"],
    [
      "expert",
      "options: { mode: { summary: 'How.', values: { usual: { sumary: 'As ever.' } } } }, expert",
      "options.mode.values.usual.sumary (Did you mean summary?)",
    ],
    ["expert", "queries: { map: { answr: () => 1 } }, expert", "queries.map.answr (Did you mean answer?)"],
  ])("a spec with an unknown field is refused with the nearest name: %s as %s", async (field, changed, named) => {
    const path = authorModule(`${field}:`, `${changed}:`);
    await expect(Registry.load([path], "added")).rejects.toThrow(`a spec with the unknown field ${named}`);
  });

  test("a part of a spec can be an instance of a class with fields of its own", async () => {
    const mazes = "new (class { mazes = [1]; size = 1; summary = 'All.'; title() { return 'maze'; } })()";
    const path = authorModule("splits: {", `splits: { other: ${mazes},`);
    expect((await Registry.load([path], "added")).get("maze").splits.other?.size).toBe(1);
  });

  test.each([
    ["a syntax error", "const rules = [;", "rules.mjs:2"],
    ["an import of a file that does not exist", 'import "./missing.mjs";', "rules.mjs:2"],
    ["an import of a package that is not installed", 'import { x } from "palestra-missing/x";', "rules.mjs:2"],
    ["an import of a name that is not exported", 'import { missing } from "node:fs";', "rules.mjs:2"],
    ["a call that throws", "JSON.parse('{');", "rules.mjs:2:6"],
  ])(
    "a module with %s is refused with the file and line, even if another module imports it",
    async (what, line, place) => {
      const name = what.replaceAll(" ", "-");
      const rules = await module(`${name}-rules.mjs`, `// The rules.\n${line}\nexport const rules = 5;\n`);
      const path = await module(`${name}.mjs`, `import { rules } from "./${name}-rules.mjs";\nexport default rules;\n`);
      const wanted = place.replace("rules.mjs", rules);
      await expect(Registry.load([path])).rejects.toThrow(`(${wanted})`);
    },
  );

  test("the default split is the first, or the one that the spec names, and no other name is accepted", async () => {
    const splits = "splits: { 2024: { size: 1, summary: 'New mazes.', title: () => 'maze' },";
    const withField = (field: string) => authorModule("splits: {", `${field}${splits}`);
    const load = async (field: string) => (await Registry.load([withField(field)], "added")).get("maze");
    // JavaScript moves keys that are integers to the front.
    expect(defaultSplit(await load(""))).toBe("2024");
    expect(defaultSplit(await load("defaultSplit: 'train', "))).toBe("train");
    await expect(load("defaultSplit: 'dev', ")).rejects.toThrow(
      'a spec whose defaultSplit is "dev", which is none of its splits',
    );
  });

  test("envs/README.md names the default split of each environment", async () => {
    const page = readFileSync(join(root, "envs/README.md"), "utf8");
    const rows = [...page.matchAll(/^\| \[([\w-]+)\]\([^|]+\| [^|]+ \| `(\w+)` \|/gm)].map(
      ([, id, split]) => `${id} ${split}`,
    );
    const bundled = (await Registry.load()).list().filter(({ version }) => typeof version === "number");
    expect(rows.sort()).toEqual(bundled.map((each) => `${each.id} ${defaultSplit(each)}`).sort());
  });

  test("a missing module is refused", async () => {
    await expect(Registry.load([join(folder, "missing.mjs")])).rejects.toThrow(UnusableModule);
  });
});
